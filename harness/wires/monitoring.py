"""Watches the wires of a rig while any program uses its devices, emulated or real.

A serial line or a TCP port has room for one listener. So the program is given an endpoint of ours, and all bytes are
passed on to the device. A broker lets anybody listen, and nothing stands between.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from feltrig.emulators.relays.noise import Noise, Passage
from feltrig.errors import RigError
from feltrig.harness.rig.model import DeviceConfig, Rig
from feltrig.harness.wires import wire_of
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.wires.endpoints import Endpoint, endpoint
from feltrig.harness.wires.relays import disturbed
from feltrig.harness.wires.wire import Heard
from feltrig.protocols.errors import LineLost
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.sniffing import NoMessage, Sniffer


@dataclass(frozen=True, slots=True)
class Watched:
    """A rig whose wires are watched."""

    endpoints: tuple[Endpoint, ...]
    """Where programs find the devices."""
    broker: str | None
    made_up: bytes | None
    """The certificate by which the emulated ends of TLS are known; None without such ends."""
    unwatched: tuple[str, ...]
    """Devices whose traffic cannot be read: TLS hides it."""


@asynccontextmanager
async def monitored(rig: Rig, seed: int, heard: Heard, only: str | None = None) -> AsyncIterator[Watched]:
    """Serve what is emulated, and watch the device of a name, or all. Raises RigError."""
    if only is not None and only not in rig.devices:
        raise RigError(f"{rig.source}: there is no device {only!r} in it: expected one of {', '.join(rig.devices)}")
    async with AsyncExitStack() as stack:
        emulated = await stack.enter_async_context(EmulatedRig(rig, seed))
        noise = await stack.enter_async_context(disturbed(emulated, seed))
        lines: dict[str, _Line] = {}
        endpoints, unwatched = [], []
        for device in rig.devices.values():
            place = endpoint(device, emulated.where(device), noise.get(device.name))
            if only in (None, device.name):
                wire = wire_of(device)
                try:
                    if wire.overhear is not None:
                        await wire.overhear(stack, emulated.site, device, heard)
                    elif wire.hidden:
                        unwatched.append(device.name)
                    else:
                        place = replace(place, where=await _watch(stack, device, place.where, lines, heard))
                except LineLost as error:
                    raise RigError(f"{rig.source}: devices.{device.name}: {error}") from error
            endpoints.append(place)
        site = emulated.site
        yield Watched(tuple(endpoints), site.broker_address, site.made_up, tuple(unwatched))


async def _watch(
    stack: AsyncExitStack, device: DeviceConfig, where: str, lines: dict[str, "_Line"], heard: Heard
) -> str:
    """Stand between, once for all devices on a line; returns where the program finds the device."""
    if where not in lines:
        lines[where] = line = _Line(heard)
        relay = wire_of(device).relay(device.wire, where, line)
        stack.push_async_callback(relay.stop)
        line.where = await relay.start()
    lines[where].add(device)
    return lines[where].where


class _Line(Noise):
    """Lets everything pass as it is, and listens for every device on the line. A relay asks it as it asks noise."""

    def __init__(self, heard: Heard) -> None:
        super().__init__((), 0)
        self.where = ""
        self._heard = heard
        self._sniffers: dict[str, Sniffer] = {}

    def add(self, device: DeviceConfig) -> None:
        wire, kind = wire_of(device), KINDS[device.kind]
        self._sniffers[device.name] = wire.sniffer(kind, device.profile, self.where, wire.number(device))

    def passes(self, outgoing: bool, chunk: bytes, now: float) -> Passage:
        """Let it pass. What makes no sense is told once, not for every device on the line."""
        for number, (name, sniffer) in enumerate(self._sniffers.items()):
            messages = sniffer.hear(outgoing, chunk)
            if number:
                messages = [message for message in messages if not isinstance(message, NoMessage)]
            if messages or len(self._sniffers) == 1:
                self._heard(name, outgoing, chunk, messages)
        return super().passes(outgoing, chunk, now)
