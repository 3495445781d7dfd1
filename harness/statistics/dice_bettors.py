"""The bettors against a machine that rolls dice."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from feltrig.harness.statistics import lags
from feltrig.harness.statistics.coincidences import Ints
from feltrig.harness.statistics.predictors import Replays, Rules
from feltrig.harness.statistics.roll_classes import Classes, KeptClasses
from feltrig.harness.statistics.rolls import signs_of
from feltrig.harness.statistics.sequential import Family
from feltrig.harness.statistics.stream_bettors import CELLS, COPIED, MATCHES, PERIODS, SYMBOLS, TAPS, WINDOWS
from feltrig.harness.statistics.symbol_learners import UNKNOWN, Changes, Echoes, Learner, Matches, Recency, View, Views
from feltrig.harness.statistics.wagers import Through

WHOLE = 64
"""Lags at which whole rolls are compared."""
ROLLS_COPIED = (0.005, 0.02, 0.1, 0.5)
"""Shares of whole rolls that repeat the last one,"""
OLD_COPIED = (0.1, 0.5)
"""and an earlier one."""


@dataclass(frozen=True, slots=True)
class RollView:
    """What a learner predicts of a roll: its faces, and those of the last one, each times a sign, plus a shift."""

    now: tuple[int, ...]
    last: tuple[int, ...] = ()
    shift: int = 0


class RollViews:
    """The views of a table, with the last roll."""

    contexts = 1

    def __init__(self, views: Sequence[RollView], dice: int, k: int) -> None:
        self.columns = len(views)
        self._now = np.array([view.now for view in views]).T
        self._last = np.array([view.last or (0,) * dice for view in views]).T
        self._shifts = np.array([view.shift for view in views])
        self.reach = np.array([1 if any(view.last) else 0 for view in views])
        self._k = k
        self._before = np.full((1, dice), UNKNOWN, dtype=np.int64)

    def derive(self, x: Ints) -> tuple[Ints, Ints]:
        """Outcomes of the next rolls."""
        earlier = np.concatenate([self._before, x[:-1]])
        outcomes = (x @ self._now + earlier @ self._last + self._shifts) % self._k
        if self._before[0, 0] == UNKNOWN:
            outcomes[0, self.reach == 1] = UNKNOWN
        self._before = x[-1:]
        return np.zeros_like(outcomes), outcomes


def single(die: int, dice: int, sign: int = 1) -> tuple[int, ...]:
    """The signs that pick one die."""
    return tuple(sign if i == die else 0 for i in range(dice))


def families(dice: int, k: int) -> list[tuple[float, Family]]:
    """Families that bet on rolls, with their shares of the stake."""
    cells = [k * count for count in CELLS]
    mixed = signs_of(dice)
    pairs = [RollView(signs) for signs in mixed if sum(map(abs, signs)) == 2]
    faces = [RollView(single(die, dice), shift=-face) for die in range(dice) for face in range(k)]
    last = [RollView(single(i, dice), single(j, dice, -1)) for i in range(dice) for j in range(dice)]
    free = [RollView(signs) for signs in mixed]
    kept = [RollView(signs, tuple(-sign for sign in signs)) for signs in mixed]
    before = [View(context=(lag,), period=dice) for lag in range(1, dice + 1)]
    cycles = [View(period=dice * period) for period in range(2, PERIODS + 1)]
    triplets = [View(tuple(zip(taps, signs, strict=True))) for taps in TAPS for signs in lags.SIGNS]
    short = (dice, 2 * dice, 1)
    powers = k ** np.arange(dice)

    def rolls(views: Sequence[RollView]) -> RollViews:
        return RollViews(views, dice, k)

    of_rolls: list[tuple[float, Family]] = [
        (0.1, Matches("one face of one die", "a die that shows a face too often", rolls(faces), k, SYMBOLS)),
        (0.04, Matches("last faces", "a die that shows what it, or another, showed last", rolls(last), k, MATCHES)),
        (
            0.06,
            Learner("combinations", "dice that do not fall independently", rolls(free), k, cells),
        ),
        (0.04, Learner("steps", "sums or differences that depend on the last roll", rolls(kept), k, cells)),
    ]
    if pairs:
        of_rolls.append(
            (0.115, Matches("equal dice", "two dice that agree too often", rolls(pairs), k, MATCHES, COPIED))
        )
    of_whole_rolls: list[tuple[float, Family]] = [
        (0.12, Matches("equal rolls", "rolls that repeat the last one", Echoes(1), k**dice, (500.0,), ROLLS_COPIED)),
        (0.025, Matches("old rolls", "rolls as they were a fixed time before", Echoes(WHOLE), k**dice, (), OLD_COPIED)),
        (0.04, Classes("classes", "totals, positions or faces together that are preferred", dice, k)),
        (0.015, KeptClasses("kept classes", "totals, positions or faces together that stay, or never do", dice, k)),
    ]
    one, held = Views([View(shift=-face) for face in range(k)], k), Views([View(((dice, -1),))], k)
    of_faces_in_turn: list[tuple[float, Family]] = [
        (0.115, Matches("one face", "a face that all dice show too often", one, k, SYMBOLS)),
        (0.13, Matches("persistence", "dice that keep their face", held, k, MATCHES, COPIED)),
        (0.04, Learner("tables", "faces that depend on the die before", Views(before, k), k, cells)),
        (0.015, Learner("triplets", "faces made from two earlier ones", Views(triplets, k), k, cells[:3:2])),
        (0.01, Learner("periods", "faces that depend on the roll's number", Views(cycles, k), k, cells[1:])),
        (0.02, Learner("recency", "faces that depend on how long they did not come", Recency(k), k, cells)),
        (0.045, Replays("replays", "rolls that come again: a cycle, a seed used twice", k, (0.5, 0.02))),
        (0.025, Rules("recurrence", "faces made from earlier ones by a linear rule", k, 0.003)),
        (0.045, Changes("changes", "a fault that began late, or a stretch of it", k, WINDOWS, short)),
    ]
    return [
        *of_rolls,
        *((share, Through(lambda rolled: rolled @ powers, family)) for share, family in of_whole_rolls),
        *((share, Through(np.ravel, family)) for share, family in of_faces_in_turn),
    ]
