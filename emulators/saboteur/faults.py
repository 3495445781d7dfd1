"""Mutants that report a fault wrongly."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from feltrig.emulators.saboteur.hooks import parts
from feltrig.emulators.saboteur.hooks.machine import statuses, without
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim
from feltrig.protocols.messages import Status
from feltrig.protocols.vocabulary import FaultCode, State

SLOW = 0.05
"""A speed at which a device can be seen busy."""

CARDS = ("shuffler", "shoe")


def _fails_as(was: FaultCode, said: FaultCode) -> Change:
    return parts.board("fail", lambda honest, fault: honest(said if fault is was else fault))


def _goes_on(victim: Victim) -> None:
    """Leaves the state fault by itself."""

    def fail(honest: Callable[[FaultCode], None], fault: FaultCode) -> None:
        honest(fault)
        victim.device.board.become(State.IDLE)

    parts.board("fail", fail)(victim)


def _ends_all_the_same(done: str) -> Change:
    """Reports the end of its work although it failed."""

    def change(victim: Victim) -> None:
        def fail(honest: Callable[[FaultCode], None], fault: FaultCode) -> None:
            fields: dict[str, Any] = {field.name: 1 for field in victim.device.kind.events[done].fields}
            honest(fault)
            victim.device.board.emit(done, **fields)

        parts.board("fail", fail)(victim)

    return change


def _stays_in_status(victim: Victim) -> None:
    """Reports the last fault after the reset."""
    last = FaultCode.NONE

    def say(status: Status) -> Status:
        nonlocal last
        last = status.fault or last
        return replace(status, fault=last)

    statuses(say)(victim)


FAULTY = ("shaker", *CARDS)

MUTANTS = (
    Mutant("fault-unsaid", ("DEV-46",), "makes no `faulted`", without("faulted"), FAULTY),
    Mutant(
        "fault-and-shuffled",
        ("DEV-46",),
        "reports the end of a shuffle that jammed",
        _ends_all_the_same("shuffled"),
        ("shuffler",),
    ),
    Mutant(
        "fault-and-dispensed", ("DEV-46",), "reports a stack that jammed", _ends_all_the_same("dispensed"), ("shoe",)
    ),
    Mutant("fault-goes-away", ("DEV-47",), "is idle at once after a fault", _goes_on, FAULTY),
    Mutant(
        "fault-not-in-status",
        ("DEV-48", "DEV-26"),
        "reports no fault in its status",
        statuses(lambda status: replace(status, fault=FaultCode.NONE)),
        FAULTY,
    ),
    Mutant("fault-stays-in-status", ("DEV-48",), "reports its last fault after the reset", _stays_in_status, FAULTY),
    Mutant("jam-as-stop", ("DEV-49",), "reports a jam as a stop", _fails_as(FaultCode.JAM, FaultCode.STOPPED)),
    Mutant("jam-as-sensor", ("DEV-49",), "reports a jam as a sensor", _fails_as(FaultCode.JAM, FaultCode.SENSOR)),
    Mutant("stop-as-jam", ("DEV-50",), "reports a stop as a jam", _fails_as(FaultCode.STOPPED, FaultCode.JAM)),
    Mutant(
        "incomplete-as-jam",
        ("DEV-51",),
        "reports that its well ran short as a jam",
        _fails_as(FaultCode.INCOMPLETE, FaultCode.JAM),
        ("shoe",),
    ),
    Mutant(
        "incomplete-shuffle-as-jam",
        ("DEV-51",),
        "reports a shuffle that ended with cards inside as a jam",
        _fails_as(FaultCode.INCOMPLETE, FaultCode.JAM),
        ("shuffler",),
        survives="Hands can take cards away from a shuffler, and that may cause a jam as well.",
    ),
    Mutant(
        "count-as-jam",
        ("DEV-52",),
        "reports an impossible count as a jam",
        _fails_as(FaultCode.COUNT, FaultCode.JAM),
        survives="Nothing that hands can do makes a count impossible.",
    ),
    Mutant(
        "sensor-as-jam",
        ("DEV-53",),
        "reports a broken sensor as a jam",
        _fails_as(FaultCode.SENSOR, FaultCode.JAM),
        survives="Hands cannot break a sensor without harm.",
    ),
)
