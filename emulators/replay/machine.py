"""A machine that answers as another one did: the messages of a recorded session, told again.

Commands that act must come in the order of the recording. What only asks may come more or less often: a question that
was recorded between the same two commands gets its recorded answer, each time. Looks at the status and the events go
through the recorded looks one by one, and stay at the last until the next command; so events appear when they did.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from math import inf, nextafter

from feltrig.emulators.replay.script import Report
from feltrig.protocols.messages import Event, EventBatch, Identity, Reply, Request, Status, Value
from feltrig.protocols.sniffing import Answered, Asked, Broke, Message, NoMessage, Said
from feltrig.protocols.vocabulary import Error, FaultCode, Kind, State

LOOKS = ("status", "events")
"""What a driver asks to see how the device is."""

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
    return RecordedSession(opening or IDLE, tuple(turns))


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


class RecordedMachine:
    """Implements `Machine` from a recording. All calls with one `now` belong to one occasion, so the station needs a
    `StrictClock`; on a wire where the station itself looks at the machine to push its news, `pushes` is true."""

    def __init__(
        self,
        name: str,
        kind: Kind,
        identity: Identity,
        recorded: RecordedSession,
        report: Report,
        *,
        pushes: bool = False,
        speed: float = 1.0,
    ) -> None:
        self.kind = kind
        self.identity = identity
        self.deviations: list[str] = []
        """Where the driver differed from the recording."""
        self._name = name
        self._report = report
        self._pushes = pushes
        self._speed = speed
        self._turns = recorded.turns
        self._next = 0
        """The turn that is to come."""
        self._status = recorded.opening
        self._events: dict[int, Event] = {}
        self._window = 0
        """The first turn behind the last command."""
        self._last: tuple[Request, Turn] | None = None
        self._current: Turn | None = None
        self._end = _end(recorded.turns)
        self._occasion = -inf
        self._due: float | None = None

    @property
    def left(self) -> int:
        """Commands of the recording that have not come yet."""
        return sum(turn.acts and not turn.again for turn in self._turns[self._next :])

    def handle(self, request: Request, now: float) -> Reply:
        if request.command == "status":
            self._look(now)
            return self._status.reply()
        self._occasion = now
        self._current = None
        return self._act(request, now) if self.kind.commands[request.command].acts else self._read(request, now)

    def events(self, after: int, now: float, limit: int) -> EventBatch:
        self._look(now)
        known = sorted(number for number in self._events if after < number <= self._status.latest)
        return EventBatch(self._status, tuple(self._events[number] for number in known[:limit]))

    def status(self, now: float) -> Status:
        if self._pushes:
            self._occasion = now
        else:
            self._look(now)
        return self._status

    def advance(self, now: float) -> None:
        """On a wire that pushes, what lies between two commands passes at its recorded time, should nobody ask."""
        while self._due is not None and self._due <= now:
            self._pass(self._next, self._due)

    def due(self) -> float | None:
        return self._due

    def spoil(self, answer: bytes) -> bytes | None:
        """What a station sends instead of an answer: it has the form of `Misbehave`."""
        turn, self._current = self._current, None
        if turn is None or turn.answer is not None:
            return answer
        if turn.broke:
            raise ConnectionAbortedError(f"{self._name}: the line was lost here")
        return turn.noise or None

    def _act(self, request: Request, now: float) -> Reply:
        repeated = self._last is not None and bool(request.token) and self._last[0] == request
        place = self._next_act(or_again=repeated)
        if repeated and self._last is not None and (place == len(self._turns) or not self._turns[place].again):
            return self._answer(self._last[1], request)
        if place == len(self._turns) or not _same(self._turns[place].request, request):
            return self._leave(place, request)
        self._pass(place, now)
        self._window = place + 1
        self._last = (request, self._turns[place])
        return self._answer(self._turns[place], request)

    def _read(self, request: Request, now: float) -> Reply:
        """The answer to a question: the next one recorded before the next command, or else the one before."""
        ahead = range(self._next, self._next_act())
        behind = reversed(range(self._window, self._next))
        for place in (*ahead, *behind):
            if _same(self._turns[place].request, request):
                if place >= self._next:
                    self._pass(place, now)
                return self._answer(self._turns[place], request)
        if request.command == "identify":
            return Reply(values={**asdict(self.identity), "kind": self.kind.code})
        return self._leave(self._next, request)

    def _look(self, now: float) -> None:
        """One more look of the driver, unless it belongs to an occasion that has been counted."""
        if now == self._occasion:
            return
        self._occasion = now
        self._current = None
        ahead = range(self._next, self._next_act())
        place = next((n for n in ahead if self._turns[n].looks), None)
        if place is None:  # on registers, a question for the identity reads the status too
            place = next((n for n in ahead if self._turns[n].answer is None), None)
        if place is not None:
            self._current = self._turns[place]
            self._pass(place, now)
        elif self._next == len(self._turns):
            self._current = self._end

    def _next_act(self, *, or_again: bool = False) -> int:
        """Where the next command is; a repetition that is not needed does not count."""
        turns = self._turns
        coming = range(self._next, len(turns))
        return next((n for n in coming if turns[n].acts and (or_again or not turns[n].again)), len(turns))

    def _answer(self, turn: Turn, request: Request) -> Reply:
        """The recorded answer. Where none came, one that the station can write, and `spoil` then takes away."""
        self._current = turn
        if isinstance(turn.answer, Reply):
            return turn.answer
        return Reply(Error.WRONG_STATE) if self.kind.commands[request.command].reply else Reply()

    def _pass(self, place: int, now: float) -> None:
        """Go on behind a turn. Without delay, all up to the next command passes at once; else, where news are pushed,
        in its time. A question that got no answer waits to be asked."""
        self._go(place + 1)
        while not self._speed and self._passes_by_itself():
            self._go(self._next + 1)
        self._due = None
        if self._pushes and self._passes_by_itself():
            self._due = now + (self._turns[self._next].at - self._turns[self._next - 1].at) * self._speed

    def _passes_by_itself(self) -> bool:
        if self._next == len(self._turns):
            return False
        turn = self._turns[self._next]
        return not turn.acts and turn.answer is not None

    def _go(self, end: int) -> None:
        for turn in self._turns[self._next : end]:
            self._learn(turn)
            if turn.again and self._last is not None:
                self._last = (self._last[0], turn)
        self._next = end

    def _learn(self, turn: Turn) -> None:
        for status, events in turn.heard:
            if status.latest < self._status.latest:
                self._events.clear()  # the device restarted
            self._status = status
            self._events.update((event.number, event) for event in events)

    def _leave(self, place: int, request: Request) -> Reply:
        if place == len(self._turns) and self._end is not None:
            return self._answer(self._end, request)
        number = 1 + sum(not turn.looks and not turn.again for turn in self._turns[:place])
        following = next((t for t in self._turns[place:] if not t.looks and not t.again), None)
        recorded = _words(following.request) if following else "nothing more"
        what = f"{self._name}: the driver left the recording at request {number}: recorded {recorded}"
        self.deviations.append(f"{what}, asked {_words(request)}")
        self._report(self.deviations[-1])
        return Reply(Error.WRONG_STATE)


def _end(turns: tuple[Turn, ...]) -> Turn | None:
    """What comes of any question after the recording: if the line was lost after the last answer, it is lost."""
    if not turns or not turns[-1].broke or turns[-1].answer is None:
        return None
    return Turn(turns[-1].request, turns[-1].at, acts=False, broke=True)


class StrictClock:
    """A clock that never shows the same time twice."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last = -inf

    def __call__(self) -> float:
        self._last = max(self._clock(), nextafter(self._last, inf))
        return self._last


def _same(recorded: Request, asked: Request) -> bool:
    return recorded.command == asked.command and dict(recorded.values) == dict(asked.values)


def _words(request: Request) -> str:
    given = ", ".join(f"{name} {value}" for name, value in request.values.items())
    return f"{request.command} ({given})" if given else request.command
