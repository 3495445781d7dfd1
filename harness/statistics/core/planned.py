"""The statistical test of a plan: fixed, or after every sample with a last look at all of them together.

The last look is taken when the planned samples gave no evidence one by one. The bettors have most of the level and the
last look the rest, so that a good machine is refused by either with a probability of at most the level: the number of
samples at which the last look falls is the plan's, whatever was seen.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any

from feltrig.harness.statistics import SAMPLES
from feltrig.harness.statistics.core.results import Decision, counted, evidence_of, p_text
from feltrig.harness.statistics.core.sort import Acceptance, SampleSort, Values

Sample = Mapping[str, Any]
"""What was seen of one sample, as the journal has it."""

LAST_LOOK = 0.1
"""Share of the level."""


def one_by_one(level: float) -> float:
    """What is left of a level for looking after every sample."""
    return level * (1 - LAST_LOOK)


def with_last_look(looked: Decision, whole: Decision, level: float) -> Decision:
    """The decision of a test that found no evidence one by one, and of all tests of the same samples together."""
    assert looked.p_value is not None
    assert whole.p_value is not None
    p = min(1.0, looked.p_value / (1 - LAST_LOOK), whole.p_value / LAST_LOOK)
    method = f"{looked.method}; then, for {LAST_LOOK:g} of the level, {whole.method}"
    outcomes = (*looked.outcomes, *whole.outcomes)
    combined = replace(looked, level=level, method=method, outcomes=outcomes, p_value=p)
    if not whole.refused:
        return combined
    by = next(outcome for outcome in whole.outcomes if outcome.name == whole.decided_by)
    after = counted(whole.sample, whole.unit)
    reason = f"the planned {after}, looked at together: {by.looks_for} ({by.name}, p = {p_text(by.p_value or 0)})"
    return replace(combined, refused=True, decided_by=whole.decided_by, reason=reason)


class PlannedTest:
    """The sequential test of a plan. A sample that no good machine gives, such as a missing card, ends it: another
    finding says so."""

    def __init__(self, samples: str, level: float, most: int) -> None:
        """`samples` is the name of their sort, `most` the number that the plan takes if none is refused before."""
        self._sort = SAMPLES[samples]
        self._test = self._sort.sequential(one_by_one(level), Acceptance(samples=most))
        self._first: Sample | None = None
        self.finished = False

    @property
    def evidence(self) -> float:
        """The e-value so far."""
        return evidence_of(self._test.log_e)

    @property
    def rest(self) -> int | None:
        """About how many more samples it takes, if things go on as they did; None while nothing can be said."""
        return self._test.expected_rest()

    @property
    def stopped_at(self) -> int | None:
        """After how many samples the evidence sufficed, either way."""
        return self._test.refused_at or self._test.accepted_at

    @property
    def refused(self) -> bool:
        """Whether the evidence suffices to refuse."""
        return self._test.refused_at is not None

    @property
    def curve(self) -> list[float]:
        """Log of the evidence after each sample."""
        return list(self._test.curve)

    def add(self, taken: Sequence[Sample]) -> None:
        """Look at a batch."""
        self._first = self._first or next(iter(taken), None)
        block = _values(self._sort, self._first, taken, len(self.curve))
        self.finished = block is None or self._test.add(block)

    def decision(self) -> Decision:
        """The decision so far."""
        return self._test.decision()


def decide(samples: str, level: float, most: int, sequential: bool, taken: Iterable[Sample]) -> Decision | None:
    """The one decision about a device, from its samples; None when there is none that could be judged."""
    sample = list(taken)
    if not sample:
        return None
    if sequential:
        return _decide_sequentially(samples, level, most, sample)
    return _decide_at_once(samples, level, sample)


def _decide_at_once(samples: str, level: float, sample: Sequence[Sample]) -> Decision | None:
    values = _values(SAMPLES[samples], sample[0], sample, 0)
    return None if values is None else SAMPLES[samples].fixed(values, level)


def _decide_sequentially(samples: str, level: float, most: int, sample: list[Sample]) -> Decision | None:
    """The decision after the sample that sufficed, or after the last one before one that cannot be judged. Planned
    samples without evidence are looked at together once more."""
    seen = list(takewhile(partial(SAMPLES[samples].sound, sample[0]), sample))
    running = PlannedTest(samples, level, most)
    running.add(seen)
    if not running.curve:
        return None
    if running.stopped_at is not None and running.stopped_at < len(seen):
        seen, running = seen[: running.stopped_at], PlannedTest(samples, level, most)
        running.add(seen)
    looked = replace(running.decision(), level=level)
    if looked.refused or not looked.finished:
        return looked
    whole = _decide_at_once(samples, LAST_LOOK * level, seen)
    return looked if whole is None else with_last_look(looked, whole, level)


def _values(sort: SampleSort, first: Sample | None, taken: Sequence[Sample], number: int) -> Values | None:
    """The samples as the tests take them; None when one of them cannot be judged: its own check fails."""
    if first is None or not taken or not all(sort.sound(first, sample) for sample in taken):
        return None
    return sort.values(taken, number)
