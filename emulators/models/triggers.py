"""When faults strike: operations are counted, and each fault says which of them it spoils."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from feltrig.emulators.models.faults import FOR_EVER, Fault, FaultTypes, check

Struck = Mapping[str, Fault]
"""The faults that strike an operation, by name."""

NOTHING: Struck = {}


@dataclass(slots=True)
class _Armed:
    """A fault and how far it has come."""

    fault: Fault
    name: str
    """Of its random stream."""
    chance: random.Random
    due: float
    met: int = 0
    struck: int = 0

    @property
    def spent(self) -> bool:
        """Whether it has struck as often as it can."""
        return self.fault.most != FOR_EVER and self.struck == self.fault.most

    def strikes(self, now: float, event: int) -> bool:
        """Whether one more operation is struck, at this time and before the event of this number."""
        fault = self.fault
        if self.spent:
            return False
        if now < self.due or event < fault.event:
            return False
        self.met += 1
        beyond = self.met - fault.at
        if beyond < 0 or beyond % fault.every:
            return False
        if fault.probability < 1 and self.chance.random() >= fault.probability:
            return False
        self.struck += 1
        return True


class Triggers:
    """The faults of one device. `stream` makes the random stream of a name, the same again for the same seed."""

    def __init__(self, kind: str, known: FaultTypes, stream: Callable[[str], random.Random]) -> None:
        self._kind = kind
        self._known = known
        self._stream = stream
        self._armed: dict[str, list[_Armed]] = {}
        self._added = 0

    def add(self, fault: Fault, now: float) -> str:
        """Add a fault, its time and its operations counted from now; returns the operation that it strikes."""
        (fault,) = check(self._kind, self._known, (fault,))
        operation = self._known[fault.what].operation
        self._added += 1
        # A stream of its own: no fault changes when another strikes.
        name = f"strikes {self._added}"
        self._armed.setdefault(operation, []).append(_Armed(fault, name, self._stream(name), now + fault.after))
        return operation

    def next(self, operation: str, now: float, event: int) -> Struck:
        """Count one more operation; the faults that strike it. `event` is the number of the next event."""
        armed = self._armed.get(operation)
        if armed is None:
            return NOTHING
        return {a.fault.what: a.fault for a in armed if a.strikes(now, event)}

    def reseed(self) -> None:
        for armed in self._every():
            armed.chance = self._stream(armed.name)

    @property
    def counts(self) -> list[list[int]]:
        """How often each fault has met its operation, and has struck."""
        return [[armed.met, armed.struck] for armed in self._every()]

    @counts.setter
    def counts(self, counts: list[list[int]]) -> None:
        for armed, (met, struck) in zip(self._every(), counts, strict=True):
            armed.met, armed.struck = met, struck

    def _every(self) -> list[_Armed]:
        return [armed for operation in self._armed.values() for armed in operation]

    @property
    def pending(self) -> tuple[Fault, ...]:
        """The faults that can still strike."""
        return tuple(a.fault for armed in self._armed.values() for a in armed if not a.spent)

    def clear(self) -> None:
        self._armed.clear()

    def seconds(self, fault: Fault) -> float:
        """How long a fault lasts; 0 for one that does not."""
        return fault.seconds or self._known[fault.what].seconds or 0.0
