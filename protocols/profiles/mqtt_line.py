"""MQTT topics that carry a profile's messages, below the topic of the device."""

from collections.abc import Callable

import aiomqtt

from feltrig.protocols.errors import LineLost
from feltrig.protocols.messages import Tap, Unread
from feltrig.protocols.mqtt.link import MqttLink, Server
from feltrig.protocols.profiles.dialogue import Dialogue, Parcel
from feltrig.protocols.profiles.message_channel import MessageChannel
from feltrig.protocols.profiles.profile import Profile


class MqttLine:
    """The driver's end: it listens where the device speaks."""

    def __init__(self, dialogue: Dialogue, topic: str, server: Server, deadline: float, tap: Tap | None) -> None:
        self.name = topic
        self._dialogue = dialogue
        self._server = server
        self._deadline = deadline
        self._tap = tap
        self._link: MqttLink | None = None

    async def open(
        self, hear: Callable[[Parcel], None], noise: Callable[[Unread], None], lost: Callable[[str], None]
    ) -> None:
        """Connect to the broker and subscribe. Fails with LineLost."""
        await self.close()

        def receive(message: aiomqtt.Message) -> None:
            payload = message.payload
            if isinstance(payload, bytes | bytearray):
                hear(Parcel(below(self.name, message.topic.value), bytes(payload)))

        def parted() -> None:
            self._link = None
            lost("the connection to the broker was lost")

        link = MqttLink(self._server, self._deadline, receive, parted, tap=self._tap)
        try:
            await link.open()
            topics = [f"{self.name}/{topic}" for topic in sorted(self._dialogue.topics())]
            if topics:  # a device need not say anything
                await link.subscribe(*topics)
        except BaseException:
            await link.close()
            raise
        self._link = link

    async def close(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            await link.close()

    def send(self, parcel: Parcel) -> None:
        if self._link is None:
            raise LineLost(f"{self.name}: not connected")
        self._link.send(f"{self.name}/{parcel.topic}", parcel.payload, parcel.retain)

    send_raw = send
    """A message on a topic has no frame."""


def below(base: str, topic: str) -> str:
    """A topic as the profile names it."""
    return topic.removeprefix(f"{base}/")


def mqtt_channel(
    profile: Profile, topic: str, server: Server, deadline: float = 2.0, tap: Tap | None = None
) -> MessageChannel:
    """The driver's end of a profile below a topic of a broker."""
    assert isinstance(profile.talk, Dialogue)
    return MessageChannel(profile, MqttLine(profile.talk, topic, server, deadline, tap), deadline)
