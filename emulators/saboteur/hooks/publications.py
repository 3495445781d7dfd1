"""Changes to what a device on a broker publishes, and to how it is connected."""

import asyncio
import itertools
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from feltrig.emulators.saboteur.mutant import Change, Victim, fresh
from feltrig.emulators.stations.mqtt_presence import Presence
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.protocols.mqtt.link import CallProperties, MqttLink

ANSWER = "answer"
"""What stands for the topic of an answer."""


@dataclass(frozen=True, slots=True)
class Said:
    """One publication."""

    topic: str
    """The last part of the topic: `meta`, `state`, `online`, `event`; `answer` for an answer."""
    payload: bytes
    retain: bool
    to: str
    """The whole topic."""
    qos: int = 1
    properties: CallProperties | None = None
    after: float = 0.0
    """Seconds by which it comes late."""


Publish = Callable[[Said], Iterable[Said]]
"""What is published in place of a publication: nothing, the same, another, several."""


@dataclass(slots=True)
class Joining:
    """How a device joins the broker; a mutant changes it."""

    will: aiomqtt.Will | None
    identifier: str
    topics: tuple[str, ...]
    qos: int = 1
    """Of its subscription."""
    persistent: bool = False
    """Whether it asks for a session that outlives the connection."""


class _Presence(Presence):
    """A presence that publishes and joins as the mutant does."""

    base: str
    say: list[Publish]
    join: list[Callable[[Joining], None]]
    hear: list[Callable[[aiomqtt.Message], aiomqtt.Message | None]]

    def send(self, topic: str, payload: bytes, retain: bool = False, properties: CallProperties | None = None) -> bool:
        """Publish what the mutant makes of it."""
        if self._link is None:
            return False
        head, _, tail = topic.rpartition("/")
        own = head == self.base and tail in {"meta", "state", "online", "event"}
        said = [Said(tail if own else ANSWER, payload, retain, topic, properties=properties)]
        for publish in self.say:
            said = [each for before in said for each in publish(before)]
        for each in said:
            if each.after:
                asyncio.get_running_loop().call_later(each.after, self._publish, each)
            else:
                self._publish(each)
        return True

    def _publish(self, said: Said) -> None:
        if self._link is not None:
            given: Any = said.properties
            self._link._paho.publish(said.to, said.payload, said.qos, said.retain, given)

    async def _connect(self) -> None:
        self._broken.clear()
        joining = Joining(self._will, self._identifier, self._topics)
        for change in self.join:
            change(joining)
        link = MqttLink(self._server, 5.0, self._heard, self._unlink, identifier=joining.identifier, will=joining.will)
        if joining.persistent:
            link._paho._clean_session = False
            if self._server.version == "5":
                link._client._clean_start = False
                link._client._properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
                link._client._properties.SessionExpiryInterval = 3600
        try:
            await link.open()
            self._link = link
            await link._client.subscribe([(topic, joining.qos) for topic in joining.topics])
        except BaseException:
            self._link = None
            await link.close()
            raise
        self._joined()

    def _heard(self, message: aiomqtt.Message) -> None:
        heard: aiomqtt.Message | None = message
        for change in self.hear:
            heard = None if heard is None else change(heard)
        if heard is not None:
            self._receive(heard)


def publishes(*say: Publish) -> Change:
    """Other publications."""
    return _presence(lambda presence: presence.say.extend(say))


def joins(change: Callable[[Joining], None]) -> Change:
    """Joins the broker in another way."""
    return _presence(lambda presence: presence.join.append(change))


def hears(change: Callable[[aiomqtt.Message], aiomqtt.Message | None]) -> Change:
    """Reads another message in place of a request; None to pass over it."""
    return _presence(lambda presence: presence.hear.append(change))


def on(topic: str, change: Callable[[Said], Iterable[Said]]) -> Change:
    """Other publications on one topic."""
    return publishes(lambda said: change(said) if said.topic == topic else (said,))


def payloads(change: Callable[[dict[str, Any]], object], *topics: str) -> Change:
    """Other payloads on these topics, or on all: of the document, another one, or None where it was changed itself."""

    def publish(said: Said) -> Iterable[Said]:
        if topics and said.topic not in topics:
            return (said,)
        document = json.loads(said.payload)
        changed = change(document)
        return (replace(said, payload=json.dumps(document if changed is None else changed).encode()),)

    return publishes(publish)


def late_on_broker(victim: Victim, delay: Callable[[bytes], float]) -> None:
    """Answers late, where the device is on a broker."""
    publishes(lambda said: (replace(said, after=delay(said.payload)) if said.topic == ANSWER else said,))(victim)


def _presence(change: Callable[[_Presence], None]) -> Change:
    def tamper(victim: Victim) -> None:
        def prepare(station: object) -> None:
            if not isinstance(station, MqttStation):
                return
            presence = station._presence
            if not isinstance(presence, _Presence):
                presence.__class__ = _Presence
                assert isinstance(presence, _Presence)
                presence.base = station._topics.base
                presence.say, presence.join, presence.hear = [], [], []
            change(presence)

        victim.stations.append(prepare)

    return tamper


Document = dict[str, Any]


def now_and_then(count: int, change: Callable[[Said], Iterable[Said]], *topics: str) -> Change:
    """Other publications on topics now and then."""

    def make() -> Change:
        counter = itertools.count(1)
        return publishes(lambda said: change(said) if said.topic in topics and not next(counter) % count else (said,))

    return fresh(make)


def nothing(said: Said) -> Iterable[Said]:
    return ()


def key(name: str, value: Callable[[Any], object], *topics: str) -> Change:
    """Another value under a key, where there is one."""

    def change(document: Document) -> None:
        if name in document:
            document[name] = value(document[name])

    return payloads(change, *topics)


def without_key(name: str, *topics: str) -> Change:
    return payloads(lambda document: {key: value for key, value in document.items() if key != name}, *topics)


def values_of(change: Callable[[Document], None], *topics: str) -> Change:
    """Other values of a reply or an event."""

    def changed(document: Document) -> None:
        if "values" in document:
            change(document["values"])

    return payloads(changed, *topics)


def of_type(kind: type, other: Callable[[Any], object]) -> Callable[[Document], None]:
    """Changes the values of a type."""

    def change(values: Document) -> None:
        for name, value in values.items():
            if type(value) is kind:
                values[name] = other(value)

    return change


def late(*topics: str, seconds: float) -> Change:
    return publishes(lambda said: (replace(said, after=seconds) if said.topic in topics else said,))
