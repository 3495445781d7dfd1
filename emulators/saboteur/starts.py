"""Mutants that start wrongly when their power comes back."""

from collections.abc import Callable, Iterable

from feltrig.emulators.models.device import integer
from feltrig.emulators.saboteur.hooks.machine import rewritten
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim, fresh
from feltrig.protocols.messages import Event, Value
from feltrig.protocols.vocabulary import FaultCode, State


def _boot(after: Callable[[Victim, bool], None], *, keeps: bool = True) -> Change:
    """Does something more when it starts again."""

    def change(victim: Victim) -> None:
        victim.device.board.keeps_memory = keeps
        victim.device.board.at_boot.append(lambda remembers: after(victim, remembers))

    return change


def _state(state: State) -> Callable[[Victim, bool], None]:
    return lambda victim, _: victim.device.board.become(state)


def _fault_at_start(victim: Victim, _remembers: bool) -> None:
    victim.device.board.fault = FaultCode.JAM


def _keeps_tokens(victim: Victim) -> None:
    """Keeps its tokens although its numbers start at 1."""
    victim.device.board.keeps_memory = False
    victim.device.board.at_boot.remove(victim.device._booted)


def _not_again(name: str) -> Callable[[Event], Iterable[Event]]:
    """Makes an event only the first time."""
    seen: list[Event] = []

    def rewrite(event: Event) -> Iterable[Event]:
        if event.name == name:
            seen.append(event)
        return () if event.name == name and len(seen) > 1 else (event,)

    return rewrite


def _after_a_start(more: int) -> Callable[[Event], Iterable[Event]]:
    """Makes something before it says that it has started."""
    seen: list[Event] = []

    def rewrite(event: Event) -> Iterable[Event]:
        if event.name != "started":
            return (event,)
        seen.append(event)
        return (*(Event(0, "cleared") for _ in range(more)), event) if len(seen) > 1 else (event,)

    return rewrite


def _jumps(victim: Victim) -> None:
    victim.device.board.at_boot.append(lambda _: setattr(victim.device.board, "_skipped", 5))


def _from_two(victim: Victim) -> None:
    board = victim.device.board
    board.keeps_memory = False
    board.at_boot.append(lambda _: setattr(board, "_skipped", 1))


def _keeps_fault(again: Callable[[Victim, FaultCode], None]) -> Change:
    """Still knows at its start which fault it had, and does something with it."""

    def change(victim: Victim) -> None:
        had: list[FaultCode] = []

        def watch(event: Event) -> Iterable[Event]:
            if event.name in ("faulted", "cleared"):
                had.clear()
            if event.name == "faulted":
                had.append(FaultCode(integer(event.values, "fault")))
            return (event,)

        def booted(victim: Victim, _remembers: bool) -> None:
            for fault in had:
                again(victim, fault)

        rewritten(watch)(victim)
        _boot(booted)(victim)

    return change


def _stays_in_fault(victim: Victim, fault: FaultCode) -> None:
    victim.device.board.fault = fault
    victim.device.board.become(State.FAULT)


def _keeps_code(victim: Victim, fault: FaultCode) -> None:
    victim.device.board.fault = fault


def _faults_again(victim: Victim, fault: FaultCode) -> None:
    board = victim.device.board
    board.after(0.0, lambda: board.fail(fault))


LAST_EVENTS: dict[str, tuple[str, dict[str, Value]]] = {
    "rng": ("selected", {"number": 3}),
    "shaker": ("shaken", {"times": 3}),
    "shuffler": ("shuffled", {"deck": 1}),
    "shoe": ("dispensed", {"stack": 1, "size": 4}),
}
"""What ends the work of each kind."""


def _ends_late(victim: Victim, _remembers: bool) -> None:
    """Brings a work to its end after the start."""
    board = victim.device.board
    name, values = LAST_EVENTS[victim.device.kind.name]
    board.after(0.0, lambda: board.emit(name, **values))


MECHANICAL = ("shaker", "shuffler", "shoe")
"""The kinds in which hands can cause a fault."""

MUTANTS = (
    Mutant(
        "start-unsaid",
        ("DEV-18",),
        "makes no `started` when it starts again",
        fresh(lambda: rewritten(_not_again("started"))),
    ),
    Mutant(
        "start-said-late", ("DEV-18",), "makes `cleared` before `started`", fresh(lambda: rewritten(_after_a_start(1)))
    ),
    Mutant("start-jumps", ("DEV-19", "DEV-9"), "skips numbers when it starts again", _jumps),
    Mutant("start-keeps-tokens", ("DEV-20",), "keeps its tokens although its numbers start at 1", _keeps_tokens),
    Mutant("start-from-two", ("DEV-20", "DEV-9"), "numbers `started` as 2 without its memory", _from_two),
    Mutant(
        "start-goes-on",
        ("DEV-21",),
        "goes on after a start with what was under way",
        _boot(_ends_late),
    ),
    Mutant("start-ready", ("DEV-22",), "starts in the state ready", _boot(_state(State.READY))),
    Mutant("start-busy", ("DEV-22",), "starts in the state busy", _boot(_state(State.BUSY))),
    Mutant("start-with-fault", ("DEV-22", "DEV-48"), "starts with a fault in its status", _boot(_fault_at_start)),
    Mutant(
        "start-keeps-fault",
        ("DEV-22", "DEV-47"),
        "is still in the state fault after a start",
        _keeps_fault(_stays_in_fault),
        MECHANICAL,
    ),
    Mutant(
        "start-keeps-fault-code",
        ("DEV-22", "DEV-48"),
        "is idle after a start, with the fault of before",
        _keeps_fault(_keeps_code),
        MECHANICAL,
    ),
    Mutant(
        "start-reports-old-fault",
        ("DEV-22", "DEV-15"),
        "reports the fault of before once more after a start",
        _keeps_fault(_faults_again),
        MECHANICAL,
    ),
    Mutant("start-unlocks", ("DEV-23",), "is unlocked after a start", _boot(_state(State.IDLE))),
)
