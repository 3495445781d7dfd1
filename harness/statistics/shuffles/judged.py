"""Is this shuffler fair? One decision about its shuffles, each relative to the order in which the deck was loaded."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from feltrig.harness.statistics.core.acceptance import Acceptance
from feltrig.harness.statistics.core.results import Decision, Detectable, StatisticResult, counted, p_text
from feltrig.harness.statistics.core.rows import stakes
from feltrig.harness.statistics.core.sequential import RunningTest, Stake
from feltrig.harness.statistics.core.sort import SampleSort
from feltrig.harness.statistics.shuffles import table
from feltrig.harness.statistics.shuffles.calibration import family_p
from feltrig.harness.statistics.shuffles.faces import Deck, Faces
from feltrig.harness.statistics.shuffles.measured import Shuffled, measure
from feltrig.harness.statistics.shuffles.orders import CHUNK, Orders
from feltrig.harness.statistics.shuffles.reach import POWER
from feltrig.harness.statistics.shuffles.recorded import (
    LEAST,
    Decks,
    NoShuffle,
    Shuffles,
    decks,
    recorded,
    relative,
)
from feltrig.harness.statistics.shuffles.sample import sample_of
from feltrig.harness.statistics.shuffles.views import Viewed, Views, views

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
    sample = _judged(shuffles)
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


class RunningShuffleTest:
    """The test that may stop after any shuffle: `add` them as they come, until it says that no more are needed."""

    def __init__(self, level: float = 0.01, acceptance: Acceptance | None = None) -> None:
        """Without a plan for acceptance it only ever stops to refuse."""
        self.level, self._acceptance = level, acceptance
        self._test: RunningTest | None = None
        self._n, self._note = 0, ""
        self._orders: Orders | None = None
        self._outputs: Orders | None = None

    @property
    def curve(self) -> list[float]:
        """Log of the evidence after each shuffle."""
        return self._test.curve if self._test else []

    @property
    def sample(self) -> int:
        """How many shuffles were seen."""
        return len(self.curve)

    @property
    def log_e(self) -> float:
        """Log of the evidence now."""
        return self.curve[-1] if self.curve else 0.0

    @property
    def refused_at(self) -> int | None:
        """After how many shuffles the machine was refused."""
        return self._test.refused_at if self._test else None

    @property
    def accepted_at(self) -> int | None:
        """After how many shuffles it was found good."""
        return self._test.accepted_at if self._test else None

    def expected_rest(self) -> int | None:
        """About how many more shuffles it takes, if things go on as they did; None while nothing can be said."""
        return self._test.expected_rest() if self._test else None

    def add(self, shuffles: Shuffles | Orders) -> bool:
        """True as soon as no more shuffles are needed. All must be of one deck, and all loaded alike or none."""
        block = _judged(shuffles)
        test = self._begun(block)
        if block.n != self._n or (block.outputs is None) != (self._outputs is None):
            raise NoShuffle(f"expected shuffles of {self._n} cards, loaded as before")
        for start in range(0, len(block), CHUNK):
            test.add(self._viewed(block[start : start + CHUNK]))
        return test.finished

    def _viewed(self, block: Shuffles) -> Views:
        """Measures a block against the shuffles before it, and remembers its last ones."""
        loaded = _measured(block.orders, self._orders, None if block.outputs is not None else block.groups)
        self._orders = _last(self._orders, block.orders)
        if block.outputs is None:
            return Views(loaded, None)
        faces = _measured(block.outputs, self._outputs, block.groups)
        self._outputs = _last(self._outputs, block.outputs)
        return Views(loaded, faces)

    def decision(self) -> Decision:
        """The decision so far."""
        if self._test is None:
            raise NoShuffle("expected one shuffle or more")
        return self._test.decision()

    def _begun(self, block: Shuffles) -> RunningTest:
        """The test, which is set up when the first shuffle shows what deck it is."""
        if self._test is None:
            self._n = block.n
            self._outputs = None if block.outputs is None else block.outputs[:0]
            bettors = [
                Stake(name + view.suffix, looks_for, share * view.part, Viewed(own, by_faces=bool(view.suffix)))
                for view in views(block)
                for name, looks_for, share, own in stakes(table.ROWS, view.deck)
            ]
            self._test = RunningTest(
                bettors, level=self.level, unit=UNIT, acceptance=self._acceptance, detectable=self._could
            )
        return self._test

    def _could(self, count: int) -> Detectable:
        """What a fixed sample of this size would have shown; the sequential test needs a little more for the same."""
        return Detectable(None, could_show(self._n, max(count, 1), self.level))


def _judged(shuffles: Shuffles | Orders) -> Shuffles:
    """A sample whose deck is large enough for the tests."""
    sample = shuffles if isinstance(shuffles, Shuffles) else relative(shuffles)
    if sample.n < LEAST:
        raise NoShuffle(f"a deck of {sample.n} cards: expected {LEAST} or more")
    return sample


def _measured(orders: Orders, earlier: Orders | None, groups: Faces | None) -> Shuffled:
    return Shuffled(orders, measure(orders, earlier=earlier, groups=groups))


def _last(earlier: Orders | None, orders: Orders) -> Orders:
    """The last two shuffles."""
    return orders[-2:] if earlier is None else np.concatenate([earlier, orders])[-2:]


def _sound(first: Mapping[str, Any], sample: Mapping[str, Any]) -> bool:
    """All cards of the deck of the first sample, before the shuffle and after it."""
    return sorted(first["before"]) == sorted(sample["before"]) == sorted(sample["after"])


def _values(taken: Sequence[Mapping[str, Any]], first: int) -> Shuffles | None:
    """Each shuffle relative to the order in which its deck was loaded; None when some faces come more often."""
    before, after = (np.array([sample[when] for sample in taken]) for when in ("before", "after"))
    try:
        return recorded(Decks(after, before), first=first, by_faces=False)
    except NoShuffle:
        return None


SHUFFLES = SampleSort(
    name="shuffles",
    unit=UNIT,
    rows=table.ROWS,
    fixed=fixed,
    sequential=RunningShuffleTest,
    read=lambda file: recorded(decks(file)),
    sound=_sound,
    values=_values,
)
