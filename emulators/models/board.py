"""The control board inside every emulated device: state, fault, numbered events, timetable, power. Its mechanism
drives it."""

import heapq
import random
from bisect import bisect_right
from collections import deque
from collections.abc import Callable
from itertools import islice
from math import inf

from feltrig.emulators.models.faults import EVENT, OPERATION, Fault, FaultTypes, check
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.triggers import Struck, Triggers
from feltrig.protocols.messages import Event, Status, Value
from feltrig.protocols.vocabulary import FaultCode, Kind, State

MEMORY = 1024
"""Events that a device keeps."""

SLOWER = 3
"""How many times as long a slow device takes."""

JUMP = 3
"""Numbers that an event counter skips when it jumps."""

Timetable = list[tuple[float, int, Callable[[], None]]]
"""A heap of what is to happen: when, in which order at the same time, and what."""


class Board:
    """Time comes in through `advance`; `speed` scales every duration, and 0 makes everything happen at once.

    Without power nothing is taken on: states, events and plans are lost, only `advance` goes on to count the time.
    """

    # less memory to go through where many devices are served in turn (`benchmarks/scale.py`)
    __slots__ = (
        "_alarms",
        "_events",
        "_hand",
        "_hung",
        "_latest",
        "_schedule",
        "_scheduled",
        "_seed",
        "_skipped",
        "_slow",
        "_speed",
        "_status",
        "_steps_left",
        "_triggers",
        "_unset",
        "at_boot",
        "fault",
        "keeps_memory",
        "mishaps",
        "name",
        "next_due",
        "now",
        "off",
        "random",
        "state",
    )

    def __init__(self, kind: Kind, setup: Setup, known: FaultTypes) -> None:
        if not 0 <= setup.speed < inf:
            raise ValueError(f"{setup.name}: speed {setup.speed!r} is not a finite number of at least 0")
        self.name = setup.name
        self.state = State.IDLE
        self.fault = FaultCode.NONE
        self.off = False
        self.keeps_memory = True
        """Whether it still has its events and tokens when its power comes back."""
        self.now = 0.0
        self.next_due = inf
        self.at_boot: list[Callable[[bool], None]] = []
        """Told whenever the device has started again, and whether it still has its memory."""
        self._seed = setup.seed
        # Two streams, so that a fault leaves the mechanical results around it as they would have been.
        self.random = self.stream("mechanics")
        self.mishaps = self.stream("faults")
        self._speed = setup.speed
        self._slow: float | None = None
        self._hung = False
        self._hand: tuple[int, Callable[[], None], bool] | None = None
        self._steps_left = 0
        self._events: deque[Event] = deque(maxlen=MEMORY)
        self._latest = 0
        self._skipped = 0
        self._schedule: Timetable = []
        self._alarms: Timetable = []
        self._scheduled = 0
        self._status: Status | None = None
        self._triggers = Triggers(kind.name, known, self.stream)
        self._unset: list[Fault] = []
        for fault in check(kind.name, known, setup.faults):
            if fault.after:
                self._unset.append(fault)  # its time counts from the first moment that the board is told of
            else:
                self._triggers.add(fault, self.now)
        self._plan()
        self._number("started", {})

    def stream(self, purpose: str) -> random.Random:
        """A random stream of this device's seed; the same for the same purpose."""
        return random.Random(f"{self.name}/{self._seed}/{purpose}")

    def reseed(self, seed: int | str) -> None:
        """Draw from new streams of this seed from now on. What was counted stays counted."""
        self._seed = seed
        self.random = self.stream("mechanics")
        self.mishaps = self.stream("faults")
        self._triggers.reseed()

    @property
    def memory(self) -> list[list[int]]:
        """How often each fault has met its operation, and has struck."""
        return self._triggers.counts

    @memory.setter
    def memory(self, counts: list[list[int]]) -> None:
        self._triggers.counts = counts

    def use(self, events: int) -> None:
        """Let so many events lie behind a device without power, as after years; none of them is kept."""
        if self.off:
            self._events.clear()
            self._latest = events
            self._status = None

    @property
    def speed(self) -> float:
        """The factor on every duration from now on; what was begun keeps its times."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._speed = speed

    def inject(self, fault: Fault) -> None:
        """Add a fault; its time and its operations count from now."""
        self._add(fault)
        self._plan()

    @property
    def pending(self) -> tuple[Fault, ...]:
        """The faults that can still strike."""
        return (*self._triggers.pending, *self._unset)

    def spare(self) -> None:
        """Forget every fault that has not struck yet."""
        self._triggers.clear()
        self._unset.clear()
        self._plan()

    def struck(self, operation: str) -> Struck:
        """Count one more operation of a sort; the faults that strike it."""
        return self._triggers.next(operation, self.now, self._latest + 1)

    def become(self, state: State) -> None:
        if not self.off:
            self.state = state
            self._status = None

    def interrupt(self, hand: Callable[[], None], step: int = 1, *, goes_on: bool = False) -> None:
        """Let a hand act in the next operation, in place of this step of it, or before it if that `goes_on`."""
        self._hand = step, hand, goes_on

    def switch_off(self) -> None:
        """Take the power away until `switch_on`; whatever was under way is lost."""
        self.cancel()
        self.off = True

    def switch_on(self) -> None:
        """Give the power back; without the events and tokens of before, unless it `keeps_memory`."""
        if self.off:
            self._boot(self.keeps_memory)

    def begin(self) -> None:
        """Become busy with an operation that takes time."""
        self._steps_left = 0 if self._hand is None else self._hand[0]
        struck = self.struck(OPERATION)
        self._hung = "hang" in struck
        self._slow = self._triggers.seconds(struck["slow"]) if "slow" in struck else None
        self.become(State.BUSY)

    def emit(self, name: str, **values: Value) -> None:
        """Number and keep an event; the oldest goes when the memory is full."""
        if not self.off:
            self._suffer(self.struck(EVENT))
        if not self.off:
            self._number(name, values)

    def fail(self, fault: FaultCode) -> None:
        """Stop with a fault; whatever was still to happen does not."""
        if self.off:
            return
        self.fault = fault
        self.become(State.FAULT)
        self.cancel()
        self.emit("faulted", fault=int(fault))

    def clear(self) -> None:
        """Leave any fault and whatever was under way, for a state of rest; a lock stays locked."""
        if self.off:
            return
        self._rest()
        self.emit("cleared")

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Let something happen later; things due at the same time happen in the order of these calls."""
        if self.off or self._hung:
            return
        if self._hand is not None and self._steps_left:
            self._steps_left -= 1
            if not self._steps_left:
                action, self._hand = _after_hand(self._hand, action), None
        delay = seconds * self._speed
        if self._slow is not None:
            delay = SLOWER * delay + self._slow
        self._push(self._schedule, self.now + delay, action)

    def cancel(self) -> None:
        """Forget everything that was to happen later."""
        self._schedule.clear()
        self._plan()

    def advance(self, now: float) -> None:
        """Let everything happen that is due by now, each at its own time."""
        if self._unset:
            self.now = max(self.now, now)
            for fault in self._unset:
                self._add(fault)
            self._unset.clear()
            self._plan()
        while self.next_due <= now:
            due, _, action = heapq.heappop(self._next_schedule())
            self._plan()
            self.now = max(self.now, due)
            action()
        self.now = max(self.now, now)

    def status(self) -> Status:
        """The state and the events held; the same object while nothing changes."""
        if self._status is None:
            oldest = self._events[0].number if self._events else self._latest
            self._status = Status(self.state, self.fault, oldest, self._latest)
        return self._status

    def events(self, after: int, limit: int) -> tuple[Event, ...]:
        """At most so many of the events after a number, in order."""
        if after >= self._latest:
            return ()
        first = bisect_right(self._events, after, key=lambda event: event.number)
        return tuple(islice(self._events, first, first + limit))

    def _add(self, fault: Fault) -> None:
        if self._triggers.add(fault, self.now) == EVENT and fault.after:
            self._push(self._alarms, self.now + fault.after, lambda: self._suffer(self.struck(EVENT)))

    def _suffer(self, struck: Struck) -> None:
        """What the faults do to the electronics at this instant."""
        if self.off or not struck:
            return
        if "counter_jump" in struck:
            self._skipped += JUMP
        for what in ("restart", "power_loss", "power_loss_forgetful"):
            if what in struck:
                self._lose_power(self._triggers.seconds(struck[what]), remembers=what == "power_loss")
                return

    def _lose_power(self, seconds: float, remembers: bool) -> None:
        self.cancel()
        self.off = True
        self._push(self._alarms, self.now + seconds, lambda: self._boot(remembers))

    def _boot(self, remembers: bool) -> None:
        if not self.off:  # hands have switched it on before
            return
        self.off = False
        if not remembers:
            self._events.clear()
            self._latest = self._skipped = 0
        self._rest()
        for told in self.at_boot:
            told(remembers)
        self._number("started", {})

    def _rest(self) -> None:
        self.fault = FaultCode.NONE
        self._hung = False
        self._slow = None
        self.become(State.LOCKED if self.state is State.LOCKED else State.IDLE)
        self.cancel()

    def _number(self, name: str, values: dict[str, Value]) -> None:
        self._latest += 1 + self._skipped
        self._skipped = 0
        self._events.append(Event(self._latest, name, values))
        self._status = None

    def _push(self, schedule: Timetable, due: float, action: Callable[[], None]) -> None:
        self._scheduled += 1
        heapq.heappush(schedule, (due, self._scheduled, action))
        self._plan()

    def _next_schedule(self) -> Timetable:
        """Of the mechanism's timetable and the alarms, which nothing cancels, the one that is due first."""
        if self._schedule and self._alarms:
            return min(self._schedule, self._alarms, key=lambda schedule: schedule[0][:2])
        return self._schedule or self._alarms

    def _plan(self) -> None:
        following = self._next_schedule()
        self.next_due = following[0][0] if following else inf
        if self._unset:
            self.next_due = -inf


def _after_hand(hand: tuple[int, Callable[[], None], bool], action: Callable[[], None]) -> Callable[[], None]:
    """What happens when a hand acts at a step: the step follows only if it goes on."""
    _, act, goes_on = hand

    def both() -> None:
        act()
        action()

    return both if goes_on else act
