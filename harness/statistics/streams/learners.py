"""Bettors that learn what a stream of symbols prefers: Dirichlet predictors of symbols, steps, matches and contexts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import signal

from feltrig.harness.statistics.core.p_values import Array, Ints
from feltrig.harness.statistics.streams.symbols import recency_ranks

UNKNOWN = -1
"""The outcome of a view that reaches back before the first draw: nobody bets."""


@dataclass(frozen=True, slots=True)
class View:
    """What one learner predicts: the draw plus earlier ones (lag, sign) plus a shift, mod k; and what it knows: the
    draws at some lags, and the position in a cycle."""

    added: tuple[tuple[int, int], ...] = ()
    shift: int = 0
    context: tuple[int, ...] = ()
    period: int = 1

    @property
    def reach(self) -> int:
        """How far back it looks."""
        return max([0, *self.context, *(lag for lag, _ in self.added)])

    def contexts(self, k: int) -> int:
        """How many contexts there are."""
        return int(k ** len(self.context)) * self.period


class Derived(Protocol):
    """A stream seen through several views: each column predicts something that is equally likely by chance."""

    columns: int
    contexts: int
    reach: Ints
    """How far back each column looks; before that its outcome is UNKNOWN."""

    def derive(self, x: Ints) -> tuple[Ints, Ints]:
        """Contexts and outcomes of the next draws, one row for each draw."""


class Views:
    """The views of a table, with the draws that they look back on."""

    def __init__(self, views: Sequence[View], k: int) -> None:
        self.columns = len(views)
        self.contexts = max(view.contexts(k) for view in views)
        self._k = k
        self._shifts, self._periods, self.reach = np.array([(v.shift, v.period, v.reach) for v in views]).T
        self._terms = _padded([view.added for view in views])
        self._known = _padded([[(lag, v.period * k**i) for i, lag in enumerate(v.context)] for v in views])
        self._past = np.zeros(int(self.reach.max()), dtype=np.int64)
        self._seen = 0

    def derive(self, x: Ints) -> tuple[Ints, Ints]:
        """Contexts and outcomes of the next draws."""
        n, both = len(x), np.concatenate([self._past, x])
        here = np.arange(len(self._past), len(both))[:, None]
        times = np.arange(self._seen, self._seen + n)[:, None]
        outcomes = x[:, None] + self._shifts
        for lags, signs in self._terms:
            outcomes += signs * both[here - lags]
        contexts = times % self._periods
        for lags, factors in self._known:
            contexts += factors * both[here - lags]
        outcomes %= self._k
        if self._seen < len(self._past):
            outcomes[times < self.reach] = UNKNOWN
        self._past = both[n:]
        self._seen += n
        return contexts, outcomes


def _padded(rows: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[Ints, Ints]]:
    """The first, second, ... pair of each row, as two arrays each; pairs that a row lacks are zeros."""
    most = max(len(row) for row in rows)
    table = np.zeros((len(rows), most, 2), dtype=np.int64)
    for at, row in enumerate(rows):
        table[at, : len(row)] = np.array(row, dtype=np.int64).reshape(-1, 2)
    return [(table[:, i, 0], table[:, i, 1]) for i in range(most)]


class Recency:
    """How many symbols came more recently than the one drawn."""

    columns = contexts = 1
    reach = np.zeros(1, dtype=np.int64)

    def __init__(self, k: int) -> None:
        self._last: Ints = np.arange(-1, -1 - k, -1)

    def derive(self, x: Ints) -> tuple[Ints, Ints]:
        """The ranks of the next draws."""
        ranks, self._last = recency_ranks(x, self._last)
        return np.zeros((len(x), 1), dtype=np.int64), ranks[:, None]


class Echoes:
    """Whether the draw is the one so many before, for all lags up to the longest: 0 if it is."""

    contexts = 1

    def __init__(self, longest: int) -> None:
        self.columns = longest
        self.reach = np.arange(1, longest + 1)
        self._past = np.full(longest, UNKNOWN, dtype=np.int64)

    def derive(self, x: Ints) -> tuple[Ints, Ints]:
        """Outcomes of the next draws."""
        both = np.concatenate([self._past, x])
        earlier = np.lib.stride_tricks.sliding_window_view(both, self.columns)[:-1, ::-1]
        outcomes = (earlier != x[:, None]).astype(np.int64)
        outcomes[earlier == UNKNOWN] = UNKNOWN
        self._past = both[len(x) :]
        return np.zeros_like(outcomes), outcomes


class Learner:
    """Predicts outcomes by their frequency so far in the same context, starting from pseudo-counts of each strength."""

    def __init__(self, derived: Derived, k: int, strengths: Sequence[float]) -> None:
        self._derived, self._k = derived, k
        self._strengths = np.array(strengths)
        self._offsets = np.arange(derived.columns) * derived.contexts
        self._counts = np.zeros(derived.columns * derived.contexts * k, dtype=np.int64)
        self._totals = np.zeros(derived.columns * derived.contexts, dtype=np.int64)
        self.shares = np.ones(derived.columns * len(strengths))

    def factors(self, x: Ints) -> Array:
        """Of the next draws."""
        contexts, outcomes = self._derived.derive(x)
        known = outcomes != UNKNOWN
        places = contexts + self._offsets
        seen = met_before(places * self._k + outcomes, known, self._counts)
        trials = met_before(places, known, self._totals)
        factors: Array = (self._k * seen[..., None] + self._strengths) / (trials[..., None] + self._strengths)
        factors[~known] = 1.0
        return factors.reshape(len(x), -1)


def met_before(cells: Ints, known: NDArray[np.bool_], counts: Ints) -> Ints:
    """How often each cell was met before; the counts are brought up to date. Cells of one row are all different."""
    if len(cells) == 1:
        before = counts[cells]
        counts[cells[known]] += 1
        return before
    before = np.zeros(cells.shape, dtype=np.int64)
    met = cells[known]
    order = np.argsort(met, kind="stable")
    ordered = met[order]
    first = np.flatnonzero(np.diff(ordered, prepend=-1))
    sizes = np.diff(first, append=len(ordered))
    ranks = np.empty_like(met)
    ranks[order] = np.arange(len(met)) - np.repeat(first, sizes)
    before[known] = ranks + counts[met]
    counts[ordered[first]] += sizes
    return before


class Matches:
    """Predicts whether a view shows 0, by the frequency so far or by a given share of copies: one symbol, or agreement
    with an earlier draw."""

    def __init__(
        self,
        derived: Derived,
        k: int,
        strengths: Sequence[float],
        copied: Sequence[float] = (),
        weights: Array | None = None,
    ) -> None:
        """`strengths` are draws' worth of trust in the fair chance; `weights` are those of the views, equal if None."""
        self._derived, self._k = derived, k
        self._strengths, self._copied = np.array(strengths), np.array(copied)
        self._matches, self._seen = np.zeros(derived.columns), 0
        each = np.ones(derived.columns) if weights is None else weights
        self.shares = np.repeat(each, len(strengths) + len(copied))

    def factors(self, x: Ints) -> Array:
        """Of the next draws."""
        _, outcomes = self._derived.derive(x)
        match, k = outcomes == 0, self._k
        matches = self._matches + np.cumsum(match, axis=0)
        trials = np.arange(self._seen, self._seen + len(x), dtype=float)[:, None] - self._derived.reach
        # How often what happened had happened before, over its fair chance.
        seen = np.where(match, (matches - 1) * k, (trials - matches) * (k / (k - 1)))
        factors: Array = (seen[..., None] + self._strengths) / (np.maximum(trials, 0)[..., None] + self._strengths)
        if len(self._copied):
            copies = np.where(match[..., None], 1 + (k - 1) * self._copied, 1 - self._copied)
            factors = np.concatenate([factors, copies], axis=-1)
        if self._seen < self._derived.reach.max():
            factors[outcomes == UNKNOWN] = 1.0
        self._matches = matches[-1]
        self._seen += len(x)
        return factors.reshape(len(x), -1)


class Changes:
    """Learns from the last draws only, and begins afresh at every draw: symbols, and matches at short lags."""

    def __init__(self, k: int, windows: Sequence[float], lags: Sequence[int]) -> None:
        self._k, self._windows = k, windows
        self._views = Views([*(View(shift=-symbol) for symbol in range(k)), *(View(((lag, -1),)) for lag in lags)], k)
        self._recent = np.zeros((len(windows), 2, self._views.columns))
        """For each window, matches and trials, the older ones faded."""
        self.shares = np.ones(len(windows) * self._views.columns)

    def factors(self, x: Ints) -> Array:
        """Of the next draws."""
        _, outcomes = self._views.derive(x)
        match, known, p = outcomes == 0, outcomes != UNKNOWN, 1 / self._k
        happened = np.array([match, known], dtype=float).transpose(1, 0, 2)
        factors = []
        for at, window in enumerate(self._windows):
            fading = 1 - 1 / window
            faded, state = signal.lfilter([1.0], [1.0, -fading], happened, axis=0, zi=fading * self._recent[None, at])
            before = np.concatenate([self._recent[None, at], faded[:-1]])
            self._recent[at] = state[0] / fading
            chance = (before[:, 0] + p) / (before[:, 1] + 1)
            factors.append(np.where(known, np.where(match, chance / p, (1 - chance) / (1 - p)), 1.0))
        return np.concatenate(factors, axis=1)
