"""A rig with its wires plugged in: a driver for each device, and whoever has hands at the table."""

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass

from feltrig.engine.games import GAMES
from feltrig.errors import RigError
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.hands import Operator
from feltrig.harness.journal.records import DeviceConnected, NoiseBegun, NoiseEnded
from feltrig.harness.journal.writer import Journal
from feltrig.harness.plan.conformance.coverage import in_conformance
from feltrig.harness.plan.conformance.scenes import scenes_of
from feltrig.harness.rig.model import DeviceConfig, Rig
from feltrig.harness.rig.tls import refused
from feltrig.harness.table.bench_machines import BenchMachines, EmulatedMachine
from feltrig.harness.table.bench_operator import BenchOperator
from feltrig.harness.table.driver import Driver
from feltrig.harness.table.firmware import challenge, read_image, submitted
from feltrig.harness.table.host import watched
from feltrig.harness.table.prompts import Prompter
from feltrig.harness.table.technician import Technician
from feltrig.harness.table.terminal import Ask
from feltrig.harness.wires import wire_of
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.wires.relays import relay_for
from feltrig.harness.wires.watching import listening
from feltrig.harness.wires.wire import DriverEnd
from feltrig.protocols.errors import LineLost, NotAdmitted
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.lines.line import SharedPort
from feltrig.protocols.messages import Channel


@dataclass(frozen=True, slots=True)
class WiredRig:
    """Drivers by kind of device, the operator, and the emulated side (its machines and bench)."""

    devices: Mapping[str, Driver]
    operator: Operator
    emulated: EmulatedRig

    def use_cards(self, codes: tuple[int, ...]) -> None:
        """Let new decks on an emulated bench have these cards, and an emulated shuffler expect as many."""
        if isinstance(self.operator, BenchOperator):
            self.operator.codes = codes
            self.emulated.expect(len(codes))

    def reseed(self, seed: str) -> None:
        """Let everything that is emulated draw from new streams."""
        self.emulated.reseed(seed)
        if isinstance(self.operator, BenchOperator):
            self.operator.reseed(seed)


@asynccontextmanager
async def wire(
    rig: Rig,
    journal: Journal,
    seed: int,
    ask: Ask | Prompter,
    *,
    operator: Operator | None = None,
    under_test: DeviceConfig | None = None,
) -> AsyncIterator[WiredRig]:
    """Serve what is emulated, open every wire, and record who answers. `ask` prompts a technician on hardware; an
    `operator` of one's own takes the place of both the technician and the script of the bench. What the device under
    test says unasked is heard from the beginning."""
    async with EmulatedRig(rig, seed) as emulated, listening(emulated, under_test, journal):
        operator = operator or _operator(rig, emulated, seed, Technician(ask, journal))
        async with _drivers(emulated, journal, seed) as drivers, watched(journal):
            yield WiredRig({rig.devices[name].kind: driver for name, driver in drivers.items()}, operator, emulated)


@asynccontextmanager
async def connect(rig: Rig, journal: Journal, seed: int) -> AsyncIterator[Mapping[str, Driver]]:
    """Serve what is emulated and open every wire; gives the drivers by the names of their devices."""
    async with EmulatedRig(rig, seed) as emulated, _drivers(emulated, journal, seed) as drivers:
        yield drivers


@asynccontextmanager
async def _drivers(emulated: EmulatedRig, journal: Journal, seed: int) -> AsyncIterator[Mapping[str, Driver]]:
    rig = emulated.rig
    async with AsyncExitStack() as stack:
        drivers: dict[str, Driver] = {}
        shared = _shared_ports(rig, emulated)
        for device in rig.devices.values():
            image = _image(rig, device)
            said = submitted(rig, device.name, device.identity, image)
            try:
                address = await stack.enter_async_context(_noisy(device, emulated, seed, journal))
                port, tap = shared.get(address, address), journal.tap(device.name)
                channel = wire_of(device).channel(DriverEnd(emulated.site, device, address, port, tap))
                await _open(channel, device)
            except LineLost as error:
                raise refused(rig, device, error) from error
            stack.push_async_callback(channel.close)
            driver = Driver(
                device.name,
                KINDS[device.kind],
                channel,
                journal,
                device.patience,
                device.reconnect,
                disturbed=bool(device.noise),
                powered=emulated.powered(device) or device.replayed,
            )
            drivers[device.name] = driver
            try:
                await driver.open()
            except NotAdmitted as error:  # TLS 1.3 tells it only now
                raise refused(rig, device, error) from error
            _record(journal, device, said, emulated, driver)
            if image is not None and (device.profile is None or "command challenge" not in device.profile.lacks()):
                await challenge(driver, image, journal)
        yield drivers


def attended(rig: Rig) -> bool:
    """Whether a technician's hands move the cards, told by prompts."""
    return any(d.emulator is None for d in rig.devices.values() if DEVICES[d.kind].handles_cards)


def _operator(rig: Rig, emulated: EmulatedRig, seed: int, technician: Technician) -> Operator:
    handlers = [d for d in rig.devices.values() if DEVICES[d.kind].handles_cards]
    real = [d.name for d in handlers if d.emulator is None]
    if not real:
        fed = {d.kind: d.emulator.settings.get("feeds") for d in handlers if d.emulator is not None}
        feeds = {kind: rig.devices[str(name)].kind for kind, name in fed.items() if name is not None}
        served = {name: EmulatedMachine(m, emulated.served[name]) for name, m in emulated.machines.items()}
        machines = BenchMachines(emulated.bench, {rig.devices[name].kind: m for name, m in served.items()})
        chance = random.Random(f"operator {seed}")
        return BenchOperator(machines, GAMES[rig.game.name].cards, feeds, chance, technician)
    if len(real) < len(handlers):
        pretended = ", ".join(d.name for d in handlers if d.emulator is not None)
        raise RigError(
            f"{rig.source}: devices: real cards of {', '.join(real)} cannot go into the emulated {pretended}"
        )
    return technician


@asynccontextmanager
async def _noisy(device: DeviceConfig, emulated: EmulatedRig, seed: int, journal: Journal) -> AsyncIterator[str]:
    """Where the driver finds a device: behind a relay if there is noise. What noise is in force, and in the end how
    often each sort has struck, goes on record."""
    address = emulated.address(device)
    if not device.noise:
        yield address
        return
    relay = relay_for(device, address, seed)
    unseen = wire_of(device).unseen(device, emulated.site.broker)
    where = await relay.start()
    try:
        journal.append(NoiseBegun(device.name, where, unseen, tuple(asdict(d) for d in device.noise)))
        yield where
    finally:
        await relay.stop()
        journal.append(NoiseEnded(device.name, dict(relay.struck)))


async def _open(channel: Channel, device: DeviceConfig) -> None:
    """Open a channel. Noise may strike that too: then the driver finds the line lost, and opens it again."""
    try:
        await channel.open()
    except LineLost as error:
        if isinstance(error, NotAdmitted) or not device.noise:
            raise


def _shared_ports(rig: Rig, emulated: EmulatedRig) -> Mapping[str, SharedPort]:
    """The ports that several devices have in common, by their names."""
    users: dict[str, list[DeviceConfig]] = {}
    for device in rig.devices.values():
        if wire_of(device).share is not None:
            users.setdefault(emulated.address(device), []).append(device)
    shared = {name: devices[0] for name, devices in users.items() if len(devices) > 1}
    return {name: share(d.wire, name) for name, d in shared.items() if (share := wire_of(d).share) is not None}


def _image(rig: Rig, device: DeviceConfig) -> bytes | None:
    name = device.identity.image
    return None if name is None else read_image(rig, f"devices.{device.name}.identity.image", name)


def _record(
    journal: Journal, device: DeviceConfig, said: Mapping[str, str], emulated: EmulatedRig, driver: Driver
) -> None:
    assert driver.identity is not None
    journal.append(
        DeviceConnected(
            name=device.name,
            kind=device.kind,
            wire=device.wire.name,
            emulated=device.emulator is not None,
            where=emulated.where(device),
            identity=asdict(driver.identity),
            submitted=dict(said),
            looks=tuple(scene.name for scene in scenes_of(device.kind, wire_of(device))),
            requirements=in_conformance(device.kind, wire_of(device)) if device.profile is None else (),
            profile=None if device.profile is None else device.profile.record(),
            stack_sizes=device.stack_sizes,
        )
    )
