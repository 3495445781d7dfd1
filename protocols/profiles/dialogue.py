"""What is said in messages, on a serial line or on MQTT topics: commands and their answers, and what a device says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from feltrig.protocols.messages import NOTHING, Value, Values
from feltrig.protocols.profiles.fields import FAULT, LABEL, NTH, SEQ, TOKEN, Span
from feltrig.protocols.profiles.template import Pattern
from feltrig.protocols.vocabulary import FaultCode, State


class Parcel(NamedTuple):
    """A message on its way: the topic below the device's own (empty on a serial line), and its bytes."""

    topic: str
    payload: bytes
    retain: bool = False


@dataclass(frozen=True, slots=True)
class MessageForm:
    """One message of the wire."""

    pattern: Pattern
    topic: str = ""
    retain: bool = False

    def write(self, values: Values) -> Parcel:
        """The message with these values. One that does not fit is a ValueError."""
        return Parcel(self.topic, self.pattern.write(values), self.retain)

    def read(self, parcel: Parcel) -> Values | None:
        """The values of a message; None when it is another one."""
        return self.pattern.read(parcel.payload) if parcel.topic == self.topic else None


@dataclass(frozen=True, slots=True)
class CommandForm:
    """How a command is carried; or, without a message, what is answered in the device's place."""

    message: MessageForm | None = None
    answer: MessageForm | None = None
    """None: the wire does not confirm the command."""
    refused: MessageForm | None = None
    values: Values = field(default_factory=lambda: NOTHING)
    """Arguments that the message implies: with others it cannot be sent."""
    remembered: Mapping[str, str] = field(default_factory=dict)
    """Fields of the reply, and what the device last reported that stands for each."""
    answered_by: str | None = None
    """The event whose message is the answer too."""

    def echoes_token(self) -> bool:
        """Whether whatever answers the command gives its token back, so that a late answer is known as late."""
        return all(TOKEN in message.pattern.names for message in (self.answer, self.refused) if message is not None)


@dataclass(frozen=True, slots=True)
class Saying:
    """A message that the device sends by itself: it reports an event, or its whole state, or neither."""

    message: MessageForm
    event: str | None = None
    status: bool = False
    when: Mapping[str, Span] = field(default_factory=dict)
    """The event is said so only if its fields are within."""
    values: Values = field(default_factory=lambda: NOTHING)
    """Fields that the message implies."""
    assumed: Mapping[str, Value] = field(default_factory=dict)
    """Fields that the wire does not carry; text `command.argument` is what the device was last told."""
    state: State | None = None
    """The state that the device is in after it."""
    modulus: int = 0
    """Where the counters in a report of the state start over."""
    every: float = 0.0
    """Seconds between two reports of the state; 0 when it is said only on a change."""
    on_change: bool = True


@dataclass(frozen=True, slots=True)
class Poll:
    """How a device is asked for its reports: it says one at a time, or that it has none."""

    message: MessageForm
    nothing: MessageForm | None
    """What it says when it has nothing to report; None when it then reports its state."""
    every: float
    """Seconds between two polls at least."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """All the messages of a profile."""

    commands: Mapping[str, CommandForm]
    says: tuple[Saying, ...]
    modulus: int = 0
    """Where the sequence numbers of what is said start over."""
    repeats: int = 1
    """How often each message is said, with one sequence number."""
    apart: float = 0.0
    """Seconds between the repeats."""
    acknowledge: MessageForm | None = None
    """What the driver sends back for each report that it has read."""
    poll: "Poll | None" = None
    """How the device is asked for its reports; None when it says them by itself."""

    def carried_commands(self) -> set[str]:
        """The commands that the wire carries."""
        return {name for name, form in self.commands.items() if form.message is not None}

    def answered(self) -> set[str]:
        """The commands that are answered in the device's place, from what it last reported."""
        return {name for name, form in self.commands.items() if form.message is None}

    def told_events(self) -> set[str]:
        """The events that are reported whenever they happen."""
        told = {saying.event for saying in self.says if saying.event is not None}
        return told | {event for saying in self.says if saying.status for event in _counted(saying)}

    def events(self) -> set[str]:
        """The events that are reported, among them those that only show in the state."""
        return self.told_events() | ({"faulted", "cleared"} if any(saying.status for saying in self.says) else set())

    def faults(self) -> set[FaultCode]:
        """The faults that the device has words for."""
        values = {name: 1 for saying in self.says for name in saying.message.pattern.names}
        return {fault for fault in FaultCode if fault and any(_can_say(saying, fault, values) for saying in self.says)}

    def assumed(self) -> set[str]:
        """The fields of events, as `event.field`, that the wire does not carry."""
        names = {name if saying.status else f"{saying.event}.{name}" for saying in self.says for name in saying.assumed}
        return names - {FAULT}

    def identity(self) -> set[str]:
        """What the device says of itself."""
        form = self.commands.get("identify")
        return set(LABEL) & form.answer.pattern.names if form is not None and form.answer is not None else set()

    def numbered(self) -> bool:
        """Whether everything that reports an event has a sequence number or counts its events."""
        reports = [saying for saying in self.says if saying.event is not None or saying.status]
        return bool(reports) and all(
            SEQ in saying.message.pattern.names or (saying.status and any(_counted(saying))) for saying in reports
        )

    def confirmed(self) -> bool:
        """Whether the device says that it accepts or refuses a command."""
        carried = [form for form in self.commands.values() if form.message is not None]
        return all(form.answer is not None or form.answered_by is not None for form in carried)

    def reports_state(self) -> bool:
        """Whether the device says in which state it is, asked or by itself."""
        asked = self.commands.get("status")
        return (asked is not None and asked.message is not None) or any(
            saying.status or saying.state is not None for saying in self.says
        )

    def topics(self) -> set[str]:
        """The topics on which the device speaks."""
        answers = [m for form in self.commands.values() for m in (form.answer, form.refused) if m is not None]
        polled = [self.poll.nothing] if self.poll is not None and self.poll.nothing is not None else []
        return {message.topic for message in (*answers, *polled, *(saying.message for saying in self.says))}

    def heard_topics(self) -> set[str]:
        """The topics to which the device listens."""
        asked = [] if self.poll is None else [self.poll.message]
        asked += [] if self.acknowledge is None else [self.acknowledge]
        carried = [form.message for form in self.commands.values() if form.message is not None]
        return {message.topic for message in (*carried, *asked)}


def _counted(saying: Saying) -> Iterator[str]:
    for name in saying.message.pattern.names:
        event, _, counter = name.partition(".")
        if counter == NTH:
            yield event


def _can_say(saying: Saying, fault: FaultCode, values: Values) -> bool:
    """Whether a message tells of a fault by its name."""
    if saying.event == "faulted" and "fault" in saying.values:
        return saying.values["fault"] == fault
    name = "fault" if saying.event == "faulted" else FAULT if saying.status else ""
    pattern = saying.message.pattern
    if name not in pattern.names:
        return False
    for other in (1, "1", (1, 1, 1), int(State.FAULT)):
        try:
            pattern.write({**dict.fromkeys(values, other), name: int(fault)})
        except (ValueError, TypeError, KeyError):
            continue
        return True
    tables = getattr(pattern, "tables", {})
    return name not in tables
