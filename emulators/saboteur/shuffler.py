"""Mutants that shuffle or count wrongly."""

from collections.abc import Callable
from typing import Any

from feltrig.emulators.saboteur.hooks import parts
from feltrig.emulators.saboteur.hooks.machine import accepts, fields, refused_as, rewritten
from feltrig.emulators.saboteur.hooks.parts import SLOW, has, same_after_each_start
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim, fresh
from feltrig.protocols.messages import Event, Reply, Values
from feltrig.protocols.vocabulary import Error, State


def _shuffles_empty(victim: Victim) -> None:
    """Says that it shuffles when no card is there."""

    def run(honest: Callable[[Values], Reply], values: Values) -> Reply:
        reply = honest(values)
        if reply.error is not Error.EMPTY:
            return reply
        board = victim.device.board
        for name in ("shuffling", "shuffled"):
            board.emit(name, deck=values["deck"])
        board.emit("counted", deck=values["deck"], count=0, correct=False)
        board.become(State.READY)
        return Reply()

    parts.command("shuffle", run)(victim)


def _onto_the_exit(victim: Victim) -> None:
    """Shuffles onto cards that still lie at the exit."""
    shuffler = victim.device.mechanism
    bench = shuffler._bench

    def run(honest: Callable[[Values], Reply], values: Values) -> Reply:
        way_out = shuffler.way_out(values["deck"])
        if values["deck"] not in shuffler._decks or not bench.count(way_out):
            return honest(values)
        bench.move_all(way_out, shuffler.way_in(values["deck"]))
        return honest(values)

    parts.command("shuffle", run)(victim)


def _counts(number: Callable[[int, int], int]) -> Change:
    """Counts otherwise: of the cards that came out, and of a whole deck, what it reports."""

    def change(victim: Victim) -> None:
        size = victim.device.mechanism._deck_size

        def count(honest: Callable[..., None], run: Any, counted: int) -> None:
            honest(run, number(counted, size()))

        parts.part("_count", count)(victim)

    return change


def _count_now_and_then(every: int) -> Callable[[], Change]:
    """Does not count every so many shuffles."""

    def make() -> Change:
        seen = 0

        def rewrite(event: Event) -> tuple[Event, ...]:
            nonlocal seen
            seen += event.name == "counted"
            return () if event.name == "counted" and not seen % every else (event,)

        return rewritten(rewrite)

    return make


def _ready_before_the_count(victim: Victim) -> None:
    """Is ready with `shuffled`, and counts later."""
    board = victim.device.board

    def emit(honest: Callable[..., None], name: str, **values: Any) -> None:
        honest(name, **values)
        if name == "shuffled":
            board.become(State.READY)

    parts.board("emit", emit)(victim)


MUTANTS = (
    Mutant("third-compartment", ("DEV-75",), "takes compartment 3 for the first", accepts("shuffle", "deck", 3, 1)),
    Mutant("compartment-zero", ("DEV-75",), "takes compartment 0 for the first", accepts("shuffle", "deck", 0, 1)),
    Mutant(
        "compartment-as-state",
        ("DEV-75",),
        "refuses an unknown compartment as the wrong state",
        refused_as(Error.BAD_ARGUMENT, Error.WRONG_STATE, "shuffle"),
    ),
    Mutant("shuffles-nothing", ("DEV-76",), "says that it shuffles when no card is there", _shuffles_empty),
    Mutant(
        "empty-as-state",
        ("DEV-76",),
        "refuses without cards as the wrong state",
        refused_as(Error.EMPTY, Error.WRONG_STATE, "shuffle"),
    ),
    Mutant("onto-the-exit", ("DEV-77",), "shuffles although cards lie at the exit", _onto_the_exit),
    Mutant(
        "always-first-compartment", ("DEV-78",), "reports compartment 1 whatever was asked", fields("counted", deck=1)
    ),
    Mutant(
        "shuffled-other-compartment",
        ("DEV-78",),
        "reports the wrong compartment as shuffled",
        fields("shuffled", deck=lambda deck: 3 - deck),
    ),
    Mutant("other-cards", ("DEV-79",), "delivers a copy of another card in place of one", has("duplicate_card")),
    Mutant("card-face-up", ("DEV-79",), "turns a card face up", has("face_up_card")),
    Mutant("not-shuffled", ("DEV-80",), "does not shuffle", has("unshuffled")),
    Mutant("same-shuffle", ("DEV-80",), "moves the cards as the time before", has("repeated_shuffle")),
    Mutant("counts-not-always", ("DEV-81",), "does not count every second time", fresh(_count_now_and_then(2))),
    Mutant(
        "ready-before-count",
        ("DEV-81", "DEV-27"),
        "is ready before it has counted",
        _ready_before_the_count,
        speed=SLOW,
    ),
    Mutant("count-one-more", ("DEV-82",), "counts one card too many", _counts(lambda n, _: n + 1)),
    Mutant("count-blind", ("DEV-82",), "reports a whole deck whatever came out", _counts(lambda _, deck: deck)),
    Mutant(
        "count-blind-near",
        ("DEV-82",),
        "reports a whole deck when two cards are missing or more by two",
        _counts(lambda n, deck: deck if abs(n - deck) == 2 else n),
    ),
    Mutant(
        "count-blind-far",
        ("DEV-82",),
        "reports a whole deck when ten cards are missing",
        _counts(lambda n, deck: deck if deck - n == 10 else n),
    ),
    Mutant(
        "count-blind-more",
        ("DEV-82",),
        "reports a whole deck when there are more cards",
        _counts(min),
    ),
    Mutant(
        "count-blind-less",
        ("DEV-82",),
        "reports a whole deck when there are fewer cards",
        _counts(max),
    ),
    Mutant("always-correct", ("DEV-83",), "calls every count correct", fields("counted", correct=True)),
    Mutant("never-correct", ("DEV-83",), "calls no count correct", fields("counted", correct=False)),
    Mutant("same-shuffles", ("DEV-84",), "shuffles in the same ways after every start", same_after_each_start),
)
