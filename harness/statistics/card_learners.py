"""Bettors against a shuffler that learn from the decks they have seen which card to expect next.

Deck by deck and card by card, a learner puts a chance on each card that is not yet out; it gains when it gives the card
that comes more than its fair part. Whatever it has learned, a fair machine gives it a fair game.
"""

import math
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.deck_bettors import Shuffled
from feltrig.harness.statistics.deckwise import Faces
from feltrig.harness.statistics.face_drift import rank_waves
from feltrig.harness.statistics.sequential import Family
from feltrig.harness.statistics.wholes import SMOOTH, cosines

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

PSEUDO_COUNTS = (0.25, 2.0, 16.0)
"""How many decks' worth of fairness a learner starts with, for each cell."""
CHANCES = (0.02, 0.05, 0.12, 0.3, 0.7, 0.98)
"""How often a bettor on a single cell expects it."""
AGAIN = 0.001
"""Chance that the bettor on repeated decks gives to a repetition."""
LENGTHS = (2, 3, 4, 5, 6)
"""Cards that must follow each other as before for a bet on the next; more as more decks were seen."""
OCCASIONS = 0.1
"""A fair deck gives occasion for such a bet about so often."""
CAUTIONS = (20.0, 100.0)
"""Decks after which a learner of drift believes half of what it sees."""


class Places:
    """Learns which card comes at which position."""

    name, looks_for = "positions", "cards that prefer a position"
    weights = np.full(len(PSEUDO_COUNTS), 1 / len(PSEUDO_COUNTS))

    def __init__(self, n: int) -> None:
        self._seen = np.zeros((n, n))
        self._rows = np.arange(n)

    def bets(self, block: Shuffled) -> Array:
        """One column per pseudo-count."""
        logs = np.empty((len(block), len(PSEUDO_COUNTS)))
        for t, order in enumerate(block.orders.astype(np.intp)):
            logs[t] = _counted(self._seen[:, order])
            self._seen[self._rows, order] += 1
        return logs


class Successors:
    """Learns which card follows which."""

    name, looks_for = "successors", "cards that prefer to follow another"
    weights = Places.weights

    def __init__(self, n: int) -> None:
        self._seen = np.zeros((n, n))

    def bets(self, block: Shuffled) -> Array:
        """One column per pseudo-count."""
        logs = np.empty((len(block), len(PSEUDO_COUNTS)))
        for t, order in enumerate(block.orders.astype(np.intp)):
            logs[t] = _counted(self._seen[order[:-1, None], order[1:]])
            self._seen[order[:-1], order[1:]] += 1
        return logs


class Differences:
    """Learns by how many places, around the deck, a card lies beyond the one before it."""

    name, looks_for = "differences", "clumps at any distance"
    weights = Places.weights

    def __init__(self, n: int) -> None:
        self._n = n
        self._seen = np.zeros(n)

    def bets(self, block: Shuffled) -> Array:
        """One column per pseudo-count."""
        logs = np.empty((len(block), len(PSEUDO_COUNTS)))
        for t, order in enumerate(block.orders.astype(np.intp)):
            steps = (order[1:] - order[:-1, None]) % self._n
            logs[t] = _counted(self._seen[steps])
            self._seen += np.bincount(steps.diagonal(), minlength=self._n)
        return logs


class Drift:
    """Learns a smooth preference of cards for positions: a few cosine waves along each."""

    name, looks_for = "drift", "smooth drift of cards over positions"
    weights = np.full(len(CAUTIONS), 1 / len(CAUTIONS))

    def __init__(self, n: int, waves: int, cards: Array | None = None) -> None:
        """`cards` are waves over the cards, orthonormal as well; those over the positions if None."""
        self._waves = cosines(n, waves)
        self._cards = self._waves if cards is None else cards
        self._sum = np.zeros((waves, len(self._cards)))
        self._count = 0

    def bets(self, block: Shuffled) -> Array:
        """One column per caution."""
        logs = np.empty((len(block), len(CAUTIONS)))
        scale = self._waves.shape[1] - 1
        for t, order in enumerate(block.orders.astype(np.intp)):
            cards = self._cards[:, order]
            field = self._waves.T @ self._sum @ cards * scale
            for column, caution in enumerate(CAUTIONS):
                logs[t, column] = _foretold(np.exp(np.clip(field / (self._count + caution), -20, 20)))
            self._sum += self._waves @ cards.T
            self._count += 1
        return logs


class RankDrift(Drift):
    """The same of ranks: high cards that come early, aces that come late."""

    name, looks_for = "drift of ranks", "smooth drift of ranks over positions"

    def __init__(self, n: int, faces: Faces) -> None:
        super().__init__(n, SMOOTH, rank_waves(faces))


class Backwards:
    """A family that is shown each deck from the bottom: a learner gains most where it predicts first."""

    def __init__(self, family: Family) -> None:
        self.name, self.looks_for = f"{family.name} from the bottom", family.looks_for
        self.weights = family.weights
        self._family = family

    def bets(self, block: Shuffled) -> Array:
        """The family's bets."""
        return self._family.bets(Shuffled(block.orders[:, ::-1], block.measured))


class Cells:
    """Bets on single cells, all at once: that one thing of many, each with a fair chance of 1/n, happens too often."""

    weights = np.ones(1)

    def __init__(self, name: str, looks_for: str, stakes: Array, hits: Callable[[Ints], Ints]) -> None:
        """`hits` tells which cells a deck hits, each at most once. The stakes on all of them sum to 1."""
        self.name, self.looks_for = name, looks_for
        n, chances = math.isqrt(len(stakes)), np.array(CHANCES)
        # Every cell that is not hit keeps 1 - p. That is left out of the wealth below, so that only hits touch it.
        self._kept = np.log1p(-chances)
        self._odds = np.log(chances * n / (1 - chances))[:, None]
        with np.errstate(divide="ignore"):
            self._wealth = np.tile(np.log(stakes), (len(CHANCES), 1)) - math.log(len(CHANCES))
        self._total = np.full(len(CHANCES), -math.log(len(CHANCES)))
        self._count = 0
        self._hits = hits

    def bets(self, block: Shuffled) -> Array:
        """One column: the stakes of all cells together."""
        logs = np.empty((len(block), 1))
        before = np.logaddexp.reduce(self._total)
        for t, order in enumerate(block.orders.astype(np.intp)):
            cells = self._hits(order)
            gained = self._wealth[:, cells] + self._odds
            self._wealth[:, cells] = np.logaddexp(self._wealth[:, cells], gained)
            # The wealth lacks what was kept so far; the total has it.
            so_far = self._kept * self._count
            self._total = np.logaddexp(self._total, np.logaddexp.reduce(gained, axis=1) + so_far) + self._kept
            self._count += 1
            after = np.logaddexp.reduce(self._total)
            logs[t, 0] = after - before
            before = after
        return logs


def place_stakes(n: int) -> Array:
    """Stakes on one card in one place: corners and places where a card stays are likelier than others."""
    stakes = np.full((n, n), 0.5 / n**2)
    stakes[np.arange(n), np.arange(n)] += 0.25 / n
    stakes[[0, 0, -1, -1], [0, -1, 0, -1]] += 0.25 / 4
    return stakes.ravel()


def pair_stakes(n: int) -> Array:
    """Stakes on one card after one other: loaded neighbours are likelier than others."""
    stakes = np.full((n, n), 0.5 / (n * (n - 1)))
    np.fill_diagonal(stakes, 0.0)
    stakes[np.arange(n - 1), np.arange(1, n)] += 0.4 / (n - 1)
    stakes[np.arange(1, n), np.arange(n - 1)] += 0.1 / (n - 1)
    return stakes.ravel()


class Repetition:
    """Bets that a deck comes again as it did before."""

    name, looks_for = "repetition", "the order of an earlier deck again"
    weights = np.ones(1)

    def __init__(self, n: int) -> None:
        self._decks = math.lgamma(n + 1)
        self._seen: Counter[bytes] = Counter()
        self._count = 0

    def bets(self, block: Shuffled) -> Array:
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

    name, looks_for = "stretches", "stretches of earlier decks again"
    weights = np.ones(1)

    def __init__(self, n: int) -> None:
        self._n = n
        self._decks: list[list[int]] = []
        self._length = LENGTHS[0]
        self._next: dict[tuple[int, ...], int] = {}

    def bets(self, block: Shuffled) -> Array:
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


def _counted(seen: Array) -> Array:
    """Log factors of a learner that has seen these counts, for each pseudo-count.

    `seen[j, i]` tells how often the learner saw what the i-th card of this deck would be, if it came as the j-th.
    """
    left = np.arange(len(seen), 0, -1.0)
    own, rest = seen.diagonal(), np.einsum("ij,ij->i", seen, _upper(len(seen)))
    a = np.array(PSEUDO_COUNTS)[:, None]
    factors: Array = np.log((own + a) * left / (rest + a * left)).sum(axis=1)
    return factors


def _foretold(weights: Array) -> float:
    """Log factor of a learner that gives these weights, by position and card of this deck, to the cards not yet out."""
    left = np.arange(len(weights), 0, -1.0)
    rest = np.einsum("ij,ij->i", weights, _upper(len(weights)))
    return float(np.log(weights.diagonal() * left / rest).sum())


@lru_cache(maxsize=16)
def _upper(n: int) -> Array:
    """Marks the cards that are not yet out at each position."""
    return np.triu(np.ones((n, n)))
