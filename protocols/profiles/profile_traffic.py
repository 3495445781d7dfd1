"""Both directions of a wire on which a device talks by a profile, as messages."""

from collections import deque
from collections.abc import Callable

from feltrig.protocols.messages import Reply, Request, Values
from feltrig.protocols.mqtt.packets import Publish
from feltrig.protocols.mqtt.sniffer import Packets
from feltrig.protocols.profiles.dialogue import CommandForm, Dialogue, Parcel
from feltrig.protocols.profiles.fields import ERROR, TOKEN, fitted
from feltrig.protocols.profiles.framing import Deframer
from feltrig.protocols.profiles.profile import Profile, SerialSettings
from feltrig.protocols.sniffing import Answered, Asked, Chatter, Message, NoMessage, Reported, Sniffer
from feltrig.protocols.vocabulary import Error

REMEMBERED = 16
"""Questions that an answer may still belong to."""


class ProfileSniffer:
    """Listens to one device that talks in messages: on a serial line, or on MQTT below its topic."""

    def __init__(self, profile: Profile, topic: str = "") -> None:
        assert isinstance(profile.talk, Dialogue)
        self._name = profile.name
        self._kind = profile.kind
        self._dialogue = profile.talk
        self._topic = topic
        self._open: deque[tuple[Asked, CommandForm]] = deque(maxlen=REMEMBERED)
        self._line: Sniffer = Packets(self.on_topic)
        if profile.serial is not None:
            self._line = _Line(profile.serial, self.read)

    def hear(self, outgoing: bool, data: bytes) -> list[Message]:
        return self._line.hear(outgoing, data)

    def end(self) -> list[Message]:
        return self._line.end()

    def on_topic(self, message: Publish) -> Message:
        """What a message on one of the device's topics says, whoever received it."""
        topic = message.topic.removeprefix(f"{self._topic}/")
        return self.read(topic in self._dialogue.heard_topics(), Parcel(topic, message.payload))

    def read(self, outgoing: bool, parcel: Parcel) -> Message:
        """What one message says."""
        message = self._asked(parcel) if outgoing else self._answered(parcel) or self._reported(parcel)
        message = message or self._chatter(outgoing, parcel)
        return message or NoMessage(outgoing, f"no message of the profile {self._name}", parcel.payload)

    def _chatter(self, outgoing: bool, parcel: Parcel) -> Message | None:
        poll, acknowledge = self._dialogue.poll, self._dialogue.acknowledge
        words = {
            "poll": poll.message if poll is not None and outgoing else None,
            "nothing to report": poll.nothing if poll is not None and not outgoing else None,
            "acknowledged": acknowledge if outgoing else None,
        }
        known = (text for text, form in words.items() if form is not None and form.read(parcel) is not None)
        return next((Chatter(outgoing, text) for text in known), None)

    def _asked(self, parcel: Parcel) -> Message | None:
        for name, form in self._dialogue.commands.items():
            read = None if form.message is None else form.message.read(parcel)
            if read is None:
                continue
            token = read.get(TOKEN, 0)
            values = {**form.values, **{key: value for key, value in read.items() if key != TOKEN}}
            asked = Asked(Request(name, values, token if isinstance(token, int) else 0))
            self._open.append((asked, form))
            return asked
        return None

    def _answered(self, parcel: Parcel) -> Message | None:
        for question in reversed(self._open):
            asked, form = question
            reply = self._reply(asked.request, form, parcel)
            if reply is not None:
                self._open.remove(question)
                return Answered(asked, reply)
        return None

    def _reply(self, request: Request, form: CommandForm, parcel: Parcel) -> Reply | None:
        if form.answer is not None and (read := form.answer.read(parcel)) is not None:
            names = {field.name for field in self._kind.commands[request.command].reply}
            return Reply(Error.OK, {name: value for name, value in read.items() if name in names})
        if form.refused is not None and (read := form.refused.read(parcel)) is not None:
            error = fitted(ERROR, read.get(ERROR.name, Error.WRONG_STATE))
            return Reply(Error(error)) if isinstance(error, int) and error else None
        return None

    def _reported(self, parcel: Parcel) -> Message | None:
        for saying in self._dialogue.says:
            read = saying.message.read(parcel)
            if read is not None:
                values: Values = {**saying.values, **read}
                return Reported(saying.event, values)
        return None


class _Line:
    """Cuts both directions of a serial line into payloads; `read` says what each means."""

    def __init__(self, settings: SerialSettings, read: Callable[[bool, Parcel], Message]) -> None:
        self._deframers = {True: Deframer(settings.hears), False: Deframer(settings.says)}
        self._read = read

    def hear(self, outgoing: bool, data: bytes) -> list[Message]:
        """The messages that these bytes complete. A deframer only counts what it throws away: all bytes are shown."""
        deframer = self._deframers[outgoing]
        before = deframer.rejected_bytes
        messages = [self._read(outgoing, Parcel("", payload)) for payload in deframer.receive(data)]
        if deframer.rejected_bytes > before:
            messages.append(
                NoMessage(outgoing, f"{deframer.rejected_bytes - before} bytes that make no frame, in", data)
            )
        return messages

    def end(self) -> list[Message]:
        left = {outgoing: deframer.waiting for outgoing, deframer in self._deframers.items()}
        return [NoMessage(outgoing, f"{size} bytes that make no frame", b"") for outgoing, size in left.items() if size]
