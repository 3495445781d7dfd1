"""The last look of a test that looks after every sample: when the planned samples gave it no evidence, all tests of a
fixed sample see them together.

The bettors have most of the level and the last look the rest, so that a good machine is refused by either with a
probability of at most the level: the number of samples at which the last look falls is the plan's, whatever was seen.
"""

from dataclasses import replace

from feltrig.harness.statistics.core.results import Decision, counted, p_text

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
    combined = replace(
        looked,
        level=level,
        method=f"{looked.method}; then, for {LAST_LOOK:g} of the level, {whole.method}",
        outcomes=(*looked.outcomes, *whole.outcomes),
        p_value=p,
    )
    if not whole.refused:
        return combined
    by = next(outcome for outcome in whole.outcomes if outcome.name == whole.decided_by)
    after = counted(whole.sample, whole.unit)
    reason = f"the planned {after}, looked at together: {by.looks_for} ({by.name}, p = {p_text(by.p_value or 0)})"
    return replace(combined, refused=True, decided_by=whole.decided_by, reason=reason)
