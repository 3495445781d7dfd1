"""The record of a wire: everything that the harness must know about it."""

from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from feltrig.emulators.machine import Machine, Station
from feltrig.emulators.models.faults import Misbehave
from feltrig.emulators.relays.noise import Noise
from feltrig.emulators.stations.line_port import MakePort
from feltrig.harness.rig.model import BrokerConfig, DeviceConfig, Rig, WireConfig
from feltrig.harness.scene import Scene
from feltrig.protocols.framed import Framed, Unframed
from feltrig.protocols.messages import Channel, Tap
from feltrig.protocols.schema import Mismatch
from feltrig.protocols.sniffing import Message, Sniffer
from feltrig.protocols.vocabulary import Kind

if TYPE_CHECKING:  # a rig file is read without any of these
    from feltrig.emulators.relays.relay import Relay
    from feltrig.emulators.replay.script import Passed, Report
    from feltrig.harness.wires.site import RigSite
    from feltrig.protocols.lines.line import SharedPort
    from feltrig.protocols.malformed import MalformedMessage
    from feltrig.protocols.profiles.profile import Profile

LOOPBACK = "127.0.0.1"


class Dissector(NamedTuple):
    """What Wireshark reads a frame with."""

    name: str
    """`{kind}` stands for the kind of device."""
    port: int = 1
    """Where it expects who answers, if it looks at that."""


RAW = Dissector("data")
"""Reads bytes that belong to no frame."""

Medium = Literal["line", "stream", "broker"]
"""What bytes travel on: a serial line, a TCP connection, or one to a broker. Noise of a sort needs one of its media."""


@dataclass(frozen=True, slots=True)
class DriverEnd:
    """What the driver's end of a wire is made from."""

    site: "RigSite"
    device: DeviceConfig
    address: str
    """What the driver opens: a port, or the `host:port` of the device or of the broker."""
    port: "str | SharedPort"
    """The same, or the port that several devices share."""
    tap: Tap


@dataclass(frozen=True, slots=True)
class DeviceEnd:
    """What the emulated end of a wire is made from."""

    site: "RigSite"
    device: DeviceConfig
    machine: Machine
    clock: Callable[[], float]
    misbehave: Misbehave
    port: Callable[[MakePort], MakePort] = lambda make: make
    """Makes the port of a serial line from an honest one."""
    prepare: Callable[[Station], None] = lambda station: None
    """Told the station before it serves."""
    powered: Callable[[], bool] = lambda: True
    """Whether the machine has power."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The bytes of a recorded device, to be replayed as they are."""

    name: str
    passed: "list[Passed[bytes]]"
    report: "Report"
    speed: float
    where: str
    """Where it was recorded; on a broker its topic."""
    broker: BrokerConfig | None
    starts: tuple[float, ...] = ()
    """When hands gave it its power back, if hands do so again."""


class Verbatim(Station, Protocol):
    """A station that says what was recorded, undecoded."""

    @property
    def deviations(self) -> list[str]:
        """Where the driver left the recording."""

    @property
    def powered(self) -> bool:
        """Whether anything is to come before hands give the power back."""

    def power_on(self) -> None:
        """Hands give the power back."""


@runtime_checkable
class Listening(Protocol):
    """A station that waits until somebody listens at the broker."""

    def listened(self, pattern: str) -> None:
        """Somebody has subscribed to topics."""


Heard = Callable[[str, bool, bytes, list[Message]], None]
"""Told what passed: the device, whether it was going to it, the bytes, and the messages that they completed."""

Complain = Callable[[str, str], None]
"""Told the id of a requirement, and how the device broke it."""


class Watcher(Protocol):
    """Hears what a device says unasked."""

    async def open(self) -> None:
        """Begin to listen. Fails with LineLost."""

    async def close(self) -> None:
        """Listen no more; may be called twice."""


Config = TypeVar("Config")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Deferred(Generic[T]):
    """Something that is imported when it is needed, by `module:attribute`."""

    target: str

    def load(self) -> T:
        found: T = resolve_name(self.target)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire(Generic[Config]):
    """A wire. Functions take the device's `Config` first where they need nothing else of the device."""

    name: str
    """As rig files call it."""
    config: type[Config]
    """What a rig file says about a device on it: a dataclass whose fields declare the keys."""
    served: type | None = None
    """What a rig file says about an emulated device on it, in the device's `emulator` table; None for nothing."""
    media: tuple[Medium, ...]
    on_broker: bool = False
    """Whether devices are found at the rig's broker, and not at an address of their own."""

    # where devices are
    where: Callable[[Config], str]
    """Where a real device is found: a port, `host:port`, or a topic."""
    at: Callable[[Config, str], WireConfig]
    """The same device where a recording of it is served."""
    listens: Callable[[DeviceConfig], str | None] = lambda device: None
    """Where an emulated device will listen, as an error names it; None when that is not known before."""
    numbered: str | None = None
    """The key with the number that tells devices on one line apart."""
    number: Callable[[DeviceConfig], int | None] = lambda device: None
    """That number; None where the device has none."""
    line: Callable[[DeviceConfig], str | None] = lambda device: None
    """The line that a device is on, which others can share; None when it is alone."""
    agreed: tuple[str, ...] = ()
    """Keys of `config` and `served` that all devices on one line have in common."""
    check: Callable[[Rig, DeviceConfig], Iterable[Mismatch]]
    """What is wrong with a device in a rig file beyond the shape of its values."""
    clash: Callable[[DeviceConfig, DeviceConfig], Mismatch | None] = lambda one, other: None
    """Why the second device cannot be where it is because of the first, which may be on another wire."""

    # the two ends, and what stands between
    channel: Callable[[DriverEnd], Channel]
    share: "Callable[[Config, str], SharedPort] | None" = None
    """The port at an address that several channels share; None where each has a connection of its own."""
    station: Callable[[DeviceEnd], Station]
    join: Callable[[Any, DeviceEnd], None] | None = None
    """Puts one more device on the line of a station; None where lines are not shared."""
    relay: Callable[[Config, str, Noise], "Relay"]
    """What stands in front of an address and makes noise."""
    unseen: Callable[[DeviceConfig, BrokerConfig | None], bool]
    """Whether the noise of a device can change what is said without a trace on the wire."""

    # listening
    sniffer: Callable[[Kind, "Profile | None", str, int | None], Sniffer]
    """Reads both directions: of a kind of device, its profile, where it is, its number if that is known."""
    framed: "Callable[[bool], Framed]" = lambda by_profile: Unframed()
    """Cuts both directions into frames, for a trace; told whether the device talks by a profile."""
    dissector: Dissector = RAW
    hidden: bool = False
    """Whether nobody between the two ends can read what passes."""
    overhear: "Callable[[AsyncExitStack, RigSite, DeviceConfig, Heard], Awaitable[None]] | None" = None
    """Listens without standing between; None where only a relay can."""

    # conformance
    watcher: "Callable[[RigSite, DeviceConfig, Complain], Watcher] | None" = None
    """Who hears the device under test during a whole run, and complains; None where a device says nothing unasked."""
    malformed: "Deferred[Callable[[Kind, Collection[int]], Iterable[MalformedMessage]]]"
    """Messages that are no command, for a kind of device; the numbers are taken by devices of the rig."""
    scenes: tuple[Scene, ...] = ()
    """What conformance tries on this wire beside commands, messages and the scenes of every device."""

    # replaying
    replayed_as: str | None = None
    """The wire on which its recordings are served; None for itself."""
    recognised: Callable[[Sniffer, str], Config]
    """A recorded device's config, as far as its traffic and where it was tell."""
    verbatim: Callable[[Recorded], Verbatim]
    """Replays bytes undecoded."""
    byte_exact: bool = True
    """Whether recordings can be replayed byte for byte. On a broker only those by a profile can, message by message."""
    comes_back: bool = False
    """Whether a station that drops the line can be reached again at the same place."""
    pushes: bool = False
    """Whether the device says its events unasked."""
