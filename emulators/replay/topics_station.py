"""A device on an MQTT broker, message for message as it was recorded, for topics that no codec here can read."""

from collections.abc import Iterable

import aiomqtt

from feltrig.emulators.broker.subscriptions import matches
from feltrig.emulators.replay.script import Passed, Report, Script, Sender
from feltrig.emulators.stations.mqtt_presence import Presence
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.mqtt.packets import PacketType, Publish
from feltrig.protocols.mqtt.sniffer import Packets
from feltrig.protocols.sniffing import Chatter, Message


class RecordedTopics:
    """Listens where the recorded driver spoke, and speaks where the device did, from when somebody listens there. What
    passed are the bytes of the driver's connection."""

    def __init__(
        self,
        name: str,
        passed: Iterable[Passed[bytes]],
        report: Report,
        speed: float = 1.0,
        starts: Iterable[float] = (),
        *,
        topic: str,
        server: Server,
    ) -> None:
        self._topic = topic
        self._speed = speed
        published = _published(passed)
        self._script = Script(name, published, lambda _: 1, report, starts)
        self._sender: Sender[Publish] | None = None
        heard = {message.topic for _, outgoing, message in published if outgoing}
        self._said = {message.topic for _, outgoing, message in published if not outgoing}
        identifier = "device-" + topic.replace("/", "-")
        self._presence = Presence(server, identifier, tuple(sorted(heard)), self._received, lambda: None)

    @property
    def deviations(self) -> list[str]:
        """Where the driver differed from the recording."""
        return self._script.deviations

    async def start(self) -> str:
        """Connect and listen; returns the topic. LineLost if the broker is not there."""
        self._sender = Sender(self._send, self._speed)
        await self._presence.start()
        return self._topic

    async def stop(self) -> None:
        if self._sender is not None:
            self._sender.stop()
        await self._presence.stop()

    @property
    def powered(self) -> bool:
        """Whether anything is to come before hands give the power back."""
        return self._script.powered

    def power_on(self) -> None:
        """Hands give the power back."""
        self._script.power_on()
        self._go_on(0)

    def listened(self, pattern: str) -> None:
        """Somebody has subscribed to topics at the broker."""
        if any(matches(pattern, topic) for topic in self._said):
            self._go_on(0)

    def _received(self, _: aiomqtt.Message) -> None:
        self._go_on(1)

    def _go_on(self, messages: int) -> None:
        if self._sender is not None:
            self._sender.queue(self._script.receive(messages))

    def _send(self, message: Publish) -> None:
        self._presence.send(message.topic, message.payload, message.retain)


def _published(passed: Iterable[Passed[bytes]]) -> list[Passed[Publish]]:
    """The messages on a driver's connection, in both directions."""
    found: list[Passed[Publish]] = []
    heard: list[Publish] = []

    def take(message: Publish) -> Message:
        heard.append(message)
        return Chatter(False, PacketType.PUBLISH.name)

    packets = Packets(take)
    for at, outgoing, data in passed:
        packets.hear(outgoing, data)
        found += [(at, outgoing, message) for message in heard]
        heard.clear()
    return found
