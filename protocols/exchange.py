"""One question at a time on a line: asked again on silence, ended by its answer or by one deadline."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

from feltrig.protocols.errors import Garbage, NoAnswer, WireError

TRIES = 3
"""How often a question is asked before the deadline; an answer to any of the tries will do."""

Answer = TypeVar("Answer")


class Exchange(Generic[Answer]):
    """Waits for the answer to the question that is open. Future and timer by hand: asyncio's timeouts cost as much as
    the rest of a round trip."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[Answer] | None = None
        self._timer: asyncio.TimerHandle
        self._send: Callable[[], None]
        self._step = 0.0
        self._heard = ""
        self.tries = 0
        """How often the question has been sent."""

    async def ask(self, send: Callable[[], None], until: float) -> Answer:
        """Send the question, several times on silence, and return what `take` is given before `until`."""
        loop = self._loop
        now = loop.time()
        answer = self._answer = loop.create_future()
        self._send = send
        self._step = (until - now) / TRIES
        self._heard = ""
        self.tries = 1
        self._timer = loop.call_at(now + self._step, self._silent)
        try:
            send()
            return await answer
        finally:
            self._timer.cancel()
            self._answer = None

    def take(self, answer: Answer) -> None:
        """The answer has come. The first one counts."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    def dismiss(self, what: str) -> None:
        """Something was heard that is no answer; if nothing better comes, the end is Garbage."""
        self._heard = what

    def fail(self, error: WireError) -> None:
        """There will be no answer."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error)

    def _silent(self) -> None:
        if self.tries < TRIES:
            self.tries += 1
            self._timer = self._loop.call_at(self._timer.when() + self._step, self._silent)
            self._send()
        elif self._heard:
            self.fail(Garbage(f"{self._name}: no usable answer to {TRIES} tries, but {self._heard}"))
        else:
            self.fail(NoAnswer(f"{self._name}: no answer to {TRIES} tries"))
