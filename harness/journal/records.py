"""The kinds of record in a journal, one class each: its name in the file, and its fields with what they mean.

docs/journal.md is made from these classes, and `schema` reads them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar, dataclass_transform, get_args, get_origin, get_type_hints


class Body:
    """What a record says."""

    __slots__ = ()
    KIND: ClassVar[str]
    SCHEMA: ClassVar[int]
    WHOLE: ClassVar[str | None]


KINDS: dict[str, type[Body]] = {}

FORMER_KINDS = {"leg": "segment", "leg done": "checkpoint"}
"""What older journals call a kind of record."""

RESUMABLE = ("interrupted", "wire", "operator")
"""The reasons for which a run may have ended and yet be resumed. A run without an end can be resumed too."""

T = TypeVar("T", bound=Body)


@dataclass_transform(frozen_default=True)
def record(kind: str, *, schema: int = 1, whole: str | None = None) -> Callable[[type[T]], type[T]]:
    """A kind of record and the version of its fields. `whole` names the one field that is the whole of the record: a
    value of the engine as plain JSON."""

    def made(cls: type[T]) -> type[T]:
        body = dataclass(frozen=True, slots=True)(cls)
        body.KIND, body.SCHEMA, body.WHOLE = kind, schema, whole
        KINDS[kind] = body
        return body

    return made


def fields(kind: type[Body]) -> dict[str, tuple[Any, str]]:
    """The type and the meaning of each field of a kind."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: get_args(hint) for name, hint in hints.items() if get_origin(hint) is Annotated}


@record("run")
class RunBegun(Body):
    """The run began. This is the first record."""

    version: Annotated[str, "The version of feltrig"]
    computer: Annotated[str, "The version of Python and the operating system"]
    rig: Annotated[str, "The name of the rig"]
    digest: Annotated[str, "SHA-256 of the rig file"]
    source: Annotated[str | None, "The path of the rig file; null for the embedded rig"]
    seed: Annotated[int, "The seed of everything that the rig draws by chance"]
    rounds: Annotated[int, "How many rounds are to be played"]
    game: Annotated[str, "The game that is played"]
    jurisdiction: Annotated[str, "The jurisdiction whose rules apply"]
    deck_size: Annotated[int, "How many cards a whole deck has"]
    uses: Annotated[tuple[str, ...], "The kinds of device that the game puts to use"]
    drills: Annotated[tuple[str, ...], "The kinds of device on which drills are held"]
    judged: Annotated[bool, "Whether the run can certify: false where rounds are only played"] = True
    plan: Annotated[Mapping[str, Any] | None, "The plan, the device it judges, and whether it is sequential"] = None


@record("attested")
class Attested(Body):
    """An inspector answered one item of the checklist."""

    inspector: Annotated[str, "The inspector's name"]
    item: Annotated[str, "The key of the item"]
    question: Annotated[str, "The question as it was asked"]
    answer: Annotated[str, "`yes`, `no` or `n/a`"]
    note: Annotated[str, "The inspector's remark"]


@record("segment")
class SegmentBegun(Body):
    """A segment began: the work between two checkpoints. A resumed run repeats a segment without a checkpoint."""

    name: Annotated[str, "The name of the segment, unique within the run"]
    digest: Annotated[str, "SHA-256 of what the segment does"]


@record("checkpoint")
class Checkpoint(Body):
    """A segment is complete. A run that is interrupted after this does not repeat the segment."""

    name: Annotated[str, "The name of the segment"]
    memory: Annotated[Mapping[str, Any], "How far the faults of each emulated device have come"]


@record("resumed")
class Resumed(Body):
    """The run was interrupted and goes on."""

    torn: Annotated[str, "The incomplete last line that was cut off the journal, in hex"]


@record("changed")
class DeviceChanged(Body):
    """A different device answered than before the interruption. The run does not go on with it."""

    device: Annotated[str, "The device"]
    was: Annotated[Mapping[str, str], "Its identity before the interruption"]
    now: Annotated[Mapping[str, str], "The identity that answers now"]


@record("end")
class RunEnded(Body):
    """The run ended."""

    reason: Annotated[str, "`finished`, `unfit`, `wire`, `operator`, `breakdown` (user mechanics) or `interrupted`"]
    rounds: Annotated[int | None, "How many rounds were begun; null if the devices were never connected"] = None


@record("device")
class DeviceConnected(Body):
    """A device has identified itself."""

    name: Annotated[str, "Its name in the rig file"]
    kind: Annotated[str, "Its kind, such as `shuffler`"]
    wire: Annotated[str, "The wire that it is on"]
    emulated: Annotated[bool, "Whether the rig emulates it"]
    where: Annotated[str, "Its address: a port, host and port, or topic"]
    identity: Annotated[Mapping[str, str], "The identity that it reports"]
    submitted: Annotated[Mapping[str, str], "What the rig file says its identity must be"]
    looks: Annotated[tuple[str, ...], "The scenes of conformance, which are played besides the commands"] = ()
    profile: Annotated[
        Mapping[str, Any] | None,
        "The profile of its wire, and what that wire cannot carry; null on a wire of feltrig's own",
    ] = None
    requirements: Annotated[tuple[str, ...], "The ids of the requirements that conformance tests on it"] = ()
    stack_sizes: Annotated[tuple[int, ...], "The sizes of stack for which it was submitted; empty for all"] = ()


@record("challenge")
class Challenged(Body):
    """A device was asked to prove that it runs the firmware image that was submitted."""

    device: Annotated[str, "The device"]
    image: Annotated[str, "SHA-256 of the image"]
    nonce: Annotated[str, "The nonce, in hex"]
    error: Annotated[str, "How it answered: `ok` or an error"]
    proof: Annotated[str | None, "Its proof, in hex; null if it refused"]
    expected: Annotated[str, "The proof that the image gives, in hex"]


@record("call")
class Called(Body):
    """A command was sent to a device."""

    device: Annotated[str, "The device"]
    command: Annotated[str, "The command"]
    values: Annotated[Mapping[str, Any], "The fields of the command"]


@record("reply")
class Replied(Body):
    """A device answered a command."""

    device: Annotated[str, "The device"]
    command: Annotated[str, "The command"]
    error: Annotated[str, "`ok` or an error"]
    values: Annotated[Mapping[str, Any], "The fields of the reply"]


@record("event")
class EventSeen(Body):
    """A device reported an event."""

    device: Annotated[str, "The device"]
    number: Annotated[int, "The number of the event"]
    event: Annotated[str, "The event"]
    values: Annotated[Mapping[str, Any], "The fields of the event"]


@record("gap")
class GapSeen(Body):
    """The number of an event does not follow the one before it."""

    device: Annotated[str, "The device"]
    seen: Annotated[int, "The last number before the gap"]
    next: Annotated[int, "The first number after it"]


@record("restart")
class Restarted(Body):
    """A device started over and numbers its events from 1 again."""

    device: Annotated[str, "The device"]
    seen: Annotated[int, "The last number before it started over"]
    latest: Annotated[int, "Its latest number now"]


@record("session", whole="table")
class SessionOpened(Body):
    """A table is opened for one way to play the game."""

    table: Annotated[
        Mapping[str, Any],
        "The game's own description of the table: its options and decks, how many rounds are played and with how "
        "many cards",
    ]


@record("round")
class RoundBegun(Body):
    """A round began."""

    number: Annotated[int, "The number of the round, from 1"]
    wagers: Annotated[Mapping[str, Any], "The wagers by seat"]


@record("ask", whole="ask")
class Asked(Body):
    """The engine asked the table to do something."""

    ask: Annotated[Mapping[str, Any], "The ask: its class under `is`, then its fields; cards by name (`Td`, `X1`)"]


@record("tell", whole="tell")
class Told(Body):
    """The engine was told what the table saw."""

    tell: Annotated[Mapping[str, Any], "The observation: its class under `is`, then its fields; cards by name"]


@record("illegal")
class MoveRefused(Body):
    """The engine refused a player's move."""

    why: Annotated[str, "Why the move is illegal"]
    rules: Annotated[tuple[str, ...], "The rules that forbid it"]


@record("ruling", whole="ruling")
class Ruled(Body):
    """A clause orders something, because something went wrong."""

    ruling: Annotated[
        Mapping[str, Any], "The ruling: `order`, `rules`, `why`, and under `device` the kind of device at fault"
    ]


@record("read")
class CardsRead(Body):
    """The reader looked at cards."""

    what: Annotated[str, "What was read, such as `stack` or `deck after the shuffle`"]
    deck: Annotated[str, "The deck that the cards belong to"]
    cards: Annotated[tuple[int, ...], "The codes of the cards, from the top"]
    face_up: Annotated[tuple[int, ...], "The codes of those that lie face up"]


@record("result")
class RoundEnded(Body):
    """A round is over."""

    result: Annotated[Mapping[str, Any], "Settlements, bank, hands, and whether the round is void"]


@record("wire")
class BytesPassed(Body):
    """Bytes passed on a wire."""

    device: Annotated[str, "The device on the wire"]
    outgoing: Annotated[bool, "True from the rig to the device, false from the device to the rig"]
    bytes: Annotated[str, "The bytes, in hex"]


@record("trouble")
class Trouble(Body):
    """A device or its wire failed."""

    device: Annotated[str, "The device"]
    what: Annotated[
        str,
        "Of the wire: `no answer`, `line lost` or `garbage`. Of the device: `wrong answer` (it arrived whole and is "
        "not as documented), `unasked` (it spoke without a question), `unidentified`, `stalled`, `refused`, "
        "`unfit` or the name of its fault. Of the rig: `breakdown` (user mechanics failed) or `operator`",
    ]
    detail: Annotated[str, "The error message"]
    requirements: Annotated[tuple[str, ...], "The ids of the requirements that it breaks"] = ()


@record("unread")
class UnreadSeen(Body):
    """By a profile: bytes came from the device of which no message could be made."""

    device: Annotated[str, "The device"]
    why: Annotated[str, "Why they could not be read"]
    shown: Annotated[str, "The bytes as text; what is no text, in hex"]


@record("repeated")
class Repeated(Body):
    """A request was answered only after it was sent again."""

    device: Annotated[str, "The device"]
    times: Annotated[int, "How often it was sent again"]


@record("recovered")
class Recovered(Body):
    """A lost line was opened again and has answered."""

    device: Annotated[str, "The device"]
    seconds: Annotated[float, "Seconds since the line was lost"]


@record("slowest")
class Slowest(Body):
    """An answer took longer than any before it, to a command or to a poll for events."""

    device: Annotated[str, "The device"]
    seconds: Annotated[float, "Seconds that the answer took"]


@record("late")
class HostLate(Body):
    """The rig's own computer was late: for this long before the record, the program could not run."""

    seconds: Annotated[float, "Seconds"]


@record("noise")
class NoiseBegun(Body):
    """A relay begins to disturb a wire, as the rig file asks."""

    device: Annotated[str, "The device on the wire"]
    where: Annotated[str, "The address of the relay"]
    unseen: Annotated[bool, "Whether the wire could carry a changed byte without anyone noticing"]
    disturbances: Annotated[tuple[Mapping[str, Any], ...], "The disturbances that the rig file asks for"]


@record("struck")
class NoiseEnded(Body):
    """A relay stopped disturbing a wire."""

    device: Annotated[str, "The device on the wire"]
    times: Annotated[Mapping[str, int], "How often each disturbance occurred"]


@record("sample")
class SampleTaken(Body):
    """One sample for the statistics."""

    device: Annotated[str, "The device"]
    number: Annotated[int, "The number of the sample, from 1"]
    seen: Annotated[Mapping[str, Any], "What was seen: the deck before and after a shuffle, a number, or dice"]


@record("look")
class Looked(Body):
    """A person was asked to read off a machine what it shows."""

    device: Annotated[str, "The device"]
    what: Annotated[str, "What was looked at, such as `display`"]
    shown: Annotated[str | None, "What the person saw; null if nobody could look"]
    claimed: Annotated[str, "What the device says that it shows"]


@record("probe")
class Probed(Body):
    """Conformance: one thing was tried on the device, legal or not."""

    device: Annotated[str, "The device"]
    state: Annotated[str, "The state that the device was in, or what was examined instead"]
    command: Annotated[str, "The command or message that was tried"]
    values: Annotated[Mapping[str, Any], "The fields of the command"]
    expected: Annotated[str, "The answer that the documents require"]
    fault: Annotated[str | None, "What was wrong; null if nothing was"]
    requirements: Annotated[tuple[str, ...], "The ids of the requirements that this tests"] = ()
    note: Annotated[str, "What a reader of a pass must know; empty if there is nothing"] = ""
    untested: Annotated[str, "Why it could not be tried; empty if it was"] = ""
    during: Annotated[str, "The command in the middle of whose work hands could not act; empty for all else"] = ""


@record("probe call")
class ProbeCalled(Body):
    """Conformance: a command was sent. Not evidence for the rounds."""

    device: Annotated[str, "The device"]
    command: Annotated[str, "The command"]
    values: Annotated[Mapping[str, Any], "The fields of the command"]


@record("probe reply")
class ProbeReplied(Body):
    """Conformance: a command was answered. Not evidence for the rounds."""

    device: Annotated[str, "The device"]
    command: Annotated[str, "The command"]
    error: Annotated[str, "`ok` or an error"]
    values: Annotated[Mapping[str, Any], "The fields of the reply"]


@record("probe event")
class ProbeEventSeen(Body):
    """Conformance: an event was reported. Not evidence for the rounds."""

    device: Annotated[str, "The device"]
    number: Annotated[int, "The number of the event"]
    event: Annotated[str, "The event"]
    values: Annotated[Mapping[str, Any], "The fields of the event"]


@record("publication")
class Published(Body):
    """Conformance on MQTT: a message that the broker retains of the device."""

    device: Annotated[str, "The device"]
    topic: Annotated[str, "The topic, below that of the device"]
    payload: Annotated[str, "The payload as text"]
    qos: Annotated[int, "The quality of service"]


@record("identification")
class Identified(Body):
    """Conformance on Modbus: what the device reports by function 43/14."""

    device: Annotated[str, "The device"]
    objects: Annotated[Mapping[str, str], "The objects by their number in hex"]


@record("prompt")
class Prompted(Body):
    """Whoever has hands at the table was asked to do something, or asked what there is to see, and answered."""

    id: Annotated[int, "The number of the prompt, from 1"]
    what: Annotated[str, "Which prompt it was"]
    where: Annotated[Mapping[str, Any], "Its values: the kind of device, the deck, the compartment, the place"]
    task: Annotated[str, "What it belongs to"]
    text: Annotated[str, "The words"]
    answer: Annotated[str, "`done`, `redo`, `cannot`, `wrong`, or what was answered to a question"]
    who: Annotated[str, "Who answered, as far as that is known"] = ""
    note: Annotated[str, "What was said with the answer"] = ""


@record("impossible")
class HandsRefused(Body):
    """Something that hands were to do cannot be done with this machine. What needs it is not tested."""

    device: Annotated[str, "The device"]
    what: Annotated[str, "Which prompt it was"]
    why: Annotated[str, "The reason, in words"]
    lacks: Annotated[str, "What the machine does not have, such as `stop button`; empty if the reason is another"] = ""


@record("redone")
class Redone(Body):
    """Whoever has hands does something again. The records from `since` on do not count."""

    what: Annotated[str, "The segment or the sample"]
    since: Annotated[int, "The number of the first record that does not count"]


@record("power")
class PowerSwitched(Body):
    """Hands switched a device off or on, as the plan asks. It may start over: that is no fault of it."""

    device: Annotated[str, "The device"]
    on: Annotated[bool, "Whether it has power now"]


@record("drill")
class DrillBegun(Body):
    """An irregularity is provoked. The records up to the end of the drill count for the drill only; gaps in the event
    numbers and restarts count everywhere."""

    name: Annotated[str, "The name of the drill"]
    device: Annotated[str, "The device"]


@record("drilled")
class DrillEnded(Body):
    """The drill is over."""

    name: Annotated[str, "The name of the drill"]
    device: Annotated[str, "The device"]
