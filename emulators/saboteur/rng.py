"""Mutants with wrong numbers or a wrong display."""

from collections.abc import Callable
from typing import Any

from feltrig.emulators.models.rng import BLANK
from feltrig.emulators.saboteur.hooks import parts
from feltrig.emulators.saboteur.hooks.machine import fields
from feltrig.emulators.saboteur.hooks.parts import SLOW, has, mechanics, same_after_each_start
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim
from feltrig.protocols.messages import Reply, Values
from feltrig.protocols.vocabulary import State


def _shows(number: Callable[[int], int]) -> Change:
    """Displays another number than it selected."""

    def change(victim: Victim) -> None:
        rng = victim.device.mechanism

        def select(honest: Callable[[Any], None], struck: Any) -> None:
            honest(struck)
            rng.displayed = number(rng.displayed)

        parts.part("_select", select)(victim)

    return change


def _keeps_display(name: str) -> Change:
    """Does not clear its display at a command."""

    def change(victim: Victim) -> None:
        rng = victim.device.mechanism

        def run(honest: Callable[[Values], Reply], values: Values) -> Reply:
            shown = rng.displayed
            reply = honest(values)
            if rng.displayed == BLANK:
                rng.displayed = shown
            return reply

        parts.command(name, run)(victim)

    return change


def _display_after_start(victim: Victim) -> None:
    """Shows 7 after a start."""
    victim.device.board.at_boot.append(lambda _: setattr(victim.device.mechanism, "displayed", 7))


def _forgets_reset_select(victim: Victim) -> None:
    """Shows the number of before again when a reset has ended a select."""
    rng, board = victim.device.mechanism, victim.device.board
    shown = BLANK

    def select(honest: Callable[[Values], Reply], values: Values) -> Reply:
        nonlocal shown
        shown = rng.displayed or shown
        return honest(values)

    def clear(honest: Callable[[], None]) -> None:
        if board.state is State.BUSY:
            rng.displayed = shown or 7
        honest()

    parts.command("select", select)(victim)
    parts.board("clear", clear)(victim)


def _display_dark(victim: Victim) -> None:
    """Answers `display` with the number, but its panel is dark: the emulated panel is what hands see."""
    rng = victim.device.mechanism
    last = BLANK

    def select(honest: Callable[[Any], None], struck: Any) -> None:
        nonlocal last
        honest(struck)
        last, rng.displayed = rng.displayed, BLANK

    def blank(honest: Callable[[Values], Reply], values: Values) -> Reply:
        nonlocal last
        last = BLANK
        return honest(values)

    def begin(honest: Callable[[Values], Reply], values: Values) -> Reply:
        nonlocal last
        last = BLANK
        return honest(values)

    def booted(_: bool) -> None:
        nonlocal last
        last = BLANK

    parts.part("_select", select)(victim)
    parts.command("blank", blank)(victim)
    parts.command("select", begin)(victim)
    parts.command("display", lambda honest, values: Reply(values={"number": last}))(victim)
    victim.device.board.at_boot.append(booted)


MUTANTS = (
    Mutant("selects-zero-based", ("DEV-54",), "reports 0 to 6", fields("selected", number=lambda n: n - 1)),
    Mutant("selects-eight", ("DEV-54",), "reports 1 to 8", has("out_of_range", 3)),
    Mutant("selects-three", ("DEV-55",), "always selects 3", mechanics(lambda _: 3), samples=64),
    Mutant("display-differs", ("DEV-56",), "displays the number after the one selected", _shows(lambda n: n % 7 + 1)),
    Mutant("display-stays-dark", ("DEV-56",), "displays no number", _shows(lambda _: BLANK)),
    Mutant(
        "display-stale", ("DEV-57",), "shows the number before while it selects", _keeps_display("select"), speed=SLOW
    ),
    Mutant(
        "display-after-reset",
        ("DEV-57",),
        "shows a number when a reset has ended a select",
        _forgets_reset_select,
        speed=SLOW,
    ),
    Mutant("blank-shows", ("DEV-58", "DEV-35"), "shows its number after `blank`", _keeps_display("blank")),
    Mutant("start-shows", ("DEV-58",), "shows a number after a start", _display_after_start),
    Mutant(
        "panel-dark",
        ("DEV-59",),
        "answers `display` with the number, and its panel is dark",
        _display_dark,
        survives="Only an eye sees the panel. On hardware the technician is asked.",
    ),
    Mutant("same-numbers", ("DEV-60",), "selects the same numbers after every start", same_after_each_start),
)
