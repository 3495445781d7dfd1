"""A plan with fewer samples or steps than its own, for vendors and for CI. It ends rehearsed at best."""

from collections.abc import Sequence
from dataclasses import replace

from feltrig.errors import RigError
from feltrig.harness.plan.plan import STEPS, Plan


def rehearsal(plan: Plan, samples: int | None = None, steps: Sequence[str] | None = None) -> Plan:
    """The plan, shortened to these samples and steps under a name of its own; the plan itself when that leaves nothing
    out. Raises RigError."""
    chosen = plan.steps if steps is None else _steps(plan, steps)
    sampling = plan.sampling
    if samples is not None:
        if sampling is None:
            raise RigError(f"--samples: plan {plan.name} takes no samples")
        if not 1 <= samples <= sampling.most:
            raise RigError(
                f"--samples: {samples} is not from 1 to {sampling.most}, the number in plan {plan.name}; a plan that "
                "takes more is a file of yours"
            )
        sampling = replace(sampling, most=samples)
    if (chosen, sampling) == (plan.steps, plan.sampling):
        return plan
    return replace(
        plan, name=f"{plan.name}-rehearsal", title=f"{plan.title}, rehearsal", steps=chosen, sampling=sampling
    )


def _steps(plan: Plan, steps: Sequence[str]) -> tuple[str, ...]:
    """The steps in the order of the plan."""
    for step in steps:
        if step not in STEPS:
            raise RigError(f"--steps: {step!r} is not a step; expected some of {', '.join(STEPS)}")
        if step not in plan.steps:
            raise RigError(f"--steps: plan {plan.name} has no step {step}; it has {', '.join(plan.steps)}")
    if not steps:
        raise RigError(f"--steps: names no step; expected some of {', '.join(STEPS)}")
    return tuple(step for step in plan.steps if step in steps)
