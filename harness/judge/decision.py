"""The one statistical decision about a device, from its samples: at once, or sample by sample."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Sampler
from feltrig.harness.plan.plan import Plan
from feltrig.harness.statistics import SAMPLES
from feltrig.harness.statistics.core import planned
from feltrig.harness.statistics.core.results import Decision


def sampler_of(plan: Plan) -> Sampler:
    """How the samples of a plan are taken and judged."""
    sampler = DEVICES[plan.kind].sampler
    assert sampler is not None
    return sampler


def running_test(plan: Plan) -> planned.PlannedTest:
    """The sequential test of a plan."""
    assert plan.sampling is not None
    return planned.PlannedTest(sampler_of(plan).samples, plan.level, plan.sampling.most)


def failed_for_certain(
    plan: Plan,
    running: planned.PlannedTest | None,
    first: Mapping[str, Any] | None,
    taken: Sequence[Mapping[str, Any]],
    number: int,
) -> str | None:
    """Why a device has failed for certain, from its last batch, the last of which has this number; None if it has not.
    `first` is the first sample of the run, `running` the sequential test, if there is one."""
    assert plan.sampling is not None
    sort = SAMPLES[sampler_of(plan).samples]
    for place, sample in enumerate(taken, number - len(taken) + 1):
        if first is not None and not sort.sound(first, sample):
            return f"Sample {place} is one that no good {plan.kind} gives."
    if running is not None and running.refused:
        return f"The evidence against it is {running.evidence:.3g} to 1 after {running.stopped_at} samples."
    return None


def decide(plan: Plan, sequential: bool, taken: Iterable[Mapping[str, Any]]) -> Decision | None:
    """The one decision about a device, from its samples; None when there is none that could be judged."""
    assert plan.sampling is not None
    return planned.decide(sampler_of(plan).samples, plan.level, plan.sampling.most, sequential, taken)
