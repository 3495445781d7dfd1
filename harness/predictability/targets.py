"""What samples would have been drawn as, under each program: decks undone into draws, or numbers and faces in a row."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from feltrig.harness.predictability.programs import PROGRAMS, VIEWS, Order, Program, View
from feltrig.harness.predictability.whole_search import Draws

BLOCK = 24
"""Numbers, or faces, that are foretold together."""
LONGEST = 4 * BLOCK
"""Numbers that are searched, at most."""
UNITS = 3
"""Decks, or blocks, without which nothing can be foretold: one is searched, one shows how it goes on, one is kept."""


@dataclass(frozen=True, slots=True)
class Target:
    """Samples under one program. A unit is a deck, or a block of numbers."""

    program: str
    units: tuple[Draws, ...]
    show: Callable[[Sequence[int]], tuple[int, ...]]
    """What is seen of the draws of a unit: places of loading, or numbers."""
    start: int = 0
    """The draw at which a search begins: the first ones of a growing bound tell little."""
    anew: bool = False
    """Whether a generator can have started anew for each unit: for a deck, not for a block of numbers."""


def deck_targets(orders: Sequence[Order]) -> Iterator[Target]:
    """Decks under every program, the likely ones first."""
    for view in VIEWS:
        for program in PROGRAMS:
            bounds = program.bounds(len(orders[0]))
            units = tuple(Draws(program.undo(view.see(order)), bounds) for order in orders)
            start = max(0, len(bounds) - 20) if bounds[0] < bounds[-1] else 0
            name = ", ".join(filter(None, (program.name, view.name)))
            yield Target(name, units, _shower(program, view, len(orders[0])), start, anew=True)


def _shower(program: Program, view: View, size: int) -> Callable[[Sequence[int]], tuple[int, ...]]:
    return lambda draws: view.back(tuple(program.deal(draws, size)))


def row_targets(rows: Sequence[Sequence[int]], highest: int) -> Iterator[Target]:
    """Numbers from 1, or the faces of rolls, in a row: upwards and downwards, the dice of a roll in both orders."""
    ways = [("in order", [n for row in rows for n in row])]
    if len(rows[0]) > 1:
        ways.append(("dice in the opposite order", [n for row in rows for n in reversed(row)]))
    for words, seen in ways:
        for name, draws in ((words, [n - 1 for n in seen]), (f"{words}, counted down", [highest - n for n in seen])):
            first = max(BLOCK, min(LONGEST, len(draws) - (UNITS - 1) * BLOCK))
            blocks = [draws[:first], *(draws[i : i + BLOCK] for i in range(first, len(draws) - BLOCK + 1, BLOCK))]
            down = name.endswith("down")
            yield Target(
                name,
                tuple(Draws(block, [highest] * len(block)) for block in blocks),
                (lambda d: tuple(highest - n for n in d)) if down else (lambda d: tuple(n + 1 for n in d)),
            )
