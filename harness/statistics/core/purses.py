"""How the wealth of many bettors is kept: mixed into one, or set aside so that some of it begins late."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from feltrig.harness.statistics.core.p_values import Array, Ints
from feltrig.harness.statistics.core.sequential import Bettors, Block

CHUNK = 64
"""Samples that are bet on at once; no factor is so large that the product of this many overflows."""
SUREST = 0.98
"""What is bet at most on one outcome: a machine may stumble."""


class Players(Protocol):
    """Bettors that divide one stake among them."""

    shares: Array
    """Of the stake, relative to each other."""

    def factors(self, x: Ints) -> Array:
        """The factors of the next samples: one row for each, one column for each bettor."""


class Purse:
    """Bettors that divide one stake among them, as one bettor."""

    weights = np.ones(1)

    def __init__(self, players: Players, *, late: bool = False) -> None:
        """With `late`, a part of each share begins to bet at each sample."""
        self._players = players
        self._shares = players.shares / players.shares.sum()
        self._starts = LateStarts(len(players.shares)) if late else None

    def bets(self, block: Ints) -> Array:
        """Logs of the growth of the whole, as one column."""
        parts = (block[start : start + CHUNK] for start in range(0, len(block), CHUNK))
        return np.concatenate([self._grow(self._players.factors(part)) for part in parts])[:, None]

    def _grow(self, factors: Array) -> Array:
        """Logs of the growth of the whole, one per row of factors, each row one sample and each column one bettor."""
        if self._starts is not None:
            factors = self._starts.grow(factors)
        worth = self._shares * np.cumprod(factors, axis=0)
        total = worth.sum(axis=1)
        self._shares = worth[-1] / total[-1]
        logs: Array = np.log(total)
        logs[1:] -= logs[:-1].copy()
        return logs


class LateStarts:
    """Wealth of which a part begins to bet at each sample, so that an early loss does not ruin a bet on a late fault.

    What has not begun after t samples is 1 / (1 + ln(1 + t)): a start at sample t costs little more than ln t.
    """

    def __init__(self, bettors: int) -> None:
        self._staked = np.zeros(bettors)
        self._kept = np.ones(bettors)
        self._samples = 0

    def grow(self, factors: Array) -> Array:
        """The factors by which stake and reserve grow together."""
        waited = 1 + np.log1p(np.arange(self._samples, self._samples + len(factors) + 1))
        self._samples += len(factors)
        kept = np.outer(waited[0] / waited[1:], self._kept)
        released = np.outer(waited[0] / waited[:-1] - waited[0] / waited[1:], self._kept)
        products = np.cumprod(factors, axis=0)
        # What is released before a sample takes part in its factor and in all later ones.
        staked = products * (self._staked + np.cumsum(released * factors / products, axis=0))
        worth = staked + kept
        self._staked, self._kept = staked[-1] / worth[-1], kept[-1] / worth[-1]
        grown: Array = worth / np.concatenate([np.ones((1, worth.shape[1])), worth[:-1]])
        return grown


class Through:
    """Bettors on what is made of each sample: another view of it, or as many symbols for every sample."""

    def __init__(self, made: Callable[[Any], Block], bettors: Bettors) -> None:
        self.weights = bettors.weights
        self._made, self._bettors = made, bettors

    def bets(self, block: Block) -> Array:
        """Their bets, those on one sample taken together."""
        logs = self._bettors.bets(self._made(block))
        together: Array = logs.reshape(len(block), -1, logs.shape[1]).sum(axis=1)
        return together


def wager(odds: float, right: bool, k: int) -> float:
    """The factor of a bet on one of k outcomes, by the odds that it is known rather than chance."""
    known = SUREST * odds / (1 + odds)
    return 1 - known + known * k if right else 1 - known
