"""Bettors on what a roll amounts to: its total, the position that it chooses, its faces in whatever order."""

from itertools import product

import numpy as np

from feltrig.harness.statistics.core.purses import Purse
from feltrig.harness.statistics.core.tails import Array
from feltrig.harness.statistics.streams.chi_square import Ints
from feltrig.harness.statistics.streams.learners import met_before
from feltrig.harness.statistics.streams.rolls import POSITIONS

STRENGTHS = (30.0, 300.0, 3000.0)
"""Rolls' worth of trust in the fair chances."""
AFTER = ("total", "high")
"""Classes that are predicted after that of the last roll as well."""
KEPT = (0.3, 0.1, 0.03, -0.3, -0.1)
"""Shares of rolls that keep the class of the last one; negative: that avoid it, where it would have come."""


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

    weights = np.ones(1)

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
        self._purse = Purse(np.ones(len(views) * len(STRENGTHS)))
        self._last: Ints = np.zeros(0, np.int64)

    def bets(self, block: Ints) -> Array:
        """Logs of the growth of all together."""
        return self._purse.bets(block, self._factors)

    def _factors(self, x: Ints) -> Array:
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

    weights = np.ones(1)

    def __init__(self, dice: int, k: int) -> None:
        self._classes = np.array(list(classes_of(dice, k).values())).T
        chance = np.array([np.bincount(of)[of] / len(of) for of in self._classes.T]).T[..., None]
        copied, avoided = np.maximum(KEPT, 0.0), np.maximum(np.negative(KEPT), 0.0)
        some = chance < 1
        rest = np.where(some, 1 - chance, 1.0)
        self._kept = np.where(some, (1 - copied + copied / chance) * (1 - avoided), 1.0)
        self._left = np.where(some, (1 - copied) * (1 + avoided * chance / rest), 1.0)
        self._purse = Purse(np.ones(self._kept[0].size))
        self._last: Ints = np.zeros(0, np.int64)

    def bets(self, block: Ints) -> Array:
        """Logs of the growth of all together."""
        return self._purse.bets(block, self._factors)

    def _factors(self, x: Ints) -> Array:
        before = np.concatenate([self._last if len(self._last) else x[:1], x[:-1]])
        same = (self._classes[x] == self._classes[before])[..., None]
        factors: Array = np.where(same, self._kept[before], self._left[before])
        if not len(self._last):
            factors[0] = 1.0
        self._last = x[-1:]
        return factors.reshape(len(x), -1)
