"""What a recorded device sent, and when: after as much from the driver as had come by then in the recording.

What the driver sends is only counted, not compared: sequence numbers and tokens differ from one session to the next.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Report = Callable[[str], None]
"""Called with one line when a session leaves the recording."""

Piece = TypeVar("Piece")
Passed = tuple[float, bool, Piece]
"""When a piece passed, whether it came from the driver, and the piece: some bytes, or a message."""


@dataclass(frozen=True, slots=True)
class _Cue(Generic[Piece]):
    """What the device sent once so much had come from the driver."""

    after: int
    delay: float
    """Seconds after what came before, from either side."""
    piece: Piece
    start: int
    """How often the power had come back by then."""


class Script(Generic[Piece]):
    """What to send next, given how much arrives. `size` is what a piece of the driver's counts for. At the times of
    `starts` hands gave the power back: what the device sent from then on waits for `power_on`, and how much the driver
    sends until then does not matter."""

    def __init__(
        self,
        name: str,
        passed: Iterable[Passed[Piece]],
        size: Callable[[Piece], int],
        report: Report,
        starts: Iterable[float] = (),
    ) -> None:
        self.deviations: list[str] = []
        """Where the driver differed from the recording."""
        self._name = name
        self._report = report
        self._recorded = 0
        self._arrived = 0
        self._cues: list[_Cue[Piece]] = []
        self._starts: list[int] = []
        """How much had come from the driver at each start."""
        self._started = 0
        coming = deque(starts)
        before: float | None = None
        for at, outgoing, piece in passed:
            while coming and coming[0] <= at:
                before = coming.popleft()
                self._starts.append(self._recorded)
            if outgoing:
                self._recorded += size(piece)
            else:
                delay = at - before if before is not None else 0.0
                self._cues.append(_Cue(self._recorded, delay, piece, len(self._starts)))
            before = at
        self._cues.reverse()

    def receive(self, size: int) -> list[tuple[float, Piece]]:
        """What the device sends now: for each, the seconds to wait before it, and the piece."""
        over = self._arrived > self._recorded
        self._arrived += size
        if self._started < len(self._starts):
            self._arrived = min(self._arrived, self._starts[self._started])
        if self._arrived > self._recorded and not over:
            self.deviations.append(f"{self._name}: the driver went on after the recording had ended")
            self._report(self.deviations[-1])
        due = []
        while self._cues and self._cues[-1].after <= self._arrived and self._cues[-1].start <= self._started:
            cue = self._cues.pop()
            due.append((cue.delay, cue.piece))
        return due

    @property
    def powered(self) -> bool:
        """Whether anything is to come before the power comes back, from either side."""
        return self._started == len(self._starts) or self._arrived < self._starts[self._started]

    def power_on(self) -> None:
        """Hands give the power back, as they did in the recording."""
        if self._started < len(self._starts):
            self._arrived = self._starts[self._started]
            self._started += 1


class Sender(Generic[Piece]):
    """Sends in order, each piece after its delay, scaled by the speed."""

    def __init__(self, send: Callable[[Piece], object], speed: float) -> None:
        self._send = send
        self._speed = speed
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[float, Piece]] = deque()
        self._last = 0.0
        """When the last of them is due."""
        self._timer: asyncio.TimerHandle | None = None

    def queue(self, pieces: Iterable[tuple[float, Piece]]) -> None:
        """Send now, or when it is time."""
        for delay, piece in pieces:
            self._last = max(self._last, self._loop.time()) + delay * self._speed
            self._waiting.append((self._last, piece))
        self._send_due()

    def stop(self) -> None:
        """Forget what is not sent yet."""
        self._waiting.clear()
        self._last = 0.0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _send_due(self) -> None:
        while self._waiting and self._waiting[0][0] <= self._loop.time():
            self._send(self._waiting.popleft()[1])
        if self._waiting and self._timer is None:
            self._timer = self._loop.call_at(self._waiting[0][0], self._ring)

    def _ring(self) -> None:
        self._timer = None
        self._send_due()
