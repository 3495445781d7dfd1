"""The line to a device: every failure goes on record, and a line that is lost is opened again."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeVar

from feltrig.harness.journal.records import Recovered, Repeated, Slowest, Trouble
from feltrig.harness.journal.writer import Journal
from feltrig.protocols.errors import Garbage, LineLost, NoAnswer, NotAdmitted, SilentConnection, WireError
from feltrig.protocols.messages import Channel, RepeatingChannel, TimedChannel

Answer = TypeVar("Answer")

TROUBLES: tuple[tuple[type[WireError], str], ...] = (
    (NoAnswer, "no answer"),
    (LineLost, "line lost"),
    (Garbage, "garbage"),
)
"""How the journal names each failure of a wire."""

CURABLE = (LineLost, SilentConnection)
"""Failures that may be cured by opening the wire again."""

REOPEN_AFTER = 0.02
LONGEST_PAUSE = 0.1
"""Seconds before the first attempt to open a lost line again; the pause doubles up to the longest."""


class Line:
    """The channel to the device of this name. A lost line is opened again for `reconnect` seconds, a silent connection
    once. If the device is `known`, because it has said who it is, `recognise` makes sure that the same one is there
    again; it is told the command that is under way, if that makes the device act. Several tasks may use a line."""

    def __init__(
        self,
        name: str,
        channel: Channel,
        journal: Journal,
        reconnect: float,
        known: Callable[[], bool],
        recognise: Callable[[str | None], Awaitable[None]],
    ) -> None:
        self.closed = False
        self._name = name
        self._channel = channel
        # asked once: whether a class has the methods of a protocol is slow to find out
        self._repeating = channel if isinstance(channel, RepeatingChannel) else None
        self._timed = channel if isinstance(channel, TimedChannel) else None
        self._journal = journal
        self._reconnect = reconnect
        self._known = known
        self._recognise = recognise
        self._reopening = asyncio.Lock()
        self._openings = 0
        """How often the wire was opened again."""
        self._slowest = 0.0
        """The longest time of an answer on record, in seconds."""

    async def watch(self, ask: Callable[[], Awaitable[Answer]], acting: str | None = None) -> Answer:
        """The answer to a request. Raises WireError when the line does not come back, and when the device is silent on
        a new connection too. `acting` is the command, if it makes the device act."""
        lost: float | None = None
        openings = self._openings
        give_up = 0.0
        silent = False
        pause = REOPEN_AFTER
        while True:
            try:
                if lost is not None:
                    await self._reopen(openings, acting)
                openings, repeats = self._openings, self._repeats()
                answer = await ask()
            except WireError as error:
                now = monotonic()
                silence = isinstance(error, SilentConnection)
                if lost is None or not isinstance(error, CURABLE):
                    self._trouble(error)
                if lost is None or (silence and not silent):  # what was spent on waiting for an answer does not count
                    give_up = now + self._reconnect
                if lost is None:
                    lost = now
                if self.closed or not self._may_come_back(error) or (silence and silent) or now + pause > give_up:
                    raise
                silent = silent or silence
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                if again := self._repeats() - repeats:
                    self._journal.append(Repeated(self._name, again))
                if self._timed is not None and self._timed.slowest > self._slowest:
                    self._slowest = self._timed.slowest
                    self._journal.append(Slowest(self._name, round(self._slowest, 6)))
                if lost is not None:
                    self._journal.append(Recovered(self._name, round(monotonic() - lost, 6)))
                return answer

    def _repeats(self) -> int:
        return 0 if self._repeating is None else self._repeating.repeats

    def _may_come_back(self, error: WireError) -> bool:
        """Whether it may help to open the wire again. A device that has admitted us before will do so again: if it
        seems not to, noise has spoilt the handshake."""
        return isinstance(error, CURABLE) and (self._known() or not isinstance(error, NotAdmitted))

    async def _reopen(self, openings: int, acting: str | None) -> None:
        """Open the wire again, unless another task has done so since."""
        async with self._reopening:
            if self.closed:
                raise LineLost(f"{self._name}: closed")
            if self._openings != openings:
                return
            await self._channel.close()
            await self._channel.open()
            if self._known():
                await self._recognise(acting)
            self._openings += 1

    def _trouble(self, error: WireError) -> None:
        what = next(name for kind, name in TROUBLES if isinstance(error, kind))
        self._journal.append(Trouble(self._name, what, str(error)))
