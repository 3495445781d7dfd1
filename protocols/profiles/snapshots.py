"""Reports of a device's whole state, one after the other: what happened between two of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from feltrig.protocols.messages import Value, Values
from feltrig.protocols.profiles.eventlog import EventLog
from feltrig.protocols.profiles.fields import FAULT, NTH, STATE
from feltrig.protocols.vocabulary import FaultCode, Kind, State


@dataclass(frozen=True, slots=True)
class Edge:
    """A flag of the device, and the events that its changes stand for."""

    rises: str | None
    falls: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """What a report holds: counters of events with their moduli, flags, and what it leaves to be assumed."""

    counters: Mapping[str, int]
    edges: Mapping[str, Edge] = field(default_factory=dict)
    assumed: Mapping[str, Value] = field(default_factory=dict)


class Snapshots:
    """Turns reports into events. The first one is where it starts; a counter that falls back is a device that began
    anew; a counter that jumps leaves numbers out for what was missed."""

    def __init__(self, kind: Kind, report: Report, log: EventLog) -> None:
        self._kind = kind
        self._report = report
        self._log = log
        self._last: Values | None = None

    def observe(self, values: Values, told: Values) -> None:
        """Take one report. `told` has the arguments of the last commands, for what is assumed of them."""
        last, self._last = self._last, values
        state, fault = self._state(values)
        was = self._log.fault
        if last is not None and self._began_anew(last, values):
            self._log.restart()
            last, was = None, FaultCode.NONE
        self._log.state, self._log.fault = state, fault
        if last is not None:
            self._compare(last, values, was, told)

    def _compare(self, last: Values, values: Values, was: FaultCode, told: Values) -> None:
        fault = self._log.fault
        if was and not fault:
            self._log.add("cleared", {})
        for event in self._kind.events:  # in the order in which a device comes to them
            missed = self._happened(event, last, values)
            if missed is not None:
                self._log.add(event, self._fields(event, values, told), missed)
        if fault and fault != was:
            self._log.add("faulted", {"fault": int(fault)})

    def _happened(self, event: str, last: Values, values: Values) -> int | None:
        """How many such events were missed before the one that the reports show; None when they show none."""
        if event in self._report.counters:
            ahead = _ahead(last, values, event, self._report.counters[event])
            return ahead - 1 if ahead else None
        for flag, edge in self._report.edges.items():
            if bool(values[flag]) != bool(last[flag]) and event == (edge.rises if values[flag] else edge.falls):
                return 0
        return None

    def _state(self, values: Values) -> tuple[State, FaultCode]:
        fault = FaultCode(_number(values.get(FAULT, self._report.assumed.get(FAULT, FaultCode.NONE))))
        if STATE not in values:
            return (State.FAULT if fault else State.IDLE), fault
        state = State(_number(values[STATE]))
        if state is not State.FAULT and FAULT not in values:
            return state, FaultCode.NONE
        return (State.FAULT if fault else state), fault

    def _began_anew(self, last: Values, values: Values) -> bool:
        return any(
            _ahead(last, values, event, modulus) > modulus // 2 for event, modulus in self._report.counters.items()
        )

    def _fields(self, event: str, values: Values, told: Values) -> Values:
        return {
            field.name: carried_or_assumed(f"{event}.{field.name}", values, self._report.assumed, told)
            for field in self._kind.events[event].fields
        }


def carried_or_assumed(name: str, values: Values, assumed: Mapping[str, Value], told: Values) -> Value:
    """A value that came on the wire, or that is assumed: a constant, or an argument of the last command."""
    if name in values:
        return values[name]
    constant = assumed[name]
    return told.get(constant, 0) if isinstance(constant, str) else constant


def _ahead(last: Values, values: Values, event: str, modulus: int) -> int:
    name = f"{event}.{NTH}"
    return (_number(values[name]) - _number(last[name])) % modulus


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value
