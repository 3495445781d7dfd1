"""Dice shakers: how the three dice fall. A machine with a memory is a class, and each one built has its own."""

import random
from dataclasses import dataclass
from functools import partial

from feltrig.emulators.models import mechanics
from feltrig.emulators.zoo.specimen import Specimen, always

FACES = 6
DICE = 3
Roll = tuple[int, int, int]


def one_draw(rng: random.Random) -> Roll:
    """One of the 216 rolls, drawn at once: good."""
    both, third = divmod(rng.randrange(FACES**DICE), FACES)
    first, second = divmod(both, FACES)
    return (first + 1, second + 1, third + 1)


def loaded(rng: random.Random, excess: float, dice: int) -> Roll:
    """So many of the dice show a six more often by this share of its due."""
    first, second, third = (_loaded(rng, excess if die < dice else 0.0) for die in range(DICE))
    return (first, second, third)


def copying(rng: random.Random, chance: float) -> Roll:
    """The second die shows what the first does, with this chance."""
    first, second, third = _fair(rng)
    return (first, first if rng.random() < chance else second, third)


@dataclass(slots=True)
class Keeping:
    """Each die keeps its face, with some chance."""

    chance: float
    last: Roll | None = None

    def __call__(self, rng: random.Random) -> Roll:
        fresh = _fair(rng)
        before = self.last or fresh
        first, second, third = (
            old if rng.random() < self.chance else new for old, new in zip(before, fresh, strict=True)
        )
        self.last = (first, second, third)
        return self.last


@dataclass(slots=True)
class RepeatingRoll:
    """The whole roll is the last one once more, with some chance."""

    chance: float
    last: Roll | None = None

    def __call__(self, rng: random.Random) -> Roll:
        fresh, again = _fair(rng), rng.random() < self.chance
        self.last = self.last if again and self.last is not None else fresh
        return self.last


def _fair(rng: random.Random) -> Roll:
    return (rng.randint(1, FACES), rng.randint(1, FACES), rng.randint(1, FACES))


def _loaded(rng: random.Random, excess: float) -> int:
    return FACES if rng.random() < (1 + excess) / FACES else rng.randint(1, FACES - 1)


SPECIMENS = (
    Specimen("good", "three fair dice", always(mechanics.dice), good=True),
    Specimen("good-one-draw", "one of 216 rolls", always(one_draw), good=True),
    Specimen("loaded-one-50", "one die shows a six half as often again", always(loaded, excess=0.5, dice=1)),
    Specimen("loaded-one-20", "one die shows a six a fifth too often", always(loaded, excess=0.2, dice=1)),
    Specimen("loaded-all-50", "all dice show a six half as often again", always(loaded, excess=0.5, dice=3)),
    Specimen("loaded-all-20", "all dice show a six a fifth too often", always(loaded, excess=0.2, dice=3)),
    Specimen("missing-face", "one die never shows a six", always(loaded, excess=-1.0, dice=1)),
    Specimen("copies-20", "the second die copies the first once in 5", always(copying, chance=0.2)),
    Specimen("copies-5", "the second die copies the first once in 20", always(copying, chance=0.05)),
    Specimen("keeps-20", "each die keeps its face once in 5", partial(Keeping, 0.2)),
    Specimen("keeps-5", "each die keeps its face once in 20", partial(Keeping, 0.05)),
    Specimen("repeats-10", "the whole roll repeats once in 10", partial(RepeatingRoll, 0.1)),
    Specimen("repeats-2", "the whole roll repeats once in 50", partial(RepeatingRoll, 0.02)),
)
