"""From the p-values of many tests to one decision about a device, which errs with chance `level` at most."""

from collections.abc import Sequence

import numpy as np

from feltrig.harness.statistics.core.results import Decision, StatisticResult
from feltrig.harness.statistics.core.rows import FixedTest, SampleT, SetupT, StatisticRow


def decide(
    rows: Sequence[StatisticRow[SampleT, SetupT]], sample: SampleT, setup: SetupT, *, size: int, level: float, unit: str
) -> Decision:
    """Runs the tests that a sample of this size allows. When none refuses the machine, the report says what the first
    of them would have found."""
    used = allowed(rows, setup, size)
    seen = [test.see(sample) for _, test in used]
    shared = sum(test.share for _, test in used)
    family = [min(1.0, view.p * shared / test.share) for (_, test), view in zip(used, seen, strict=True)]
    # Of tests that are equally certain the later one in the table decides: it tells more precisely what is wrong.
    at = len(family) - 1 - int(np.argmin(family[::-1]))
    refused = family[at] <= level
    row, first = used[0]
    found = first.detectable(setup, size, level * first.share / shared)
    passed = (
        f"none of {len(used)} tests refuses {size} {unit}; {row.name}, at its share of the level, finds {found.words}"
    )
    decisive = used[at][0]
    why = f"{decisive.looks_for} (p = {seen[at].p:.2g}, of the family {family[at]:.2g})"
    return Decision(
        level=level,
        refused=refused,
        finished=True,
        method=f"{len(used)} tests, each with its share of the level (Bonferroni, weighted)",
        outcomes=tuple(
            StatisticResult(row.name, row.looks_for, *view, None, size, unit, test.detectable(setup, size, level))
            for (row, test), view in zip(used, seen, strict=True)
        ),
        decided_by=decisive.name,
        p_value=family[at],
        log_e=None,
        sample=size,
        unit=unit,
        reason=why if refused else passed,
    )


def refuses(
    rows: Sequence[StatisticRow[SampleT, SetupT]], sample: SampleT, setup: SetupT, *, size: int, level: float
) -> bool:
    """The decision alone, made as soon as one test makes it: for simulations."""
    used = allowed(rows, setup, size)
    shared = sum(test.share for _, test in used)
    return any(test.see(sample).p * shared / test.share <= level for _, test in used)


def allowed(
    rows: Sequence[StatisticRow[SampleT, SetupT]], setup: SetupT, size: int
) -> list[tuple[StatisticRow[SampleT, SetupT], FixedTest[SampleT, SetupT]]]:
    """The rows whose fixed test a sample of this size allows, each with that test."""
    return [(row, row.fixed) for row in rows if row.fixed is not None and size >= row.fixed.least(setup)]
