"""What is looked for in shuffles: a row for each, with its fixed test and its bettors.

To add a statistic, write it in the file of its subject, or in a new one, and add a row. Then calibrate the fixed tests
again, since the critical values hold for the whole table: `python benchmarks/calibrate.py`.
"""

from feltrig.harness.statistics.core.p_values import FixedResult
from feltrig.harness.statistics.core.rows import Betting, FixedTest, StatisticRow
from feltrig.harness.statistics.shuffles import bad_decks, cells, drift, earlier_decks, faces, pairs, reach, rhythms
from feltrig.harness.statistics.shuffles.deck import GROUPS, Deck
from feltrig.harness.statistics.shuffles.earlier_decks import SinceLast
from feltrig.harness.statistics.shuffles.measured import ShuffleSample
from feltrig.harness.statistics.shuffles.one_deck import Spread, in_the_middle, strongest, summed, tilts
from feltrig.harness.statistics.shuffles.reach import Finder

ShuffleRow = StatisticRow[ShuffleSample, Deck]


def _one_deck(name: str, looks_for: str, share: float, percent: float, find: Finder = reach.shifted) -> ShuffleRow:
    """A statistic of one deck, by the name under which it is measured."""
    return ShuffleRow(name, looks_for, FixedTest(share, summed(name), find), Betting(percent, tilts(name)))


ROWS: tuple[ShuffleRow, ...] = (
    _one_deck("rising sequences", "too few rising sequences: leftovers of riffles", 7, 8, reach.RIFFLED),
    _one_deck("turning points", "too few turning points: a shelf machine", 7.5, 8, reach.SHELVED),
    _one_deck("kept neighbours", "loaded neighbours that come out as neighbours: clumps", 5.5, 6, reach.GLUED),
    _one_deck("inversions", "too few pairs out of order: drift, overhand shuffles, too few swaps", 5.5, 6),
    _one_deck("fixed points", "cards that stay in place", 2.5, 2),
    _one_deck("cycles", "too few cycles: an off-by-one error in a shuffling program", 4.5, 4),
    _one_deck("parity", "odd or even permutations too often", 0.5, 0.5),
    _one_deck("rising sequences since last deck", "leftovers of riffles of the last deck", 4.5, 4),
    _one_deck("kept neighbours since last deck", "neighbours kept from the last deck", 2.5, 2),
    _one_deck("descents", "too few descents: cards dealt into piles that are stacked", 1.5, 1.5),
    _one_deck("inverse turning points", "packets that are turned over and merged", 1.5, 1.5),
    _one_deck("reversed neighbours", "loaded neighbours that come out in reverse: clumps turned over", 1.5, 1.5),
    _one_deck("turning points since last deck", "a shelf machine that works on the last deck", 0.5, 0.5),
    _one_deck("rising sequences over two decks", "leftovers of riffles of the deck before the last", 1, 0.5),
    _one_deck("kept neighbours over two decks", "neighbours kept from the deck before the last", 1, 0.5),
    ShuffleRow("cards by positions", "cards by positions: counts that are uneven, or too even",
        FixedTest(2.5, lambda s: cells.coincidences(s.tables), reach.UNEVEN), Betting(1.5, cells.places)),
    ShuffleRow("fullest cell", "one card in one place too often",
        FixedTest(6.5, lambda s: cells.worst_cell(s.tables), reach.STAYING), Betting(10.3, cells.one_place)),
    ShuffleRow("sticking cards", "two cards that stick together",
        FixedTest(6, lambda s: pairs.worst_pair(s.tables), reach.STICKING), Betting(10.6, pairs.one_pair)),
    ShuffleRow("successors", "cards that prefer to follow certain others", None, Betting(1.5, pairs.successors)),
    ShuffleRow("neighbour differences", "clumps at any distance",
        FixedTest(2, lambda s: pairs.differences(s.tables), reach.DIFFERENCES), Betting(3.5, pairs.steps)),
    ShuffleRow("drift", "smooth drift of cards over positions",
        FixedTest(6.5, lambda s: drift.smooth(s.tables, drift.SMOOTH), reach.DRIFTING),
        (Betting(6.9, drift.drifting), Betting(0.5, drift.drifting_backwards))),
    ShuffleRow("one-card drift", "one card, or one position, that prefers a part of the deck",
        FixedTest(2.5, lambda s: drift.worst_wave(s.tables), reach.one_card_drift),
        Betting(3.8, drift.preferences)),
    ShuffleRow("worst deck", "a single bad deck among good ones",
        FixedTest(2.5, lambda s: bad_decks.worst_deck(s.measured), reach.now_and_then), None),
    ShuffleRow("repeated order", "the order of an earlier deck again",
        FixedTest(4, lambda s: earlier_decks.repeated_runs(s.orders), reach.few_seeds),
        (Betting(3, earlier_decks.Repetition), Betting(2, earlier_decks.Stretches))),
    ShuffleRow("deck-to-deck correlation", "good and bad decks that follow each other",
        FixedTest(1, lambda s: bad_decks.echo(s.measured), reach.correlated), None),
    ShuffleRow("low bits", "poor low bits in the draws of a shuffling program",
        FixedTest(2, strongest(summed("low bits, swapping down"), summed("low bits, swapping up")), reach.shifted),
        (Betting(0.6, tilts("low bits, swapping down")), Betting(0.6, tilts("low bits, swapping up")))),
    ShuffleRow("grouped faces", "neighbours of one colour, suit or rank, or of following faces",
        FixedTest(2, strongest(*map(summed, GROUPS)), reach.shifted),
        tuple(Betting(0.5, tilts(group)) for group in GROUPS)),
    ShuffleRow("emptiest cell", "one card in one place, or after one other, too seldom",
        FixedTest(1, lambda s: cells.empty_cell(s.tables), reach.missing), None),
    ShuffleRow("displacements", "cards moved by one and the same number of places",
        FixedTest(1.5, lambda s: cells.displacement(s.tables), reach.displaced), None),
    ShuffleRow("bumps", "bumps of a few cards by a few positions",
        FixedTest(1.5, lambda s: drift.smooth(s.tables, drift.FINE), reach.BUMPS), None),
    ShuffleRow("one-card window", "one card kept to a stretch of positions",
        FixedTest(1.5, lambda s: drift.worst_window(s.tables), reach.BOUND), None),
    ShuffleRow("precedence", "one card before another too often",
        FixedTest(1, lambda s: pairs.worst_precedence(s.tables), reach.precedence),
        Betting(2, pairs.before_another)),
    ShuffleRow("drift of faces", "smooth drift of ranks, suits or colours over positions",
        FixedTest(1, lambda s: faces.grouped_drift(s.tables, s.measured.groups), reach.shifted),
        (Betting(0.35, faces.rank_drift), Betting(0.35, faces.rank_drift_backwards))),
    ShuffleRow("places since last deck", "places that depend on those in the last deck",
        FixedTest(1.5, lambda s: earlier_decks.kept_places(s.orders), reach.shifted),
        (Betting(0.6, tilts("fixed points since last deck")),
         Betting(0.5, lambda deck: SinceLast(cells.one_place(deck))),
         Betting(0.3, lambda deck: SinceLast(drift.preferences(deck))),
         Betting(0.2, lambda deck: SinceLast(drift.drifting(deck))),
         Betting(0.2, lambda deck: SinceLast(drift.drifting_backwards(deck))))),
    ShuffleRow("old neighbours", "neighbours kept from an old deck",
        FixedTest(1, lambda s: earlier_decks.kept_neighbours(s.orders), reach.shifted),
        Betting(0.5, earlier_decks.OldNeighbours)),
    ShuffleRow("spread", "decks that are too alike, or too unlike",
        FixedTest(1, lambda s: in_the_middle(s.measured), reach.shifted), Betting(0.4, Spread)),
    ShuffleRow("rhythms", "cards or ranks whose place depends on the time",
        FixedTest(1, lambda s: rhythms.rhythms(s.orders, s.measured.groups), reach.shifted), None),
    ShuffleRow("seats", "a rank at one place, or at one seat",
        FixedTest(1, lambda s: faces.seated_ranks(s.tables, s.measured.groups), reach.shifted), None),
    ShuffleRow("distances", "cards that keep a distance",
        FixedTest(1.5, lambda s: pairs.kept_distances(s.orders, s.measured.groups), reach.shifted), None),
    ShuffleRow("bad stretch", "a machine that fails for a while, or from some deck on",
        FixedTest(1, lambda s: bad_decks.worst_stretch(s.measured), reach.stretch), Betting(1.2, bad_decks.Late)),
)  # fmt: skip
"""In the order of a report."""

TESTS = tuple((row, row.fixed) for row in ROWS if row.fixed is not None)
"""The rows that have a fixed test, each with that test."""
SHARED = sum(test.share for _, test in TESTS)


def look(sample: ShuffleSample) -> list[tuple[ShuffleRow, float, FixedResult]]:
    """What each fixed test finds, beside its part of the level."""
    return [(row, test.share / SHARED, test.see(sample)) for row, test in TESTS]


def smallest(found: list[tuple[ShuffleRow, float, FixedResult]]) -> float:
    """The smallest p-value, each divided by its share: what Bonferroni would compare with the level."""
    return min(seen.p / share for _, share, seen in found)
