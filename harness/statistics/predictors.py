"""Bettors that know the next symbol if the machine replays itself or follows a linear rule."""

from collections.abc import Sequence

import numpy as np

from feltrig.harness.statistics.coincidences import Ints
from feltrig.harness.statistics.recurrence import BLOCKS, LinearRule, fields
from feltrig.harness.statistics.tails import Array
from feltrig.harness.statistics.wagers import LateStarts, Purse, chunks

SUREST = 0.98
"""What is bet at most: a machine may stumble."""


class Replays:
    """Bets that what followed the longest earlier passage equal to the latest draws follows again."""

    weights = np.ones(1)

    def __init__(self, name: str, looks_for: str, k: int, beliefs: Sequence[float]) -> None:
        """`beliefs` are odds that a passage just longer than chance would find is a replay."""
        self.name, self.looks_for = name, looks_for
        self._k, self._beliefs = k, beliefs
        self._memory = Memory()
        self._late, self._purse = LateStarts(len(beliefs)), Purse(np.ones(len(beliefs)))

    def bets(self, block: Ints) -> Array:
        """Logs of the growth of all together."""
        return np.concatenate([self._purse.grow(self._late.grow(self._factors(x))) for x in chunks(block)])[:, None]

    def _factors(self, x: Ints) -> Array:
        memory, k = self._memory, self._k
        factors = []
        for symbol in x.tolist():
            # By chance the longest passage among n draws has a length of about log n to the base k.
            surprise = k ** min(memory.length, 20) / max(len(memory.drawn), 1)
            right = memory.length > 0 and memory.drawn[memory.end + 1] == symbol
            factors.append([wager(belief * surprise, right, k) if memory.length else 1.0 for belief in self._beliefs])
            memory.append(symbol)
        return np.array(factors)


class Rules:
    """Bets that the shortest linear rule for the draws of a block makes the next one too."""

    weights = np.ones(1)

    def __init__(self, name: str, looks_for: str, k: int, belief: float) -> None:
        """`belief` are the odds that there is a rule, before it was right even once."""
        self.name, self.looks_for = name, looks_for
        self._k, self._belief = k, belief
        short, long = BLOCKS
        self._rules = [rule for q in fields(k) for rule in (LinearRule(q, short), LinearRule(q, long, once=True))]
        self._late, self._purse = LateStarts(len(self._rules)), Purse(np.ones(len(self._rules)))

    def bets(self, block: Ints) -> Array:
        """Logs of the growth of all together."""
        return np.concatenate([self._purse.grow(self._late.grow(self._factors(x))) for x in chunks(block)])[:, None]

    def _factors(self, x: Ints) -> Array:
        factors = np.ones((len(x), len(self._rules)))
        for row, symbol in enumerate(x.tolist()):
            for column, rule in enumerate(self._rules):
                values = rule.q if self._k % rule.q == 0 else self._k
                expected, residue = rule.expected, symbol % rule.q
                if expected is not None and expected < values:
                    odds = self._belief * float(values) ** min(rule.right, 20)
                    factors[row, column] = wager(odds, expected == residue, values)
                rule.append(residue)
        return factors


def wager(odds: float, right: bool, k: int) -> float:
    """The factor of a bet on one of k symbols, by the odds that it is known rather than chance."""
    known = SUREST * odds / (1 + odds)
    return 1 - known + known * k if right else 1 - known


class Memory:
    """All draws so far, and the longest passage at their end that also occurs earlier (a suffix automaton)."""

    def __init__(self) -> None:
        self.drawn: list[int] = []
        self.length = 0
        """Of that passage; 0 if there is none."""
        self.end = -1
        """Where its earlier occurrence ends."""
        self._next: list[dict[int, int]] = [{}]
        self._link, self._size, self._first = [-1], [0], [-1]
        self._last = 0

    def append(self, symbol: int) -> None:
        """One more draw."""
        following, link, size = self._next, self._link, self._size
        state = len(size)
        following.append({})
        size.append(size[self._last] + 1)
        link.append(0)
        self._first.append(len(self.drawn))
        self.drawn.append(symbol)
        back = self._last
        while back != -1 and symbol not in following[back]:
            following[back][symbol] = state
            back = link[back]
        if back != -1:
            target = following[back][symbol]
            if size[back] + 1 != size[target]:
                target = self._split(back, target, symbol)
            link[state] = target
        self._last = state
        self.length, self.end = size[link[state]], self._first[link[state]]

    def _split(self, back: int, target: int, symbol: int) -> int:
        """A state for the shorter of the passages that `target` stands for, of which one now has a new ending."""
        following, link, size = self._next, self._link, self._size
        clone = len(size)
        following.append(dict(following[target]))
        size.append(size[back] + 1)
        link.append(link[target])
        self._first.append(self._first[target])
        while back != -1 and following[back].get(symbol) == target:
            following[back][symbol] = clone
            back = link[back]
        link[target] = clone
        return clone
