"""The kinds of record in a journal, one class each. `KIND` is its name in the file, `SCHEMA` the version of its fields.

A class with `WHOLE` has one field, which is the whole of the record: a value of the engine as plain JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias, get_args


@dataclass(frozen=True, slots=True)
class RunBegun:
    """The run began. This is the first record."""

    KIND: ClassVar = "run"
    SCHEMA: ClassVar = 1
    version: str
    """The version of feltrig."""
    computer: str
    """The version of Python and the operating system."""
    rig: str
    """The name of the rig."""
    digest: str
    """SHA-256 of the rig file."""
    source: str | None
    """The path of the rig file; null for the embedded rig."""
    seed: int
    """The seed of everything that the rig draws by chance."""
    rounds: int
    """How many rounds are to be played."""
    game: str
    """The game that is played."""
    jurisdiction: str
    """The jurisdiction whose rules apply."""
    deck_size: int
    """How many cards a whole deck has."""
    uses: tuple[str, ...]
    """The kinds of device that the game puts to use."""
    drills: tuple[str, ...]
    """The kinds of device on which drills are held."""
    judged: bool = True
    """Whether the run can certify: false where rounds are only played."""
    plan: Mapping[str, Any] | None = None
    """The plan, the device that it judges, and whether its statistics are sequential."""


@dataclass(frozen=True, slots=True)
class Attested:
    """An inspector answered one item of the checklist."""

    KIND: ClassVar = "attested"
    SCHEMA: ClassVar = 1
    inspector: str
    """The inspector's name."""
    item: str
    """The key of the item."""
    question: str
    """The question as it was asked."""
    answer: str
    """`yes`, `no` or `n/a`."""
    note: str
    """The inspector's remark."""


@dataclass(frozen=True, slots=True)
class SegmentBegun:
    """A segment began: the work between two checkpoints. A resumed run repeats a segment without a checkpoint."""

    KIND: ClassVar = "segment"
    SCHEMA: ClassVar = 1
    name: str
    """The name of the segment, unique within the run."""
    digest: str
    """SHA-256 of what the segment does."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A segment is complete. A run that is interrupted after this does not repeat the segment."""

    KIND: ClassVar = "checkpoint"
    SCHEMA: ClassVar = 1
    name: str
    """The name of the segment."""
    memory: Mapping[str, Any]
    """How far the faults of each emulated device have come."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The run was interrupted and goes on."""

    KIND: ClassVar = "resumed"
    SCHEMA: ClassVar = 1
    torn: str
    """The incomplete last line that was cut off the journal, in hex."""


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """A different device answered than before the interruption. The run does not go on with it."""

    KIND: ClassVar = "changed"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    was: Mapping[str, str]
    """Its identity before the interruption."""
    now: Mapping[str, str]
    """The identity that answers now."""


RESUMABLE = ("interrupted", "wire", "operator")
"""The reasons for which a run may have ended and yet be resumed. A run without an end can be resumed too."""


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run ended."""

    KIND: ClassVar = "end"
    SCHEMA: ClassVar = 1
    reason: str
    """`finished`, `unfit`, `wire`, `operator`, `breakdown` (user mechanics failed) or `interrupted`."""
    rounds: int | None = None
    """How many rounds were begun; null if the devices were never connected."""


@dataclass(frozen=True, slots=True)
class DeviceConnected:
    """A device has identified itself."""

    KIND: ClassVar = "device"
    SCHEMA: ClassVar = 1
    name: str
    """Its name in the rig file."""
    kind: str
    """Its kind, such as `shuffler`."""
    wire: str
    """The wire that it is on."""
    emulated: bool
    """Whether the rig emulates it."""
    where: str
    """Its address: a port, host and port, or topic."""
    identity: Mapping[str, str]
    """The identity that it reports."""
    submitted: Mapping[str, str]
    """What the rig file says its identity must be."""
    looks: tuple[str, ...] = ()
    """What conformance examines on its wire besides the commands."""
    profile: Mapping[str, Any] | None = None
    """The profile of its wire, and what that wire cannot carry; null on a wire of feltrig's own."""


@dataclass(frozen=True, slots=True)
class Challenged:
    """A device was asked to prove that it runs the firmware image that was submitted."""

    KIND: ClassVar = "challenge"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    image: str
    """SHA-256 of the image."""
    nonce: str
    """The nonce, in hex."""
    error: str
    """How it answered: `ok` or an error."""
    proof: str | None
    """Its proof, in hex; null if it refused."""
    expected: str
    """The proof that the image gives, in hex."""


@dataclass(frozen=True, slots=True)
class Called:
    """A command was sent to a device."""

    KIND: ClassVar = "call"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    command: str
    """The command."""
    values: Mapping[str, Any]
    """The fields of the command."""


@dataclass(frozen=True, slots=True)
class Replied:
    """A device answered a command."""

    KIND: ClassVar = "reply"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    command: str
    """The command."""
    error: str
    """`ok` or an error."""
    values: Mapping[str, Any]
    """The fields of the reply."""


@dataclass(frozen=True, slots=True)
class EventSeen:
    """A device reported an event."""

    KIND: ClassVar = "event"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    number: int
    """The number of the event."""
    event: str
    """The event."""
    values: Mapping[str, Any]
    """The fields of the event."""


@dataclass(frozen=True, slots=True)
class GapSeen:
    """The number of an event does not follow the one before it."""

    KIND: ClassVar = "gap"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    seen: int
    """The last number before the gap."""
    next: int
    """The first number after it."""


@dataclass(frozen=True, slots=True)
class Restarted:
    """A device started over and numbers its events from 1 again."""

    KIND: ClassVar = "restart"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    seen: int
    """The last number before it started over."""
    latest: int
    """Its latest number now."""


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """A table is opened for one way to play the game."""

    KIND: ClassVar = "session"
    SCHEMA: ClassVar = 1
    WHOLE: ClassVar = "table"
    table: Mapping[str, Any]
    """The game's own description of the table: its options and decks, how many rounds are played and with how many
    cards."""


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """A round began."""

    KIND: ClassVar = "round"
    SCHEMA: ClassVar = 1
    number: int
    """The number of the round, from 1."""
    wagers: Mapping[str, Any]
    """The wagers by seat."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The engine asked the table to do something."""

    KIND: ClassVar = "ask"
    SCHEMA: ClassVar = 1
    WHOLE: ClassVar = "ask"
    ask: Mapping[str, Any]
    """The ask: its class under `is`, then its fields; cards by name (`Td`, `X1`)."""


@dataclass(frozen=True, slots=True)
class Told:
    """The engine was told what the table saw."""

    KIND: ClassVar = "tell"
    SCHEMA: ClassVar = 1
    WHOLE: ClassVar = "tell"
    tell: Mapping[str, Any]
    """The observation: its class under `is`, then its fields; cards by name."""


@dataclass(frozen=True, slots=True)
class MoveRefused:
    """The engine refused a player's move."""

    KIND: ClassVar = "illegal"
    SCHEMA: ClassVar = 1
    why: str
    """Why the move is illegal."""
    rules: tuple[str, ...]
    """The rules that forbid it."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """A clause orders something, because something went wrong."""

    KIND: ClassVar = "ruling"
    SCHEMA: ClassVar = 1
    WHOLE: ClassVar = "ruling"
    ruling: Mapping[str, Any]
    """The ruling: `order`, `rules`, `why`, and under `device` the kind of device at fault."""


@dataclass(frozen=True, slots=True)
class CardsRead:
    """The reader looked at cards."""

    KIND: ClassVar = "read"
    SCHEMA: ClassVar = 1
    what: str
    """What was read, such as `stack` or `deck after the shuffle`."""
    deck: str
    """The deck that the cards belong to."""
    cards: tuple[int, ...]
    """The codes of the cards, from the top."""
    face_up: tuple[int, ...]
    """The codes of those that lie face up."""


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is over."""

    KIND: ClassVar = "result"
    SCHEMA: ClassVar = 1
    result: Mapping[str, Any]
    """Settlements, bank, hands, and whether the round is void."""


@dataclass(frozen=True, slots=True)
class BytesPassed:
    """Bytes passed on a wire."""

    KIND: ClassVar = "wire"
    SCHEMA: ClassVar = 1
    device: str
    """The device on the wire."""
    outgoing: bool
    """True from the rig to the device, false from the device to the rig."""
    bytes: str
    """The bytes, in hex."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A device or its wire failed."""

    KIND: ClassVar = "trouble"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    what: str
    """Of the wire: `no answer`, `line lost` or `garbage`. Of the device: `unidentified`, `stalled`, `refused`, `unfit`
    or the name of its fault. Of the rig: `breakdown` (user mechanics failed) or `operator`."""
    detail: str
    """The error message."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """A request was answered only after it was sent again."""

    KIND: ClassVar = "repeated"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    times: int
    """How often it was sent again."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """A lost line was opened again and has answered."""

    KIND: ClassVar = "recovered"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    seconds: float
    """Seconds since the line was lost."""


@dataclass(frozen=True, slots=True)
class Slowest:
    """An answer took longer than any before it, to a command or to a poll for events."""

    KIND: ClassVar = "slowest"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    seconds: float
    """Seconds that the answer took."""


@dataclass(frozen=True, slots=True)
class NoiseBegun:
    """A relay begins to disturb a wire, as the rig file asks."""

    KIND: ClassVar = "noise"
    SCHEMA: ClassVar = 1
    device: str
    """The device on the wire."""
    where: str
    """The address of the relay."""
    unseen: bool
    """Whether the wire could carry a changed byte without anyone noticing."""
    disturbances: tuple[Mapping[str, Any], ...]
    """The disturbances that the rig file asks for."""


@dataclass(frozen=True, slots=True)
class NoiseEnded:
    """A relay stopped disturbing a wire."""

    KIND: ClassVar = "struck"
    SCHEMA: ClassVar = 1
    device: str
    """The device on the wire."""
    times: Mapping[str, int]
    """How often each disturbance occurred."""


@dataclass(frozen=True, slots=True)
class SampleTaken:
    """One sample for the statistics."""

    KIND: ClassVar = "sample"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    number: int
    """The number of the sample, from 1."""
    seen: Mapping[str, Any]
    """What was seen: the deck before and after a shuffle, a number, or dice."""


@dataclass(frozen=True, slots=True)
class Probed:
    """Conformance: one thing was tried on the device, legal or not."""

    KIND: ClassVar = "probe"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    state: str
    """The state that the device was in, or what was examined instead."""
    command: str
    """The command or message that was tried."""
    values: Mapping[str, Any]
    """The fields of the command."""
    expected: str
    """The answer that the documents require."""
    fault: str | None
    """What was wrong; null if nothing was."""


@dataclass(frozen=True, slots=True)
class ProbeCalled:
    """Conformance: a command was sent. Not evidence for the rounds."""

    KIND: ClassVar = "probe call"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    command: str
    """The command."""
    values: Mapping[str, Any]
    """The fields of the command."""


@dataclass(frozen=True, slots=True)
class ProbeReplied:
    """Conformance: a command was answered. Not evidence for the rounds."""

    KIND: ClassVar = "probe reply"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    command: str
    """The command."""
    error: str
    """`ok` or an error."""
    values: Mapping[str, Any]
    """The fields of the reply."""


@dataclass(frozen=True, slots=True)
class ProbeEventSeen:
    """Conformance: an event was reported. Not evidence for the rounds."""

    KIND: ClassVar = "probe event"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    number: int
    """The number of the event."""
    event: str
    """The event."""
    values: Mapping[str, Any]
    """The fields of the event."""


@dataclass(frozen=True, slots=True)
class Published:
    """Conformance on MQTT: a message that the broker retains of the device."""

    KIND: ClassVar = "publication"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    topic: str
    """The topic, below that of the device."""
    payload: str
    """The payload as text."""
    qos: int
    """The quality of service."""


@dataclass(frozen=True, slots=True)
class Identified:
    """Conformance on Modbus: what the device reports by function 43/14."""

    KIND: ClassVar = "identification"
    SCHEMA: ClassVar = 1
    device: str
    """The device."""
    objects: Mapping[str, str]
    """The objects by their number in hex."""


@dataclass(frozen=True, slots=True)
class DrillBegun:
    """An irregularity is provoked. The records up to the end of the drill count for the drill only; gaps in the event
    numbers and restarts count everywhere."""

    KIND: ClassVar = "drill"
    SCHEMA: ClassVar = 1
    name: str
    """The name of the drill."""
    device: str
    """The device."""


@dataclass(frozen=True, slots=True)
class DrillEnded:
    """The drill is over."""

    KIND: ClassVar = "drilled"
    SCHEMA: ClassVar = 1
    name: str
    """The name of the drill."""
    device: str
    """The device."""


Body: TypeAlias = (
    RunBegun
    | Attested
    | SegmentBegun
    | Checkpoint
    | Resumed
    | DeviceChanged
    | RunEnded
    | DeviceConnected
    | Challenged
    | Called
    | Replied
    | EventSeen
    | GapSeen
    | Restarted
    | SessionOpened
    | RoundBegun
    | Asked
    | Told
    | MoveRefused
    | Ruled
    | CardsRead
    | RoundEnded
    | BytesPassed
    | Trouble
    | Repeated
    | Recovered
    | Slowest
    | NoiseBegun
    | NoiseEnded
    | SampleTaken
    | Probed
    | ProbeCalled
    | ProbeReplied
    | ProbeEventSeen
    | Published
    | Identified
    | DrillBegun
    | DrillEnded
)
"""What a record says."""

KINDS: Mapping[str, type[Body]] = {kind.KIND: kind for kind in get_args(Body)}

FORMER_KINDS = {"leg": "segment", "leg done": "checkpoint"}
"""What older journals call a kind of record."""
