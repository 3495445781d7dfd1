"""A profile's machine below its topic on an MQTT broker."""

import time
from collections.abc import Callable

import aiomqtt

from feltrig.emulators.machine import Machine
from feltrig.emulators.models.faults import Misbehave
from feltrig.emulators.profiles.station import MessageStation
from feltrig.emulators.stations.mqtt_presence import Presence
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.profiles.dialogue import Dialogue, Parcel
from feltrig.protocols.profiles.mqtt_line import below
from feltrig.protocols.profiles.profile import Profile


class MqttMouth:
    """Messages on the topics of a profile."""

    def __init__(self, dialogue: Dialogue, topic: str, server: Server, misbehave: Misbehave | None) -> None:
        self._dialogue = dialogue
        self._topic = topic
        self._server = server
        self._misbehave = misbehave
        self._presence: Presence | None = None

    async def open(self, hear: Callable[[Parcel], None], garbled: Callable[[], None], ready: Callable[[], None]) -> str:
        """Connect and listen; returns the topic. LineLost if the broker is not there."""

        def receive(message: aiomqtt.Message) -> None:
            payload = message.payload
            # a retained command would be obeyed again at every connection
            if isinstance(payload, bytes | bytearray) and not message.retain:
                hear(Parcel(below(self._topic, message.topic.value), bytes(payload)))

        topics = tuple(f"{self._topic}/{topic}" for topic in sorted(self._dialogue.heard_topics()))
        identifier = "device-" + self._topic.replace("/", "-")
        self._presence = Presence(self._server, identifier, topics, receive, ready)
        await self._presence.start()
        return self._topic

    async def close(self) -> None:
        if self._presence is not None:
            await self._presence.stop()

    def say(self, parcel: Parcel) -> bool:
        if self._presence is None:
            return False
        payload: bytes | None = parcel.payload
        if self._misbehave is not None:
            try:
                payload = self._misbehave(parcel.payload)
            except ConnectionAbortedError:
                self._presence.vanish()
                return False
        if payload is None:
            return True
        return self._presence.send(f"{self._topic}/{parcel.topic}", payload, parcel.retain)


def mqtt_station(
    profile: Profile,
    machine: Machine,
    topic: str,
    server: Server,
    clock: Callable[[], float] = time.monotonic,
    misbehave: Misbehave | None = None,
) -> MessageStation:
    """The emulator's end of a profile below a topic of a broker."""
    assert isinstance(profile.talk, Dialogue)
    return MessageStation(profile, machine, MqttMouth(profile.talk, topic, server, misbehave), clock)
