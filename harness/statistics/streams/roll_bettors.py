"""Bettors against a machine that rolls dice: on each die and several together, on whole rolls, on all faces in turn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from feltrig.harness.statistics.core.purses import Through
from feltrig.harness.statistics.core.sequential import Bettors
from feltrig.harness.statistics.streams import bettors
from feltrig.harness.statistics.streams.bettors import COPIED, MATCHES, SYMBOLS, strengths
from feltrig.harness.statistics.streams.chi_square import Ints
from feltrig.harness.statistics.streams.learners import UNKNOWN, Derived, Echoes, Learner, Matches, View, Views
from feltrig.harness.statistics.streams.roll_classes import Classes, KeptClasses
from feltrig.harness.statistics.streams.rolls import signs_of
from feltrig.harness.statistics.streams.source import SymbolSource

WHOLE = 64
"""Lags at which whole rolls are compared."""
ROLLS_COPIED = (0.005, 0.02, 0.1, 0.5)
"""Shares of whole rolls that repeat the last one,"""
OLD_COPIED = (0.1, 0.5)
"""and an earlier one."""


@dataclass(frozen=True, slots=True)
class RollView:
    """What a learner predicts of a roll: its faces, and those of the last one, each times a sign, plus a shift."""

    now: tuple[int, ...]
    last: tuple[int, ...] = ()
    shift: int = 0


class RollViews:
    """The views of a table, with the last roll."""

    contexts = 1

    def __init__(self, views: Sequence[RollView], dice: int, k: int) -> None:
        self.columns = len(views)
        self._now = np.array([view.now for view in views]).T
        self._last = np.array([view.last or (0,) * dice for view in views]).T
        self._shifts = np.array([view.shift for view in views])
        self.reach = np.array([1 if any(view.last) else 0 for view in views])
        self._k = k
        self._before = np.full((1, dice), UNKNOWN, dtype=np.int64)

    def derive(self, x: Ints) -> tuple[Ints, Ints]:
        """Outcomes of the next rolls."""
        earlier = np.concatenate([self._before, x[:-1]])
        outcomes = (x @ self._now + earlier @ self._last + self._shifts) % self._k
        if self._before[0, 0] == UNKNOWN:
            outcomes[0, self.reach == 1] = UNKNOWN
        self._before = x[-1:]
        return np.zeros_like(outcomes), outcomes


def single(die: int, dice: int, sign: int = 1) -> tuple[int, ...]:
    """The signs that pick one die."""
    return tuple(sign if i == die else 0 for i in range(dice))


def one_face(source: SymbolSource) -> Bettors:
    """On one face of one die."""
    views = [RollView(single(die, source.dice), shift=-face) for die in range(source.dice) for face in range(source.k)]
    return Matches(_rolls(views, source), source.k, SYMBOLS)


def last_faces(source: SymbolSource) -> Bettors:
    """On a die that shows what it, or another, showed last."""
    dice = range(source.dice)
    views = [RollView(single(i, source.dice), single(j, source.dice, -1)) for i in dice for j in dice]
    return Matches(_rolls(views, source), source.k, MATCHES)


def combinations(source: SymbolSource) -> Bettors:
    """On sums and differences of dice."""
    views = [RollView(signs) for signs in signs_of(source.dice)]
    return Learner(_rolls(views, source), source.k, strengths(source.k))


def kept_combinations(source: SymbolSource) -> Bettors:
    """On the change of a sum or difference since the last roll."""
    views = [RollView(signs, tuple(-sign for sign in signs)) for signs in signs_of(source.dice)]
    return Learner(_rolls(views, source), source.k, strengths(source.k))


def equal_dice(source: SymbolSource) -> Bettors | None:
    """On two dice that agree, or complement each other; none on a single die."""
    views = [RollView(signs) for signs in signs_of(source.dice) if sum(map(abs, signs)) == 2]
    return Matches(_rolls(views, source), source.k, MATCHES, COPIED) if views else None


def equal_rolls(source: SymbolSource) -> Bettors:
    """On the last roll."""
    return _of_whole_rolls(source, Matches(Echoes(1), source.k**source.dice, (500.0,), ROLLS_COPIED))


def old_rolls(source: SymbolSource) -> Bettors:
    """On the roll a fixed time before."""
    return _of_whole_rolls(source, Matches(Echoes(WHOLE), source.k**source.dice, (), OLD_COPIED))


def classes(source: SymbolSource) -> Bettors:
    """On the total of a roll, the position that it chooses, its faces in whatever order."""
    return _of_whole_rolls(source, Classes(source.dice, source.k))


def kept_classes(source: SymbolSource) -> Bettors:
    """On rolls that keep one of these of the last roll, or avoid it."""
    return _of_whole_rolls(source, KeptClasses(source.dice, source.k))


def pairs_of_dice(source: SymbolSource) -> Bettors:
    """On a face that depends on the die before it."""
    views = [View(context=(lag,), period=source.dice) for lag in range(1, source.dice + 1)]
    return Through(np.ravel, Learner(Views(views, source.k), source.k, strengths(source.k)))


def changes(source: SymbolSource) -> Bettors:
    """On a fault that began late, or a stretch of it."""
    return Through(np.ravel, bettors.changes(source, (source.dice, 2 * source.dice, 1)))


def in_turn(against: Callable[[SymbolSource], Bettors]) -> Callable[[SymbolSource], Bettors]:
    """The same bettors on all faces as one stream, die by die and roll by roll."""
    return lambda source: Through(np.ravel, against(source))


def _rolls(views: Sequence[RollView], source: SymbolSource) -> Derived:
    return RollViews(views, source.dice, source.k)


def _of_whole_rolls(source: SymbolSource, own: Bettors) -> Bettors:
    powers = source.k ** np.arange(source.dice)
    return Through(lambda rolled: rolled @ powers, own)
