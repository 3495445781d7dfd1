"""What a shuffler keeps of earlier decks: places of the last one, neighbours of an old one, an order that comes again.

Relative to the deck so many before it, each deck of a fair machine is a fair shuffle, independent of the others.
"""

import math
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.core.law import leaning, tails
from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult, either
from feltrig.harness.statistics.core.sequential import Bettors
from feltrig.harness.statistics.shuffles import laws
from feltrig.harness.statistics.shuffles.cells import worst_cell
from feltrig.harness.statistics.shuffles.deck import CHUNK, ENOUGH, Deck, Orders, composed, inverse_of
from feltrig.harness.statistics.shuffles.drift import SMOOTH, smooth
from feltrig.harness.statistics.shuffles.measured import ShuffleBlock, Tables, counted
from feltrig.harness.statistics.shuffles.one_deck import tilt

LEAST = 32
"""The fewest decks that are tested."""
OLDEST = 128
"""How many decks back neighbours are looked for; the last two have tests of their own."""
KEPT = (0.3, 0.8, 2.1)
"""Tilts of the neighbours kept from an old deck, in standard deviations."""
RARE = 1e-4
"""A run is called long when a fair sample repeats one less often than this."""
MANY = 10_000
"""Of more shuffles than this, only runs that begin with one of the first eighth of the cards are looked up."""
AGAIN = 0.001
"""Chance that the bettor on repeated decks gives to a repetition."""
LENGTHS = (2, 3, 4, 5, 6)
"""Cards that must follow each other as before for a bet on the next; more as more decks were seen."""
OCCASIONS = 0.1
"""A fair deck gives occasion for such a bet about so often."""


def moves(orders: Orders) -> Orders:
    """Where the card at each place of the last deck is now: one row for each shuffle but the first."""
    o = np.ascontiguousarray(orders.T)
    return np.ascontiguousarray(composed(inverse_of(o)[:, 1:], o[:, :-1]).T)


def kept_places(orders: Orders) -> FixedResult:
    """Cards that stay where they were in the last deck, that go from one place to one other, or that drift."""
    if len(orders) < LEAST:
        return NOTHING
    moved = moves(orders[:ENOUGH])
    tables = Tables(moved.shape[1])
    tables.count = len(moved)
    tables.position = counted(tables.n * np.arange(tables.n) + moved.astype(np.intp), tables.n)
    stayed = int(np.trace(tables.position))
    staying = FixedResult(float(stayed), leaning(laws.fixed_points(tables.n), tables.count, stayed, 1))
    return either(staying, worst_cell(tables), smooth(tables, SMOOTH))


def kept_neighbours(orders: Orders) -> FixedResult:
    """Neighbours that were neighbours in the deck 3, 4, 5, ... before: how far back, and how likely."""
    rows = orders[:ENOUGH]
    lags = range(3, min(OLDEST, len(rows) // 2) + 1)
    if len(rows) < LEAST:
        return NOTHING
    after = followers(rows)
    ended = after == rows.shape[1]
    kept = [int(np.count_nonzero((after[lag:] == after[:-lag]) & ~ended[lag:])) for lag in lags]
    most = max(range(len(lags)), key=lambda at: (kept[at] - len(rows) + lags[at]) / (len(rows) - lags[at]) ** 0.5)
    above = tails(laws.adjacencies(rows.shape[1]), len(rows) - lags[most], kept[most])[1]
    return FixedResult(float(lags[most]), min(1.0, len(lags) * above))


def followers(rows: Orders) -> Orders:
    """Which card follows each card in each deck; n after the last one."""
    count, n = rows.shape
    after = np.empty((count, n), np.uint8 if n < 255 else np.uint16)
    np.put_along_axis(after, rows[:, :-1].astype(np.intp), rows[:, 1:].astype(after.dtype), axis=1)
    np.put_along_axis(after, rows[:, -1:].astype(np.intp), after.dtype.type(n), axis=1)
    return after


class SinceLast:
    """Bettors on the places of cards, which are shown where those of the last deck have gone."""

    def __init__(self, bettors: Bettors) -> None:
        self.weights = bettors.weights
        self._bettors = bettors
        self._last: Orders | None = None

    def bets(self, block: ShuffleBlock) -> Array:
        """Their bets; none on the first deck of all."""
        rows = block.orders if self._last is None else np.concatenate([self._last, block.orders])
        self._last = rows[-1:]
        logs = np.zeros((len(block), len(self.weights)))
        if len(rows) > 1:
            logs[len(block) - len(rows) + 1 :] = self._bettors.bets(ShuffleBlock(moves(rows), block.measured))
        return logs


class OldNeighbours:
    """Bets that neighbours of the deck 3, 4, 5, ... before are neighbours again, at all these lags at once."""

    weights = np.ones(1)

    def __init__(self, deck: Deck) -> None:
        law = laws.adjacencies(deck.n)
        self._factors = np.array([tilt(law, deviations, 1.0) for deviations in KEPT]).T
        self._wealth = np.full((OLDEST - 2, len(KEPT)), -math.log((OLDEST - 2) * len(KEPT)))
        self._seen: Orders = np.empty((0, deck.n), np.uint16)

    def bets(self, block: ShuffleBlock) -> Array:
        """One column: the stakes of all lags together."""
        n = block.orders.shape[1]
        rows = np.concatenate([self._seen, followers(block.orders)])
        logs = np.empty((len(block), 1))
        before = np.logaddexp.reduce(self._wealth, axis=None)
        for t, at in enumerate(range(len(self._seen), len(rows))):
            old = rows[max(0, at - OLDEST) : max(0, at - 2)][::-1]
            kept = ((old == rows[at]) & (old != n)).sum(axis=1)
            self._wealth[: len(kept)] += self._factors[kept]
            total = np.logaddexp.reduce(self._wealth, axis=None)
            logs[t, 0] = total - before
            before = total
        self._seen = rows[-OLDEST:]
        return logs


def repeated_runs(orders: Orders) -> FixedResult:
    """Cards that follow each other in the same order as in an earlier deck, for longer than chance does."""
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
    return FixedResult(float(again), _chance_runs(n, count, length) if again else 1.0)


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


class Repetition:
    """Bets that a deck comes again as it did before."""

    weights = np.ones(1)

    def __init__(self, deck: Deck) -> None:
        self._decks = math.lgamma(deck.n + 1)
        self._seen: Counter[bytes] = Counter()
        self._count = 0

    def bets(self, block: ShuffleBlock) -> Array:
        """One column."""
        logs = np.zeros((len(block), 1))
        for t, order in enumerate(block.orders):
            key = order.astype(np.uint16).tobytes()
            if self._count:
                seen = self._seen[key]
                logs[t, 0] = math.log1p(-AGAIN)
                if seen:
                    again = math.log(AGAIN * seen / self._count) + self._decks
                    logs[t, 0] = np.logaddexp(logs[t, 0], again)
            self._seen[key] += 1
            self._count += 1
        return logs


class Stretches:
    """Bets that when a few cards follow each other as in an earlier deck, the next one does so as well."""

    weights = np.ones(1)

    def __init__(self, deck: Deck) -> None:
        self._n = deck.n
        self._decks: list[list[int]] = []
        self._length = LENGTHS[0]
        self._next: dict[tuple[int, ...], int] = {}

    def bets(self, block: ShuffleBlock) -> Array:
        """One column."""
        logs = np.zeros((len(block), 1))
        for t, order in enumerate(block.orders.tolist()):
            while self._length < min(LENGTHS[-1], self._n - 2) and self._occasions() > OCCASIONS:
                self._length += 1
                self._next.clear()
                for deck in self._decks:
                    self._learn(deck)
            logs[t, 0] = self._bet(order)
            self._decks.append(order)
            self._learn(order)
        return logs

    def _occasions(self) -> float:
        """How many runs of a fair deck were seen before, on average."""
        return len(self._decks) * (self._n - self._length + 1) ** 2 / math.perm(self._n, self._length)

    def _learn(self, order: list[int]) -> None:
        for run in zip(*(order[k:] for k in range(self._length + 1)), strict=False):
            self._next[run[:-1]] = run[-1]

    def _bet(self, order: list[int]) -> float:
        """Bets half of what it has wherever a run of the deck so far was seen before."""
        length, log = self._length, 0.0
        for at in range(length, self._n - 1):
            expected = self._next.get(tuple(order[at - length : at]))
            if expected is not None and expected not in order[:at]:
                log += math.log(0.5 + 0.5 * (self._n - at) * (expected == order[at]))
        return log
