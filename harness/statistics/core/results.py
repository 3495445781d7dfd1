"""What a test found and what was decided: the same words for shuffles, numbers and rolls."""

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Detectable:
    """The smallest effect that a sample of this size would have shown with the stated power; None: none in reach."""

    effect: float | None
    words: str


@dataclass(frozen=True, slots=True)
class StatisticResult:
    """One test: what it looked for and what it found. A fixed test has a p-value, a sequential one a log e-value."""

    name: str
    looks_for: str
    statistic: float
    p_value: float | None
    log_e: float | None
    sample: int
    unit: str
    detectable: Detectable

    def as_json(self) -> dict[str, Any]:
        """The result as plain JSON values."""
        return {
            "test": self.name,
            "looks_for": self.looks_for,
            "statistic": finite(self.statistic),
            "p": self.p_value,
            "log_e": finite(self.log_e),
            "sample": self.sample,
            "unit": self.unit,
            "detectable": {"effect": self.detectable.effect, "words": self.detectable.words},
        }


@dataclass(frozen=True, slots=True)
class Decision:
    """One family-wise decision about a device. `finished` is False while a sequential test asks for more samples."""

    level: float
    refused: bool
    finished: bool
    method: str
    outcomes: tuple[StatisticResult, ...]
    decided_by: str
    """Name of the test with the strongest evidence, whichever way the decision went."""
    p_value: float | None
    """Family-wise: already corrected for the number of tests, or for looking after every sample."""
    log_e: float | None
    sample: int
    unit: str
    reason: str
    """One sentence for a report."""

    def as_json(self) -> dict[str, Any]:
        """The decision as plain JSON values."""
        return {
            "level": self.level,
            "refused": self.refused,
            "finished": self.finished,
            "method": self.method,
            "decided_by": self.decided_by,
            "p": self.p_value,
            "log_e": finite(self.log_e),
            "sample": self.sample,
            "unit": self.unit,
            "reason": self.reason,
            "outcomes": [outcome.as_json() for outcome in self.outcomes],
        }


def counted(number: int, unit: str) -> str:
    """`1 shuffle`, `2 shuffles`: units are given in the plural."""
    return f"{number} {unit.removesuffix('s') if number == 1 else unit}"


def p_text(p: float) -> str:
    """A p-value for a reader; none is 0."""
    return f"{p:.3g}" if p > 0 else "< 1e-300"


def evidence_of(log_e: float) -> float:
    """The e-value of a natural logarithm."""
    return math.exp(log_e) if log_e < 709 else math.inf


def finite(value: float | None) -> float | None:
    """The value, or None where JSON has no word for it."""
    return value if value is None or math.isfinite(value) else None
