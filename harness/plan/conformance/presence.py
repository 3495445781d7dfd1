"""How a device on MQTT comes to its broker, leaves it and comes back: identifier, session and last will, the order of
what it says, requests that were kept for it, and events that happened meanwhile.

On a broker that the rig has started, the rig sees how the device connects, and cuts its connection. On any other broker
hands must cut its power, and what only a broker can see is named beside the pass.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from time import monotonic

from feltrig.emulators.broker import Broker
from feltrig.emulators.broker.subscriptions import matches
from feltrig.harness.devices.failures import CannotBeDone, Stalled
from feltrig.harness.plan.conformance.publications import bystander_of
from feltrig.harness.plan.conformance.scenes.reconnect import lost
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.protocols.malformed import QUIET
from feltrig.protocols.messages import Status
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.mqtt.asker import Asker, Letter
from feltrig.protocols.mqtt.bystander import Bystander
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.codec import BadPayload, Topics
from feltrig.protocols.mqtt.packets import V5, Connect, FromClient, Property, Publish, Subscribe

BACK_WITHIN = 30.0
"""Seconds in which a device must come back when its connection was lost."""

EMULATED_WITHIN = 5.0
"""The same for an emulated device, which tries again after a second at the latest."""

AT_WORK = 0.1
"""Seconds that an emulated device works while it is away, and half of those that it is kept away."""

STARTED_WITHIN = 180.0
"""Seconds in which a machine has started when its power is back. No document limits that."""

WILL_WITHIN = 100.0
"""Seconds in which a broker has noticed that a device is gone: one and a half times a usual keep-alive time."""

STILL_THERE = 1.0
"""Seconds in which the broker must publish a will when it has cut the connection itself."""

UNSEEN = {
    "client identifier": ("MQT-22",),
    "QoS of its subscription": ("MQT-6",),
    "session": ("MQT-26",),
}
"""What only a broker sees of a device."""

NOT_OURS = "not seen: only a broker sees it, and this one is not the rig's own. See `embedded` in the table [broker]."


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """The scene."""
    channel, site = stage.channel, stage.context.wired.emulated.site
    assert isinstance(channel, MqttChannel)
    asker = channel.asker()
    await asker.open()
    try:
        async with bystander_of(stage) as bystander:
            absence = _Absence(stage, bystander, asker, channel.topics)
            scene = _by_hand(absence) if site.served is None else _on_our_broker(absence, site.served)
            async for tried in scene:
                yield tried
    finally:
        await asker.close()


class _Absence:
    """A device that is away from its broker for a while, and what was sent to it meanwhile."""

    def __init__(self, stage: Stage, bystander: Bystander, asker: Asker, topics: Topics) -> None:
        self.stage = stage
        self.topics = topics
        self.asker = asker
        self._bystander = bystander
        self._listener = bystander.listener
        self._stale: Letter | None = None
        self._kept: Letter | None = None
        self._latest = 0
        self._complaints = 0
        self._said = 0

    async def begin(self) -> Status:
        """Wait for rest, and for all that was published."""
        status = await self.stage.prober.rest()
        await self._bystander.caught_up()
        self._latest = status.latest
        self._complaints = len(self._bystander.faults.get("MQT-27", ()))
        self._said = self._listener.heard["online"]
        return status

    async def gone(self, seconds: float) -> bool:
        """Wait until online says that the device is not there; whether it does."""
        return await self._until(lambda: not self._listener.online, seconds)

    async def back(self, seconds: float) -> bool:
        """Wait until the device has published that it is there; whether it has."""
        return await self._until(lambda: self._listener.online and self._listener.heard["online"] > self._said, seconds)

    async def _until(self, true: Callable[[], bool], seconds: float) -> bool:
        give_up = monotonic() + seconds
        while not true():
            if not await self._bystander.next_message(max(give_up - monotonic(), 0)) and monotonic() >= give_up:
                return true()
        return True

    def tempt(self) -> None:
        """Send requests that nobody hears."""
        self._stale = self.asker.post({"cmd": "reset", "token": self.asker.new_token()})
        self._kept = self.asker.post({"cmd": "reset", "token": self.asker.new_token()}, retain=True)

    async def tempted(self) -> AsyncIterator[Tried]:
        """Whether the device fell for them when it came back."""
        assert self._stale is not None
        assert self._kept is not None
        await asyncio.sleep(QUIET)
        await self.stage.prober.rest()
        await self._bystander.caught_up()
        latest = self._listener.latest or 0
        events = [self._listener.event(number) for number in range(self._latest + 1, latest + 1)]
        if latest < self._latest:  # it has started anew
            events = [self._listener.event(number) for number in range(1, latest + 1)]
        obeyed = "obeyed" if any(event is not None and event.name == "cleared" for event in events) else None
        stale, kept = self._stale.fault(), self._kept.fault()
        if stale is None and kept is None:  # nobody can say which of them it was
            stale = kept = obeyed
        yield Tried("a request that was sent while it was away", stale, ("MQT-40",), "silence")
        yield Tried("a retained request", kept, ("MQT-39",), "silence")

    async def unheard(self, before: int, status: Status) -> str | None:
        """What is wrong if an event after a number was not published."""
        await self._bystander.caught_up()
        for number in range(before + 1, status.latest + 1):
            if self._listener.event(number) is None:
                return f"event {number} is not published, although it has happened"
        return None

    def order(self) -> Tried:
        """Whether it came back in order, as far as anybody can hear it."""
        wrong = self._bystander.faults.get("MQT-27", [])[self._complaints :]
        return Tried("what it publishes when it is back", wrong[0] if wrong else None, ("MQT-27", "MQT-28"))


async def _by_hand(absence: _Absence) -> AsyncIterator[Tried]:
    stage, kind = absence.stage, absence.stage.device.kind
    everything = ("MQT-23", "MQT-24", "MQT-25", "MQT-27", "MQT-28", "MQT-29", "MQT-39", "MQT-40")
    await absence.begin()
    try:
        await stage.operator.power_off(kind)
    except CannotBeDone as cannot:
        yield Tried("power off", None, everything, untested=f"on a broker that is not the rig's own: {cannot}")
        return
    gone = await absence.gone(WILL_WITHIN)
    fault = None if gone else f"nothing on online within {WILL_WITHIN:g} s without power"
    yield Tried("its last will", fault, ("MQT-23", "MQT-24", "MQT-25"))
    absence.tempt()
    try:
        await stage.operator.power_on(kind)
        back = await absence.back(STARTED_WITHIN)
    finally:
        absence.asker.clear_retained()
    yield Tried("comes back", None if back else f"not online within {STARTED_WITHIN:g} s", ("MQT-29",))
    if not back:
        return
    async for tried in absence.tempted():
        yield tried
    yield absence.order()
    for what, ids in UNSEEN.items():
        yield Tried(what, None, ids, note=NOT_OURS)


async def _on_our_broker(absence: _Absence, broker: Broker) -> AsyncIterator[Tried]:
    topics = absence.topics
    within = BACK_WITHIN if absence.stage.device.emulator is None else EMULATED_WITHIN
    client = broker.author(topics.online) or broker.author(topics.state) or broker.author(topics.meta)
    connect = None if client is None else broker.introduction(client)
    if client is None or connect is None:
        yield Tried("client", "no client that is connected has published online, state or meta", ("MQT-3", "MQT-13"))
        return
    for tried in _introduced(connect, topics):
        yield tried

    async def lose() -> None:
        await absence.begin()
        broker.kick(client)
        if not await absence.back(within):
            raise Stalled(absence.stage.prober.name, "publication on online", f"within {within:g} s")

    async for tried in lost(absence.stage, lose):
        yield tried
    packets: list[tuple[str, FromClient]] = []
    broker.on_packet = lambda who, packet: packets.append((who, packet))
    try:
        await absence.begin()
        broker.hold()
        broker.kick(client)
        gone = await absence.gone(STILL_THERE)
        absence.tempt()
        await asyncio.sleep(QUIET)  # a device that is quick waits at the door by then
        broker.let_in()
        yield Tried("its last will", None if gone else "is not published when its connection is cut", ("MQT-23",))
        back = await absence.back(within)
    finally:
        broker.let_in()
        broker.forget(topics.cmd)
    yield Tried("comes back", None if back else f"not online within {within:g} s", ("MQT-29", "MQT-28"))
    if not back:
        return
    async for tried in absence.tempted():
        yield tried
    yield absence.order()
    broker.on_packet = None
    again = broker.author(topics.online) or client
    said = [packet for who, packet in packets if who == again]
    for tried in _joined(said, connect, topics):
        yield tried
    async for tried in _at_work(absence, broker, again, within):
        yield tried


async def _at_work(absence: _Absence, broker: Broker, client: str, within: float) -> AsyncIterator[Tried]:
    """What happens while the device is away is published when it is back."""
    stage, ids = absence.stage, ("MQT-12", "MQT-27")
    for work in stage.kind.works[:1]:
        what = f"{work.act.command} while it is away"
        stage.testing(what, *ids)
        if work.prepare is not None:
            await work.prepare(stage.hands)
        before = await absence.begin()
        with stage.slowed(work, AT_WORK):
            await stage.prober.call(work.act.command, **(work.act.values or {}))
            try:
                broker.hold()
                broker.kick(client)
                await asyncio.sleep(2 * AT_WORK)
            finally:
                broker.let_in()
            back = await absence.back(within)
        if not back:
            yield Tried(what, f"not online within {within:g} s", ("MQT-29",))
            return
        status = await stage.prober.rest()
        fault = await absence.unheard(before.latest, status)
        await stage.prober.pending()
        if work.clean is not None:
            await work.clean(stage.hands)
        yield Tried(what, fault, ids)
        yield absence.order()


def _introduced(connect: Connect, topics: Topics) -> Iterator[Tried]:
    """Its CONNECT."""
    will = connect.will
    wrong: dict[str, str | None] = dict.fromkeys(("MQT-23", "MQT-24", "MQT-25"))
    if will is None:
        wrong = dict.fromkeys(wrong, "it connects without a last will")
    else:
        wrong["MQT-23"] = _wrong_will(will, topics)
        wrong["MQT-24"] = None if will.qos == 1 else f"QoS {will.qos}, expected 1"
        wrong["MQT-25"] = None if will.retain else "is not to be retained"
    for requirement, fault in wrong.items():
        yield Tried("the last will in its CONNECT", fault, (requirement,))
    expiry = connect.properties.get(Property.SESSION_EXPIRY, 0)
    kept = None
    if connect.version == V5 and expiry:
        kept = f"asks for a session that lasts {expiry!r} s after the connection"
    elif connect.version != V5 and not connect.clean:
        kept = "asks for a session that lasts: clean session is not set"
    yield Tried("the session in its CONNECT", kept, ("MQT-26",))


def _wrong_will(will: Publish, topics: Topics) -> str | None:
    if will.topic != topics.online:
        return f"is for {will.topic}, expected {topics.online}"
    try:
        return "says that it is online" if mqtt_topics.decode_online(will.payload) else None
    except BadPayload as bad:
        return str(bad)


def _joined(said: Sequence[FromClient], before: Connect, topics: Topics) -> Iterator[Tried]:
    """What it has sent to the broker on a new connection."""
    connects = [at for at, packet in enumerate(said) if isinstance(packet, Connect)]
    said = said[connects[-1] :] if connects else ()
    new = said[0] if said and isinstance(said[0], Connect) else None
    fault = None
    if new is None or new.client_id != before.client_id or not new.client_id:
        now = None if new is None else new.client_id
        fault = f"identifier {now!r}, before {before.client_id!r}; expected the same, and not empty"
    yield Tried("its identifier on a new connection", fault, ("MQT-22",))
    if new is not None:
        for tried in _introduced(new, topics):
            again = None if tried.fault is None else f"on a new connection: {tried.fault}"
            yield Tried(f"{tried.what}, again", again, ("MQT-28", *tried.requirements))
    asked = [
        (at, each.qos)
        for at, packet in enumerate(said)
        if isinstance(packet, Subscribe)
        for each in packet.subscriptions
        if matches(each.pattern, topics.cmd)
    ]
    first = next((at for at, packet in enumerate(said) if isinstance(packet, Publish)), len(said))
    late = None if asked and asked[0][0] < first else "it has published before it subscribed to cmd"
    yield Tried("its subscription comes first", late, ("MQT-27",))
    levels = {packet.qos for packet in said if isinstance(packet, Publish)}
    other = None if levels <= {1} else f"publishes at QoS {', '.join(map(str, sorted(levels - {1})))}, expected 1"
    yield Tried("QoS of what it publishes", other, ("MQT-5",))
    low = None if asked and asked[0][1] else "at QoS 0, expected 1 or 2"
    yield Tried("QoS of its subscription", low, ("MQT-6",))
