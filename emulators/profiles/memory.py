"""What a device remembers of its own events, for the reports in which a profile speaks of them."""

from collections import Counter
from collections.abc import Iterator

from feltrig.emulators.machine import Machine
from feltrig.protocols.messages import Event, Value
from feltrig.protocols.profiles.fields import FAULT, NTH, STATE
from feltrig.protocols.vocabulary import Field, Type

AT_ONCE = 64
"""Events fetched at a time."""

EMPTY: dict[Type, Value] = {Type.TEXT: "", Type.BYTES: (), Type.BOOL: False}
"""What stands in a report for an event that never happened; a number is 0."""


class Memory:
    """Follows the events of a machine: how many of each there have been, and the fields of the last."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._seen = 0
        self._count: Counter[str] = Counter()
        self._last: dict[str, Value] = {
            f"{event.name}.{field.name}": _empty(field)
            for event in machine.kind.events.values()
            for field in event.fields
        }

    def follow(self, now: float) -> Iterator[Event]:
        """The events that are new, each as it is remembered."""
        if self._machine.status(now).latest < self._seen:
            self._seen = 0
            self._count.clear()
        while events := self._machine.events(self._seen, now, AT_ONCE).events:
            for event in events:
                self._seen = event.number
                self._count[event.name] += 1
                self._last |= {f"{event.name}.{name}": value for name, value in event.values.items()}
                yield event

    def values(self, now: float, modulus: int) -> dict[str, Value]:
        """Everything that a report can speak of, by the names with a dot; counters start over at a modulus."""
        status = self._machine.status(now)
        return {
            **self._last,
            **{f"{event}.{NTH}": self._count[event] % modulus for event in self._machine.kind.events},
            STATE: int(status.state),
            FAULT: int(status.fault),
        }


def _empty(field: Field) -> Value:
    return EMPTY.get(field.type, 0)
