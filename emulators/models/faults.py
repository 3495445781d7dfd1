"""Faults as data: what goes wrong in an emulated device, and when. Each model has the faults of its own kind.

No device reports the time, so none can have a wrong clock.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import inf

from feltrig.protocols.schema import Number, Text, Whole, key

FOR_EVER = 0
OFTEN = Whole(1, 1_000_000)


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong, and when. It strikes operations of one sort, those that meet every condition given here."""

    what: str = key(Text(r"[a-z_]{1,64}", "the name of a fault"), "name of the fault; each kind of device has its own")
    at: int = key(OFTEN, "the first operation of its sort that it strikes, counted from 1", 1)
    times: int | None = key(
        Whole(FOR_EVER, 1_000_000),
        "how often it strikes, 0 for no limit; without it once, or no limit with `every` or `probability`",
        None,
    )
    every: int = key(OFTEN, "after the first, it strikes every Nth", 1)
    after: float = key(
        Number(0, 86_400),
        "strikes only when this many seconds have passed since the device started or the fault was added, at any speed",
        0.0,
    )
    event: int = key(
        Whole(1, 0xFFFF_FFFF), "strikes only when the event of this number, or a later one, is the next to be sent", 1
    )
    probability: float = key(
        Number(1e-6, 1), "how likely it is to strike each of these operations, by the device's own seed", 1.0
    )
    seconds: float | None = key(Number(0.001, 86_400), "how long it lasts, for faults that last", None)

    def __post_init__(self) -> None:
        for name, good, expected in (
            ("at", self.at >= 1, "1 or more"),
            ("times", self.times is None or self.times >= 0, "1 or more, or 0 for ever"),
            ("every", self.every >= 1, "1 or more"),
            ("after", 0 <= self.after < inf, "0 or more"),
            ("event", self.event >= 1, "1 or more"),
            ("probability", 0 < self.probability <= 1, "more than 0 and at most 1"),
            ("seconds", self.seconds is None or 0 < self.seconds < inf, "more than 0"),
        ):
            if not good:
                raise ValueError(f"fault {self.what}: {name} {getattr(self, name)}: expected {expected}")

    @property
    def most(self) -> int:
        """How many operations it strikes at most, 0 for ever."""
        if self.times is not None:
            return self.times
        return 1 if self.every == 1 and self.probability == 1 else FOR_EVER


@dataclass(frozen=True, slots=True)
class FaultType:
    """A type of fault that a kind of device can have."""

    operation: str
    """The operation that it strikes: an acting command of the device, or one of those below."""
    effect: str
    expected: str
    """What the rig is expected to say of it."""
    rules: tuple[str, ...] = ()
    """The clauses that it breaks or that say what follows; none where the rules are silent."""
    seconds: float | None = None
    """How long it lasts unless the fault says otherwise; None when it happens in an instant."""
    unobservable: bool = False
    """No wire shows it, so no plan can blame the device for it. The same holds for the faults of the wire."""
    persistent: bool = False
    """The zoo lets it strike every time: chance explains it when it strikes once, or it shows only in a drill."""
    later: bool = False
    """The zoo lets it strike the second operation: it needs something before it, such as a shuffle to repeat. The same
    holds for the faults of the electronics."""


FaultTypes = Mapping[str, FaultType]
"""The faults that a device can have, by name."""


ANSWER = "answer"
"""The operation of a fault of the wire: an answer that the device's station sends."""

OPERATION = "operation"
"""Any operation that takes time, of whatever sort."""

EVENT = "event"
"""An event that is about to be emitted; with `after`, also the moment itself. Faults that strike here strike at any
instant of an operation."""

Misbehave = Callable[[bytes], bytes | None]
"""What a station asks for each answer: the bytes to send instead, None for silence; ConnectionAbortedError hangs up."""

WIRE: FaultTypes = {
    "silent": FaultType(ANSWER, "the answer is not sent", "asked again; if that stays silent, no answer: inconclusive"),
    "garbage": FaultType(
        ANSWER, "noise is sent instead of the answer", "asked again; if that is noise too, garbage: inconclusive"
    ),
    "line_drop": FaultType(
        ANSWER,
        "the line is dropped instead of an answer; except on Modbus TCP and TLS, it stays down",
        "the line is opened again, or is lost: inconclusive",
    ),
}

MACHINE: FaultTypes = {
    "slow": FaultType(
        OPERATION,
        "each step takes three times as long, plus `seconds` at any speed",
        "stalled, once the patience is exceeded: refused; short of that nothing, since no rule limits the time",
        seconds=5.0,
    ),
    "hang": FaultType(OPERATION, "starts and never finishes, and reports no fault", "stalled: refused"),
    "restart": FaultType(
        EVENT,
        "restarts at once instead of sending the event; loses the operation under way and its memory, so events are "
        "numbered from 1 again",
        "started over in the middle of the run, and stalled if something was under way: refused; not seen as such "
        "before more events were read than have come since",
    ),
    "power_loss": FaultType(
        EVENT,
        "is off for `seconds` instead of sending the event; loses the operation under way, but not its memory",
        "started over in the middle of the run, and stalled if something was under way: refused; off beyond the "
        "deadline, no answer: inconclusive",
        seconds=0.2,
    ),
    "power_loss_forgetful": FaultType(
        EVENT,
        "is off for `seconds` instead of sending the event; loses the operation under way and its memory, so events "
        "are numbered from 1 again",
        "as after a power loss, but not seen as such before more events were read than have come since",
        seconds=0.2,
    ),
    "counter_jump": FaultType(EVENT, "the number of the event is three too high", "gap in the event numbers: refused"),
}
"""What can happen to the electronics of every device."""

EVERY_DEVICE: FaultTypes = {**MACHINE, **WIRE}
"""The faults that every emulated device can have, after those of its own kind."""


def lasts(what: str) -> bool:
    """Whether a fault of the electronics lasts for some time."""
    return what in MACHINE and MACHINE[what].seconds is not None


def check(kind: str, known: FaultTypes, faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """The faults, if this kind of device can have every one. Raises ValueError with those that it can have."""
    checked = tuple(faults)
    for fault in checked:
        if fault.what not in known:
            raise ValueError(f"fault {fault.what!r}: a {kind} has only {', '.join(known)}")
        if fault.seconds is not None and known[fault.what].seconds is None:
            lasting = ", ".join(what for what, sort in known.items() if sort.seconds is not None)
            raise ValueError(f"fault {fault.what}: seconds {fault.seconds}: only for {lasting}")
    return checked
