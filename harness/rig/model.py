"""A rig as its file describes it: the game, the devices and their wires."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from feltrig.emulators.models.faults import Fault
from feltrig.emulators.relays.noise import Disturbance

if TYPE_CHECKING:  # few rigs have profiles
    from feltrig.protocols.profiles.profile import Profile


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
    options: Mapping[str, object] = field(default_factory=dict)
    """The game's own choices, which hold in every way to play."""


class TlsFiles(Protocol):
    """The PEM files of one end of a TLS connection, as the rig file names them."""

    @property
    def ca(self) -> str | None:
        """Whose signature the other end's certificate must bear."""

    @property
    def certificate(self) -> str | None:
        """What this end shows."""

    @property
    def key(self) -> str | None:
        """Its private key; None when it stands in the same file."""


@dataclass(frozen=True, slots=True)
class EmbeddedBroker:
    """The broker's own end of TLS, when it is started for the run."""

    ca: str | None = None
    certificate: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class BrokerConfig:
    """The MQTT broker that the devices use, and how to be let in."""

    host: str
    port: int
    """0 only when it is embedded: any free port."""
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False
    ca: str | None = None
    certificate: str | None = None
    key: str | None = None
    embedded: EmbeddedBroker | None = None
    """None when it is not started for the run."""


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
class ModbusTls:
    """Modbus over TLS (Modbus/TCP Security)."""

    name: ClassVar = "modbus-tls"
    host: str | None
    """None only when the device is emulated: this computer."""
    port: int
    """0 only when the device is emulated: any free port."""
    unit: int
    ca: str | None
    certificate: str | None
    key: str | None


@dataclass(frozen=True, slots=True)
class Mqtt:
    """Topics on a broker."""

    name: ClassVar = "mqtt"
    topic: str
    mqtt: Literal["5", "3.1.1"]
    """The version of the protocol."""


Wire = Serial | ModbusRtu | ModbusTcp | ModbusTls | Mqtt


@dataclass(frozen=True, slots=True)
class IdentityConfig:
    """What a device is known by; None where nothing was said."""

    vendor: str | None = None
    model: str | None = None
    serial: str | None = None
    firmware: str | None = None
    digest: str | None = None
    image: str | None = None
    """The file of the firmware image."""


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
    line: str | None = None
    """Devices with the same line share one port or one TCP address."""
    serve: str = "pty"
    """What its serial port is: `pty`, `tcp` or `rfc2217`."""
    listen: int | None = None
    """The TCP port of `tcp` and `rfc2217`; None for any free one."""
    ca: str | None = None
    certificate: str | None = None
    key: str | None = None
    """Its own end of TLS."""


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
    reconnect: float
    """Seconds for a lost line to come back; 0 when it need not try."""
    identity: IdentityConfig
    """What was submitted."""
    emulator: EmulatorConfig | None
    """None for a real machine."""
    noise: tuple[Disturbance, ...] = ()
    """What disturbs its wire, emulated or real."""
    profile: "Profile | None" = None
    """How it talks; None for the open profile of its wire."""


EMBEDDED = "embedded.toml"
"""The source of the rig that is part of the package."""


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

    @property
    def origin(self) -> str | None:
        """Where the file is found again from anywhere; None for the embedded rig."""
        return None if self.source == EMBEDDED else str(Path(self.source).absolute())

    def path(self, name: str) -> Path:
        """A file that the rig file names: relative to its own folder."""
        return Path(self.source).parent / name

    def choose_seed(self, seed: int | None) -> int:
        """The seed given, or the rig file's, or one drawn now."""
        if seed is not None:
            return seed
        return self.seed if self.seed is not None else secrets.randbits(32)

    @property
    def addresses(self) -> frozenset[int]:
        """That its devices have on their lines, whichever these are."""
        return frozenset(
            wire.address if isinstance(wire, Serial) else wire.unit
            for device in self.devices.values()
            if not isinstance(wire := device.wire, Mqtt)
        )

    def device(self, kind: str) -> DeviceConfig | None:
        """The device of a kind; a rig has one at most."""
        return next((device for device in self.devices.values() if device.kind == kind), None)
