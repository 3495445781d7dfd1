"""What a fair machine of symbols is known by, and how large a sample of it a test needs."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SymbolSource:
    """Each sample holds `dice` symbols, each one of k that are equally likely: a number, or the faces of dice."""

    k: int
    dice: int = 1


Least = Callable[[SymbolSource], float]


def samples(count: int) -> Least:
    """This many samples."""
    return lambda _: count


def of_each(count: int) -> Least:
    """This many samples for each symbol."""
    return lambda source: count * source.k


def of_each_pair(count: int) -> Least:
    """This many samples for each pair of symbols."""
    return lambda source: count * source.k**2
