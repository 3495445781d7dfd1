"""Is this shuffler fair? One decision about its shuffles, each relative to the order in which the deck was loaded."""

from collections.abc import Iterator

import numpy as np

from feltrig.harness.statistics import battery, reach
from feltrig.harness.statistics.calibration import family_p
from feltrig.harness.statistics.deck_bettors import Shuffled
from feltrig.harness.statistics.deck_families import BY_FACES, Viewed, Views, families
from feltrig.harness.statistics.deckwise import CHUNK, Faces, Orders, measure
from feltrig.harness.statistics.outcome import Decision, Detectable, Outcome, p_text
from feltrig.harness.statistics.recorded import LEAST, NoShuffle, Shuffles, relative
from feltrig.harness.statistics.sequential import Acceptance, Evidence, Family

UNIT = "shuffles"
METHOD = "{} tests, each with its share of the level; the smallest p-value over its share, calibrated for this sample"
FACES = 0.2
"""Share of the level, and of the stake, for the cards as they came out, when decks are loaded in different orders."""


def fixed(shuffles: Shuffles | Orders, level: float = 0.01) -> Decision:
    """One decision about a sample whose size did not depend on what it showed."""
    sample = _judged(shuffles)
    if not len(sample):
        raise NoShuffle("expected one shuffle or more")
    outcomes: list[Outcome] = []
    corrected: list[float] = []
    p = 1.0
    for orders, groups, part, suffix in _views(sample):
        found = battery.look(battery.sample_of(orders, groups))
        p = min(p, family_p(battery.smallest(found), sample.n, len(sample)) / part)
        for test, (statistic, p_value) in found:
            least = reach.detectable(test.name, sample.n, len(sample), level * part)
            outcomes.append(
                Outcome(test.name + suffix, test.looks_for, statistic, p_value, None, len(sample), UNIT, least)
            )
            corrected.append(p_value / (test.share * part))
    strongest = outcomes[int(np.argmin(corrected))]
    refused = p <= level
    could = reach.sentence(sample.n, len(sample), level)
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
        else f"no test refuses; {could}",
    )


class Sequential:
    """The test that may stop after any shuffle: `add` them as they come, until it says that no more are needed."""

    def __init__(self, level: float = 0.01, acceptance: Acceptance | None = None) -> None:
        """Without a plan for acceptance it only ever stops to refuse."""
        self.level, self._acceptance = level, acceptance
        self._evidence: Evidence | None = None
        self._n, self._note = 0, ""
        self._orders: Orders | None = None
        self._outputs: Orders | None = None

    @property
    def curve(self) -> list[float]:
        """Log of the evidence after each shuffle."""
        return self._evidence.curve if self._evidence else []

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
        return self._evidence.refused_at if self._evidence else None

    @property
    def accepted_at(self) -> int | None:
        """After how many shuffles it was found good."""
        return self._evidence.accepted_at if self._evidence else None

    def expected_rest(self) -> int | None:
        """About how many more shuffles it takes, if things go on as they did; None while nothing can be said."""
        return self._evidence.expected_rest() if self._evidence else None

    def add(self, shuffles: Shuffles | Orders) -> bool:
        """True as soon as no more shuffles are needed. All must be of one deck, and all loaded alike or none."""
        block = _judged(shuffles)
        evidence = self._begun(block)
        if block.n != self._n or (block.outputs is None) != (self._outputs is None):
            raise NoShuffle(f"expected shuffles of {self._n} cards, loaded as before")
        for start in range(0, len(block), CHUNK):
            evidence.add(self._viewed(block[start : start + CHUNK]))
        return evidence.finished

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
        if self._evidence is None:
            raise NoShuffle("expected one shuffle or more")
        return self._evidence.decision()

    def _begun(self, block: Shuffles) -> Evidence:
        """The evidence, which is set up when the first shuffle shows what deck it is."""
        if self._evidence is None:
            self._n = block.n
            self._outputs = None if block.outputs is None else block.outputs[:0]
            bettors: list[tuple[float, Family]] = []
            for _, groups, part, suffix in _views(block):
                bettors += [(share * part, Viewed(f, by_faces=bool(suffix))) for share, f in families(block.n, groups)]
            self._evidence = Evidence(
                bettors, level=self.level, unit=UNIT, acceptance=self._acceptance, detectable=self._could
            )
        return self._evidence

    def _could(self, count: int) -> Detectable:
        """What a fixed sample of this size would have shown; the sequential test needs a little more for the same."""
        return Detectable(None, reach.sentence(self._n, max(count, 1), self.level))


def _judged(shuffles: Shuffles | Orders) -> Shuffles:
    """A sample whose deck is large enough for the tests."""
    sample = shuffles if isinstance(shuffles, Shuffles) else relative(shuffles)
    if sample.n < LEAST:
        raise NoShuffle(f"a deck of {sample.n} cards: expected {LEAST} or more")
    return sample


def _views(shuffles: Shuffles) -> Iterator[tuple[Orders, Faces | None, float, str]]:
    """The views of a sample: its rows, their faces, its part of the level, and what is added to the names of tests."""
    if shuffles.outputs is None:
        yield shuffles.orders, shuffles.groups, 1.0, ""
    else:
        yield shuffles.orders, None, 1 - FACES, ""
        yield shuffles.outputs, shuffles.groups, FACES, BY_FACES


def _measured(orders: Orders, earlier: Orders | None, groups: Faces | None) -> Shuffled:
    return Shuffled(orders, measure(orders, earlier=earlier, groups=groups))


def _last(earlier: Orders | None, orders: Orders) -> Orders:
    """The last two shuffles."""
    return orders[-2:] if earlier is None else np.concatenate([earlier, orders])[-2:]
