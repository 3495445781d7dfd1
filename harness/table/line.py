"""The line to a device: every failure goes on record, and a line that is lost is opened again."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import TypeVar

from feltrig.harness.journal.records import Recovered, Repeated, Slowest, Trouble, UnreadSeen
from feltrig.harness.journal.writer import Journal
from feltrig.protocols.errors import Garbage, LineLost, NoAnswer, NotAdmitted, SilentConnection, WireError, WrongAnswer
from feltrig.protocols.messages import (
    AttentiveChannel,
    Channel,
    OverhearingChannel,
    RepeatingChannel,
    TimedChannel,
    WaryChannel,
)

Answer = TypeVar("Answer")

TROUBLES: tuple[tuple[type[WireError], str], ...] = (
    (NoAnswer, "no answer"),
    (LineLost, "line lost"),
    (WrongAnswer, "wrong answer"),
    (Garbage, "garbage"),
)
"""How the journal names each failure of a wire; the first that fits."""

CURABLE = (LineLost, SilentConnection)
"""Failures that may be cured by opening the wire again."""

MOST_UNASKED = 10
"""How much of what a device says unasked goes on record."""

REOPEN_AFTER = 0.02
LONGEST_PAUSE = 0.1
"""Seconds before the first attempt to open a lost line again; the pause doubles up to the longest."""

POWER_LOOK = 0.01
"""Seconds between two looks at the power of an emulated device that has not answered yet."""


class Line:
    """The channel to the device of this name. A lost line is opened again for `reconnect` seconds, a silent connection
    once. If the device is `known`, because it has said who it is, `recognise` makes sure that the same one is there
    again; it is told the command that is under way, if that makes the device act. `powered` says whether the device has
    power, if anybody can know that without asking it. Several tasks may use a line."""

    def __init__(
        self,
        name: str,
        channel: Channel,
        journal: Journal,
        reconnect: float,
        known: Callable[[], bool],
        recognise: Callable[[str | None], Awaitable[None]],
        powered: Callable[[], bool] | None = None,
    ) -> None:
        self.closed = False
        self._name = name
        self._channel = channel
        # asked once: whether a class has the methods of a protocol is slow to find out
        self._repeating = channel if isinstance(channel, RepeatingChannel) else None
        self._timed = channel if isinstance(channel, TimedChannel) else None
        self._overhearing = channel if isinstance(channel, OverhearingChannel) else None
        self._overheard = 0
        """How much of what the device said unasked is on record."""
        self._attentive = channel if isinstance(channel, AttentiveChannel) else None
        self._wary = channel if isinstance(channel, WaryChannel) else None
        self._journal = journal
        self._reconnect = reconnect
        self._known = known
        self._recognise = recognise
        self._powered = powered
        self._reopening = asyncio.Lock()
        self._openings = 0
        """How often the wire was opened again."""
        self._slowest = 0.0
        """The longest time of an answer on record, in seconds."""

    async def watch(
        self, ask: Callable[[], Awaitable[Answer]], acting: str | None = None, *, recorded: bool = True
    ) -> Answer:
        """The answer to a request. Raises WireError when the line does not come back, and when the device is silent on
        a new connection too. `acting` is the command, if it makes the device act. That the line was lost goes on record
        unless that is no trouble."""
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
                self._note_unread()
            except WireError as error:
                self._note_unread()
                now = monotonic()
                silence = isinstance(error, SilentConnection)
                if recorded and (lost is None or not isinstance(error, CURABLE)):
                    self.trouble(error)
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
                if self._overhearing is not None and len(self._overhearing.unasked) > self._overheard:
                    self._note_unasked(self._overhearing.unasked)
                if again := self._repeats() - repeats:
                    self._journal.append(Repeated(self._name, again))
                if recorded and self._timed is not None and self._timed.slowest > self._slowest:
                    self._slowest = self._timed.slowest
                    self._journal.append(Slowest(self._name, round(self._slowest, 6)))
                if recorded and lost is not None:
                    self._journal.append(Recovered(self._name, round(monotonic() - lost, 6)))
                return answer

    async def hail(self, ask: Callable[[], Awaitable[Answer]], acting: str | None = None) -> Answer | None:
        """The answer of a device whose power may be cut. None if it has no power, or gives no answer and nobody knows
        whether it has; that is no trouble. Raises WireError if it has power: the wire keeps the answer back."""
        try:
            return await self._while_powered(ask, acting)
        except WireError as error:
            if self._powered is None or not self._powered():
                return None
            self.trouble(error)
            raise

    async def back(self, ask: Callable[[], Awaitable[Answer]], seconds: float) -> None:
        """Wait until a device answers whose power is back, on a new connection if need be. Raises WireError after so
        many seconds; what was before that is no trouble on record."""
        give_up = monotonic() + seconds
        while True:
            if self._wary is not None:
                self._wary.begin_anew()
            try:
                await self._while_powered(ask, None)
            except WireError as error:
                if monotonic() > give_up:
                    raise
                await asyncio.sleep(LONGEST_PAUSE)
                if isinstance(error, CURABLE):
                    with suppress(WireError):
                        await self._reopen(self._openings, None)
            else:
                return

    async def _while_powered(self, ask: Callable[[], Awaitable[Answer]], acting: str | None) -> Answer | None:
        """The answer; None as soon as the device is known to have no power."""
        asking = asyncio.ensure_future(self.watch(ask, acting, recorded=False))
        try:
            while not asking.done() and (self._powered is None or self._powered()):
                await asyncio.wait((asking,), timeout=POWER_LOOK)
            return asking.result() if asking.done() else None
        finally:
            asking.cancel()
            await asyncio.wait((asking,))
            if self._timed is not None:  # what a device without power owes is no late answer
                self._timed.time_anew()

    def _note_unasked(self, said: list[str]) -> None:
        for what in said[self._overheard : MOST_UNASKED]:
            self._journal.append(Trouble(self._name, "unasked", f"{self._name}: {what}"))
        self._overheard = len(said)

    def _note_unread(self) -> None:
        """What the device said and nobody could read goes on record."""
        if self._attentive is not None and self._attentive.unread:
            for unread in self._attentive.unread:
                self._journal.append(UnreadSeen(self._name, unread.why, unread.shown))
            self._attentive.unread = []

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

    def trouble(self, error: WireError) -> None:
        """Put on record that there was no answer."""
        what = next(name for kind, name in TROUBLES if isinstance(error, kind))
        broken = error.requirements if isinstance(error, WrongAnswer) else ()
        self._journal.append(Trouble(self._name, what, str(error), broken))
