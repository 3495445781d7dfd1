"""Serves a machine that talks in a profile's messages, on a serial line or on MQTT topics."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Protocol

from feltrig.emulators.machine import Machine
from feltrig.emulators.profiles.teller import Teller, Wall
from feltrig.emulators.stations.watch import Watch
from feltrig.protocols.profiles.dialogue import Dialogue, Parcel, Poll, Saying
from feltrig.protocols.profiles.profile import Profile
from feltrig.protocols.vocabulary import Error


class Mouth(Protocol):
    """The device's end of what carries the messages."""

    async def open(self, hear: Callable[[Parcel], None], garbled: Callable[[], None], ready: Callable[[], None]) -> str:
        """Begin to serve; returns where. `ready` is called whenever somebody may have begun to listen."""

    async def close(self) -> None:
        """Stop serving. May be called twice."""

    def say(self, parcel: Parcel) -> bool:
        """Send a message; whether the line is up."""


def local_time() -> datetime:
    """The time of day where the emulator runs."""
    return datetime.now().astimezone()


class MessageStation:
    """Answers commands at once; says each event, as often as the profile repeats it, and the state in its rhythm."""

    def __init__(
        self,
        profile: Profile,
        machine: Machine,
        mouth: Mouth,
        clock: Callable[[], float] = time.monotonic,
        wall: Wall = local_time,
    ) -> None:
        assert isinstance(profile.talk, Dialogue)
        self._dialogue = profile.talk
        self._mouth = mouth
        self._clock = clock
        self._teller = Teller(machine, self._dialogue, wall)
        self._watch = Watch(machine, clock, self._news)
        self._reports = [saying for saying in self._dialogue.says if saying.status]
        self._reported: dict[int, Parcel] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._repeats: deque[Parcel] = deque()
        self._repeating: asyncio.TimerHandle | None = None
        self._untold: deque[Parcel] = deque()
        """What a polled device has not said yet."""

    async def start(self) -> str:
        where = await self._mouth.open(self._hear, self._garbled, self._ready)
        self._watch.look()
        for number, saying in enumerate(self._reports):
            self._report(number, saying)
        return where

    async def stop(self) -> None:
        self._watch.stop()
        for timer in self._timers.values():
            timer.cancel()
        if self._repeating is not None:
            self._repeating.cancel()
            self._repeating = None
        await self._mouth.close()

    def _hear(self, parcel: Parcel) -> None:
        acknowledge, poll = self._dialogue.acknowledge, self._dialogue.poll
        if poll is not None and poll.message.read(parcel) is not None:
            self._watch.look()
            answer = self._next_report(poll)
        elif acknowledge is not None and acknowledge.read(parcel) is not None:
            return
        else:
            answer = self._teller.hear(parcel, self._clock())
        if answer is not None:
            self._mouth.say(answer)
        self._watch.look()

    def _next_report(self, poll: Poll) -> Parcel | None:
        """What a polled device says: what has happened, one after the other, then how things stand or that there is
        nothing to report."""
        if self._untold:
            return self._untold.popleft()
        reports = (self._teller.report(saying, self._clock()) for saying in self._reports)
        stands = next((parcel for parcel in reports if parcel is not None), None)
        return stands if stands is not None or poll.nothing is None else poll.nothing.write({})

    def _garbled(self) -> None:
        answer = self._teller.refuse(Error.MALFORMED)
        if answer is not None:
            self._mouth.say(answer)

    def _ready(self) -> None:
        self._reported.clear()
        self._say_often(())
        self._changed(self._clock())

    def _news(self, now: float) -> None:
        news = self._teller.news(now)
        if self._dialogue.poll is not None:
            self._untold.extend(news)
            return
        self._say_often(news)
        self._changed(now)

    def _changed(self, now: float) -> None:
        if self._dialogue.poll is not None:
            return
        for number, saying in enumerate(self._reports):
            if saying.on_change:
                parcel = self._teller.report(saying, now)
                if parcel is not None and parcel != self._reported.get(number) and self._mouth.say(parcel):
                    self._reported[number] = parcel

    def _report(self, number: int, saying: Saying) -> None:
        """The report that comes in its rhythm, whether anything changed or not."""
        if not saying.every:
            return
        parcel = self._teller.report(saying, self._clock())
        if parcel is not None and self._mouth.say(parcel):
            self._reported[number] = parcel
        loop = asyncio.get_running_loop()
        self._timers[number] = loop.call_later(saying.every, self._report, number, saying)

    def _say_often(self, parcels: Iterable[Parcel]) -> None:
        """Each message and its repeats, before the next. What cannot be said while the line is down is said later."""
        for parcel in parcels:
            self._repeats.extend([parcel] * self._dialogue.repeats)
        if self._repeating is None:
            self._say_next()

    def _say_next(self) -> None:
        self._repeating = None
        while self._repeats and self._mouth.say(self._repeats[0]):
            self._repeats.popleft()
            if self._dialogue.apart and self._repeats:
                self._repeating = asyncio.get_running_loop().call_later(self._dialogue.apart, self._say_next)
                return
