"""Mutants that dispense wrongly."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from feltrig.emulators.saboteur.hooks import parts
from feltrig.emulators.saboteur.hooks.machine import accepts, fields, refused_as, rewritten, without
from feltrig.emulators.saboteur.hooks.parts import has
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim, fresh
from feltrig.protocols.messages import Event
from feltrig.protocols.vocabulary import Error, FaultCode


def _short_well(does: Callable[..., None]) -> Change:
    """Does something else when the well holds fewer cards than the size."""

    def change(victim: Victim) -> None:
        shoe = victim.device.mechanism

        def dispensed(honest: Callable[..., None], size: int, struck: Any) -> None:
            if shoe._bench.count(shoe.well) < size:
                does(victim, honest, size, struck)
            else:
                honest(size, struck)

        parts.part("_dispensed", dispensed)(victim)

    return change


def _as_if_whole(victim: Victim, honest: Callable[..., None], _size: int, struck: Any) -> None:
    """Dispenses what is there as a smaller stack."""
    shoe = victim.device.mechanism
    honest(shoe._bench.count(shoe.well), struck)


def _keeps_them(victim: Victim, _honest: Callable[..., None], _size: int, _struck: Any) -> None:
    """Dispenses nothing, and reports the fault."""
    victim.device.board.fail(FaultCode.INCOMPLETE)


def _jams(victim: Victim, honest: Callable[..., None], size: int, struck: Any) -> None:
    parts.board("fail", lambda fail, _: fail(FaultCode.JAM))(victim)
    honest(size, struck)


def _stacks(number: Callable[[int], int]) -> Change:
    return fields("dispensed", stack=number)


def _never_anew() -> Change:
    """Numbers its stacks on over every load."""
    count = 0

    def rewrite(event: Event) -> tuple[Event, ...]:
        nonlocal count
        if event.name != "dispensed":
            return (event,)
        count += 1
        return (replace(event, values={**event.values, "stack": count}),)

    return rewritten(rewrite)


MUTANTS = (
    Mutant("size-six", ("DEV-85",), "takes 6 for 5 cards", accepts("dispense", "size", 6, 5)),
    Mutant("size-zero", ("DEV-85",), "takes 0 for 2 cards", accepts("dispense", "size", 0, 2)),
    Mutant("size-255", ("DEV-85",), "takes 255 for 7 cards", accepts("dispense", "size", 255, 7)),
    Mutant(
        "size-as-state",
        ("DEV-85",),
        "refuses an unknown size as the wrong state",
        refused_as(Error.BAD_ARGUMENT, Error.WRONG_STATE, "dispense"),
    ),
    Mutant(
        "well-empty-as-state",
        ("DEV-86",),
        "refuses without cards as the wrong state",
        refused_as(Error.EMPTY, Error.WRONG_STATE, "dispense"),
    ),
    Mutant(
        "short-as-whole", ("DEV-87",), "dispenses the last cards as if they were a stack", _short_well(_as_if_whole)
    ),
    Mutant(
        "short-keeps-cards", ("DEV-87",), "keeps the last cards inside, and reports the fault", _short_well(_keeps_them)
    ),
    Mutant("short-as-jam", ("DEV-87", "DEV-51"), "reports a well that ran short as a jam", _short_well(_jams)),
    Mutant("stacks-from-zero", ("DEV-88",), "numbers its stacks from 0", _stacks(lambda n: n - 1)),
    Mutant("stacks-all-one", ("DEV-88",), "numbers every stack as 1", _stacks(lambda _: 1)),
    Mutant("stacks-never-anew", ("DEV-88",), "numbers its stacks on over every load", fresh(_never_anew)),
    Mutant(
        "size-as-asked", ("DEV-89",), "reports the size that was asked for when a card stays behind", has("misfeed")
    ),
    Mutant("stack-short", ("DEV-89",), "dispenses a card too few and says so", has("short_stack")),
    Mutant("from-the-bottom", ("DEV-90",), "takes the last card of a stack from the bottom", has("bottom_card")),
    Mutant("stack-face-up", ("DEV-90",), "turns a card of the stack face up", has("face_up_card")),
    Mutant("dispenses-by-itself", ("DEV-91",), "dispenses a stack by itself when it is loaded", has("early_dispense")),
    Mutant("no-dispensed", ("DEV-40",), "makes no `dispensed`", without("dispensed")),
)
