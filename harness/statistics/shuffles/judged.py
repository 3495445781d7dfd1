"""Is this shuffler fair? One decision about its shuffles, each relative to the order in which the deck was loaded, and
relative to a new deck as well if decks are loaded in different orders."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from feltrig.harness.statistics.core.p_values import Array
from feltrig.harness.statistics.core.results import Decision, Detectable, StatisticResult, counted, p_text
from feltrig.harness.statistics.core.rows import stakes
from feltrig.harness.statistics.core.sequential import Bettors, RunningTest, StakedBettors
from feltrig.harness.statistics.core.sort import Acceptance, SampleSort
from feltrig.harness.statistics.shuffles import table
from feltrig.harness.statistics.shuffles.calibration import family_p
from feltrig.harness.statistics.shuffles.deck import CHUNK, Deck, Faces, Orders
from feltrig.harness.statistics.shuffles.measured import ShuffleBlock, measure
from feltrig.harness.statistics.shuffles.reach import POWER
from feltrig.harness.statistics.shuffles.recorded import (
    LEAST,
    NoShuffle,
    RecordedDecks,
    Shuffles,
    decks,
    recorded,
    relative,
)
from feltrig.harness.statistics.shuffles.sample import sample_of
from feltrig.harness.statistics.shuffles.table import ROWS

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
FACES = 0.2
"""Share of the level, and of the stake, for the cards as they came out, when decks are loaded in different orders."""
BY_FACES = ", faces"
"""What is added to the name of a test that looks at the cards as they came out, whatever was loaded."""


@dataclass(frozen=True, slots=True)
class ShuffleView:
    """One view of a sample: its rows, the deck, its part of the level, what is added to the names of tests."""

    orders: Orders
    deck: Deck
    part: float
    suffix: str


def views(shuffles: Shuffles) -> Iterator[ShuffleView]:
    """The views of a sample."""
    n = shuffles.n
    if shuffles.outputs is None:
        yield ShuffleView(shuffles.orders, Deck(n, shuffles.groups), 1.0, "")
    else:
        yield ShuffleView(shuffles.orders, Deck(n), 1 - FACES, "")
        yield ShuffleView(shuffles.outputs, Deck(n, shuffles.groups), FACES, BY_FACES)


@dataclass(frozen=True, slots=True)
class ShuffleViews:
    """A block of shuffles in both views, as the bettors see it."""

    block: Shuffles
    loaded: ShuffleBlock
    faces: ShuffleBlock | None = None

    def __len__(self) -> int:
        return len(self.loaded)


class Viewed:
    """Bettors on one of the views."""

    def __init__(self, bettors: Bettors, *, by_faces: bool) -> None:
        self.weights = bettors.weights
        self._bettors, self._by_faces = bettors, by_faces

    def bets(self, block: ShuffleViews) -> Array:
        """What they bet on their view."""
        return self._bettors.bets(block.faces if self._by_faces else block.loaded)


def viewed_stakes(first: ShuffleViews) -> list[StakedBettors]:
    """All bettors against the machine that made these shuffles."""
    return [
        StakedBettors(name + view.suffix, looks_for, share * view.part, Viewed(own, by_faces=bool(view.suffix)))
        for view in views(first.block)
        for name, looks_for, share, own in stakes(ROWS, view.deck)
    ]


class ShuffleHistory:
    """The last shuffles of a machine, against which the next ones are measured."""

    def __init__(self) -> None:
        self.n = 0
        self._orders: Orders | None = None
        self._outputs: Orders | None = None

    def views(self, shuffles: Shuffles | Orders) -> Iterator[ShuffleViews]:
        """Shuffles in blocks for the bettors. All must be of one deck, and all loaded alike or none."""
        sample = judged(shuffles)
        if self._orders is not None and (sample.n, sample.outputs is None) != (self.n, self._outputs is None):
            raise NoShuffle(f"expected shuffles of {self.n} cards, loaded as before")
        self.n = sample.n
        for start in range(0, len(sample), CHUNK):
            block = sample[start : start + CHUNK]
            loaded = _measured(block.orders, self._orders, None if block.outputs is not None else block.groups)
            self._orders = _last(self._orders, block.orders)
            faces = None
            if block.outputs is not None:
                faces = _measured(block.outputs, self._outputs, block.groups)
                self._outputs = _last(self._outputs, block.outputs)
            yield ShuffleViews(block, loaded, faces)


def judged(shuffles: Shuffles | Orders) -> Shuffles:
    """A sample whose deck is large enough for the tests."""
    sample = shuffles if isinstance(shuffles, Shuffles) else relative(shuffles)
    if sample.n < LEAST:
        raise NoShuffle(f"a deck of {sample.n} cards: expected {LEAST} or more")
    return sample


def _measured(orders: Orders, earlier: Orders | None, groups: Faces | None) -> ShuffleBlock:
    return ShuffleBlock(orders, measure(orders, earlier=earlier, groups=groups))


def _last(earlier: Orders | None, orders: Orders) -> Orders:
    """The last two shuffles."""
    return orders[-2:] if earlier is None else np.concatenate([earlier, orders])[-2:]


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
