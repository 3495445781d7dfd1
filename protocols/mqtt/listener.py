"""Judges everything that a device on MQTT publishes, message by message, as docs/mqtt.md has it. No I/O.

The listener is a bystander: it hears what the broker delivers to a subscriber of everything below the device's topic,
requests included, in the order in which the broker got it. It knows nothing that is not said there.
"""

from collections import Counter, deque
from collections.abc import Mapping

from feltrig.protocols.messages import Event, EventBatch, Reply, Status, Values
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.mqtt.codec import BadPayload, Breach
from feltrig.protocols.mqtt.correspondence import BREACHES, Asked, Complain, Correspondence, Heard
from feltrig.protocols.vocabulary import FaultCode, Kind, State

LIMIT = 1.0
"""Seconds in which a change of the state must be published."""

AT_ONCE = 0.02
LATE_ACTS = 8
MOST = 0.8
"""A device that is never seen busy has done its work at once. Its event must come before the answer: it is at fault
when the event followed the answer within so many seconds, in most of at least so many acts. A machine that really works
for a moment, and publishes too slowly to show that it is busy, takes longer now and then."""

IDLE_RATE, IDLE_BURST = 20, 50
"""How often a device may say the same again without a reason: so often in a second, and so many times more."""

REPEATED = 20
"""Events that a device may publish again after a lost connection: those that the broker had not acknowledged."""

RETAINED = {"meta": "MQT-1", "state": "MQT-2", "online": "MQT-3"}
"""What must be retained, and the requirement that says so."""

UNKNOWN = {"meta": "MQT-7", "state": "MQT-2", "online": "MQT-3", "event": "MQT-10"}
"""The requirement that a name or number breaks which the vocabulary does not have."""

REQUIRED: Mapping[str, Mapping[bytes, str]] = {
    "meta": dict.fromkeys((b'"kind"', b'"vendor"', b'"model"', b'"serial"', b'"firmware"', b'"digest"'), "MQT-1"),
    "state": dict.fromkeys((b'"state"', b'"fault"', b'"oldest"', b'"latest"'), "MQT-2"),
    "online": {b'"online"': "MQT-3"},
    "event": {
        **dict.fromkeys((b'"n"', b'"event"'), "MQT-10"),
        **dict.fromkeys((b'"state"', b'"fault"', b'"oldest"', b'"latest"'), "MQT-11"),
    },
}
"""The keys that each payload must have, as they are written, and the requirement that says so."""


class Listener:
    """Hears a device, and complains. `ends` names the event that ends each command which takes time."""

    def __init__(self, kind: Kind, base: str, ends: Mapping[str, str], complain: Complain) -> None:
        self.heard: Counter[str] = Counter()
        """How many messages were heard on each topic; answers under `reply`."""
        self.kind = kind
        self._complain = complain
        self._ends = {"reset": "cleared", **ends}
        self._letters = Correspondence(kind, base, complain)
        self._identity: Values | None = None
        self._begun: float | None = None
        self._reasons = 0
        """Requests and events: what may make a device publish."""
        self._said: dict[str, tuple[bytes, int]] = {}
        """What was last published on each topic, and how many reasons there had been."""
        self._repeats = 0
        self._asked: deque[Asked] = deque(maxlen=8)
        """The last commands that act."""
        self._acts: deque[Asked] = deque(maxlen=8)
        """Commands that take time, and whose last event has not come."""
        self._gaps: dict[str, deque[float]] = {name: deque(maxlen=100) for name in self._ends}
        """Seconds from the answer to the last event of each command, where the device was never seen busy."""
        self.interrupt()

    def interrupt(self) -> None:
        """The listener was away, and has missed something."""
        self._letters.forget()
        self._acts.clear()
        self._events: dict[int, Event] = {}
        self._latest: int | None = None
        """The number of the last event that was published."""
        self._state: Status | None = None
        self._before: Status | None = None
        """What was last said of the state, in any way."""
        self._unsure: Status | None = None
        """The state that came with an event, until it is said otherwise too."""
        self._stale: tuple[Status, float] | None = None
        """What the device answered and had not published, and when that was first heard."""
        self._away = False
        self._came: list[str] | None = None
        """The topics of a new connection, up to `online`; None when it is complete."""
        self._replayed = REPEATED

    @property
    def latest(self) -> int | None:
        """The number of the last event that was published; None if none was heard yet."""
        return self._latest

    @property
    def state(self) -> Status | None:
        """The state that was published last."""
        return self._state

    @property
    def online(self) -> bool:
        """Whether the device is there, as far as it was heard."""
        return not self._away and self._came is None

    def event(self, number: int) -> Event | None:
        """An event that was published."""
        return self._events.get(number)

    def lost(self, again: int = REPEATED) -> None:
        """The connection of the device was lost, or its power: so many events may come again."""
        self._letters.lenient = True
        self._replayed = again

    def hear(self, heard: Heard) -> None:
        """Judge one message."""
        self._begun = heard.at if self._begun is None else self._begun
        self._letters.settle(heard.at)
        topic = "reply" if heard.topic.startswith("reply/") else heard.topic
        self.heard[topic] += 1
        if topic == "cmd":
            self._hear_request(heard)
            return
        if heard.qos != 1:
            self._complain("MQT-5", f"{topic} is published at QoS {heard.qos}, expected 1")
        if topic == "reply":
            self._hear_answer(heard)
        elif topic in RETAINED or topic == "event":
            self._hear_publication(topic, heard)
        else:
            lost = "MQT-31" if b'"error"' in heard.payload else "MQT-51"
            self._complain(lost, f"{heard.topic} is published, which is no topic of a device")

    def _hear_request(self, heard: Heard) -> None:
        self._reasons += 1
        asked = self._letters.ask(heard, self._latest)
        if self.online:
            self._letters.lenient = False
        if asked is not None and asked.fresh and asked.times == 1 and asked.command is not None:
            self._unsure = None  # what follows may already come from this
            if asked.command.acts:
                self._asked.append(asked)
            if asked.command.name in self._ends:
                self._acts.append(asked)

    def _hear_publication(self, topic: str, heard: Heard) -> None:
        if topic in RETAINED and heard.retain is False:
            self._complain(RETAINED[topic], f"{topic} is published without the retain flag")
        elif topic == "event" and heard.retain:
            self._complain("MQT-4", "event is published with the retain flag")
        self._hear_repeat(topic, heard)
        try:
            match topic:
                case "meta":
                    self._hear_meta(heard.payload)
                case "online":
                    self._hear_online(mqtt_topics.decode_online(heard.payload))
                case "state":
                    self._hear_state(mqtt_topics.decode_state(heard.payload))
                case _:
                    event, status = mqtt_topics.decode_event(self.kind, heard.payload)
                    if not event.values and b'"values"' in heard.payload:
                        self._complain("MQT-21", f"{event.name} has empty values, which must be left out")
                    self._hear_event(event, status, heard.at)
        except BadPayload as bad:
            missing = next((wrong for name, wrong in REQUIRED[topic].items() if name not in heard.payload), None)
            unknown = UNKNOWN[topic] if bad.breach is Breach.NAME else None
            readable = bad.breach in (Breach.TYPE, Breach.BOOL, Breach.TEXT)
            self._complain((missing if readable else None) or unknown or BREACHES[bad.breach], str(bad))

    def _hear_repeat(self, topic: str, heard: Heard) -> None:
        """A device that says the same again and again, though nothing happens, is a nuisance to everybody."""
        said = (heard.payload, self._reasons)
        if topic == "event":
            self._reasons += 1
        elif self._said.get(topic) == said and self._begun is not None:
            self._repeats += 1
            allowed = IDLE_BURST + IDLE_RATE * (heard.at - self._begun)
            if self._repeats > allowed:
                self._complain("MQT-52", f"{topic} is published again and again: {self._repeats} times for no reason")
                self._repeats = 0
        self._said[topic] = said

    def _hear_meta(self, payload: bytes) -> None:
        if self._away:
            self._away, self._came = False, []
        if self._came is not None:
            if self._came and self._came[-1] != "meta":
                self._complain("MQT-27", f"meta is published after {self._came[-1]}, expected first")
            self._came.append("meta")
        kind, who = mqtt_topics.decode_meta(payload)
        if kind is not self.kind:
            self._complain("MQT-7", f"meta says kind {kind.name!r}, expected {self.kind.name!r}")
        for name, value in (self._identity or {}).items():
            if name != "kind" and getattr(who, name) != value:
                self._complain("MQT-7", f"meta says {name} {getattr(who, name)!r}, and identify says {value!r}")

    def _hear_online(self, online: bool) -> None:
        if not online:
            self._away, self._came = True, None
            self._letters.forget()
            self._acts.clear()
            self.lost()
            return
        if self._away:
            self._complain("MQT-27", "online is published before meta")
        elif self._came is not None and "state" not in self._came:
            self._complain("MQT-27", "online is published before state")
        self._away, self._came = False, None
        self._stale = None

    def _hear_state(self, status: Status) -> None:
        self._arrive("state")
        self._check(status, "state", "MQT-2")
        self._confirm(status, "state")
        if self._state is not None and status.latest < self._state.latest:
            self._complain("MQT-2", f"state says latest {status.latest}, after {self._state.latest}")
        self._state = self._before = status
        if self._stale is not None and self._stale[0] == status:
            self._stale = None
        self._see(status)

    def _hear_event(self, event: Event, status: Status, at: float) -> None:
        again = event.number in self._events and event.name != "started"
        told = self._state is not None and self._came is not None and "state" in self._came
        if told and not again and self._state is not None and event.number <= self._state.latest:
            self._complain("MQT-27", f"event {event.number} is published after state, expected before")
        self._arrive("event")
        self._check(status, "event", "MQT-11")
        if status.latest < event.number:
            self._complain("MQT-11", f"event {event.number} says that the latest is {status.latest}")
        if not self._follows(event):
            return
        self._latest = event.number
        self._events[event.number] = event
        self._events.pop(event.number - 4096, None)
        if event.name == "faulted" and status.state is State.FAULT and event.values["fault"] != status.fault:
            self._complain("MQT-11", f"event faulted has fault {event.values['fault']}, and its status {status.fault}")
        changed = self._before is not None and (status.state, status.fault) != (self._before.state, self._before.fault)
        if changed and not self._overtaken(event):
            self._unsure = status
        self._before = status
        self._see(status)
        self._end_act(event, at)

    def _follows(self, event: Event) -> bool:
        """Whether an event is the next one; if not, it is judged here."""
        if event.name == "started":
            self._start(event)
            return True
        if self._latest is None or event.number == self._latest + 1:
            return True
        if event.number > self._latest:
            self._complain("MQT-12", f"event {self._latest + 1} is not published, but {event.number} is")
            return True
        before = self._events.get(event.number)
        if before is not None and before != event:
            self._complain(
                "MQT-12", f"event {event.number} is published as {_shown(event)}, before as {_shown(before)}"
            )
        elif self._replayed <= 0 or not self._letters.lenient:
            self._complain("MQT-12", f"event {event.number} is published again, or too late")
        self._replayed -= 1
        return False

    def _start(self, event: Event) -> None:
        """A device has started: with its old numbers, or from 1."""
        if self._latest is not None and 1 < event.number <= self._latest:
            self._complain(
                "MQT-12", f"started is event {event.number}, after {self._latest}; expected a higher one, or 1"
            )
        self._acts.clear()
        self._state = self._before = self._unsure = self._stale = None
        self.lost(self._replayed)
        if event.number == 1:
            self._events.clear()

    def _ended_by(self, event: Event) -> list[Asked]:
        return [act for act in self._acts if self._ends[act.name] == event.name]

    def _overtaken(self, event: Event) -> bool:
        """Whether the event of one command came while another waits for its answer, which may change the state."""
        ended = self._ended_by(event)
        its = [asked for asked in ended if asked.obeyed_at is not None] or ended
        return bool(its) and any(not asked.answers and asked not in its for asked in self._asked)

    def _end_act(self, event: Event, at: float) -> None:
        """An act that is done at once has its event before the answer."""
        for asked in self._ended_by(event):
            self._acts.remove(asked)
            gaps = self._gaps[asked.name]
            if asked.seen_busy or asked.obeyed_at is None:
                gaps.clear()
                continue
            gaps.append(at - asked.obeyed_at)
            if sum(gap < AT_ONCE for gap in gaps) >= max(LATE_ACTS, MOST * len(gaps)):
                self._complain("MQT-42", f"{event.name} comes after the answer, although the device was never busy")
                gaps.clear()

    def _hear_answer(self, heard: Heard) -> None:
        found = self._letters.answered(heard)
        if self._away:
            self._complain("MQT-13", "the device answers, although online says that it is not there")
        if found is None:
            return
        asked, said = found
        if isinstance(said, EventBatch):
            self._hear_status(said.status, asked, heard.at)
            self._compare(said.events)
        if not isinstance(said, Reply) or said.error or asked.command is None:
            return
        if asked.command.name == "status":
            self._hear_status(_status(said.values), asked, heard.at)
        elif asked.command.name == "identify":
            self._identity = said.values
        elif asked.fresh and asked.answers == 1 and asked.command.name in self._ends:
            asked.obeyed_at = heard.at
            if asked.command.name == "reset":  # it ends all the others, without their events
                self._acts = deque((act for act in self._acts if act is asked), maxlen=8)

    def _hear_status(self, status: Status | None, asked: Asked, at: float) -> None:
        """Compare what a device answers with what it published."""
        if status is None:
            return
        if self._latest is None:
            self._latest = status.latest
        elif status.latest > self._latest:
            missing = f"event {self._latest + 1} is not published before an answer that knows of it"
            self._complain("MQT-42", missing)
            self._latest = status.latest
        elif asked.latest is not None and status.latest < asked.latest <= self._latest:
            self._complain("MQT-12", f"event {asked.latest} is published, and then the latest is {status.latest}")
        if status.latest < self._latest:
            return  # made out before an event that was published meanwhile
        self._confirm(status, "status")
        self._before = status
        if self._state is None:
            self._state = status
        self._see(status)
        if status == self._state:
            self._stale = None
        elif self._stale is None or self._stale[0] != status:
            self._stale = (status, at)
        elif at - self._stale[1] > LIMIT:
            said = f"published {_described(self._state)}, and status says {_described(status)}"
            self._complain("MQT-9", f"state is not published within {LIMIT:g} s: {said}")
            self._stale = (status, at)

    def _compare(self, events: tuple[Event, ...]) -> None:
        for event in events:
            published = self._events.get(event.number)
            if published is not None and published != event:
                what = f"event {event.number} is published as {_shown(published)}, and answered as {_shown(event)}"
                self._complain("MQT-10", what)

    def _confirm(self, status: Status, where: str) -> None:
        """The state that came with an event must be what is said next."""
        unsure, self._unsure = self._unsure, None
        if unsure is None or (unsure.state, unsure.fault) == (status.state, status.fault):
            return
        said = f"an event says {_described(unsure)}, and then {where} says {_described(status)}"
        self._complain("MQT-11", said)

    def _check(self, status: Status, where: str, requirement: str) -> None:
        before = self._before
        if not 0 <= status.oldest <= status.latest or (not status.oldest and status.latest):
            self._complain(requirement, f"{where} says that events {status.oldest} to {status.latest} are kept")
        elif before is not None and before.latest == status.latest and before.oldest != status.oldest:
            what = f"{where} says that the oldest event is {status.oldest}, before {before.oldest}"
            self._complain(requirement, f"{what}, with the same latest")

    def _see(self, status: Status) -> None:
        if status.state is State.BUSY:
            for asked in self._acts:
                asked.seen_busy = True

    def _arrive(self, topic: str) -> None:
        """Something of a connection that may be new has come."""
        if self._away:
            self._complain("MQT-27", f"{topic} is published before meta")
            self._away, self._came = False, ["meta"]
        if self._came is not None:
            self._came.append(topic)


def _status(values: Values) -> Status | None:
    """A status as it was answered; None if its numbers are not known."""
    numbers = [value for name in ("state", "fault", "oldest", "latest") if isinstance(value := values[name], int)]
    try:
        return Status(State(numbers[0]), FaultCode(numbers[1]), *numbers[2:])
    except ValueError:
        return None


def _described(status: Status | None) -> str:
    if status is None:
        return "nothing"
    return f"{status.state.name.lower()}, fault {status.fault.name.lower()}, events {status.oldest} to {status.latest}"


def _shown(event: Event) -> str:
    return f"{event.name} {dict(event.values)}" if event.values else event.name
