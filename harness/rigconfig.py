"""A rig as its file describes it: the game, the devices and their wires."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from feltrig.emulators.faults import Fault


@dataclass(frozen=True, slots=True)
class Wagers:
    """What is staked, in cents."""

    main: int
    bonus: int
    minimum: int
    bonus_minimum: int


@dataclass(frozen=True, slots=True)
class GameConfig:
    """The game, and which of its ways to start, deal and bank are exercised."""

    name: str
    jurisdiction: str
    start: tuple[str, ...]
    deal: tuple[str, ...]
    bank: tuple[str, ...]
    decks: int
    players: int
    rounds: int
    vigorish: str
    machine_shuffle: bool
    shuffler_counts: bool
    wagers: Wagers


@dataclass(frozen=True, slots=True)
class BrokerConfig:
    """The MQTT broker that the devices use."""

    host: str
    port: int
    username: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Serial:
    """Framed messages on a serial line."""

    name: ClassVar = "serial"
    port: str | None
    """None only when the device is emulated."""
    baud: int
    address: int


@dataclass(frozen=True, slots=True)
class ModbusRtu:
    """Modbus RTU on a serial line."""

    name: ClassVar = "modbus-rtu"
    port: str | None
    """None only when the device is emulated."""
    baud: int
    unit: int


@dataclass(frozen=True, slots=True)
class ModbusTcp:
    """Modbus over TCP."""

    name: ClassVar = "modbus-tcp"
    host: str | None
    """None only when the device is emulated: this computer."""
    port: int
    """0 only when the device is emulated: any free port."""
    unit: int


@dataclass(frozen=True, slots=True)
class Mqtt:
    """Topics on a broker."""

    name: ClassVar = "mqtt"
    topic: str
    mqtt: Literal["5", "3.1.1"]
    """The version of the protocol."""


Wire = Serial | ModbusRtu | ModbusTcp | Mqtt


@dataclass(frozen=True, slots=True)
class IdentityConfig:
    """What a device is known by; None where nothing was said."""

    vendor: str | None = None
    model: str | None = None
    serial: str | None = None
    firmware: str | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class EmulatorConfig:
    """How a device is emulated."""

    seed: int | None
    speed: float
    identity: IdentityConfig
    faults: tuple[Fault, ...]
    mechanics: str | None = None
    counts: bool = True
    feeds: str | None = None


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """One device, real or emulated."""

    name: str
    kind: str
    wire: Wire
    deadline: float
    """Seconds for one answer."""
    patience: float
    """Seconds for a mechanical operation to end."""
    identity: IdentityConfig
    """What was submitted."""
    emulator: EmulatorConfig | None
    """None for a real machine."""


@dataclass(frozen=True, slots=True)
class Rig:
    """Everything that a rig file says."""

    name: str
    seed: int | None
    table: str
    game: GameConfig
    broker: BrokerConfig | None
    """None: the embedded broker serves, if one is needed at all."""
    devices: Mapping[str, DeviceConfig]
    source: str
    """The file, as the user named it."""
    digest: str
    """SHA-256 of the file's bytes, in hex."""

    def device(self, kind: str) -> DeviceConfig | None:
        """The device of a kind; a rig has one at most."""
        return next((device for device in self.devices.values() if device.kind == kind), None)
