"""The wheels, and the numbers that lie together on the layout.

The pages of 19:47-5.1 that define most wagers are cut off: of what stands here only the seven numbers and the two
halves are in the text. The rest is the standard layout, outside the rule text (RL-01), and a table may replace it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

Pocket = str
"""A compartment of the wheel as it is marked: `0`, `00`, `1` to `36`."""

Numbers = frozenset[Pocket]


class Wheel(Enum):
    """The wheel, and how it is used."""

    DOUBLE_ZERO = "double_zero"
    SINGLE_ZERO = "single_zero"
    DOUBLE_ZERO_USED_AS_SINGLE = "double_zero_used_as_single"


def _numbers(numbers: Iterable[int | str]) -> Numbers:
    return frozenset(str(number) for number in numbers)


ONE_TO_18 = _numbers(range(1, 19))
"""19:47-5.1(e)13."""
NINETEEN_TO_36 = _numbers(range(19, 37))
"""19:47-5.1(e)14."""
SEVEN_NUMBERS = _numbers((10, 11, 12, 13, 14, 15, 33))
"""19:47-5.1(f)."""

# Outside the rule text from here on.

ZEROS = _numbers(("0", "00"))
FIRST_FIVE = _numbers(("0", "00", 1, 2, 3))
RED = _numbers((1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36))
BLACK = _numbers((2, 4, 6, 8, 10, 11, 13, 15, 17, 20, 22, 24, 26, 28, 29, 31, 33, 35))
ODD = _numbers(range(1, 37, 2))
EVEN = _numbers(range(2, 37, 2))
COLUMNS = tuple(_numbers(range(first, 37, 3)) for first in (1, 2, 3))
DOZENS = tuple(_numbers(range(first, first + 12)) for first in (1, 13, 25))

LEAST_REVOLUTIONS = 4
"""Of the ball around the track: 19:47-5.3(a)."""

_DOUBLE_ZERO = "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2"
_SINGLE_ZERO = "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26"

ORDER: Mapping[Wheel, tuple[Pocket, ...]] = {
    Wheel.DOUBLE_ZERO: tuple(_DOUBLE_ZERO.split()),
    Wheel.SINGLE_ZERO: tuple(_SINGLE_ZERO.split()),
    Wheel.DOUBLE_ZERO_USED_AS_SINGLE: tuple(_DOUBLE_ZERO.split()),
}
"""The compartments clockwise."""


def played(wheel: Wheel) -> tuple[Pocket, ...]:
    """The compartments on which a number can win: not the double zero of a wheel that is used without it."""
    without = "00" if wheel is Wheel.DOUBLE_ZERO_USED_AS_SINGLE else None
    return tuple(pocket for pocket in ORDER[wheel] if pocket != without)


@dataclass(frozen=True, slots=True)
class Layout:
    """The groups of numbers on which a wager can be placed, by how many numbers it covers."""

    splits: frozenset[Numbers]
    threes: frozenset[Numbers]
    fours: frozenset[Numbers]
    sixes: frozenset[Numbers]
    neighbours: frozenset[Numbers]
    """Five compartments in a row on the replica of the wheel."""


def _rows(height: int) -> frozenset[Numbers]:
    """So many rows of three that lie together."""
    return frozenset(_numbers(range(first, first + 3 * height)) for first in range(1, 38 - 3 * height, 3))


def _pairs() -> Iterator[Numbers]:
    """Two numbers side by side in a row, or one above the other in a column."""
    for number in range(1, 37):
        if number % 3:
            yield _numbers((number, number + 1))
        if number <= 33:
            yield _numbers((number, number + 3))


def _squares() -> Iterator[Numbers]:
    """Four numbers around one corner."""
    for number in range(1, 34):
        if number % 3:
            yield _numbers((number, number + 1, number + 3, number + 4))


def _neighbours(order: tuple[Pocket, ...]) -> frozenset[Numbers]:
    return frozenset(_numbers((order + order[:4])[first : first + 5]) for first in range(len(order)))


_ZERO_SPLITS = {"00": ("0 00", "0 1", "0 2", "00 2", "00 3"), "0": ("0 1", "0 2", "0 3")}
_ZERO_THREES = {"00": ("0 1 2", "0 00 2", "00 2 3"), "0": ("0 1 2", "0 2 3")}
_ZERO_FOURS = {"00": (), "0": ("0 1 2 3",)}
"""What can be placed at the head of the layout, on a table with double zero and on one without."""


def _groups(texts: Iterable[str]) -> frozenset[Numbers]:
    return frozenset(_numbers(text.split()) for text in texts)


def _layout(wheel: Wheel) -> Layout:
    head = "00" if wheel is Wheel.DOUBLE_ZERO else "0"
    return Layout(
        splits=frozenset(_pairs()) | _groups(_ZERO_SPLITS[head]),
        threes=_rows(1) | _groups(_ZERO_THREES[head]),
        fours=frozenset(_squares()) | _groups(_ZERO_FOURS[head]),
        sixes=_rows(2),
        neighbours=_neighbours(played(wheel)),
    )


STANDARD: Mapping[Wheel, Layout] = {wheel: _layout(wheel) for wheel in Wheel}


def is_void(result: Pocket, wheel: Wheel) -> bool:
    """Whether a valid spin is called off for its result and the wheel spun again: 19:47-5.2(d)2."""
    return wheel is Wheel.DOUBLE_ZERO_USED_AS_SINGLE and result == "00"
