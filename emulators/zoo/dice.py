"""Dice shakers: how the three dice fall. A machine with a memory is a class, and each one built has its own."""

import random

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


class Keeping:
    """Each die keeps its face, with some chance."""

    def __init__(self, chance: float) -> None:
        self._chance = chance
        self._last: Roll | None = None

    def __call__(self, rng: random.Random) -> Roll:
        """The next roll."""
        fresh = _fair(rng)
        before = self._last or fresh
        first, second, third = (
            old if rng.random() < self._chance else new for old, new in zip(before, fresh, strict=True)
        )
        self._last = (first, second, third)
        return self._last


class Repeating:
    """The whole roll is the last one once more, with some chance."""

    def __init__(self, chance: float) -> None:
        self._chance = chance
        self._last: Roll | None = None

    def __call__(self, rng: random.Random) -> Roll:
        """The next roll."""
        fresh, again = _fair(rng), rng.random() < self._chance
        self._last = self._last if again and self._last is not None else fresh
        return self._last


def _fair(rng: random.Random) -> Roll:
    return (rng.randint(1, FACES), rng.randint(1, FACES), rng.randint(1, FACES))


def _loaded(rng: random.Random, excess: float) -> int:
    return FACES if rng.random() < (1 + excess) / FACES else rng.randint(1, FACES - 1)
