"""Bettors against a machine that rolls dice: on each die and several together, on whole rolls, on all faces in turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from feltrig.harness.statistics.core.p_values import Array, Ints
from feltrig.harness.statistics.core.purses import Players, Purse, Through
from feltrig.harness.statistics.core.sequential import Bettors
from feltrig.harness.statistics.streams import bettors
from feltrig.harness.statistics.streams.bettors import COPIED, MATCHES, SYMBOLS, Against, learner, learning
from feltrig.harness.statistics.streams.learners import UNKNOWN, Echoes, Matches, View, met_before
from feltrig.harness.statistics.streams.rolls import POSITIONS, signs_of
from feltrig.harness.statistics.streams.symbols import SymbolSource

STRENGTHS = (30.0, 300.0, 3000.0)
"""Rolls' worth of trust in the fair chances."""
AFTER = ("total", "high")
"""Classes that are predicted after that of the last roll as well."""
KEPT = (0.3, 0.1, 0.03, -0.3, -0.1)
"""Shares of rolls that keep the class of the last one; negative: that avoid it, where it would have come."""
WHOLE = 64
"""Lags at which whole rolls are compared."""
ROLLS_COPIED = (0.005, 0.02, 0.1, 0.5)
"""Shares of whole rolls that repeat the last one,"""
OLD_COPIED = (0.1, 0.5)
"""and an earlier one."""


def classes_of(dice: int, k: int) -> dict[str, Ints]:
    """The class of each roll, which is a number of `dice` digits to the base k, the first die last."""
    rolls = np.array([row[::-1] for row in product(range(k), repeat=dice)])
    totals = rolls.sum(axis=1)
    made = {
        "roll": np.arange(len(rolls)),
        "faces": np.sort(rolls, axis=1) @ k ** np.arange(dice),
        "total": totals,
        "high": (2 * totals > dice * (k - 1)).astype(np.int64),
        **{f"position of {m}": (totals + dice - 1) % m for m in POSITIONS},
    }
    return {name: np.unique(of, return_inverse=True)[1].ravel() for name, of in made.items()}


class Classes:
    """Predicts the class of a roll by its frequency so far, alone or after the class of the last roll."""

    def __init__(self, dice: int, k: int) -> None:
        known = classes_of(dice, k)
        alone = np.zeros(k**dice, np.int64)
        views = [(alone, of) for of in known.values()] + [(of, of) for name, of in known.items() if name in AFTER]
        self._context, self._outcome = (np.array(part).T for part in zip(*views, strict=True))
        self._chance = np.array([np.bincount(of)[of] / len(of) for _, of in views]).T
        self._after = np.array([bool(context.any()) for context, _ in views])
        width = int(max(self._context.max(), self._outcome.max())) + 1
        self._offsets, self._width = np.arange(len(views)) * width, width
        self._counts = np.zeros(len(views) * width * width, np.int64)
        self._totals = np.zeros(len(views) * width, np.int64)
        self.shares = np.ones(len(views) * len(STRENGTHS))
        self._last: Ints = np.zeros(0, np.int64)

    def factors(self, x: Ints) -> Array:
        """Of the next rolls."""
        known = np.ones((len(x), len(self._after)), dtype=bool)
        if not len(self._last):
            known[0] = ~self._after
            self._last = x[:1]
        before = np.concatenate([self._last, x[:-1]])
        self._last = x[-1:]
        places = self._context[before] + self._offsets
        seen = met_before(places * self._width + self._outcome[x], known, self._counts)
        trials = met_before(places, known, self._totals)
        strengths = np.array(STRENGTHS)
        factors: Array = ((seen / self._chance[x])[..., None] + strengths) / (trials[..., None] + strengths)
        factors[~known] = 1.0
        return factors.reshape(len(x), -1)


class KeptClasses:
    """Bets that a roll keeps the class of the last one, or avoids it, for given shares of the rolls."""

    def __init__(self, dice: int, k: int) -> None:
        self._classes = np.array(list(classes_of(dice, k).values())).T
        chance = np.array([np.bincount(of)[of] / len(of) for of in self._classes.T]).T[..., None]
        copied, avoided = np.maximum(KEPT, 0.0), np.maximum(np.negative(KEPT), 0.0)
        some = chance < 1
        rest = np.where(some, 1 - chance, 1.0)
        self._kept = np.where(some, (1 - copied + copied / chance) * (1 - avoided), 1.0)
        self._left = np.where(some, (1 - copied) * (1 + avoided * chance / rest), 1.0)
        self.shares = np.ones(self._kept[0].size)
        self._last: Ints = np.zeros(0, np.int64)

    def factors(self, x: Ints) -> Array:
        """Of the next rolls."""
        before = np.concatenate([self._last if len(self._last) else x[:1], x[:-1]])
        same = (self._classes[x] == self._classes[before])[..., None]
        factors: Array = np.where(same, self._kept[before], self._left[before])
        if not len(self._last):
            factors[0] = 1.0
        self._last = x[-1:]
        return factors.reshape(len(x), -1)


@dataclass(frozen=True, slots=True)
class RollView:
    """What a learner predicts of a roll: its faces, and those of the last one, each times a sign, plus a shift."""

    now: tuple[int, ...]
    last: tuple[int, ...] = ()
    shift: int = 0


class RollViews:
    """The views of a table, with the last roll."""

    contexts = 1

    def __init__(self, views: Sequence[RollView], source: SymbolSource) -> None:
        self.columns, self._k = len(views), source.k
        self._now = np.array([view.now for view in views]).T
        self._last = np.array([view.last or (0,) * source.dice for view in views]).T
        self._shifts = np.array([view.shift for view in views])
        self.reach = np.array([int(any(view.last)) for view in views])
        self._before = np.full((1, source.dice), UNKNOWN, dtype=np.int64)

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
    return Purse(Matches(RollViews(views, source), source.k, SYMBOLS))


def last_faces(source: SymbolSource) -> Bettors:
    """On a die that shows what it, or another, showed last."""
    dice = range(source.dice)
    views = [RollView(single(i, source.dice), single(j, source.dice, -1)) for i in dice for j in dice]
    return Purse(Matches(RollViews(views, source), source.k, MATCHES))


def combinations(source: SymbolSource) -> Bettors:
    """On sums and differences of dice."""
    views = [RollView(signs) for signs in signs_of(source.dice)]
    return learning(RollViews(views, source), source.k)


def kept_combinations(source: SymbolSource) -> Bettors:
    """On the change of a sum or difference since the last roll."""
    views = [RollView(signs, tuple(-sign for sign in signs)) for signs in signs_of(source.dice)]
    return learning(RollViews(views, source), source.k)


def equal_dice(source: SymbolSource) -> Bettors | None:
    """On two dice that agree, or complement each other; none on a single die."""
    views = [RollView(signs) for signs in signs_of(source.dice) if sum(map(abs, signs)) == 2]
    return Purse(Matches(RollViews(views, source), source.k, MATCHES, COPIED)) if views else None


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
    return Through(np.ravel, learner(views)(source))


def changes(source: SymbolSource) -> Bettors:
    """On a fault that began late, or a stretch of it."""
    return Through(np.ravel, bettors.changes(source, (source.dice, 2 * source.dice, 1)))


def in_turn(against: Against) -> Against:
    """The same bettors on all faces as one stream, die by die and roll by roll."""
    return lambda source: Through(np.ravel, against(source))


def _of_whole_rolls(source: SymbolSource, players: Players) -> Bettors:
    powers = source.k ** np.arange(source.dice)
    return Through(lambda rolled: rolled @ powers, Purse(players))
