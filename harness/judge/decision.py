"""The one statistical decision about a device, from its samples: at once, or sample by sample."""

from collections.abc import Iterable, Mapping
from typing import Any

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Sampler
from feltrig.harness.plan.plan import Plan
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


def decide(plan: Plan, sequential: bool, taken: Iterable[Mapping[str, Any]]) -> Decision | None:
    """The one decision about a device, from its samples; None when there is none that could be judged."""
    assert plan.sampling is not None
    return planned.decide(sampler_of(plan).samples, plan.level, plan.sampling.most, sequential, taken)
