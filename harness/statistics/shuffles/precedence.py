"""One card that comes before another too often."""

import math

import numpy as np

from feltrig.harness.statistics.core.fixed_result import FixedResult
from feltrig.harness.statistics.core.tails import Array, binomial_above
from feltrig.harness.statistics.shuffles.faces import Deck
from feltrig.harness.statistics.shuffles.measured import ShuffleBlock
from feltrig.harness.statistics.shuffles.one_card import log_sum
from feltrig.harness.statistics.shuffles.sample import Tables

FIRST = (0.2, 0.8)
"""How often the order of two cards is settled beforehand."""


def worst_precedence(tables: Tables) -> FixedResult:
    """One card before one other too often."""
    n, count = tables.n, tables.compared
    seen = tables.before[np.triu_indices(n, 1)]
    high = int(max(seen.max(), count - seen.min()))
    return FixedResult(float(high), min(1.0, n * (n - 1) * float(binomial_above(count, 0.5, high))))


class Precedence:
    """Bets that one card comes before one other, all pairs at once."""

    weights = np.ones(1)

    def __init__(self, deck: Deck) -> None:
        n = deck.n
        pairs = n * (n - 1)
        self._wealth = np.full((len(FIRST), n, n), -math.log(pairs * len(FIRST)))
        self._wealth[:, np.arange(n), np.arange(n)] = -math.inf
        self._total = 0.0

    def bets(self, block: ShuffleBlock) -> Array:
        """One column: the stakes of all pairs together."""
        logs = np.empty((len(block), 1))
        for t, order in enumerate(block.orders.astype(np.intp)):
            place = np.argsort(order)
            before = place[:, None] < place
            for row, settled in enumerate(FIRST):
                self._wealth[row] += np.where(before, math.log1p(settled), math.log1p(-settled))
            total = log_sum(self._wealth)
            logs[t, 0] = total - self._total
            self._total = total
        return logs
