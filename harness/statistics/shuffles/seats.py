"""Ranks at a place: aces that come at one place of the deck, or to one seat when cards are dealt in turn."""

import numpy as np
from scipy import special

from feltrig.harness.statistics.core.fixed_result import NOTHING, FixedResult
from feltrig.harness.statistics.core.tails import binomial_above, binomial_below
from feltrig.harness.statistics.shuffles.face_drift import marked_ranks
from feltrig.harness.statistics.shuffles.faces import Faces
from feltrig.harness.statistics.shuffles.sample import Tables

LEAST = 128
"""The fewest decks that are tested."""
SEATS = range(2, 10)
"""Among so many are cards dealt in turn: every so many places are one seat's."""


def seated_ranks(tables: Tables, faces: Faces | None) -> FixedResult:
    """A rank too often or too seldom at one place, or at the places of one seat."""
    if faces is None or tables.count < LEAST:
        return NOTHING
    n, count = tables.n, tables.count
    marks = marked_ranks(faces)
    sizes = marks.sum(axis=1)
    marks, sizes = marks[(sizes > 0) & (sizes < n)], sizes[(sizes > 0) & (sizes < n)]
    if not len(sizes):
        return NOTHING
    seen = tables.position @ marks.T
    places = np.minimum(binomial_above(count, sizes / n, seen), binomial_below(count, sizes / n, seen))
    highest, looks = 0.0, 0
    for seats in SEATS:
        dealt = np.equal.outer(np.arange(seats), np.arange(n) % seats)
        share = dealt.sum(axis=1)[:, None] / n
        variance = count * sizes * share * (1 - share) * (n - sizes) / (n - 1)
        z = (dealt @ seen - count * sizes * share) / np.sqrt(variance)
        highest, looks = max(highest, float(np.abs(z).max())), looks + z.size
    one_place, one_seat = 2 * seen.size * float(places.min()), 2 * looks * float(special.ndtr(-highest))
    statistic = highest if one_seat < one_place else float(seen.max())
    return FixedResult(statistic, min(1.0, 2 * min(one_place, one_seat)))
