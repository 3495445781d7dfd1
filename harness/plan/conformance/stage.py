"""The stage of a scene: the device under test, with a driver of the scene's own, hands, and the raw wire."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.cases import Work
from feltrig.harness.devices.device import DeviceKind
from feltrig.harness.devices.hands import Hands, Operator
from feltrig.harness.journal.writer import Journal
from feltrig.harness.plan.checkpoints import RunContext
from feltrig.harness.rig.model import DeviceConfig
from feltrig.harness.table.driver import Driver
from feltrig.harness.wires import wire_of
from feltrig.harness.wires.wire import DriverEnd
from feltrig.protocols.messages import Channel, Tap


@dataclass(slots=True)
class Stage:
    """What a scene is played with."""

    context: RunContext
    device: DeviceConfig
    prober: Driver
    """A driver with tokens of its own, whose calls and events are no evidence for the rounds."""
    taken: Collection[int] = ()
    """The addresses of the rig's devices on the line."""
    what: str = ""
    ids: tuple[str, ...] = ()
    """What is being tested: a failure that ends the scene is blamed on this."""

    def testing(self, what: str, *ids: str) -> None:
        """Say what is tested from now on."""
        self.what, self.ids = what, ids

    @property
    def kind(self) -> DeviceKind:
        """What the harness knows of this kind of device, as it was submitted."""
        return DEVICES[self.device.kind].fitted(self.device.stack_sizes)

    @property
    def hands(self) -> Hands:
        """Hands at the device, with the scene's own driver."""
        return self.context.hands(self.device.kind, self.prober)

    @property
    def operator(self) -> Operator:
        """Whoever has hands at the table."""
        return self.context.wired.operator

    @property
    def journal(self) -> Journal:
        """The journal of the run."""
        return self.context.journal

    @property
    def channel(self) -> Channel:
        """The wire that the scene's driver uses. What a wire can do beyond a `Channel`, such as to send raw bytes, the
        scenes of that wire know."""
        return self.prober.channel

    def another_channel(self, tap: Tap) -> Channel:
        """One more channel to the same device, not opened yet. A serial port can be opened only once."""
        emulated = self.context.wired.emulated
        address = emulated.address(self.device)
        return wire_of(self.device).channel(DriverEnd(emulated.site, self.device, address, address, tap))

    @contextmanager
    def slowed(self, work: Work, seconds: float) -> Iterator[None]:
        """Let an emulated device take at least so many seconds for a work, so that it can be caught at it. A machine
        of hardware takes the time that it takes."""
        machine = self.context.wired.emulated.machines.get(self.device.name)
        if machine is None:
            yield
            return
        board = machine.board
        usual, board.speed = board.speed, max(board.speed, seconds / work.seconds)
        try:
            yield
        finally:
            board.speed = usual

    async def reconnect(self) -> None:
        """Close the wire and open it again, as if a cable was pulled. Raises LineLost."""
        await self.channel.close()
        await self.channel.open()
