"""What a driver makes of the messages that a device sends unasked: numbered events, its state, its last report."""

from feltrig.protocols.messages import Request, Value, Values
from feltrig.protocols.profiles.dialogue import Dialogue, Parcel, Saying
from feltrig.protocols.profiles.eventlog import EventLog
from feltrig.protocols.profiles.fields import FAULT, NTH, SEQ, STATE, fitted, reported_field
from feltrig.protocols.profiles.snapshots import Report, Snapshots, carried_or_assumed
from feltrig.protocols.vocabulary import FaultCode, Kind, State


class ReportReader:
    """Pure: messages in, a log out. A repeated message counts once, by its sequence number."""

    def __init__(self, kind: Kind, dialogue: Dialogue) -> None:
        self.log = EventLog()
        self.reported: dict[str, Value] = {}
        """What the device last reported, by the names with a dot."""
        self.lost = 0
        """Messages that were sent, by their sequence numbers, and never came."""
        self._kind = kind
        self._dialogue = dialogue
        self._told: dict[str, Value] = {}
        self._seq: int | None = None
        self._starting = False
        """Whether the last numbered message told of a start: more of them with its number are repeats."""
        self._snapshots = {
            number: Snapshots(kind, _report(kind, saying), self.log)
            for number, saying in enumerate(dialogue.says)
            if saying.status
        }

    def tell(self, request: Request) -> None:
        """The device was told this; some of what it does not say is assumed from it."""
        self._told |= {f"{request.command}.{name}": value for name, value in request.values.items()}

    def state(self, values: Values) -> None:
        """The device was asked for its state, and said this."""
        state, fault = values.get("state"), values.get("fault", FaultCode.NONE)
        assert isinstance(state, int)
        assert isinstance(fault, int)
        self.log.state = State(state)
        if self.log.state is not State.FAULT or fault:
            self.log.fault = FaultCode(fault)

    def hear(self, parcel: Parcel) -> Saying | None:
        """Take what the device said; which of the profile's messages it was, None if it was none of them."""
        for number, saying in enumerate(self._dialogue.says):
            read = saying.message.read(parcel)
            values = None if read is None else self._fitted(saying, read)
            if values is not None:
                missed = self._missed(saying, values)
                if missed is not None:
                    self._take(number, saying, values, missed)
                return saying
        return None

    def _fitted(self, saying: Saying, read: Values) -> dict[str, Value] | None:
        """The values as their fields have them, under names with a dot; None when one does not fit."""
        values: dict[str, Value] = {}
        own = self._kind.events[saying.event].fields if saying.event is not None else ()
        for name, value in read.items():
            full = f"{saying.event}.{name}" if any(field.name == name for field in own) else name
            field = reported_field(self._kind, full)
            fits = value if field is None else fitted(field, value)
            if fits is None:
                return None
            values[full] = fits
        return values

    def _missed(self, saying: Saying, values: Values) -> int | None:
        """How many messages before this one never came; None when this one has come already."""
        seq = values.get(SEQ)
        if not isinstance(seq, int):
            return 0
        last, modulus = self._seq, self._dialogue.modulus
        starts = saying.event == "started" and not (self._starting and seq == last)
        ahead = 1 if last is None or starts else (seq - last) % modulus
        if ahead == 0 or ahead > modulus // 2:
            return None
        self._seq, self._starting = seq, starts
        self.lost += ahead - 1
        return ahead - 1

    def _take(self, number: int, saying: Saying, values: dict[str, Value], missed: int) -> None:
        self.reported |= values
        if saying.status:
            self._snapshots[number].observe(values, self._told)
            return
        if saying.event == "started":
            self.log.restart()
        elif saying.event is not None:
            fields = self._event(saying, values)
            self.reported |= {f"{saying.event}.{name}": value for name, value in fields.items()}
            self.log.add(saying.event, fields, missed)
        self._follow_state(saying, values)

    def _event(self, saying: Saying, values: Values) -> Values:
        assert saying.event is not None
        known = {**values, **{f"{saying.event}.{name}": value for name, value in saying.values.items()}}
        assumed = {f"{saying.event}.{name}": value for name, value in saying.assumed.items()}
        return {
            field.name: carried_or_assumed(f"{saying.event}.{field.name}", known, assumed, self._told)
            for field in self._kind.events[saying.event].fields
        }

    def _follow_state(self, saying: Saying, values: Values) -> None:
        log = self.log
        if saying.event == "faulted":
            why = self.reported["faulted.fault"]
            assert isinstance(why, int)
            log.state, log.fault = State.FAULT, FaultCode(why)
        elif saying.event == "cleared":
            log.state, log.fault = State.IDLE, FaultCode.NONE
        state, fault = values.get(STATE, saying.state), values.get(FAULT)
        if isinstance(fault, int):
            log.fault = FaultCode(fault)
        if isinstance(state, int):
            log.state = State(state)
            if log.state is not State.FAULT:
                log.fault = FaultCode.NONE


def _report(kind: Kind, saying: Saying) -> Report:
    counted = [event for event in kind.events if f"{event}.{NTH}" in saying.message.pattern.names]
    return Report(dict.fromkeys(counted, saying.modulus), assumed=saying.assumed)
