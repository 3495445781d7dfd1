"""The driver of one device: commands out, numbered events in, everything in the journal. It knows no wire."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from statistics import median
from time import monotonic

from feltrig.harness import demands
from feltrig.harness.devices.failures import Faulted, Stalled
from feltrig.harness.devices.values import int_of
from feltrig.harness.journal.records import Called, EventSeen, GapSeen, Replied, Restarted, Trouble
from feltrig.harness.journal.writer import Journal
from feltrig.harness.table.line import Line
from feltrig.protocols.errors import Garbage, NoAnswer, Refused, WireError, WrongAnswer
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.malformed import MalformedMessage
from feltrig.protocols.messages import (
    Channel,
    Event,
    EventBatch,
    IdentifyingChannel,
    Identity,
    OpenChannel,
    Publication,
    PublishingChannel,
    Reply,
    Request,
    SpoiltChannel,
    Status,
    Value,
    Values,
)
from feltrig.protocols.vocabulary import Error, FaultCode, Kind, State

FIRST_LOOK = 0.002
LONGEST_PAUSE = 0.1
"""Seconds between two looks at the events while a machine works; the pause doubles from the first to the longest."""

LOOKED_BACK = 8
"""How many past events are read to learn in which state a device was left."""

START = 60.0
"""Seconds that a device may need to start, if its patience is shorter."""

MOST_EVENTS = 4096
"""The most events that are read in one look, however many the device says there are."""


class Driver:
    """One device of the rig. Events are read in the order of their numbers; each is seen once. When the line is lost,
    it is opened again and the request is repeated with its own token. Several tasks may use a driver at once."""

    def __init__(
        self,
        name: str,
        kind: Kind,
        channel: Channel,
        journal: Journal,
        patience: float,
        reconnect: float = 0.0,
        *,
        disturbed: bool = False,
        powered: Callable[[], bool] | None = None,
    ) -> None:
        """`powered` says whether the device has power, if anybody can know that without asking it."""
        self.name = name
        self.kind = kind
        self.identity: Identity | None = None
        self.found: Status | None = None
        """How the device stood when its wire was opened."""
        self.disturbed = disturbed
        """Whether the rig makes noise on its wire."""
        self._channel = channel
        self._powered = powered
        self._line = Line(
            name, channel, journal, reconnect, lambda: self.identity is not None, self._recognise, powered
        )
        self._journal = journal
        self.patience = patience
        self._reconnect = reconnect
        self._seen = 0
        self._unread: list[Event] = []
        self._busy = False
        """Whether the device was at work at the last look."""
        self._looking = asyncio.Lock()
        self.done: Request | None = None
        """The last command that acts and was not refused."""
        self._took: dict[str, list[float]] = {}
        """Seconds from each command to the event that ended it."""
        # A token must differ from those of an earlier session, which the device may still remember.
        self._token = random.SystemRandom().getrandbits(15) << 16

    @property
    def channel(self) -> Channel:
        """The wire, for what only scenes of conformance do with it."""
        return self._channel

    async def open(self) -> Identity:
        """Learn who the device is on its open wire, and start behind the events of the past."""
        self._line.closed = False
        self.identity = _identity(await self.call("identify"))
        self.found = await self.status()
        self._seen = self.found.latest
        return self.identity

    async def close(self) -> None:
        """Close the wire, and keep it closed."""
        self._line.closed = True
        await self._channel.close()

    def apart(self, journal: Journal) -> "Driver":
        """Another driver on the same wire, with tokens of its own and a journal of its own."""
        about = (self.name, self.kind, self._channel, journal, self.patience, self._reconnect)
        other = Driver(*about, disturbed=self.disturbed, powered=self._powered)
        other._took = self._took
        return other

    async def call(self, command: str, **values: Value) -> Values:
        """Send a command and return the values of its reply. Raises Refused when the device answers with an error."""
        return await self._ask(Request(command, values, self.new_token()))

    async def repeat(self, done: Request) -> Values:
        """Send a command that the device has done once more, with its own token: the answer is the same again, and
        nothing is done twice."""
        return await self._ask(done)

    async def _ask(self, request: Request) -> Values:
        return self._accepted(request, await self.send(request)).values

    def new_token(self) -> int:
        """A token that was never used before."""
        self._token += 1
        return self._token

    @property
    def seen(self) -> int:
        """The number of the last event that was read."""
        return self._seen

    @property
    def last_token(self) -> int:
        """The token that was used last."""
        return self._token

    async def send(self, request: Request) -> Reply:
        """Send a request with a token of the caller's choice; the answer, a refusal or not."""
        self._journal.append(Called(self.name, request.command, _plain(request.values)))
        acting = request.command if self._acts(request) else None
        return self._replied(request, await self._line.watch(lambda: self._channel.request(request), acting))

    async def launch(self, command: str, **values: Value) -> None:
        """Send a command whose answer may never come, as the power is about to be cut. Raises Refused."""
        await self.pending()
        request = Request(command, values, self.new_token())
        self._journal.append(Called(self.name, command, _plain(values)))
        reply = await self._line.hail(lambda: self._channel.request(request), command)
        if reply is not None:
            self._accepted(request, self._replied(request, reply))

    def _accepted(self, request: Request, reply: Reply) -> Reply:
        if reply.error is not Error.OK:
            raise Refused(self.name, request.command, reply.error.name.lower())
        return reply

    def _acts(self, request: Request) -> bool:
        return request.command in self.kind.commands and self.kind.commands[request.command].acts

    def _replied(self, request: Request, reply: Reply) -> Reply:
        self._journal.append(Replied(self.name, request.command, reply.error.name.lower(), _plain(reply.values)))
        if reply.error is Error.OK and self._acts(request):
            self.done = request
        return reply

    async def lost(self) -> bool:
        """Wait until the device rests or gives no answer; whether it gives none. That is no trouble on record. Raises
        Stalled when it does neither."""
        give_up = monotonic() + self.patience
        while (reply := await self._line.hail(self._ask_status)) is not None:
            if reply.error is Error.OK and self._read_status(reply.values).state is not State.BUSY:
                return False
            if monotonic() > give_up:
                raise Stalled(self.name, "end of its work", self._within)
            await asyncio.sleep(LONGEST_PAUSE)
        return True

    async def gone(self) -> bool:
        """Wait until the device gives no answer; whether it gives none. That is no trouble on record."""
        give_up = monotonic() + max(self.patience, START)
        while await self._line.hail(self._ask_status) is not None:
            if monotonic() > give_up:
                return False
            await asyncio.sleep(LONGEST_PAUSE)
        return True

    async def back(self) -> None:
        """Wait until the device answers again, on a new connection if need be. Raises Stalled, or WireError where noise
        may be the reason."""
        try:
            await self._line.back(self._ask_status, max(self.patience, START))
        except WireError as error:
            if not self.disturbed:
                broken = (demands.COMES_BACK,) if isinstance(self._channel, PublishingChannel) else ()
                raise Stalled(self.name, "answer", "after its power came back", broken) from error
            self._line.trouble(error)
            raise

    def _ask_status(self) -> Awaitable[Reply]:
        return self._channel.request(Request("status", {}, self.new_token()))

    async def provoke(self, wrong: MalformedMessage) -> tuple[bytes, bytes]:
        """Send a message that is wrong on purpose; what must be answered, and what was. Raises WireError, which is the
        device's answer too and no trouble on record."""
        if not isinstance(self._channel, OpenChannel):
            raise TypeError(f"{self.name}: no document says what its wire answers to a message that is wrong")
        return await self._channel.provoke(wrong, self.new_token())

    async def retained(self) -> tuple[Publication, ...]:
        """What the broker keeps of the device."""
        channel = self._publishing
        return await self._line.watch(channel.retained)

    async def pushed(self, number: int) -> Event | None:
        """The event of a number as the device said it unasked; None if it did not."""
        channel = self._publishing
        return await self._line.watch(lambda: channel.pushed(number))

    async def identification(self) -> Mapping[int, bytes]:
        """What the device says in its wire's own way of who it is. Raises WireError, which is the device's answer too
        and no trouble on record."""
        if not isinstance(self._channel, IdentifyingChannel):
            raise TypeError(f"{self.name}: its wire has no way of its own to say who it is")
        return await self._channel.identification()

    @property
    def _publishing(self) -> PublishingChannel:
        if not isinstance(self._channel, PublishingChannel):
            raise TypeError(f"{self.name}: says nothing unasked")
        return self._channel

    async def status(self) -> Status:
        """What the device is doing now."""
        return self._read_status(await self.call("status"))

    def _read_status(self, values: Values) -> Status:
        try:
            return _status(values)
        except ValueError as error:
            raise self.wrong(f"status: {error}") from error

    async def past(self) -> tuple[Event, ...]:
        """The last events that were there before the wire was opened, as far as the device still holds them."""
        end = self.found.latest if self.found is not None else 0
        if end <= 1:  # it has only just started
            return ()
        batch = await self._line.watch(lambda: self._channel.events(max(end - LOOKED_BACK, 0)))
        return tuple(event for event in batch.events if event.number <= end)

    async def fetch(self, after: int) -> EventBatch:
        """The status and the first events after a number, as the device gives them when asked. Nothing is taken as
        seen, and nothing goes on record."""
        channel = self._channel
        ask = channel.remembered if isinstance(channel, PublishingChannel) else channel.events
        return await self._line.watch(partial(ask, after))

    async def recalled(self, after: int) -> tuple[Event, ...]:
        """The events after a number that the device still gives when it is asked for them."""
        events: list[Event] = []
        last = after
        while batch := (await self.fetch(last)).events:
            events += batch
            if batch[-1].number <= last:  # the same again
                break
            last = batch[-1].number
        return tuple(events)

    async def rest(self) -> Status:
        """The status once the device is at rest. Raises Stalled."""
        give_up = monotonic() + self.patience
        pause = FIRST_LOOK
        while (status := await self.status()).state is State.BUSY:
            if monotonic() > give_up:
                raise Stalled(self.name, "end of its work", self._within)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        return status

    async def until(self, *names: str) -> Event:
        """The next event of one of these names; others before it are passed over. Raises Faulted or Stalled: a device
        that has started over and rests has forgotten what it was doing, and is not waited for."""
        give_up = monotonic() + self.patience
        pause = FIRST_LOOK
        last_look = started = False
        while True:
            while self._unread:
                event = self._unread.pop(0)
                if event.name in names:
                    return event
                if event.name == "faulted":
                    raise self._faulted(event)
                started = started or event.name == "started"
            if started and not self._busy:
                raise self._stalled(names, "before it started over")
            if last_look:
                raise self._stalled(names, self._within)
            left = give_up - monotonic()
            last_look = left <= 0
            if not await self.look() and not last_look:
                await self._channel.idle(min(pause, left))
                pause = min(2 * pause, LONGEST_PAUSE)

    @property
    def _within(self) -> str:
        return f"within {self.patience:g} s"

    def _stalled(self, names: Iterable[str], until: str) -> Exception:
        """What to raise when an event does not come, unless it may be the line that has lost it."""
        expected = f"event {' or '.join(names)}"
        if isinstance(self._channel, SpoiltChannel) and self._channel.spoilt:
            return self.garbage(f"no {expected} {until}, but {self._channel.spoilt}")
        return Stalled(self.name, expected, until)

    async def look(self) -> bool:
        """Read the events that came since the last look; whether there were any."""
        async with self._looking:
            batch = await self._line.watch(lambda: self._channel.events(self._seen))
            if self._started_over(batch.status.latest):
                batch = await self._line.watch(lambda: self._channel.events(self._seen))
            before, end = self._seen, min(batch.status.latest, self._seen + MOST_EVENTS)
            self._take(batch.events)
            while before < self._seen < end:  # a batch holds what fits, and there was more
                before = self._seen
                self._take((await self._line.watch(lambda: self._channel.events(self._seen))).events)
            self._busy = batch.status.state is State.BUSY
            return bool(batch.events)

    async def pending(self) -> list[Event]:
        """The events that came unasked since the last wait. Raises Faulted when the device stopped by itself."""
        events = await self.gather()
        for event in events:
            if event.name == "faulted":
                raise self._faulted(event)
        return events

    async def gather(self) -> list[Event]:
        """The events that came since the last wait, whatever they are: a fault that was provoked is one of them."""
        await self.look()
        events, self._unread = self._unread, []
        return events

    async def perform(self, command: str, *names: str, **values: Value) -> Event:
        """Command the device and wait for the event that ends it; what came before the command is not taken for it."""
        await self.pending()
        begun = monotonic()
        await self.call(command, **values)
        event = await self.until(*names)
        self._took.setdefault(command, []).append(monotonic() - begun)
        return event

    def usual(self, command: str) -> float | None:
        """Seconds that a command usually takes until the event that ends it; None if that was not seen yet."""
        took = self._took.get(command)
        return None if took is None else median(took)

    def garbage(self, detail: str) -> Garbage:
        """What to raise when an answer of the device makes no sense; it goes on record under the device's name."""
        self._journal.append(Trouble(self.name, "garbage", f"{self.name}: {detail}"))
        return Garbage(f"{self.name}: {detail}")

    def wrong(self, detail: str) -> WrongAnswer:
        """What to raise when an answer came whole and is not as documented; it goes on record as the device's."""
        self._journal.append(Trouble(self.name, "wrong answer", f"{self.name}: {detail}"))
        return WrongAnswer(f"{self.name}: {detail}")

    def _started_over(self, latest: int) -> bool:
        """Whether the device has forgotten the events that were seen; that goes on record, and it is read anew."""
        if latest >= self._seen:
            return False
        self._journal.append(Restarted(self.name, self._seen, latest))
        self._seen = 0
        return True

    async def _recognise(self, acting: str | None) -> None:
        """Make sure that the same device is there when its line is back. One that has restarted may have forgotten what
        it was told last, and would do it twice."""
        reply = await self._channel.request(Request("identify", {}, self.new_token()))
        if reply.error is not Error.OK or _identity(reply.values) != self.identity:
            raise Garbage(f"{self.name}: the line is back, but another device answers")
        if acting is not None and self._started_over((await self._channel.events(self._seen)).status.latest):
            raise NoAnswer(f"{self.name}: {acting}: the device restarted before it answered")

    def _faulted(self, event: Event) -> Exception:
        try:
            return Faulted(self.name, FaultCode(int_of(event.values["fault"])))
        except (KeyError, ValueError):
            return self.wrong(f"event {event.number}: faulted: no known fault in {_plain(event.values)}")

    def _take(self, events: Iterable[Event]) -> None:
        for event in events:
            if event.number != self._seen + 1:
                self._journal.append(GapSeen(self.name, self._seen, event.number))
            self._seen = event.number
            self._journal.append(EventSeen(self.name, event.number, event.name, _plain(event.values)))
            self._unread.append(event)


def _status(values: Values) -> Status:
    """Raises ValueError for a state or a fault that is none."""
    state, fault = State(int_of(values["state"])), FaultCode(int_of(values["fault"]))
    return Status(state, fault, int_of(values["oldest"]), int_of(values["latest"]))


def _identity(values: Values) -> Identity:
    code = values["kind"]
    kind = next((k for k in KINDS.values() if k.code == code), None)
    text = {name: str(values[name]) for name in ("vendor", "model", "serial", "firmware", "digest")}
    return Identity(kind=kind.name if kind else f"unknown ({code})", **text)


def _plain(values: Values) -> dict[str, object]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
