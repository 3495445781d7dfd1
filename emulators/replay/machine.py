"""A machine that answers as another one did: the messages of a recorded session, told again.

Commands that act must come in the order of the recording. What only asks may come more or less often: a question that
was recorded between the same two commands gets its recorded answer, each time. Looks at the status and the events go
through the recorded looks one by one, and stay at the last until the next command; so events appear when they did.
Where its power was cut, the machine is silent until the power comes back.
"""

from collections.abc import Callable
from dataclasses import asdict
from math import inf, nextafter

from feltrig.emulators.replay.script import Report
from feltrig.emulators.replay.session import POWER_ON, RecordedSession, Turn
from feltrig.protocols.messages import Event, EventBatch, Identity, Reply, Request, Status
from feltrig.protocols.vocabulary import Error, Kind

DARK = Turn(POWER_ON, 0.0, acts=True)
"""What comes of any question to a machine without power: nothing."""


class RecordedMachine:
    """Implements `Machine` from a recording. All calls with one `now` belong to one occasion, so the station needs a
    `StrictClock`; on a wire where the station itself looks at the machine to push its news, `pushes` is true. With
    `hands`, these take its power and give it back; else it goes and comes in its recorded time."""

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
        hands: bool = False,
    ) -> None:
        self.kind = kind
        self.identity = identity
        self.deviations: list[str] = []
        """Where the driver differed from the recording."""
        self._name = name
        self._report = report
        self._pushes = pushes
        self._speed = speed
        self.powered = True
        """Whether it had power when it was last asked."""
        self._hands = hands
        self._to_be_cut = not hands
        """Whether the power goes where it went in the recording."""
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
        return sum(turn.acts and not turn.again and not turn.starts for turn in self._turns[self._next :])

    def handle(self, request: Request, now: float) -> Reply:
        if request.command == "status":
            self._look(now)
            return self._status.reply()
        self._occasion = now
        self._current = None
        if not self.has_power(now):
            return self._answer(DARK, request)
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
        """On a wire that pushes, what lies between two commands passes at its recorded time, should nobody ask. So does
        the time without power, on any wire."""
        while self._due is not None and self._due <= now:
            if self._starts_next() and self.powered:
                self._go_dark(self._due)
            else:
                self.powered = True
                self._pass(self._next, self._due)

    def due(self) -> float | None:
        return self._due

    def has_power(self, now: float) -> bool:
        """Whether it answers by now."""
        if self._starts_next():
            self.advance(now)
        return self.powered

    def power_off(self, now: float) -> None:
        """Hands take the power away, if they did so in the recording before the next command."""
        place = self._next_act()
        if self._starts(place):
            self._go(place)
            self._go_dark(now)

    def cut_power_at_work(self) -> None:
        """Hands are ready to take the power away while it works: it goes where it went in the recording."""
        self._to_be_cut = True

    def power_on(self, now: float) -> None:
        """Hands give the power back, if they did so in the recording before the next command."""
        place = self._next_act()
        if self._starts(place):
            self.powered = True
            self._to_be_cut = not self._hands
            self._pass(place, now)

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
        if not self.has_power(now):
            self._current = DARK
            return
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
        if self._starts_next() and self._to_be_cut:
            self._due = nextafter(now, inf)  # what is being asked now is still answered
        elif self._pushes and self._passes_by_itself():
            self._due = now + (self._turns[self._next].at - self._turns[self._next - 1].at) * self._speed

    def _go_dark(self, now: float) -> None:
        self.powered = False
        dark = self._turns[self._next].at - self._turns[self._next - 1].at
        self._due = None if self._hands else now + dark * self._speed

    def _starts_next(self) -> bool:
        """Whether the recorded device was without power here."""
        return self._starts(self._next)

    def _starts(self, place: int) -> bool:
        return place < len(self._turns) and self._turns[place].starts

    def _passes_by_itself(self) -> bool:
        if self._next == len(self._turns):
            return False
        turn = self._turns[self._next]
        return not turn.acts and turn.answer is not None

    def _go(self, end: int) -> None:
        for place in range(self._next, end):
            turn = self._turns[place]
            self._learn(turn)
            if turn.acts:
                self._window = place + 1
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
        number = 1 + sum(not (turn.looks or turn.again or turn.starts) for turn in self._turns[:place])
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
