"""Both directions of a device's MQTT wire, as messages: from the packets of one connection, or from topics."""

from collections.abc import Callable

from feltrig.protocols.errors import Garbage
from feltrig.protocols.framed import CutFrames
from feltrig.protocols.messages import EventBatch
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.mqtt.codec import BadCall, Topics
from feltrig.protocols.mqtt.frame import Deframer, Frame
from feltrig.protocols.mqtt.packet_codec import FROM_BROKER, connect_version, decode_publish
from feltrig.protocols.mqtt.packets import V5, Malformed, PacketType, Publish
from feltrig.protocols.sniffing import Answered, Asked, Chatter, Cutter, Message, NoMessage, Said
from feltrig.protocols.vocabulary import Error, Kind

REMEMBERED = 64
"""Requests that an answer may still belong to."""


class Packets:
    """Cuts a driver's connection into packets; `on_topic` says what a published one means. The version is read from
    CONNECT; without one it is MQTT 5."""

    def __init__(self, on_topic: Callable[[Publish], Message]) -> None:
        self.version = V5
        self._on_topic = on_topic
        self._cutters = {outgoing: _cutter() for outgoing in (True, False)}

    def hear(self, outgoing: bool, data: bytes) -> list[Message]:
        return [
            NoMessage(outgoing, "bytes that make no packet", piece)
            if isinstance(piece, bytes)
            else self._packet(outgoing, piece)
            for piece in self._cutters[outgoing].receive(data)
        ]

    def end(self) -> list[Message]:
        rests = [(outgoing, cutter.rest()) for outgoing, cutter in self._cutters.items()]
        return [NoMessage(outgoing, "bytes that make no packet", rest) for outgoing, rest in rests if rest]

    def _packet(self, outgoing: bool, frame: Frame) -> Message:
        try:
            if frame.type == PacketType.PUBLISH:
                place = "PUBLISH" if outgoing else FROM_BROKER
                return self._on_topic(decode_publish(frame.flags, frame.body, self.version, place))
            if frame.type == PacketType.CONNECT and outgoing:
                self._cutters[False] = _cutter()  # what broke off belonged to a connection that has ended
                self.version = connect_version(frame.body)
        except Malformed as error:
            return NoMessage(outgoing, str(error), frame.raw)
        return Chatter(outgoing, PacketType(frame.type).name if frame.type else "reserved")


class MqttSniffer:
    """Listens to the device below a topic."""

    def __init__(self, kind: Kind, topic: str) -> None:
        self._kind = kind
        self._topics = Topics(topic)
        self._open: dict[bytes | int | str, Asked] = {}
        self._packets = Packets(self.on_topic)

    @property
    def version(self) -> int:
        """The version of MQTT that was heard."""
        return self._packets.version

    def hear(self, outgoing: bool, data: bytes) -> list[Message]:
        return self._packets.hear(outgoing, data)

    def end(self) -> list[Message]:
        return self._packets.end()

    def on_topic(self, message: Publish) -> Message:
        """What a message on one of the device's topics says, whoever received it."""
        topics, payload = self._topics, message.payload
        try:
            if message.topic == topics.cmd:
                return self._asked(message)
            if message.topic == topics.event:
                event, status = mqtt_topics.decode_event(self._kind, payload)
                return Said(status, event)
            if message.topic == topics.state:
                return Said(mqtt_topics.decode_state(payload))
            if message.topic == topics.online:
                return Chatter(False, "online" if mqtt_topics.decode_online(payload) else "offline")
            if message.topic == topics.meta:
                who = mqtt_topics.decode_meta(payload)[1]
                return Chatter(False, f"is {who.vendor} {who.model} {who.serial}, firmware {who.firmware}")
            if message.topic.startswith(topics.reply("")):
                return self._answered(message)
        except (BadCall, Garbage) as error:
            return NoMessage(message.topic == topics.cmd, str(error), payload)
        return NoMessage(False, f"topic {message.topic}", payload)

    def _asked(self, message: Publish) -> Message:
        call = mqtt_topics.decode_request(self._kind, message.payload)
        asked = Asked(call.request)
        key = message.correlation if message.correlation is not None else call.id
        if key is not None:
            self._open.pop(key, None)
            self._open[key] = asked
            if len(self._open) > REMEMBERED:
                del self._open[next(iter(self._open))]
        return asked

    def _answered(self, message: Publish) -> Message:
        answer = mqtt_topics.decode_answer(message.payload)
        key = message.correlation if message.correlation is not None else answer.id
        asked = self._open.get(key) if key is not None else None
        if asked is None:
            return NoMessage(False, "an answer without a question", message.payload)
        if asked.request.command != "events":
            return Answered(asked, mqtt_topics.read_reply(self._kind.commands[asked.request.command], answer))
        batch = mqtt_topics.read_batch(self._kind, answer)
        if isinstance(batch, EventBatch):
            return Answered(asked, batch)
        return NoMessage(False, f"events refused: {Error(batch).name.lower().replace('_', ' ')}", message.payload)


def framed() -> CutFrames:
    """The packets of a connection."""
    return CutFrames(lambda outgoing: Deframer(), lambda frame: frame.raw)


def _cutter() -> Cutter[Frame]:
    return Cutter(Deframer(), lambda frame: frame.raw)
