"""Anytime-valid testing: a mixture of bettors against a fair machine, which may be looked at after every sample.

Each bettor multiplies its stake by a factor whose mean is at most 1 when the machine is fair, so the weighted sum E of
all stakes reaches 1/level with probability at most `level`, whenever one looks (Ville). Refuse then. To accept, a plan
names effects that it must exclude: under such an effect the inverse of its likelihood ratio is a fair game as well, so
it reaches 1/miss with probability at most `miss`.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from feltrig.harness.statistics.core.p_values import Array
from feltrig.harness.statistics.core.results import Decision, Detectable, StatisticResult, counted, evidence_of
from feltrig.harness.statistics.core.sort import Acceptance

Block = Any
"""Any number of samples, in the order in which they came, as the bettors understand them."""

NOTABLE = math.log(5)
"""Log of the evidence above which it makes sense to estimate when it will suffice."""
METHOD = "anytime-valid mixture e-process; refused when the evidence reaches 1/level"


class Bettors(Protocol):
    """Bettors of one kind. What they say may not depend on how the samples were cut into blocks."""

    weights: Array
    """One stake per bettor, positive; they sum to at most 1."""

    def bets(self, block: Block) -> Array:
        """Logarithms of the factors, one row per sample, one column per bettor, each placed before its sample was seen;
        -inf for a bettor that lost all."""


class StakedBettors(NamedTuple):
    """Bettors with their share of the stake. Stakes with one name are reported as one test."""

    name: str
    looks_for: str
    share: float
    bettors: Bettors


class RunningTest:
    """The running test. `add` blocks of samples; `decision()` at any time."""

    def __init__(
        self,
        stakes: Sequence[StakedBettors] | Callable[[Block], Sequence[StakedBettors]],
        *,
        level: float,
        unit: str,
        acceptance: Acceptance | None = None,
        detectable: Callable[[int], Detectable] | None = None,
        seen: Callable[[Any], Iterable[Block]] = lambda block: (block,),
    ) -> None:
        """The shares of the stakes sum to at most 1. Stakes that depend on the machine are made from the first block.
        `seen` makes the blocks for the bettors of what is added."""
        self.level, self.unit = level, unit
        self.curve: list[float] = []
        """Log of the evidence after each sample."""
        self.refused_at: int | None = None
        self.accepted_at: int | None = None
        self._make = stakes if callable(stakes) else None
        self._stakes: Sequence[StakedBettors] = ()
        self._seen = seen
        if not callable(stakes):
            self._begin(stakes)
        self._acceptance = acceptance or Acceptance()
        self._ratios = np.zeros(len(self._acceptance.effects))
        self._excluded = np.zeros(len(self._acceptance.effects), dtype=bool)
        self._detectable = detectable or (lambda _: Detectable(None, "not stated"))

    def _begin(self, stakes: Sequence[StakedBettors]) -> None:
        if sum(stake.share for stake in stakes) > 1 + 1e-9:
            raise ValueError("the shares of the bettors sum to more than 1")
        self._stakes = stakes
        self._wealth = [math.log(stake.share) + np.log(stake.bettors.weights) for stake in stakes]
        self._start = list(self._wealth)

    @property
    def sample(self) -> int:
        """How many samples were seen."""
        return len(self.curve)

    @property
    def finished(self) -> bool:
        """Whether the evidence suffices, either way."""
        return self.refused_at is not None or self.accepted_at is not None

    @property
    def log_e(self) -> float:
        """Log of the evidence now."""
        return self.curve[-1] if self.curve else 0.0

    def add(self, block: Block) -> bool:
        """Bets on a block of samples; True as soon as no more are needed. Samples after that only add to the curve."""
        for part in self._seen(block):
            if len(part):
                self._add(part)
        return self.finished

    def _add(self, block: Block) -> None:
        if not self._stakes and self._make is not None:
            self._begin(self._make(block))
        logs = np.empty((len(self._stakes), len(block)))
        for row, stake in enumerate(self._stakes):
            wealth = self._wealth[row] + np.cumsum(stake.bettors.bets(block), axis=0)
            self._wealth[row] = wealth[-1]
            logs[row] = np.logaddexp.reduce(wealth, axis=1)
        curve = np.logaddexp.reduce(logs, axis=0)
        before = self.sample
        self.curve.extend(curve.tolist())
        over = np.flatnonzero(curve >= -math.log(self.level))
        excluded_at = self._exclude(block)
        if not self.finished:
            refused = before + int(over[0]) + 1 if len(over) else None
            accepted = self._accepted(before, excluded_at)
            if refused is not None and (accepted is None or refused <= accepted):
                self.refused_at = refused
            else:
                self.accepted_at = accepted

    def _exclude(self, block: Block) -> int | None:
        """Index in this block after which every effect had been excluded, -1 when that was so before it."""
        effects = self._acceptance.effects
        if not effects:
            return None
        if self._excluded.all():
            return -1
        ratios = self._ratios[:, None] + np.cumsum([effect.ratios(block) for effect in effects], axis=1)
        self._ratios = ratios[:, -1]
        ever = np.logical_or.accumulate(ratios <= math.log(self._acceptance.miss), axis=1) | self._excluded[:, None]
        self._excluded = ever[:, -1]
        done = np.flatnonzero(ever.all(axis=0))
        return int(done[0]) if len(done) else None

    def _accepted(self, before: int, excluded_at: int | None) -> int | None:
        """The sample after which the machine was found good, if it has been seen."""
        plan = self._acceptance
        candidates = [plan.samples] if plan.samples is not None else []
        if excluded_at is not None:
            candidates.append(before + excluded_at + 1)
        if not candidates:
            return None
        accepted = max(plan.least, min(candidates))
        return accepted if accepted <= self.sample else None

    def expected_rest(self) -> int | None:
        """About how many more samples it takes, if things go on as they did; None while nothing can be said."""
        if self.finished:
            return 0
        plan, seen = self._acceptance, self.sample
        guesses = [] if plan.samples is None else [float(plan.samples - seen)]
        if self.log_e > NOTABLE:
            guesses.append(seen * (-math.log(self.level) / self.log_e - 1))
        wanted = self._ratios[~self._excluded]
        if len(wanted) and (wanted < 0).all():
            guesses.append(max(plan.least - seen, seen * float((math.log(plan.miss) / wanted).max() - 1)))
        return max(1, math.ceil(min(guesses))) if guesses else None

    def outcomes(self) -> tuple[StatisticResult, ...]:
        """What the bettors of each name found together: an e-value of its own."""
        detectable = self._detectable(self.sample)
        rows: dict[str, list[int]] = {}
        for row, stake in enumerate(self._stakes):
            rows.setdefault(stake.name, []).append(row)
        found = []
        for name, own in rows.items():
            log_e = _log_sum(self._wealth, own) - _log_sum(self._start, own)
            looks_for = self._stakes[own[0]].looks_for
            found.append(StatisticResult(name, looks_for, log_e, None, log_e, self.sample, self.unit, detectable))
        return tuple(found)

    def decision(self) -> Decision:
        """The decision so far; not finished while more samples are wanted."""
        if not self._stakes:
            raise ValueError("no decision without samples: expected one or more")
        outcomes = self.outcomes()
        strongest = max(outcomes, key=lambda outcome: outcome.log_e if outcome.log_e is not None else -math.inf)
        highest = max([0.0, *self.curve])
        return Decision(
            level=self.level,
            refused=self.refused_at is not None,
            finished=self.finished,
            method=METHOD,
            outcomes=outcomes,
            decided_by=strongest.name,
            p_value=math.exp(-highest),
            log_e=self.log_e,
            sample=self.sample,
            unit=self.unit,
            reason=self._reason(strongest),
        )

    def _reason(self, strongest: StatisticResult) -> str:
        if self.refused_at is not None:
            after = counted(self.refused_at, self.unit)
            return f"the evidence reached {1 / self.level:.0f} after {after}: {strongest.looks_for} ({strongest.name})"
        if self.accepted_at is None:
            return f"{counted(self.sample, self.unit)} so far, evidence {evidence_of(self.log_e):.3g}: more are needed"
        after = counted(self.accepted_at, self.unit)
        if self._excluded.all() and len(self._excluded):
            words = ", ".join(effect.words for effect in self._acceptance.effects)
            return f"excluded at risk {self._acceptance.miss:g} after {after}: {words}"
        return f"the planned {after} gave no evidence; {self._detectable(self.sample).words}"


def _log_sum(logs: Sequence[Array], rows: Sequence[int]) -> float:
    """Log of the sum of the exponentials of these rows."""
    return float(np.logaddexp.reduce(np.concatenate([logs[row] for row in rows])))
