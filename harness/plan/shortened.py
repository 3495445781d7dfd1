"""What a plan asks less than the plan that it is made from. A shortened plan is a rehearsal: it certifies nothing,
whatever it is called."""

from collections.abc import Iterator

from feltrig.harness.plan.needs import Needs
from feltrig.harness.plan.plan import EYE, IRREGULARITIES, STATISTICS, Plan, plans


def shortened(plan: Plan) -> tuple[str, ...]:
    """What the plan asks less than the one of the name in `base`, each in a few words; nothing for a whole plan."""
    whole = plans().get(plan.base)
    if whole is None or whole.kind != plan.kind:
        return (f"made from no plan of `feltrig plan list` for a {plan.kind}",)
    return tuple(_less(plan, whole))


def _less(plan: Plan, whole: Plan) -> Iterator[str]:
    if whole.jurisdiction not in (None, plan.jurisdiction):
        yield f"the rules of {plan.jurisdiction or 'any rig'}, not of {whole.jurisdiction}"
    if plan.level < whole.level:
        yield f"level {plan.level:g} instead of {whole.level:g}"
    if plan.rounds < whole.rounds:
        yield f"{plan.rounds} rounds of each way instead of {whole.rounds}"
    if plan.least_rounds < whole.least_rounds:
        yield f"{plan.least_rounds} rounds in all instead of {whole.least_rounds}"
    for event, number in whole.least:
        if dict(plan.least).get(event, 0) < number:
            yield f"{dict(plan.least).get(event, 0)} times {event} instead of {number}"
    if plan.rounds_after < whole.rounds_after:
        yield f"{plan.rounds_after} rounds of each way after the irregularities instead of {whole.rounds_after}"
    if whole.drills and not plan.drills:
        yield "no irregularities"
    for step in whole.steps:
        if step not in plan.steps and _does(whole, step):
            yield f"without {step}"
    yield from _fewer_samples(plan, whole)
    yield from _lesser_needs(plan.needs, whole.needs)
    limits = {limit.of: limit for limit in plan.limits}
    for limit in whole.limits:
        if limit.of not in limits:
            yield f"no limit for: {limit.name}"
        elif limits[limit.of].most > limit.most:
            yield f"{limit.name} within {limits[limit.of].most:g} {limit.unit} instead of {limit.most:g}"


def _does(whole: Plan, step: str) -> bool:
    """Whether there is anything in a step for this kind of device."""
    there = {IRREGULARITIES: whole.drills, STATISTICS: whole.sampling is not None, EYE: bool(whole.needs.eye)}
    return there.get(step, True)


def _lesser_needs(needs: Needs, whole: Needs) -> Iterator[str]:
    groups = [set(group) for group in whole.identity]
    if groups and not (needs.identity and all(any(set(own) >= group for group in groups) for own in needs.identity)):
        yield "no identity that was submitted"
    if whole.checklist and not needs.checklist:
        yield "no checklist"
    for name in whole.eye:
        if name not in needs.eye or needs.looks < whole.looks:
            yield f"nobody reads off its {name} {whole.looks} times"


def _fewer_samples(plan: Plan, whole: Plan) -> Iterator[str]:
    if whole.sampling is None:
        return
    if plan.sampling is None:
        yield "no statistics"
        return
    if plan.sampling.most < whole.sampling.most:
        yield f"{plan.sampling.most} {whole.sampling.unit} instead of {whole.sampling.most}"
    named = {test.name: test.by for test in plan.sampling.tests}
    for test in whole.sampling.tests:
        if not set(test.by) <= set(named.get(test.name, ())):
            yield f"not the test that the standard names: {test.name}"
