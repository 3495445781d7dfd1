"""The driver's end of an MQTT wire: requests with correlated answers, events as the device pushes them."""

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import aiomqtt

from feltrig.protocols.errors import Garbage, LineLost, Refused, SilentConnection, WireError
from feltrig.protocols.malformed import QUIET, Envelope, MalformedMessage, patience
from feltrig.protocols.messages import Event, EventBatch, Publication, Reply, Request, Status, Tap
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.mqtt.asker import Asker
from feltrig.protocols.mqtt.codec import Answer, Topics
from feltrig.protocols.mqtt.link import CallProperties, MqttLink, Server
from feltrig.protocols.vocabulary import Command, Kind

T = TypeVar("T")

KEPT_EVENTS = 256
"""Pushed events that are kept for a driver that does not fetch them; the device is asked for older ones."""

_RETAINED = {"meta", "state", "online"}
"""What a broker keeps of every device."""

_UNKNOWN = Command("a wrong request", 0, "")
"""Stands in for the command of such a request: its answer has an error, and no values."""


@dataclass(slots=True, eq=False)
class _Pending:
    """A request that waits for its answer."""

    key: int
    payload: bytes
    read: Callable[[Answer], Any]
    answer: asyncio.Future[Any]
    timer: asyncio.TimerHandle | None = None
    garbage: str | None = None


class MqttChannel:
    """A Channel to the device below a base topic. One repeat is sent halfway to the deadline, with the same token."""

    def __init__(
        self,
        kind: Kind,
        topic: str,
        server: Server,
        *,
        deadline: float = 2.0,
        tap: Tap | None = None,
        arrival: float = 0.0,
    ) -> None:
        self._kind = kind
        self._topics = Topics(topic)
        self._server = server
        self._deadline = deadline
        self._tap = tap
        self._arrival = arrival
        """Seconds in which the device comes to a broker that was started for it. Nobody waits at a later opening."""
        self._reply_topic = self._topics.reply(uuid.uuid4().hex[:16])
        # Never starts again, not even when the channel is opened again: an answer to an old request is ignored.
        self._key = 0
        self.repeats = 0
        """How often a question was sent again."""
        self.slowest = 0.0
        """Seconds that an answer took at most."""
        self._anew = 0.0
        """When the device may have got its power back: it is not late with what was asked before."""
        self._link: MqttLink | None = None
        self._waiting: dict[int, _Pending] = {}
        self._forget()

    def _forget(self) -> None:
        self._online = True
        self._status: Status | None = None
        self._pushed: list[Event] = []
        self._news = False
        self._idlers: set[asyncio.Future[None]] = set()

    async def open(self) -> None:
        """Connect to the broker and subscribe to what the device says. Fails with LineLost."""
        await self.close()
        self._forget()
        self._online = not self._arrival  # unless it is awaited, it is there until its will says otherwise
        self._loop = asyncio.get_running_loop()
        self._link = MqttLink(self._server, self._deadline, self._receive, self._lost, tap=self._tap)
        try:
            await self._link.open()
            await self._link.subscribe(self._reply_topic, self._topics.event, self._topics.state, self._topics.online)
            await self._await_arrival()
        except BaseException:
            await self.close()
            raise

    async def _await_arrival(self) -> None:
        seconds, self._arrival = self._arrival, 0.0
        if not seconds:
            return
        try:
            async with asyncio.timeout(seconds):
                while not self._online and self._link is not None:
                    await self.idle(seconds)
        except TimeoutError:
            what = f"no device came to the broker within {seconds:g} s. Check its broker and its topic."
            raise LineLost(f"{self._topics.base}: {what}") from None

    async def close(self) -> None:
        """Leave the broker; requests that wait fail with LineLost. May be called twice."""
        link, self._link = self._link, None
        self._fail(LineLost(f"{self._topics.base}: the channel was closed"))
        if link is not None:
            await link.close()

    async def request(self, request: Request) -> Reply:
        command = self._kind.commands[request.command]
        return await self._ask(request, partial(mqtt_topics.read_reply, command))

    async def events(self, after: int) -> EventBatch:
        """The events pushed after a number, or, when any are missing, those that the device gives when asked."""
        self._news = False
        pushed, status = self._pushed, self._status
        if pushed and status is not None and self._online and pushed[0].number <= after + 1 <= pushed[-1].number:
            return EventBatch(status, tuple(pushed[after + 1 - pushed[0].number :]))
        return await self.remembered(after)

    async def remembered(self, after: int) -> EventBatch:
        """The events after a number that the device gives when asked, whatever it has pushed."""
        batch = await self._ask(Request("events", {"after": after}), partial(mqtt_topics.read_batch, self._kind))
        if isinstance(batch, EventBatch):
            return batch
        raise Refused(self._topics.base, "events", batch.name.lower())

    async def idle(self, seconds: float) -> None:
        """Wait, but not when an event was pushed that `events` has not fetched, and not when the line is lost."""
        if self._news or self._link is None:
            self._news = False
            return
        idler = self._loop.create_future()
        self._idlers.add(idler)
        timer = self._loop.call_later(seconds, _wake, idler)
        try:
            await idler
        finally:
            timer.cancel()
            self._idlers.discard(idler)

    async def provoke(self, wrong: MalformedMessage, token: int) -> tuple[bytes, bytes]:
        """Publish a malformed request. Returns what must be answered, and what was, both written as we write JSON."""
        self._check_here()
        self._key = key = self._key + 1
        envelope = Envelope(0, key, token, "" if self._server.version == "5" else self._reply_topic)
        expected = wrong.answer(envelope)
        pending = _Pending(key, wrong.write(envelope), _rewritten, self._loop.create_future())
        self._waiting[key] = pending
        try:
            self._send(pending)
            async with asyncio.timeout(patience(self._deadline, expected)):
                return expected, await pending.answer
        except TimeoutError:
            if pending.garbage is not None:
                raise Garbage(f"{self._topics.base}: {pending.garbage}") from None
            return expected, b""
        finally:
            del self._waiting[key]

    @property
    def topics(self) -> Topics:
        """The topics of the device."""
        return self._topics

    @property
    def patience(self) -> float:
        """Seconds to wait for an answer that must come."""
        return patience(self._deadline, b"an answer")

    def asker(self) -> Asker:
        """A second driver of the same device, not connected yet."""
        return Asker(self._topics.base, self._server, self._deadline)

    async def retained(self) -> tuple[Publication, ...]:
        """What the broker keeps of the device, as it tells somebody new."""
        heard: list[Publication] = []
        enough: asyncio.Future[None] = self._loop.create_future()

        def hear(message: aiomqtt.Message) -> None:
            if message.retain:
                topic = message.topic.value.removeprefix(f"{self._topics.base}/")
                heard.append(Publication(topic, bytes(message.payload), message.qos))
                if not enough.done() and {each.topic for each in heard} >= _RETAINED:
                    enough.set_result(None)

        def lost() -> None:
            if not enough.done():
                enough.set_exception(LineLost(f"{self._topics.base}: the connection to the broker was lost"))

        link = MqttLink(self._server, self._deadline, hear, lost)
        try:
            await link.open()
            topics = self._topics
            await link.subscribe(topics.meta, topics.state, topics.online, topics.event)
            await asyncio.wait((enough,), timeout=patience(self._deadline, b"all of them"))
            await asyncio.sleep(QUIET)  # for what should not be there
        finally:
            await link.close()
        if enough.done():
            enough.result()
        return tuple(heard)

    async def pushed(self, number: int) -> Event | None:
        give_up = self._loop.time() + patience(self._deadline, b"an event")
        while (left := give_up - self._loop.time()) > 0:
            for event in self._pushed:
                if event.number == number:
                    return event
            await self.idle(left)
            self._check_here()
        return None

    def time_anew(self) -> None:
        self.slowest, self._anew = 0.0, self._loop.time()

    def _wake_all(self) -> None:
        for idler in self._idlers:
            _wake(idler)

    async def _ask(self, request: Request, read: Callable[[Answer], T]) -> T:
        self._check_here()
        self._key = key = self._key + 1
        pending = _Pending(key, self._payload(request, key), read, self._loop.create_future())
        self._waiting[key] = pending
        try:
            asked = self._loop.time()
            self._send(pending)
            pending.timer = self._loop.call_later(self._deadline / 2, self._repeat, pending)
            answer: T = await pending.answer
            if asked >= self._anew:
                self.slowest = max(self.slowest, self._loop.time() - asked)
            return answer
        finally:
            del self._waiting[key]
            if pending.timer is not None:
                pending.timer.cancel()

    def _check_here(self) -> None:
        if self._link is None or not self._online:
            raise LineLost(f"{self._topics.base}: {'not connected' if self._link is None else 'offline'}")

    def _payload(self, request: Request, key: int) -> bytes:
        if self._server.version == "5":
            return mqtt_topics.encode_request(request)
        return mqtt_topics.encode_request(request, key, self._reply_topic)

    def _send(self, pending: _Pending) -> None:
        if self._link is None:
            raise LineLost(f"{self._topics.base}: not connected")
        properties = None
        if self._server.version == "5":
            properties = CallProperties(pending.key.to_bytes(4, "big"), self._reply_topic)
        self._link.send(self._topics.cmd, pending.payload, properties=properties)

    def _repeat(self, pending: _Pending) -> None:
        self.repeats += 1
        pending.timer = self._loop.call_later(self._deadline / 2, self._give_up, pending)
        try:
            self._send(pending)
        except LineLost as error:
            _settle(pending, error)

    def _give_up(self, pending: _Pending) -> None:
        if pending.garbage is not None:
            _settle(pending, Garbage(f"{self._topics.base}: {pending.garbage}"))
        else:
            _settle(pending, SilentConnection(f"{self._topics.base}: no answer within {self._deadline} s"))

    def _fail(self, error: WireError) -> None:
        for pending in self._waiting.values():
            _settle(pending, error)
        self._wake_all()

    def _lost(self) -> None:
        self._link = None
        self._fail(LineLost(f"{self._topics.base}: the connection to the broker was lost"))

    def _receive(self, message: aiomqtt.Message) -> None:
        topic = message.topic.value
        try:
            if topic == self._reply_topic:
                self._take_answer(message)
            elif topic == self._topics.event:
                self._take_event(*mqtt_topics.decode_event(self._kind, message.payload))
            elif topic == self._topics.state:
                self._take_state(mqtt_topics.decode_state(message.payload))
            elif topic == self._topics.online:
                self._take_online(mqtt_topics.decode_online(message.payload))
        except Garbage as garbage:
            # It belongs to no request, or to each: whoever is still unanswered at the deadline reports it.
            for pending in self._waiting.values():
                pending.garbage = str(garbage)

    def _take_answer(self, message: aiomqtt.Message) -> None:
        answer = mqtt_topics.decode_answer(message.payload)
        key, shown = answer.id if type(answer.id) is int else None, f"id {answer.id!r}"
        if self._server.version == "5":
            correlation = getattr(message.properties, "CorrelationData", b"")
            shown = f"correlation data {correlation.hex(' ') or 'of no bytes'}"
            key = int.from_bytes(correlation, "big") if len(correlation) == 4 else None
        if key is None or not 1 <= key <= self._key:
            raise Garbage(f"an answer to a question that was not asked: {shown}")
        pending = self._waiting.get(key)
        if pending is not None and not pending.answer.done():
            pending.answer.set_result(pending.read(answer))

    def _take_event(self, event: Event, status: Status) -> None:
        latest = self._pushed[-1].number if self._pushed else event.number - 1
        if event.number <= latest and event.name != "started":
            return  # delivered twice, as QoS 1 may
        if event.number != latest + 1:  # some were lost, or the device restarted
            self._pushed.clear()
        self._status = status
        self._pushed.append(event)
        del self._pushed[:-KEPT_EVENTS]
        self._news = True
        self._wake_all()

    def _take_state(self, status: Status) -> None:
        self._status = status
        if self._pushed and status.latest < self._pushed[-1].number:  # the device restarted, and we missed it
            self._pushed.clear()

    def _take_online(self, online: bool) -> None:
        self._online = online
        self._wake_all()
        if not online:
            self._pushed.clear()
            self._fail(LineLost(f"{self._topics.base}: the device left the broker"))


def _rewritten(answer: Answer) -> bytes:
    """The answer to a malformed request, written in one way whatever way the device wrote it."""
    return mqtt_topics.encode_reply(mqtt_topics.read_reply(_UNKNOWN, answer), answer.id)


def _wake(idler: asyncio.Future[None]) -> None:
    if not idler.done():
        idler.set_result(None)


def _settle(pending: _Pending, error: WireError) -> None:
    if not pending.answer.done():
        pending.answer.set_exception(error)
