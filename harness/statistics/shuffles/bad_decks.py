"""Machines that fail now and then, for a while, or from some deck on; good and bad decks that follow each other."""

import math

import numpy as np
from scipy import stats

from feltrig.harness.statistics.core.law import tails
from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult
from feltrig.harness.statistics.shuffles import laws
from feltrig.harness.statistics.shuffles.deck import Deck
from feltrig.harness.statistics.shuffles.measured import STATISTICS, Measured, ShuffleBlock
from feltrig.harness.statistics.shuffles.one_deck import tilt

STRETCHES = ("rising sequences", "turning points", "kept neighbours", "inversions", "fixed points")
"""Statistics by which a stretch of decks is judged,"""
SINGLE = (
    *STRETCHES, "descents", "inverse turning points", "reversed neighbours", "colour", "suit", "rank",
    "rising sequences since last deck", "kept neighbours since last deck",
    "rising sequences over two decks", "kept neighbours over two decks",
)  # fmt: skip
"""and a single deck."""
WORSE = (0.5, 1.3, 3.3)
"""Tilts, in the statistics of a stretch, by which a machine that fails later is known."""
HAZARD = 0.01
"""Chance per deck with which a bettor on later failure expects it to begin."""


def worst_deck(measured: Measured) -> FixedResult:
    """The worst single deck by any statistic of one deck: machines that fail now and then."""
    tail, looks = 1.0, 0
    for name in SINGLE:
        column = measured.known(name)
        if not len(column):
            continue
        law = measured.law(name)
        low, high = int(column.min()), int(column.max())
        tail = min(tail, tails(law, 1, low)[0], tails(law, 1, high)[1])
        looks += 2
    # Differences are around the deck: each is at most as likely as staying in place (1/k! for k of them).
    most = int(measured.differences.max())
    tail = min(tail, (measured.n - 1) * tails(laws.fixed_points(measured.n), 1, most)[1])
    return FixedResult(float(most), -math.expm1((looks + 1) * len(measured) * math.log1p(-min(tail, 1 - 1e-12))))


def worst_stretch(measured: Measured) -> FixedResult:
    """The worst stretch of 4, 16, 64, ... decks: machines that get worse, or better."""
    count, tail, looks, length, worst = len(measured), 1.0, 0, 4, 0
    while length < count:
        for name in STRETCHES:
            blocks = measured.values[name][-(count // length) * length :].reshape(-1, length).sum(axis=1)
            law = measured.law(name)
            low = tails(law, length, int(blocks.min()))[0]
            high = tails(law, length, int(blocks.max()))[1]
            looks += 2 * len(blocks)
            if min(low, high) < tail:
                tail, worst = min(low, high), length
        length *= 4
    return FixedResult(float(worst), min(1.0, looks * tail) if looks else 1.0)


def echo(measured: Measured) -> FixedResult:
    """Correlation of the inversions of one deck with those of the next."""
    x = measured.values["inversions"] - measured.n * (measured.n - 1) / 4
    squares = x * x
    # not x @ x: after a product of long vectors, BLAS keeps the other cores spinning for a tenth of a second
    spread = float(squares[1:].sum()) * float(squares[:-1].sum())
    if len(x) < 8 or not spread:
        return NOTHING
    r = float((x[1:] * x[:-1]).sum()) / math.sqrt(spread)
    t = r * math.sqrt((len(x) - 2) / max(1 - r * r, 1e-12))
    return FixedResult(r, float(2 * stats.t.sf(abs(t), len(x) - 2)))


class Late:
    """Bets that a machine starts to fail some time after the first deck."""

    def __init__(self, deck: Deck) -> None:
        self._tilts = {}
        for name in STRETCHES:
            law, lean = STATISTICS[name].law(deck.n), STATISTICS[name].lean
            self._tilts[name] = np.array([tilt(law, lean * deviations, 1.0) for deviations in WORSE]).T
        count = len(STRETCHES) * len(WORSE)
        self.weights = np.full(count, 1 / count)
        self._waiting = 0.0
        self._failing = np.full(count, -math.inf)

    def bets(self, block: ShuffleBlock) -> Array:
        """The stake that waits for the failure stays; the part that expects it now bets on it from now on."""
        factors = np.concatenate([logs[block.measured.values[name]] for name, logs in self._tilts.items()], axis=1)
        logs = np.empty_like(factors)
        for row, factor in enumerate(factors):
            before = np.logaddexp(self._waiting, self._failing)
            self._failing = np.logaddexp(self._failing, self._waiting + math.log(HAZARD)) + factor
            self._waiting += math.log1p(-HAZARD)
            logs[row] = np.logaddexp(self._waiting, self._failing) - before
        return logs
