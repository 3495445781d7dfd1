"""Serves one machine below its topic on an MQTT broker."""

import time
from collections.abc import Callable

import aiomqtt

from feltrig.emulators.machine import Machine
from feltrig.emulators.models.faults import Misbehave
from feltrig.emulators.stations.mqtt_presence import Presence
from feltrig.emulators.stations.watch import Watch
from feltrig.protocols.messages import Reply, Status
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.mqtt.codec import OFFLINE, ONLINE, BadCall, Call, Topics
from feltrig.protocols.mqtt.link import CallProperties, Server

EVENTS_AT_ONCE = 32
"""How many events one answer holds."""


class MqttStation:
    """A device on a broker. It pushes events as they occur, and comes back by itself when the broker was lost."""

    def __init__(
        self,
        machine: Machine,
        topic: str,
        server: Server,
        *,
        clock: Callable[[], float] = time.monotonic,
        misbehave: Misbehave | None = None,
        powered: Callable[[], bool] = lambda: True,
    ) -> None:
        self._machine = machine
        self._powered = powered
        self._dark = False
        self._misbehave = misbehave
        self._topics = Topics(topic)
        self._clock = clock
        self._watch = Watch(machine, clock, self._publish_news)
        self._presence = Presence(
            server,
            # The same at each attempt: the broker then ends a half-dead connection before it welcomes the new one,
            # and the old one's will cannot declare the new one offline.
            "device-" + topic.replace("/", "-"),
            (self._topics.cmd,),
            self._receive,
            self._joined,
            lost=self._lost,
            will=aiomqtt.Will(self._topics.online, OFFLINE, qos=1, retain=True),
        )
        self._published: Status | None = None
        self._pushed = 0

    async def start(self) -> str:
        """Connect (LineLost if the broker is not there) and serve; returns the base topic."""
        await self._presence.start()
        return self._topics.base

    async def stop(self) -> None:
        """Say that the device is offline, and leave. May be called twice."""
        try:
            await self._presence.stop((self._topics.online, OFFLINE))
        finally:
            self._watch.stop()  # after the last message, which starts it again

    def _joined(self) -> None:
        meta = mqtt_topics.encode_meta(self._machine.kind, self._machine.identity)
        self._presence.send(self._topics.meta, meta, retain=True)
        self._published = None
        self._watch.look()
        self._presence.send(self._topics.online, ONLINE, retain=True)

    def _lost(self) -> None:
        if not self._dark:  # else it waits for the power
            self._watch.stop()

    def _lacks_power(self, now: float) -> bool:
        """Whether it is dark. The broker then publishes its will; with the power it comes back by itself."""
        if self._powered() == (not self._dark):
            return self._dark
        self._dark = not self._dark
        if self._dark:
            self._presence.power_off()
        else:
            if self._machine.status(now).latest <= self._pushed:  # it has lost its memory
                self._pushed = 0
            self._presence.power_on()
        return self._dark

    def _publish_news(self, now: float) -> None:
        if self._lacks_power(now):
            return
        status = self._machine.status(now)
        if status == self._published or not self._push_events(status, now):
            return
        if self._presence.send(self._topics.state, mqtt_topics.encode_state(status), retain=True):
            self._published = status

    def _push_events(self, status: Status, now: float) -> bool:
        """Whether all events are out. What is not is published after the next connection."""
        if status.latest < self._pushed:  # the device restarted
            self._pushed = 0
        while self._pushed < status.latest:
            batch = self._machine.events(self._pushed, now, EVENTS_AT_ONCE)
            if not batch.events:
                break
            for event in batch.events:
                if not self._presence.send(self._topics.event, mqtt_topics.encode_event(event, status)):
                    return False
                self._pushed = event.number
        return True

    def _receive(self, message: aiomqtt.Message) -> None:
        if message.retain:  # it would be obeyed again at every connection
            return
        now = self._clock()
        properties = message.properties
        reply_to = getattr(properties, "ResponseTopic", None)
        correlation = getattr(properties, "CorrelationData", None)
        try:
            call = mqtt_topics.decode_request(self._machine.kind, message.payload)
            answer = self._obey(call, now)
            reply_to = reply_to or call.reply_to
        except BadCall as bad:
            answer = mqtt_topics.encode_reply(Reply(bad.error), bad.id)
            reply_to = reply_to or bad.reply_to
        if self._misbehave is not None:
            try:
                instead = self._misbehave(answer)
            except ConnectionAbortedError:
                self._watch.stop()
                self._presence.vanish()  # the broker then announces the device's end by its will
                return
            if instead is None:
                self._watch.look()  # it may have lost its power over the command
                return
            answer = instead
        # Before the answer: whoever has the answer then has the events that came before it, too.
        self._publish_news(now)
        if reply_to is not None and mqtt_topics.is_topic(reply_to):
            carried = None if correlation is None else CallProperties(correlation)
            self._presence.send(reply_to, answer, properties=carried)
        self._watch.look()

    def _obey(self, call: Call, now: float) -> bytes:
        request = call.request
        if request.command != "events":
            return mqtt_topics.encode_reply(self._machine.handle(request, now), call.id)
        after = request.values["after"]
        assert isinstance(after, int)
        return mqtt_topics.encode_batch(self._machine.events(after, now, EVENTS_AT_ONCE), call.id)
