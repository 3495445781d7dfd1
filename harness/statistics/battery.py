"""The battery for shuffles: its tests, and their shares of the level."""

from collections.abc import Callable
from dataclasses import dataclass

from feltrig.harness.statistics import laws, wholes
from feltrig.harness.statistics.deck_rhythms import rhythms
from feltrig.harness.statistics.deckwise import GROUPS, STATISTICS, Faces, Measured, Orders, measure
from feltrig.harness.statistics.distances import kept_distances
from feltrig.harness.statistics.earlier_decks import kept_neighbours, kept_places
from feltrig.harness.statistics.face_drift import grouped_drift
from feltrig.harness.statistics.seats import seated_ranks
from feltrig.harness.statistics.spread import in_the_middle
from feltrig.harness.statistics.wholes import NOTHING, Found, Tables


@dataclass(frozen=True, slots=True)
class Sample:
    """Shuffles, with what was measured of each and counted of all."""

    orders: Orders
    measured: Measured
    tables: Tables


@dataclass(frozen=True, slots=True)
class Test:
    """One test. `share` is its part of the level: its p-value is divided by it before the smallest decides."""

    name: str
    looks_for: str
    share: float
    see: Callable[[Sample], Found]


def sample_of(orders: Orders, groups: Faces | None = None) -> Sample:
    """Measures and counts."""
    tables = Tables(orders.shape[1])
    return Sample(orders, measure(orders, groups=groups, tally=tables.add), tables)


def summed(name: str) -> Callable[[Sample], Found]:
    """A test of the sum of a statistic of one deck, against its exact law."""
    lean = STATISTICS[name].lean if name in STATISTICS else 1

    def see(sample: Sample) -> Found:
        column = sample.measured.known(name)
        if not len(column):
            return NOTHING
        value = int(column.sum())
        return float(value), laws.leaning(sample.measured.law(name), len(column), value, lean)

    return see


def strongest(*tests: Callable[[Sample], Found]) -> Callable[[Sample], Found]:
    """The test with the smallest p-value, corrected for their number."""

    def see(sample: Sample) -> Found:
        found = [seen for seen in (test(sample) for test in tests) if seen is not NOTHING]
        statistic, p = min(found, key=lambda seen: seen[1], default=NOTHING)
        return statistic, min(1.0, max(1, len(found)) * p)

    return see


PLAIN = {
    "RIS": 7, "TPO": 7.5, "AD+": 5.5, "INV": 5.5, "FIX": 2.5, "CYC": 4.5, "PAR": 0.5, "LRI": 4.5, "LAD": 2.5,
    "DES": 1.5, "TPI": 1.5, "AD-": 1.5, "LTP": 0.5, "MRI": 1, "MAD": 1,
}  # fmt: skip
"""Tests of the sum of one statistic, with their shares of the level in percent."""

TESTS = (
    *(Test(name, STATISTICS[name].words, share / 100, summed(name)) for name, share in PLAIN.items()),
    Test("PCQ", "cards by positions: any uneven, or too even, cells", 0.025, lambda s: wholes.coincidences(s.tables)),
    Test("PCW", "one card in one place too often", 0.065, lambda s: wholes.worst_cell(s.tables)),
    Test("SUW", "two cards that stick together", 0.06, lambda s: wholes.worst_pair(s.tables)),
    Test("DFQ", "clumps at any distance", 0.02, lambda s: wholes.differences(s.tables)),
    Test("SM3", "smooth drift of cards over positions", 0.065, lambda s: wholes.smooth(s.tables, wholes.SMOOTH)),
    Test("RWX", "drift of one card, or at one position", 0.025, lambda s: wholes.worst_wave(s.tables)),
    Test("WRX", "a single bad deck among good ones", 0.025, lambda s: wholes.worst_deck(s.measured)),
    Test("RUN", "the order of an earlier deck again", 0.04, lambda s: wholes.repeated_runs(s.orders)),
    Test("ACI", "good and bad decks that follow each other", 0.01, lambda s: wholes.echo(s.measured)),
    Test("LOW", "low bits of the draws of a shuffling program", 0.02, strongest(summed("LOB"), summed("LOF"))),
    Test("GRP", "neighbours of one colour, suit or rank, or of following faces", 0.02, strongest(*map(summed, GROUPS))),
    Test("PCL", "one card in one place, or after one other, too seldom", 0.01, lambda s: wholes.empty_cell(s.tables)),
    Test("DSW", "cards moved by one and the same number of places", 0.015, lambda s: wholes.displacement(s.tables)),
    Test("SMF", "bumps of a few cards by a few positions", 0.015, lambda s: wholes.smooth(s.tables, wholes.FINE)),
    Test("WIN", "one card kept to a stretch of positions", 0.015, lambda s: wholes.worst_window(s.tables)),
    Test("PRX", "one card before another too often", 0.01, lambda s: wholes.worst_precedence(s.tables)),
    Test("DRG", "drift of ranks, suits or colours", 0.01, lambda s: grouped_drift(s.tables, s.measured.groups)),
    Test("MOV", "places that depend on those in the last deck", 0.015, lambda s: kept_places(s.orders)),
    Test("OLD", "neighbours kept from an old deck", 0.01, lambda s: kept_neighbours(s.orders)),
    Test("MID", "decks that are too alike, or too unlike", 0.01, lambda s: in_the_middle(s.measured)),
    Test("TIM", "cards or ranks whose place depends on the time", 0.01, lambda s: rhythms(s.orders, s.measured.groups)),
    Test("SEA", "a rank at one place, or seat", 0.01, lambda s: seated_ranks(s.tables, s.measured.groups)),
    Test("DIS", "cards that keep a distance", 0.015, lambda s: kept_distances(s.orders, s.measured.groups)),
    Test("STR", "a bad stretch of decks", 0.01, lambda s: wholes.worst_stretch(s.measured)),
)
"""In the order of a report. The shares sum to 1."""


def look(sample: Sample) -> list[tuple[Test, Found]]:
    """What each test finds."""
    return [(test, test.see(sample)) for test in TESTS]


def smallest(found: list[tuple[Test, Found]]) -> float:
    """The smallest p-value, each divided by its share: what Bonferroni would compare with the level."""
    return min(p / test.share for test, (_, p) in found)
