"""Is this shuffler fair? One decision about its shuffles, each relative to the order in which the deck was loaded, and
relative to a new deck as well if decks are loaded in different orders."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

import numpy as np

from feltrig.harness.statistics.core.purses import Through
from feltrig.harness.statistics.core.results import Decision, Detectable, StatisticResult, counted, p_text
from feltrig.harness.statistics.core.rows import stakes
from feltrig.harness.statistics.core.sequential import RunningTest, StakedBettors
from feltrig.harness.statistics.core.sort import Acceptance, SampleSort
from feltrig.harness.statistics.shuffles import recorded, table
from feltrig.harness.statistics.shuffles.calibration import family_p
from feltrig.harness.statistics.shuffles.deck import CHUNK, Deck, Orders
from feltrig.harness.statistics.shuffles.measured import ShuffleBlock, measure, sample_of
from feltrig.harness.statistics.shuffles.reach import POWER
from feltrig.harness.statistics.shuffles.recorded import NoShuffle, RecordedDecks, Shuffles

UNIT = "shuffles"
METHOD = "{} tests, each with its share of the level; the smallest p-value over its share, calibrated for this sample"
TOLD = (
    "rising sequences", "turning points", "kept neighbours", "fullest cell", "sticking cards", "repeated order",
    "worst deck",
)  # fmt: skip
"""Tests whose reach is told in a report that refuses nothing,"""
OUT_OF_REACH = "No sample of such a size shows a 32-bit generator that is used well, or two passes of ten shelves"
"""and what is told with it."""
FACES = 0.2
"""Share of the level, and of the stake, for the cards as they came out, when decks are loaded in different orders."""
BY_FACES = ", faces"
"""What is added to the name of a test that looks at the cards as they came out, whatever was loaded."""


@dataclass(frozen=True, slots=True)
class ShuffleView:
    """One view of a sample: its rows, the deck, its part of the level, what is added to the names of tests."""

    name: str
    orders: Orders
    deck: Deck
    part: float
    suffix: str


def views(shuffles: Shuffles) -> Iterator[ShuffleView]:
    """The views of a sample."""
    n = shuffles.n
    if shuffles.outputs is None:
        yield ShuffleView("loaded", shuffles.orders, Deck(n, shuffles.groups), 1.0, "")
    else:
        yield ShuffleView("loaded", shuffles.orders, Deck(n), 1 - FACES, "")
        yield ShuffleView("faces", shuffles.outputs, Deck(n, shuffles.groups), FACES, BY_FACES)


@dataclass(frozen=True, slots=True)
class ShuffleViews:
    """A block of shuffles in both views, as the bettors see it."""

    block: Shuffles
    loaded: ShuffleBlock
    faces: ShuffleBlock | None = None

    def __len__(self) -> int:
        return len(self.loaded)


def viewed_stakes(first: ShuffleViews) -> list[StakedBettors]:
    """All bettors against the machine that made these shuffles."""
    return [
        StakedBettors(name + view.suffix, looks_for, share * view.part, Through(attrgetter(view.name), own))
        for view in views(first.block)
        for name, looks_for, share, own in stakes(table.ROWS, view.deck)
    ]


class ShuffleHistory:
    """The last shuffles of a machine, against which the next ones are measured."""

    def __init__(self) -> None:
        self.n = 0
        self._last: dict[str, Orders] = {}

    def views(self, shuffles: Shuffles | Orders) -> Iterator[ShuffleViews]:
        """Shuffles in blocks for the bettors. All must be of one deck, and all loaded alike or none."""
        sample = judged(shuffles)
        if self._last and (sample.n, {view.name for view in views(sample)}) != (self.n, set(self._last)):
            raise NoShuffle(f"expected shuffles of {self.n} cards, loaded as before")
        self.n = sample.n
        for start in range(0, len(sample), CHUNK):
            block = sample[start : start + CHUNK]
            yield ShuffleViews(block, *(self._measured(view) for view in views(block)))

    def _measured(self, view: ShuffleView) -> ShuffleBlock:
        """A view beside the two shuffles before it."""
        earlier = self._last.get(view.name, view.orders[:0])
        self._last[view.name] = np.concatenate([earlier, view.orders])[-2:]
        return ShuffleBlock(view.orders, measure(view.orders, earlier=earlier, groups=view.deck.faces))


def judged(shuffles: Shuffles | Orders) -> Shuffles:
    """A sample whose deck is large enough for the tests."""
    sample = shuffles if isinstance(shuffles, Shuffles) else recorded.relative(shuffles)
    if sample.n < recorded.LEAST:
        raise NoShuffle(f"a deck of {sample.n} cards: expected {recorded.LEAST} or more")
    return sample


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
    why = f"{strongest.looks_for} ({strongest.name}, p = {p_text(strongest.p_value or 0)})"
    return Decision(
        level=level,
        refused=p <= level,
        finished=True,
        method=METHOD.format(len(outcomes)) + sample.note,
        outcomes=tuple(outcomes),
        decided_by=strongest.name,
        p_value=p,
        log_e=None,
        sample=len(sample),
        unit=UNIT,
        reason=why if p <= level else f"no test refuses; {could_show(sample.n, len(sample), level)}",
    )


@lru_cache(maxsize=1024)
def detectable(name: str, n: int, count: int, level: float) -> Detectable:
    """The weakest defect that this fixed test finds in `count` shuffles of n cards."""
    test = next(test for row, test in table.TESTS if row.name == name)
    return test.detectable(Deck(n), count, level * (test.share / table.SHARED))


def could_show(n: int, count: int, level: float) -> str:
    """What the whole sample could have shown, for a report; and what no sample of such a size can."""
    words = [detectable(name, n, count, level).words for name in TOLD]
    return f"{counted(count, UNIT)} would show, with power {POWER:g}: {'; '.join(words)}. {OUT_OF_REACH}"


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
    """Each shuffle relative to the order in which its deck was loaded; None when some faces come more often. Samples
    that say how they were loaded are loaded in different orders."""
    before, after = (np.array([sample[when] for sample in taken]) for when in ("before", "after"))
    try:
        return recorded.recorded(RecordedDecks(after, before), first=first, by_faces="loaded" in taken[0])
    except NoShuffle:
        return None


SHUFFLES = SampleSort(
    name="shuffles",
    unit=UNIT,
    rows=table.ROWS,
    fixed=fixed,
    sequential=sequential,
    read=lambda file: recorded.recorded(recorded.decks(file)),
    sound=_sound,
    values=_values,
)
