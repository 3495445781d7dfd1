"""The emulated side of a rig: a bench with cards, a model of each emulated device, and the stations that serve them."""

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from feltrig.emulators.bench import Bench
from feltrig.emulators.machine import Machine, Station
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.device import Device, emulated
from feltrig.emulators.models.misbehaviour import Misbehaviour
from feltrig.emulators.models.setup import Setup
from feltrig.engine.games import GAMES
from feltrig.errors import RigError
from feltrig.harness.rig.model import DeviceConfig, EmulatorConfig, Rig
from feltrig.harness.rig.tls import refused
from feltrig.harness.table.firmware import digest, read_image
from feltrig.harness.wires import wire_of
from feltrig.harness.wires.endpoints import Endpoint, endpoint
from feltrig.harness.wires.site import RigSite, reason
from feltrig.harness.wires.usercode import FAILURES, Breakdown, Guarded, failure, find
from feltrig.harness.wires.wire import DeviceEnd
from feltrig.protocols.errors import LineLost, NotAdmitted
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.shoe import STACK_SIZES
from feltrig.protocols.messages import Identity


class EmulatedRig:
    """Serves the emulated devices of a rig while it is entered. Raises Breakdown on leaving if a user's function
    failed; the task that entered is cancelled when that happens, and so leaves at once."""

    def __init__(self, rig: Rig, seed: int) -> None:
        self.rig = rig
        self.site = RigSite(rig)
        """What its wires share, among them the broker."""
        self.bench = Bench()
        self.machines: dict[str, Device[Any]] = {}
        self.served: dict[str, Machine] = {}
        """The machines as their stations have them. Let time pass through these: a user's function may fail then."""
        self.endpoints: dict[str, Endpoint] = {}
        self._seed = seed
        self._stack = AsyncExitStack()
        self._lines: dict[str, tuple[Station, str]] = {}
        """The stations that several devices can share, and where they are, by the name of the line."""
        self._deck_size = len(GAMES[rig.game.name].cards)
        self._task: asyncio.Task[Any] | None = None
        self._breakdown: Breakdown | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.current_task()
        try:
            if any(wire_of(device).on_broker for device in self.rig.devices.values()):
                await self.site.serve_broker(self._stack)
            for device in self.rig.devices.values():
                if device.emulator is not None:
                    await self._serve(device, device.emulator)
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()
        if self._breakdown is not None:
            if self._task is not None and kind is asyncio.CancelledError:
                self._task.uncancel()
            raise self._breakdown

    @contextmanager
    def used_by(self, task: asyncio.Task[Any] | None) -> Iterator[None]:
        """Within this, another task than the one that entered is cancelled if a user's function fails. Raises
        Breakdown then, and not again on leaving the rig."""
        entered, self._task = self._task, task
        try:
            yield
        except asyncio.CancelledError:
            if self._breakdown is None or task is None:
                raise
            task.uncancel()
            breakdown, self._breakdown = self._breakdown, None
            raise breakdown from None
        finally:
            self._task = entered

    def address(self, device: DeviceConfig) -> str:
        """What a driver opens: the path of a port, or the `host:port` of a device or of the broker."""
        if wire_of(device).on_broker:
            assert self.site.broker_address is not None
            return self.site.broker_address
        return self.where(device)

    def where(self, device: DeviceConfig) -> str:
        """Where a device is, emulated or real: a port, `host:port`, or a topic."""
        place = self.endpoints.get(device.name)
        where: str = wire_of(device).where(device.wire) if place is None else place.where
        return where

    def powered(self, device: DeviceConfig) -> Callable[[], bool] | None:
        """Says whether a device has power; None for a real one."""
        machine = self.machines.get(device.name)
        return None if machine is None else lambda: not machine.board.off

    async def _serve(self, device: DeviceConfig, emulator: EmulatorConfig) -> None:
        machine = self._model(device, emulator)
        self._load_firmware(machine, device, emulator)
        machine.advance(time.monotonic())  # its clock starts here, and with it the time of its faults
        self.machines[device.name] = machine
        served: Machine = machine
        if emulator.mechanics is not None:
            served = Guarded(machine, partial(self._broke_down, device, emulator.mechanics))
        self.served[device.name] = served
        misbehave, powered = Misbehaviour(machine.board), self.powered(device) or (lambda: True)
        end = DeviceEnd(self.site, device, served, time.monotonic, misbehave, powered=powered)
        if emulator.sabotage is not None:
            end = self._sabotaged(end, machine, emulator.sabotage)
            self.served[device.name] = end.machine
        self.endpoints[device.name] = endpoint(device, await self._connect(end))

    async def _connect(self, end: DeviceEnd) -> str:
        """Put a device on its line, which others may be on already; returns where."""
        device, wire = end.device, wire_of(end.device)
        line = wire.line(device)
        if line in self._lines and wire.join is not None:
            station, where = self._lines[line]
            wire.join(station, end)
            return where
        station = wire.station(end)
        end.prepare(station)
        self._stack.push_async_callback(station.stop)
        try:
            where = await station.start()
        except NotAdmitted as error:
            raise refused(self.rig, device, error) from error
        except LineLost as error:
            raise RigError(f"{self._key(device)}: cannot be served: {error}") from error
        except OSError as error:
            at = wire.listens(device)
            why = reason(error) if at is None else f"{at}: {reason(error)}"
            raise RigError(f"{self._key(device)}: cannot be served: {why}") from error
        if line is not None:
            self._lines[line] = station, where
        return where

    def _sabotaged(self, end: DeviceEnd, machine: Device[Any], name: str) -> DeviceEnd:
        """The device as the saboteur has left it."""
        from feltrig.emulators.saboteur.catalogue import mutant  # only for who asks for one

        try:
            struck = mutant(name, end.device.kind, end.device.wire.name).strike(machine, end.misbehave)
        except ValueError as error:
            raise RigError(f"{self._key(end.device)}.emulator.sabotage: {error}") from error
        return replace(
            end, machine=struck.machine, misbehave=struck.misbehave, port=struck.port, prepare=struck.prepare
        )

    def _model(self, device: DeviceConfig, emulator: EmulatorConfig) -> Device[Any]:
        model = MODELS[device.kind]
        setup = Setup(
            device.name,
            self._device_seed(device, emulator),
            emulator.speed,
            emulator.faults,
            _identity(device, emulator),
            bench=self.bench,
            decks=self.rig.game.decks,
            deck_size=lambda: self._deck_size,
            stack_sizes=device.stack_sizes or STACK_SIZES,
            settings=emulator.settings,
        )
        if emulator.mechanics is None:
            return model.build(setup)
        try:
            function = find(emulator.mechanics, Path(self.rig.source).parent, device.kind)
        except ValueError as error:
            raise RigError(f"{self._key(device)}.emulator.mechanics: {error}") from error
        try:
            return model.build(replace(setup, mechanics=function))
        except FAILURES as error:  # dice lie in the shaker from the start
            raise RigError(self._failure(device, emulator.mechanics, error)) from error

    def expect(self, cards: int) -> None:
        """Let a whole deck have so many cards from now on."""
        self._deck_size = cards

    def reseed(self, seed: str) -> None:
        """Let every device draw from new streams; one with a seed of its own in the rig file keeps to that."""
        for name, machine in self.machines.items():
            emulator = self.rig.devices[name].emulator
            own = seed if emulator is None or emulator.seed is None else f"{emulator.seed} {seed.partition(' ')[2]}"
            machine.board.reseed(own)

    def memory(self) -> dict[str, Any]:
        """What the devices remember beyond what is seen of them: how far their faults have come."""
        return {name: machine.board.memory for name, machine in self.machines.items() if machine.board.memory}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Let them go on where they were."""
        for name, counts in memory.items():
            self.machines[name].board.memory = counts

    def _load_firmware(self, machine: Device[Any], device: DeviceConfig, emulator: EmulatorConfig) -> None:
        """Give the device the image of the file. One whose digest is given too says that, true or not."""
        if emulator.identity.image is not None:
            key = f"devices.{device.name}.emulator.identity.image"
            machine.image = read_image(self.rig, key, emulator.identity.image)
            if emulator.identity.digest is None:
                machine.identity = replace(machine.identity, digest=digest(machine.image))

    def _broke_down(self, device: DeviceConfig, mechanics: str, error: BaseException) -> None:
        if self._breakdown is None and self._task is not None:
            self._breakdown = Breakdown(device.name, self._failure(device, mechanics, error))
            self._task.cancel()

    def _failure(self, device: DeviceConfig, mechanics: str, error: BaseException) -> str:
        return f"{self._key(device)}.emulator.mechanics: {failure(mechanics, error)}"

    def _key(self, device: DeviceConfig) -> str:
        return f"{self.rig.source}: devices.{device.name}"

    def _device_seed(self, device: DeviceConfig, emulator: EmulatorConfig) -> int:
        """The device's own seed, or one that follows from the run's."""
        if emulator.seed is not None:
            return emulator.seed
        return random.Random(f"{self._seed} {device.name}").getrandbits(63)


def _identity(device: DeviceConfig, emulator: EmulatorConfig) -> Identity:
    """As the rig file says it; the rest is made up."""
    said = {name: value for name, value in asdict(emulator.identity).items() if value is not None and name != "image"}
    return replace(emulated(KINDS[device.kind], device.name), **said)
