"""When a sequential test finds a machine good."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # plans name an acceptance without loading numpy
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect that a plan must exclude. `ratios` gives one log likelihood ratio per sample: effect against fair."""

    words: str
    size: float
    ratios: Callable[[Any], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A machine is found good after `samples` (planned so that the power is reached), or as soon as every effect is
    excluded at risk `miss`, but never before `least` samples. Without effects only the number of samples counts."""

    samples: int | None = None
    effects: tuple[Effect, ...] = ()
    miss: float = 0.01
    least: int = 1
