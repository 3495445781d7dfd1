"""A sort of sample that can be judged: shuffles, numbers, rolls; and when its sequential test finds a machine good."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from feltrig.harness.statistics.core.results import Decision

if TYPE_CHECKING:  # plans name a sort and an acceptance without loading numpy
    from feltrig.harness.statistics.core.p_values import Array
    from feltrig.harness.statistics.core.rows import StatisticRow
    from feltrig.harness.statistics.core.sequential import RunningTest

Values = Any
"""Samples as the tests of their sort take them; they have a length and can be sliced."""


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect that a plan must exclude. `ratios` gives one log likelihood ratio per sample: effect against fair."""

    words: str
    size: float
    ratios: Callable[[Any], Array]


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A machine is found good after `samples` (planned so that the power is reached), or as soon as every effect is
    excluded at risk `miss`, but never before `least` samples. Without effects only the number of samples counts."""

    samples: int | None = None
    effects: tuple[Effect, ...] = ()
    miss: float = 0.01
    least: int = 1


@dataclass(frozen=True, slots=True)
class SampleSort:
    """How samples of one sort are read and judged."""

    name: str
    unit: str
    """What a report calls the samples, in the plural."""
    rows: tuple[StatisticRow[Any, Any], ...]
    """What is looked for, in the order of a report. Standards name tests by the names of rows with a fixed test."""
    fixed: Callable[[Values, float], Decision]
    """One decision at a level about samples whose number did not depend on what they showed."""
    sequential: Callable[[float, Acceptance | None], RunningTest]
    """The test that may stop after any sample. Without a plan for acceptance it only ever stops to refuse."""
    read: Callable[[Path], Values]
    """The samples in a laboratory's file."""
    sound: Callable[[Mapping[str, Any], Mapping[str, Any]], bool]
    """Whether a sample of a journal can be judged beside the first one."""
    values: Callable[[Sequence[Mapping[str, Any]], int], Values | None]
    """Sound samples of a journal for the tests, the first of them having this number from 0; None: not judgeable."""
