"""Is this shuffler fair? One decision about its shuffles, each relative to the order in which the deck was loaded."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from feltrig.harness.statistics.core.acceptance import Acceptance
from feltrig.harness.statistics.core.results import Decision, Detectable, StatisticResult, counted, p_text
from feltrig.harness.statistics.core.sequential import RunningTest
from feltrig.harness.statistics.core.sort import SampleSort
from feltrig.harness.statistics.shuffles import table
from feltrig.harness.statistics.shuffles.calibration import family_p
from feltrig.harness.statistics.shuffles.faces import Deck
from feltrig.harness.statistics.shuffles.orders import Orders
from feltrig.harness.statistics.shuffles.reach import POWER
from feltrig.harness.statistics.shuffles.recorded import NoShuffle, RecordedDecks, Shuffles, decks, recorded
from feltrig.harness.statistics.shuffles.sample import sample_of
from feltrig.harness.statistics.shuffles.views import ShuffleHistory, judged, viewed_stakes, views

UNIT = "shuffles"
METHOD = "{} tests, each with its share of the level; the smallest p-value over its share, calibrated for this sample"
TOLD = (
    "rising sequences",
    "turning points",
    "kept neighbours",
    "fullest cell",
    "sticking cards",
    "repeated order",
    "worst deck",
)
"""Tests whose reach is told in a report that refuses nothing."""


def fixed(shuffles: Shuffles | Orders, level: float = 0.01) -> Decision:
    """One decision about a sample whose size did not depend on what it showed."""
    sample = judged(shuffles)
    if not len(sample):
        raise NoShuffle("expected one shuffle or more")
    outcomes: list[StatisticResult] = []
    corrected: list[float] = []
    p = 1.0
    for view in views(sample):
        found = table.look(sample_of(view.orders, view.deck.faces))
        p = min(p, family_p(table.smallest(found), sample.n, len(sample)) / view.part)
        for row, share, seen in found:
            least = detectable(row.name, sample.n, len(sample), level * view.part)
            name = row.name + view.suffix
            outcomes.append(StatisticResult(name, row.looks_for, *seen, None, len(sample), UNIT, least))
            corrected.append(seen.p / (share * view.part))
    strongest = outcomes[int(np.argmin(corrected))]
    refused = p <= level
    return Decision(
        level=level,
        refused=refused,
        finished=True,
        method=METHOD.format(len(outcomes)) + sample.note,
        outcomes=tuple(outcomes),
        decided_by=strongest.name,
        p_value=p,
        log_e=None,
        sample=len(sample),
        unit=UNIT,
        reason=f"{strongest.looks_for} ({strongest.name}, p = {p_text(strongest.p_value or 0)})"
        if refused
        else f"no test refuses; {could_show(sample.n, len(sample), level)}",
    )


@lru_cache(maxsize=1024)
def detectable(name: str, n: int, count: int, level: float) -> Detectable:
    """The weakest defect that this fixed test finds in `count` shuffles of n cards."""
    test = next(test for row, test in table.TESTS if row.name == name)
    return test.detectable(Deck(n), count, level * (test.share / table.SHARED))


def could_show(n: int, count: int, level: float) -> str:
    """What the whole sample could have shown, for a report; and what no sample of such a size can."""
    words = [detectable(name, n, count, level).words for name in TOLD]
    return (
        f"{counted(count, UNIT)} would show, with power {POWER:g}: {'; '.join(words)}. "
        "No sample of such a size shows a 32-bit generator that is used well, or two passes of ten shelves"
    )


def sequential(level: float = 0.01, acceptance: Acceptance | None = None) -> RunningTest:
    """The test that may stop after any shuffle. It needs a little more of them than a fixed one for the same power."""
    memory = ShuffleHistory()
    return RunningTest(
        viewed_stakes,
        level=level,
        unit=UNIT,
        acceptance=acceptance,
        detectable=lambda count: Detectable(None, could_show(memory.n, max(count, 1), level)),
        seen=memory.views,
    )


def _sound(first: Mapping[str, Any], sample: Mapping[str, Any]) -> bool:
    """All cards of the deck of the first sample, before the shuffle and after it."""
    return sorted(first["before"]) == sorted(sample["before"]) == sorted(sample["after"])


def _values(taken: Sequence[Mapping[str, Any]], first: int) -> Shuffles | None:
    """Each shuffle relative to the order in which its deck was loaded; None when some faces come more often."""
    before, after = (np.array([sample[when] for sample in taken]) for when in ("before", "after"))
    try:
        return recorded(RecordedDecks(after, before), first=first, by_faces=False)
    except NoShuffle:
        return None


SHUFFLES = SampleSort(
    name="shuffles",
    unit=UNIT,
    rows=table.ROWS,
    fixed=fixed,
    sequential=sequential,
    read=lambda file: recorded(decks(file)),
    sound=_sound,
    values=_values,
)
