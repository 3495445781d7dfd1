"""Effects that a plan may exclude: machines whose law is known exactly."""

import math

import numpy as np

from feltrig.harness.statistics.core.p_values import Array
from feltrig.harness.statistics.core.sort import Effect
from feltrig.harness.statistics.shuffles import laws
from feltrig.harness.statistics.shuffles.judged import ShuffleViews


def few_riffles(n: int, riffles: int) -> Effect:
    """A machine that makes this many riffles. Fewer would show more."""
    ratio = laws.riffled(n, 2**riffles).log_ratio
    return Effect(f"{riffles} riffles", riffles, lambda block: ratio[block.loaded.measured.values["rising sequences"]])


def few_shelves(n: int, shelves: int) -> Effect:
    """A machine with this many shelves."""
    ratio = laws.shelved(n, shelves).log_ratio

    def ratios(block: ShuffleViews) -> Array:
        rises = block.loaded.orders[:, 1:] > block.loaded.orders[:, :-1]
        logs: Array = ratio[(rises[:, 1:] & ~rises[:, :-1]).sum(axis=1)]
        return logs

    return Effect(f"{shelves} shelves", shelves, ratios)


def number_too_often(number: int, size: float, highest: int = 7) -> Effect:
    """One number that comes more often by this share of its due."""
    more, less = _ratios(size, highest)
    words = f"number {number} {100 * size:.3g} % too often"
    return Effect(words, size, lambda block: np.where(np.asarray(block) == number, more, less))


def face_too_often(die: int, face: int, size: float, faces: int = 6) -> Effect:
    """One face of one die, from 1, that comes more often by this share of its due."""
    more, less = _ratios(size, faces)
    words = f"face {face} of die {die} {100 * size:.3g} % too often"
    return Effect(words, size, lambda block: np.where(np.asarray(block)[:, die - 1] == face, more, less))


def _ratios(size: float, k: int) -> tuple[float, float]:
    """Log likelihood ratios when a symbol that exceeds its due by this share comes, and when it does not."""
    due = 1 / k
    return math.log1p(size), math.log((1 - due * (1 + size)) / (1 - due))
