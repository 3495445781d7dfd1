"""Rhythms of decks: a card, or a rank, whose place depends on the time. It wanders, or comes early every few decks.

Each is given a number for its place in each deck, with mean 0 and variance 1 if the machine is fair. The law of the
power is near enough to exponential for as many decks as are asked for.
"""

import math

import numpy as np

from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult, either
from feltrig.harness.statistics.core.rhythms import greatest, power_of
from feltrig.harness.statistics.core.tails import binomial_above
from feltrig.harness.statistics.shuffles.deck import Faces, Orders, inverse_of
from feltrig.harness.statistics.shuffles.drift import cosines
from feltrig.harness.statistics.shuffles.faces import groups_of

LEAST = 128
"""The fewest decks that are tested."""
MOST = 4096
"""Of more decks, only the first of them are tested."""
WAVES = 2
"""Cosine waves over the places: early or late, and in the middle or outside."""
HARMONICS = (1, 3)
"""So many multiples of a frequency are added: of a slow wave, and of something that comes once every few decks."""
SHORTEST = 16
"""Decks of a stretch."""


def rhythms(orders: Orders, faces: Faces | None) -> FixedResult:
    """The greatest power, at any frequency, of the place of a card or of a group of cards; one card that comes too
    often at one place for a while."""
    rows = orders[:MOST]
    if len(rows) < LEAST:
        return NOTHING
    places = inverse_of(np.ascontiguousarray(rows.T))
    n = len(places)
    groups = [] if faces is None else groups_of(faces, n)
    of_cards = [wave[places] for wave in math.sqrt(n) * cosines(n, WAVES)]
    power = np.concatenate([power_of(np.vstack([series, *_of_groups(series, groups)])) for series in of_cards])
    return either(*(greatest(power, harmonics) for harmonics in HARMONICS), _for_a_while(rows))


def _of_groups(series: Array, groups: list[Array]) -> list[Array]:
    """The sums over the cards of each group, which are all marked by one number. Not by a product of matrices: after
    one as large as this, BLAS keeps the other cores spinning for a tenth of a second."""
    return [marks.max() * series[marks > 0].sum(axis=0) for marks in groups]


def _for_a_while(rows: Orders) -> FixedResult:
    """The worst cell of the tables of cards by positions of stretches of decks, of any length that doubles the next."""
    count, n = rows.shape
    cells = n * np.arange(n) + rows.astype(np.intp)
    worst, most, lengths = 1.0, 0, 0
    length = SHORTEST
    while 2 * length <= count:
        stretches = count // length
        numbered = cells[: stretches * length] + n * n * np.repeat(np.arange(stretches), length)[:, None]
        seen = int(np.bincount(numbered.ravel()).max())
        p = n * n * stretches * float(binomial_above(length, 1 / n, seen))
        worst, most = min((worst, most), (p, seen))
        length, lengths = 2 * length, lengths + 1
    return FixedResult(float(most), min(1.0, lengths * worst))
