"""From the p-values of many tests to one decision about a device, which errs with chance `level` at most."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from feltrig.harness.statistics.outcome import Decision, Detectable, Outcome

SampleT = TypeVar("SampleT")


@dataclass(frozen=True, slots=True)
class Seen:
    """A statistic and its p-value."""

    statistic: float
    p: float


@dataclass(frozen=True, slots=True)
class Probe(Generic[SampleT]):
    """One test of a battery. It is left out while a sample is smaller than `least`; `share` is its part of the level,
    relative to the shares of the others."""

    name: str
    looks_for: str
    see: Callable[[SampleT], Seen]
    detectable: Callable[[int], Detectable]
    least: int = 1
    share: float = 1.0


def strongest(statistics: ArrayLike, p_values: ArrayLike) -> Seen:
    """The smallest of several p-values, corrected for their number (Bonferroni), with its statistic."""
    p = np.ravel(p_values)
    at = int(np.argmin(p))
    return Seen(float(np.ravel(statistics)[at]), min(1.0, float(p[at]) * len(p)))


def either(*seen: Seen) -> Seen:
    """The stronger of several views of the same fault, corrected for their number."""
    return strongest([view.statistic for view in seen], [view.p for view in seen])


def decide(
    probes: Sequence[Probe[SampleT]],
    sample: SampleT,
    *,
    size: int,
    level: float,
    unit: str,
    least: Callable[[float], Callable[[int], Detectable]],
) -> Decision:
    """Runs the tests that a sample of this size allows. `least` tells what the first of them finds, at its level and
    sample size: the report says it when none refuses the machine."""
    used = [probe for probe in probes if size >= probe.least]
    seen = [probe.see(sample) for probe in used]
    shared = sum(probe.share for probe in used)
    family = [min(1.0, view.p * shared / probe.share) for probe, view in zip(used, seen, strict=True)]
    # Of tests that are equally certain the later one in the table decides: it tells more precisely what is wrong.
    first = len(family) - 1 - int(np.argmin(family[::-1]))
    refused = family[first] <= level
    found = least(level * used[0].share / shared)(size)
    passed = f"no test of {len(used)} refuses {size} {unit}; as one of them, {used[0].name} finds {found.words}"
    why = f"{used[first].looks_for} (p = {seen[first].p:.2g}, of the family {family[first]:.2g})"
    return Decision(
        level=level,
        refused=refused,
        finished=True,
        method=f"{len(used)} tests, each with its share of the level (Bonferroni, weighted)",
        outcomes=tuple(
            Outcome(probe.name, probe.looks_for, view.statistic, view.p, None, size, unit, probe.detectable(size))
            for probe, view in zip(used, seen, strict=True)
        ),
        decided_by=used[first].name,
        p_value=family[first],
        log_e=None,
        sample=size,
        unit=unit,
        reason=why if refused else passed,
    )


def refuses(probes: Sequence[Probe[SampleT]], sample: SampleT, *, size: int, level: float) -> bool:
    """The decision alone, made as soon as one test makes it: for simulations."""
    used = [probe for probe in probes if size >= probe.least]
    shared = sum(probe.share for probe in used)
    return any(probe.see(sample).p * shared / probe.share <= level for probe in used)
