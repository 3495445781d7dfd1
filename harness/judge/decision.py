"""The one statistical decision about a device, from its samples: at once, or sample by sample."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Sampler
from feltrig.harness.plan.plan import Plan

if TYPE_CHECKING:  # numpy and scipy are loaded by plans with statistics only
    from feltrig.harness.statistics.outcome import Decision


def sampler_of(plan: Plan) -> Sampler:
    """How the samples of a plan are taken and judged."""
    sampler = DEVICES[plan.kind].sampler
    assert sampler is not None
    return sampler


class Running:
    """The sequential test of a plan. A sample that no good machine gives, such as a card that is missing, ends it:
    another finding says so."""

    def __init__(self, plan: Plan) -> None:
        from feltrig.harness.statistics.last_look import one_by_one  # noqa: PLC0415
        from feltrig.harness.statistics.sequential import Acceptance  # noqa: PLC0415

        assert plan.sampling is not None
        level, acceptance = one_by_one(plan.level), Acceptance(samples=plan.sampling.most)
        self._sampler = sampler_of(plan)
        self._test = self._sampler.sequential(level, acceptance)
        self._first: Mapping[str, Any] | None = None
        self.finished = False

    @property
    def evidence(self) -> float:
        """The e-value so far."""
        from feltrig.harness.statistics.outcome import evidence  # noqa: PLC0415

        return evidence(self._test.log_e)

    @property
    def rest(self) -> int | None:
        """About how many more samples it takes, if things go on as they did; None while nothing can be said."""
        rest: int | None = self._test.expected_rest()
        return rest

    @property
    def stopped_at(self) -> int | None:
        """After how many samples the evidence sufficed, either way."""
        stopped: int | None = self._test.refused_at or self._test.accepted_at
        return stopped

    @property
    def curve(self) -> list[float]:
        """Log of the evidence after each sample."""
        return list(self._test.curve)

    def add(self, taken: Sequence[Mapping[str, Any]]) -> None:
        """Look at a batch."""
        self._first = self._first or next(iter(taken), None)
        same = self._first is not None and all(self._sampler.sound(self._first, sample) for sample in taken)
        block = _values(self._sampler, taken, len(self.curve)) if same else None
        self.finished = block is None or bool(self._test.add(block))

    def decision(self) -> "Decision":
        """The decision so far."""
        decision: Decision = self._test.decision()
        return decision


def decide(plan: Plan, sequential: bool, taken: Iterable[Mapping[str, Any]]) -> "Decision | None":
    """The one decision about a device, from its samples; None when there is none that could be judged."""
    sample = list(taken)
    if not sample:
        return None
    return _decide_sequentially(plan, sample) if sequential else _decide_at_once(plan, sample, plan.level)


def _decide_at_once(plan: Plan, sample: Sequence[Mapping[str, Any]], level: float) -> "Decision | None":
    sampler = sampler_of(plan)
    values = _values(sampler, sample)
    return None if values is None else sampler.fixed(values, level)


def _decide_sequentially(plan: Plan, sample: list[Mapping[str, Any]]) -> "Decision | None":
    """The decision after the sample that sufficed, or after the last one before one that is none. Planned samples
    without evidence are looked at together once more."""
    from feltrig.harness.statistics.last_look import LAST_LOOK, with_last_look  # noqa: PLC0415

    seen = list(takewhile(partial(sampler_of(plan).sound, sample[0]), sample))
    running = Running(plan)
    running.add(seen)
    if not running.curve:
        return None
    if running.stopped_at is not None and running.stopped_at < len(seen):
        seen, running = seen[: running.stopped_at], Running(plan)
        running.add(seen)
    looked = replace(running.decision(), level=plan.level)
    if looked.refused or not looked.finished:
        return looked
    whole = _decide_at_once(plan, seen, LAST_LOOK * plan.level)
    return looked if whole is None else with_last_look(looked, whole, plan.level)


def _values(sampler: Sampler, taken: Sequence[Mapping[str, Any]], first: int = 0) -> Any:
    """The samples as the statistics take them, so many after the first; None when one is unsound: its own check
    fails."""
    if not taken or not all(sampler.sound(taken[0], sample) for sample in taken):
        return None
    return sampler.values(taken, first)
