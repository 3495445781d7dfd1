"""The control board inside every emulated device: state, fault, numbered events, timetable. Its mechanism drives it."""

import heapq
import random
from collections.abc import Callable, Iterable
from math import inf

from feltrig.emulators.faults import Fault, Strikes
from feltrig.protocols.messages import Event, Status, Value
from feltrig.protocols.vocabulary import Fault as FaultCode
from feltrig.protocols.vocabulary import Kind, State

MEMORY = 1024
"""Events that a device keeps."""


class Board:
    """Time comes in through `advance`; `speed` scales every duration, and 0 makes everything happen at once."""

    def __init__(
        self, kind: Kind, name: str, seed: int | str, speed: float = 0.0, faults: Iterable[Fault] = ()
    ) -> None:
        if not 0 <= speed < inf:
            raise ValueError(f"{name}: speed {speed!r} is not a finite number of at least 0")
        self.name = name
        self.state = State.IDLE
        self.fault = FaultCode.NONE
        self.now = 0.0
        self.next_due = inf
        # Two streams, so that a fault leaves the mechanical results around it as they would have been.
        self.random = random.Random(f"{name}/{seed}/mechanics")
        self.mishaps = random.Random(f"{name}/{seed}/faults")
        self.strikes = Strikes(kind.name, faults)
        self._speed = speed
        self._events: dict[int, Event] = {}
        self._oldest = 0
        self._latest = 0
        self._schedule: list[tuple[float, int, Callable[[], None]]] = []
        self._scheduled = 0
        self._status: Status | None = None
        self.emit("started")

    def become(self, state: State) -> None:
        """Change the state."""
        self.state = state
        self._status = None

    def emit(self, name: str, **values: Value) -> None:
        """Number and keep an event; the oldest goes when the memory is full."""
        self._latest += 1
        self._events[self._latest] = Event(self._latest, name, values)
        if len(self._events) > MEMORY:
            del self._events[self._oldest]
        self._oldest = max(1, self._latest - MEMORY + 1)
        self._status = None

    def fail(self, fault: FaultCode) -> None:
        """Stop with a fault; whatever was still to happen does not."""
        self.fault = fault
        self.become(State.FAULT)
        self.cancel()
        self.emit("faulted", fault=int(fault))

    def clear(self, state: State) -> None:
        """Leave any fault and whatever was under way, for a state of rest."""
        self.fault = FaultCode.NONE
        self.become(state)
        self.cancel()
        self.emit("cleared")

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Let something happen later; things due at the same time happen in the order of these calls."""
        self._scheduled += 1
        heapq.heappush(self._schedule, (self.now + seconds * self._speed, self._scheduled, action))
        self.next_due = self._schedule[0][0]

    def cancel(self) -> None:
        """Forget everything that was to happen later."""
        self._schedule.clear()
        self.next_due = inf

    def advance(self, now: float) -> None:
        """Let everything happen that is due by now, each at its own time."""
        while self.next_due <= now:
            due, _, action = heapq.heappop(self._schedule)
            self.next_due = self._schedule[0][0] if self._schedule else inf
            self.now = max(self.now, due)
            action()
        self.now = max(self.now, now)

    def status(self) -> Status:
        """The state and the events held; the same object while nothing changes."""
        if self._status is None:
            self._status = Status(self.state, self.fault, self._oldest, self._latest)
        return self._status

    def events(self, after: int, limit: int) -> tuple[Event, ...]:
        """At most so many of the events after a number, in order."""
        if after >= self._latest:
            return ()
        first = max(after + 1, self._oldest)
        return tuple(self._events[number] for number in range(first, min(self._latest + 1, first + limit)))
