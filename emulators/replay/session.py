"""A recorded session with a device: each request with all that came of it, and the hands at its power."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status, Value
from feltrig.protocols.sniffing import Answered, Asked, Broke, Message, NoMessage, Said, Switched
from feltrig.protocols.vocabulary import FaultCode, Kind, State

LOOKS = ("status", "events")
"""What a driver asks to see how the device is."""

POWER_ON = Request("power on")
"""What hands do, in the place of a request: the device has been without power since the turn before."""

IDLE = Status(State.IDLE, FaultCode.NONE, 0, 0)


@dataclass(slots=True)
class Turn:
    """A request of the recording, and all that came of it until the next."""

    request: Request
    at: float
    """Seconds in the recording."""
    acts: bool
    again: bool = False
    """Whether it repeats the command before it, with the same token, because no answer had come."""
    answer: Reply | EventBatch | None = None
    noise: bytes = b""
    """What came instead of an answer."""
    broke: bool = False
    """Whether the line was lost instead."""
    heard: list[tuple[Status, tuple[Event, ...]]] = field(default_factory=list)
    """What was learned of the device, in order."""

    @property
    def looks(self) -> bool:
        """Whether it is a look at the status or the events."""
        return self.request.command in LOOKS

    @property
    def starts(self) -> bool:
        """Whether it is no request, but the power that comes back."""
        return self.request is POWER_ON


@dataclass(frozen=True, slots=True)
class RecordedSession:
    """A recorded session with one device. `opening` is how it was found, before any command."""

    opening: Status
    turns: tuple[Turn, ...]


def session(kind: Kind, messages: Iterable[tuple[float, Message]]) -> RecordedSession:
    """The session that messages, each with its time, make up."""
    turns: list[Turn] = []
    asked: dict[int, tuple[Asked, Turn]] = {}
    opening: Status | None = None
    untouched = True
    for at, message in messages:
        match message:
            case Asked(request):
                acts = kind.commands[request.command].acts
                again = acts and _repeats(request, turns)
                turns.append(Turn(request, at, acts, again))
                untouched = untouched and not acts
                asked[id(message)] = (message, turns[-1])
            case Answered(question, reply) if id(question) in asked:
                turn = asked[id(question)][1]
                turn.answer = turn.answer or reply
                turn.heard += _heard(question.request, reply)
                if untouched:
                    opening = opening or next((status for status, _ in turn.heard), None)
            case Said(status, event):
                if untouched:
                    opening = opening or status
                if turns:
                    turns[-1].heard.append((status, (event,) if event else ()))
            case NoMessage(outgoing=False, data=data) if turns:
                turns[-1].noise += data
            case Broke() if turns:
                turns[-1].broke = True
            case Switched(on=True) if turns:
                _forget_what_was_asked_in_the_dark(turns)
                turns.append(Turn(POWER_ON, at, acts=True))
    return RecordedSession(opening or IDLE, tuple(turns))


def _forget_what_was_asked_in_the_dark(turns: list[Turn]) -> None:
    """How often a device without power was asked in vain depends on who asked. Only a command counts that it may have
    begun to obey."""
    while len(turns) > 1 and turns[-1].answer is None and (turns[-1].again or not turns[-1].acts):
        unheard = turns.pop()
        turns[-1].heard += unheard.heard


def _repeats(request: Request, turns: list[Turn]) -> bool:
    """Whether it is the last command once more; on a new connection the device has been asked who it is in between."""
    earlier = next((turn for turn in reversed(turns) if turn.acts), None)
    return earlier is not None and bool(request.token) and earlier.request == request


def _heard(request: Request, reply: Reply | EventBatch) -> list[tuple[Status, tuple[Event, ...]]]:
    if isinstance(reply, EventBatch):
        return [(reply.status, reply.events)]
    if request.command != "status" or reply.error:
        return []
    state, fault, oldest, latest = (_number(reply.values[name]) for name in ("state", "fault", "oldest", "latest"))
    return [(Status(State(state), FaultCode(fault), oldest, latest), ())]


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value
