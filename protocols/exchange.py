"""One question at a time on a line: asked again on silence, ended by its answer or by one deadline."""

import asyncio
from collections.abc import Callable
from math import inf
from typing import Generic, TypeVar

from feltrig.protocols.errors import Garbage, NoAnswer, WireError, WrongAnswer

TRIES = 3
"""How often a question is asked before the deadline; an answer to any of the tries will do."""

LEAST_STEP = 0.02
"""Seconds that a try has even when its deadline is over: what came before, or a pause of our own, took the time."""

LOST = 10.0
"""Seconds after which an answer that has not come is lost."""

Answer = TypeVar("Answer")


class Exchange(Generic[Answer]):
    """Waits for the answer to the question that is open. Future and timer by hand, and one timer that outlives many
    questions: asyncio's timeouts cost as much as the rest of a round trip. Silence ends a question with `silence`."""

    # less memory to go through where many devices are asked in turn (`benchmarks/scale.py`)
    __slots__ = (
        "_anew",
        "_answer",
        "_asked",
        "_broken",
        "_heard",
        "_loop",
        "_most",
        "_name",
        "_next_try",
        "_send",
        "_silence",
        "_step",
        "_timer",
        "_wakes",
        "_wrong",
        "overdue",
        "slowest",
        "tries",
    )

    def __init__(self, name: str, send: Callable[[], None], silence: type[NoAnswer] = NoAnswer) -> None:
        """`send` sends the question that is open."""
        self._name = name
        self._send = send
        self._silence = silence
        self._loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[Answer] = self._loop.create_future()
        self._answer.cancel()
        self._most = TRIES
        self._step = 0.0
        self._next_try = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._wakes = inf
        """When the timer rings."""
        self._heard = ""
        self._broken: tuple[str, ...] = ()
        self._wrong = 0
        """How many whole answers came to the open question that do not belong to it."""
        self._asked = 0.0
        self._anew = 0.0
        """When the device may have got its power back: it is not late with what was asked before."""
        self.tries = 0
        """How often the last question was sent."""
        self.slowest = 0.0
        """Seconds that an answer took at most, from the first try on, also if a later try was answered before."""
        self.overdue: dict[int, float] = {}
        """First tries that passed in silence, by the number of the message, with the time when each was sent."""

    def ask(self, seconds: float, tries: int = TRIES) -> asyncio.Future[Answer]:
        """Send a question, again on silence; the future ends with what `take` is given, or with a WireError after so
        many seconds in all."""
        loop = self._loop
        answer = self._answer = loop.create_future()
        self._most = tries
        step = seconds / tries
        self._step = step = step if step > LEAST_STEP else LEAST_STEP
        self._asked = asked = loop.time()
        self._next_try = next_try = asked + step
        self._heard = ""
        self._wrong = 0
        self.tries = 1
        if next_try < self._wakes:
            self._arm()
        self._send()
        return answer

    @property
    def busy(self) -> bool:
        """Whether a question is open."""
        return not self._answer.done()

    async def ended(self) -> None:
        """Wait until the question that is open has ended, in whatever way."""
        await asyncio.wait((self._answer,))

    def take(self, answer: Answer) -> None:
        """The answer has come. The first one counts."""
        if not self._answer.done():
            self._answer.set_result(answer)
            self._took(self._asked)

    def passed(self, number: int) -> None:
        """The first try of the open question has passed in silence. Its answer may still come, too late."""
        self.overdue = {each: asked for each, asked in self.overdue.items() if self._asked - asked < LOST}
        self.overdue[number] = self._asked

    def came_late(self, number: int) -> None:
        """An answer has come to a first try that had passed in silence."""
        self._took(self.overdue.pop(number))

    def time_anew(self) -> None:
        """The device had no power until now: how long an answer took does not count, nor what is still to come."""
        self.slowest, self._anew = 0.0, self._loop.time()

    def _took(self, asked: float) -> None:
        if asked >= self._anew:
            self.slowest = max(self.slowest, self._loop.time() - asked)

    def dismiss(self, what: str, *broken: str, intact: bool = False) -> None:
        """Something was heard that is not an answer. If nothing better comes, the question ends with Garbage, or with
        WrongAnswer if each try had an `intact` one: a single one may be late, and belong to another question. `broken`
        are the requirements that it breaks."""
        self._heard = what
        self._broken = broken
        self._wrong += intact

    def fail(self, error: WireError) -> None:
        """There will be no answer."""
        if not self._answer.done():
            self._answer.set_exception(error)

    def close(self, error: WireError) -> None:
        """There will be no answer, and no further question."""
        self.fail(error)
        if self._timer is not None:
            self._timer.cancel()
            self._timer, self._wakes = None, inf

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._wakes = self._next_try
        self._timer = self._loop.call_at(self._wakes, self._wake)

    def _wake(self) -> None:
        """A try has passed in silence, unless the question has been answered meanwhile and perhaps another asked."""
        self._timer, self._wakes = None, inf
        if self._answer.done():
            return
        if self._loop.time() >= self._next_try:
            if self.tries == self._most:
                self._give_up()
                return
            self.tries += 1
            # from now: a pause of our own computer is not the device's silence
            self._next_try = self._loop.time() + self._step
            self._send()
        self._arm()

    def _give_up(self) -> None:
        if self._heard:
            said = f"{self._name}: no usable answer to {_tries(self._most)}, but {self._heard}"
            self.fail(WrongAnswer(said, self._broken) if self._wrong >= self._most else Garbage(said))
        else:
            self.fail(self._silence(f"{self._name}: no answer to {_tries(self._most)}"))


def _tries(number: int) -> str:
    return "one try" if number == 1 else f"{number} tries"
