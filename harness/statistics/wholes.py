"""Statistics of a whole sample of shuffles: which card comes where, who follows whom, what comes again.

Each test returns its statistic and a p-value, exact or near enough that the calibration of the battery covers the rest.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from feltrig.harness.statistics import laws
from feltrig.harness.statistics.deckwise import CHUNK, ENOUGH, Measured, Orders, inverse_of
from feltrig.harness.statistics.tails import binomial_above, binomial_below, pearson_above, pearson_below

Array = NDArray[np.float64]
Table = NDArray[np.int64]
Found = tuple[float, float]
"""Statistic and p-value."""

SMOOTH = 3
"""Cosine waves along either side of the table that drift shows in."""
FINE = 10
"""The same for bumps of a few places."""
WAVES = 4
"""Cosine waves of one row or column that are looked at."""
RARE = 1e-4
"""A run is called long when a fair sample repeats one less often than this."""
STRETCHES = ("RIS", "TPO", "AD+", "INV", "FIX")
"""Statistics by which a stretch of decks is judged, and a single deck."""
SINGLE = (*STRETCHES, "DES", "TPI", "AD-", "COL", "SUI", "RNK", "LRI", "LAD", "MRI", "MAD")
MANY = 10_000
"""Of more shuffles than this, only runs that begin with one of the first eighth of the cards are looked up."""
FEW = 32
"""Shuffles of which all pairs of cards are compared at once; of more, it is quicker to count card by card."""
NOTHING = (0.0, 1.0)


class Tables:
    """How often each card came at each position, followed each other, and came before each other."""

    def __init__(self, n: int) -> None:
        self.n, self.count, self.compared = n, 0, 0
        self.position: Table = np.zeros((n, n), np.int64)
        self.successor: Table = np.zeros((n, n), np.int64)
        self.before: Table = np.zeros((n, n), np.int64)
        """Of the first `compared` shuffles; above the diagonal."""

    def add(self, o: Orders, places: Orders) -> None:
        """Counts shuffles, given as columns, and their inverses."""
        n = self.n
        self.count += o.shape[1]
        cards = o.astype(np.intp)
        self.position += counted(n * np.arange(n)[:, None] + cards, n)
        self.successor += counted(n * cards[:-1] + cards[1:], n)
        if self.compared < ENOUGH:
            self.compared += o.shape[1]
            self.before += _before(places)


def _before(places: Orders) -> Table:
    """How often the card of the row came before that of the column; above the diagonal."""
    n, count = places.shape
    if count < FEW:
        return np.triu((places[:, None] < places).sum(axis=2))
    before = np.zeros((n, n), np.int64)
    for card in range(n - 1):
        before[card, card + 1 :] = [np.count_nonzero(later) for later in places[card] < places[card + 1 :]]
    return before


def tabulate(orders: Orders) -> Tables:
    """Counts over a sample."""
    tables = Tables(orders.shape[1])
    for start in range(0, len(orders), CHUNK):
        chunk = np.ascontiguousarray(orders[start : start + CHUNK].T)
        tables.add(chunk, inverse_of(chunk))
    return tables


def counted(cells: NDArray[np.intp], n: int) -> Table:
    """How often each cell of a table of n by n was met."""
    return np.bincount(cells.ravel(), minlength=n * n).reshape(n, n)


def coincidences(tables: Tables) -> Found:
    """PCQ: pairs of shuffles with the same card in the same place. Too few are suspicious as well."""
    pairs = tables.count * (tables.count - 1) / 2
    if not pairs:
        return NOTHING
    seen = float((tables.position * (tables.position - 1)).sum()) / 2
    skew = math.sqrt(8 / (tables.n - 1) ** 2 + 1 / pairs)
    return seen, _pearson(seen, pairs, pairs, skew * pairs**1.5)


def worst_cell(tables: Tables) -> Found:
    """PCW: one card in one place too often: a corner, a card that stays, any cell."""
    t, n, count = tables.position, tables.n, tables.count
    corners = max(t[0, 0], t[0, -1], t[-1, 0], t[-1, -1])
    looks = ((corners, 4), (np.diagonal(t).max(), n), (t.max(), n * n))
    p = min(size * float(binomial_above(count, 1 / n, high)) for high, size in looks)
    return float(t.max()), min(1.0, len(looks) * p)


def empty_cell(tables: Tables) -> Found:
    """PCL: one card in one place, or after one other, too seldom."""
    n, count = tables.n, tables.count
    pairs = tables.successor[~np.eye(n, dtype=bool)]
    low = min(int(tables.position.min()), int(pairs.min()))
    return float(low), min(1.0, n * (2 * n - 1) * float(binomial_below(count, 1 / n, low)))


def worst_pair(tables: Tables) -> Found:
    """SUW: one card after one other too often: loaded neighbours, any two."""
    n = tables.n
    looks = ((np.diagonal(tables.successor, 1).max(), n - 1), (tables.successor.max(), n * (n - 1)))
    p = min(size * float(binomial_above(tables.count, 1 / n, high)) for high, size in looks)
    return float(tables.successor.max()), min(1.0, len(looks) * p)


def differences(tables: Tables) -> Found:
    """DFQ: uneven differences between neighbours, around the deck: clumps at any distance."""
    n, count = tables.n, tables.count
    seen = _around(tables.successor)[1:]
    q = float(((seen - count) ** 2).sum())
    one = _difference_moments(n)
    each = one.mean / (n - 2)  # the differences share the spread, but for one constraint
    pairs = count * (count - 1)
    variance = count * one.variance + 2 * pairs * (n - 2) * each**2
    third = count * one.third + 12 * pairs * each * one.variance + 4 * pairs * one.interplay
    third += 8 * pairs * (count - 2) * (n - 2) * each**3
    return q, _pearson(q, count * one.mean, variance, third)


def displacement(tables: Tables) -> Found:
    """DSW: one displacement too often or too seldom: each is as likely as staying in place."""
    seen, law = _around(tables.position), laws.fixed_points(tables.n)
    low, high = int(seen.min()), int(seen.max())
    tail = min(laws.tails(law, tables.count, low)[0], laws.tails(law, tables.count, high)[1])
    return float(high), min(1.0, 2 * tables.n * tail)


def smooth(tables: Tables, waves: int) -> Found:
    """SM3 and finer: energy of the first cosine components of the table of cards by positions."""
    basis = cosines(tables.n, waves)
    components = basis @ tables.position @ basis.T
    energy = float((components**2).sum()) * (tables.n - 1) / tables.count
    return energy, float(special.chdtrc(waves * waves, energy))


def worst_wave(tables: Tables) -> Found:
    """RWX: the largest of the first cosine components of any row or column."""
    n = tables.n
    basis = cosines(n, WAVES) * math.sqrt(n / tables.count)
    largest = float(max(np.abs(tables.position @ basis.T).max(), np.abs(basis @ tables.position).max()))
    return largest, min(1.0, 4 * WAVES * n * float(special.ndtr(-largest)))


def worst_window(tables: Tables) -> Found:
    """WIN: one card in a stretch of positions, or one position with a stretch of cards, too often or too seldom."""
    n, count = tables.n, tables.count
    looks, worst, extreme = 0, 1.0, 0.0
    for table in (tables.position, tables.position.T):
        sums = np.concatenate([np.zeros((n, 1), np.int64), np.cumsum(table, axis=1)], axis=1)
        for width in sorted({max(2, n // 2), max(2, n // 4), max(2, n // 8), max(2, n // 16)}):
            starts = np.arange(0, n - width + 1, max(1, width // 2))
            seen = sums[:, starts + width] - sums[:, starts]
            looks += 2 * seen.size
            high, low = int(seen.max()), int(seen.min())
            extreme = max(extreme, abs(high - count * width / n), abs(low - count * width / n))
            often, seldom = binomial_above(count, width / n, high), binomial_below(count, width / n, low)
            worst = min(worst, float(often), float(seldom))
    return extreme, min(1.0, looks * worst)


def worst_precedence(tables: Tables) -> Found:
    """PRX: one card before one other too often."""
    n, count = tables.n, tables.compared
    seen = tables.before[np.triu_indices(n, 1)]
    high = int(max(seen.max(), count - seen.min()))
    return float(high), min(1.0, n * (n - 1) * float(binomial_above(count, 0.5, high)))


def worst_deck(measured: Measured) -> Found:
    """WRX: the worst single deck by any statistic of one deck: machines that fail now and then."""
    tail, looks = 1.0, 0
    for name in SINGLE:
        column = measured.known(name)
        if not len(column):
            continue
        law = measured.law(name)
        low, high = int(column.min()), int(column.max())
        tail = min(tail, laws.tails(law, 1, low)[0], laws.tails(law, 1, high)[1])
        looks += 2
    # Differences are around the deck: each is at most as likely as staying in place (1/k! for k of them).
    most = int(measured.differences.max())
    tail = min(tail, (measured.n - 1) * laws.tails(laws.fixed_points(measured.n), 1, most)[1])
    return float(most), -math.expm1((looks + 1) * len(measured) * math.log1p(-min(tail, 1 - 1e-12)))


def worst_stretch(measured: Measured) -> Found:
    """STR: the worst stretch of 4, 16, 64, ... decks: machines that get worse, or better."""
    count, tail, looks, length, worst = len(measured), 1.0, 0, 4, 0
    while length < count:
        for name in STRETCHES:
            blocks = measured.values[name][-(count // length) * length :].reshape(-1, length).sum(axis=1)
            law = measured.law(name)
            low = laws.tails(law, length, int(blocks.min()))[0]
            high = laws.tails(law, length, int(blocks.max()))[1]
            looks += 2 * len(blocks)
            if min(low, high) < tail:
                tail, worst = min(low, high), length
        length *= 4
    return float(worst), min(1.0, looks * tail) if looks else 1.0


def echo(measured: Measured) -> Found:
    """ACI: correlation of the inversions of one deck with those of the next."""
    x = measured.values["INV"] - measured.n * (measured.n - 1) / 4
    squares = x * x
    # not x @ x: after a product of long vectors, BLAS keeps the other cores spinning for a tenth of a second
    spread = float(squares[1:].sum()) * float(squares[:-1].sum())
    if len(x) < 8 or not spread:
        return NOTHING
    r = float((x[1:] * x[:-1]).sum()) / math.sqrt(spread)
    t = r * math.sqrt((len(x) - 2) / max(1 - r * r, 1e-12))
    return r, float(2 * stats.t.sf(abs(t), len(x) - 2))


def repeated_runs(orders: Orders) -> Found:
    """RUN: cards that follow each other in the same order as in an earlier deck, for longer than chance does."""
    count, n = orders.shape
    if count < 2:
        return NOTHING
    anchors = n if count <= MANY else -(-n // 8)
    length = run_length(n, count)
    keys = []
    for start in range(0, count, CHUNK):
        cards = orders[start : start + CHUNK].T.astype(np.uint64)
        runs = _runs(cards, length)
        keys.append(runs.ravel() if anchors == n else runs[cards[: len(runs)] < anchors])
    ordered = np.sort(np.concatenate(keys))
    again = int(np.count_nonzero(ordered[1:] == ordered[:-1]))
    return float(again), _chance_runs(n, count, length) if again else 1.0


def _runs(cards: NDArray[np.uint64], length: int) -> NDArray[np.uint64]:
    """Every run of so many cards in each column as one number: runs of 1, 2, 4, ... cards, put together."""
    bits, runs, size = (len(cards) - 1).bit_length(), np.zeros_like(cards), 0
    power, windows = 1, len(cards) - length + 1
    while power <= length:
        if length & power:
            runs = (runs[:windows] << np.uint64(bits * power)) | cards[size : size + windows]
            size += power
        cards = (cards[:-power] << np.uint64(bits * power)) | cards[power:]
        power *= 2
    return runs


def run_length(n: int, count: int) -> int:
    """The least length of a run that a fair sample repeats less often than RARE, as far as a key can hold it."""
    longest = min(64 // (n - 1).bit_length(), n)
    return next((k for k in range(2, longest) if _chance_runs(n, count, k) < RARE), longest)


def _chance_runs(n: int, count: int, length: int) -> float:
    """Expected number of pairs of equal runs of that length in two decks of a fair sample."""
    ordered = math.exp(math.lgamma(n + 1) - math.lgamma(n - length + 1))
    return min(1.0, count * (count - 1) / 2 * (n - length + 1) ** 2 / ordered)


def _around(table: Table) -> Table:
    """Sums over the cells whose column lies 0, 1, 2, ... beyond their row, around the deck."""
    n = len(table)
    row, by = np.arange(n), np.arange(n)[:, None]
    sums: Table = table[row, (row + by) % n].sum(axis=1)
    return sums


def _pearson(value: float, mean: float, variance: float, third: float) -> float:
    """Two-sided tail of the Pearson III law with these moments."""
    above, below = pearson_above(value, mean, variance, third), pearson_below(value, mean, variance, third)
    return min(1.0, 2 * float(min(above, below)))


@lru_cache(maxsize=32)
def cosines(n: int, waves: int) -> Array:
    """Orthonormal cosine waves over n places, without the constant."""
    k, j = np.arange(1, waves + 1)[:, None], np.arange(n)
    basis: Array = math.sqrt(2 / n) * np.cos(math.pi * k * (j + 0.5) / n)
    return basis


@dataclass(frozen=True, slots=True)
class Moments:
    """Of sum (X_d - 1)^2 in one deck, X_d neighbours that differ by d; and the third moment of the product of two."""

    mean: float
    variance: float
    third: float
    interplay: float


@lru_cache(maxsize=16)
def _difference_moments(n: int) -> Moments:
    """By simulation, from one seed for each size of deck."""
    count = min(20_000, 20_000 * 52 // n)
    decks = np.random.default_rng(n).permuted(np.tile(np.arange(n), (count, 1)), axis=1)
    steps = (decks[:, 1:] - decks[:, :-1]) % n + n * np.arange(len(decks))[:, None]
    x = np.bincount(steps.ravel(), minlength=n * len(decks)).reshape(-1, n)[:, 1:] - 1.0
    squares, products = (x**2).sum(axis=1), (x[1:] * x[:-1]).sum(axis=1)
    centred = squares - squares.mean()
    moments = (squares.mean(), (centred**2).mean(), (centred**3).mean(), (products**3).mean())
    return Moments(*map(float, moments))
