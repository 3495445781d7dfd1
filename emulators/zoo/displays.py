"""Number displays: which of 1 to 7 comes next. A machine with a memory is a class, and each one built has its own."""

import random
from functools import partial

from feltrig.emulators.models import mechanics
from feltrig.emulators.zoo.specimen import Specimen, always

HIGHEST = 7


def scaled(rng: random.Random, values: int) -> int:
    """Equally likely values from 0, taken mod 7: uneven unless there are very many of them."""
    return rng.randrange(values) % HIGHEST + 1


def drawn_until_it_fits(rng: random.Random) -> int:
    """Three bits, drawn again while they show 0: good."""
    while not (number := rng.getrandbits(3)):
        pass
    return number


def favouring(rng: random.Random, excess: float) -> int:
    """1 comes more often by this share of its due; the others are alike."""
    return 1 if rng.random() < (1 + excess) / HIGHEST else rng.randint(2, HIGHEST)


class Periodic:
    """The same numbers again and again."""

    def __init__(self, period: int) -> None:
        self._period = period
        self._numbers: list[int] = []
        self._at = 0

    def __call__(self, rng: random.Random) -> int:
        if len(self._numbers) < self._period:
            self._numbers.append(rng.randint(1, HIGHEST))
            return self._numbers[-1]
        self._at += 1
        return self._numbers[(self._at - 1) % self._period]


class Sticky:
    """The last number once more, with some chance."""

    def __init__(self, chance: float) -> None:
        self._chance = chance
        self._last: int | None = None

    def __call__(self, rng: random.Random) -> int:
        fresh, stays = rng.randint(1, HIGHEST), rng.random() < self._chance
        self._last = self._last if stays and self._last is not None else fresh
        return self._last


class NeverRepeating:
    """Any number but the last."""

    def __init__(self) -> None:
        self._last = 0

    def __call__(self, rng: random.Random) -> int:
        self._last = (self._last + rng.randrange(1, HIGHEST)) % HIGHEST
        return self._last + 1


class Recurrent:
    """A linear rule mod 7 on the last numbers. The rule and the first numbers are drawn once."""

    def __init__(self, order: int) -> None:
        self._order = order
        self._rule: list[int] = []
        self._last: list[int] = []

    def __call__(self, rng: random.Random) -> int:
        if not self._rule:
            self._rule = [rng.randrange(1, HIGHEST), *(rng.randrange(HIGHEST) for _ in range(self._order - 1))]
            self._last = [rng.randrange(1, HIGHEST), *(rng.randrange(HIGHEST) for _ in range(self._order - 1))]
        new = sum(tap * value for tap, value in zip(self._rule, self._last, strict=True)) % HIGHEST
        self._last = [*self._last[1:], new]
        return new + 1


class Restarted:
    """Loses power every few numbers, and its generator then starts from one of few seeds."""

    def __init__(self, seeds: int, draws: int) -> None:
        self._seeds = seeds
        self._draws = draws
        self._left = 0
        self._own = random.Random(0)

    def __call__(self, rng: random.Random) -> int:
        if not self._left:
            self._left = self._draws
            self._own = random.Random(rng.randrange(self._seeds))
        self._left -= 1
        return self._own.randint(1, HIGHEST)


SPECIMENS = (
    Specimen("good", "every number equally likely", always(mechanics.number), good=True),
    Specimen("good-bits", "three bits, drawn again while they show 0", always(drawn_until_it_fits), good=True),
    Specimen("good-32-bit", "32 bits mod 7", always(scaled, values=2**32), good=True),
    Specimen("favours-50", "one number half as often again", always(favouring, excess=0.5)),
    Specimen("favours-20", "one number a fifth too often", always(favouring, excess=0.2)),
    Specimen("mod-16", "0 to 15 mod 7", always(scaled, values=16)),
    *(Specimen(f"period-{n}", f"the same {n} numbers again and again", partial(Periodic, n)) for n in (50, 200, 500)),
    *(Specimen(f"sticky-{n}", f"repeats its last number, {n} %", partial(Sticky, n / 100)) for n in (30, 10, 5)),
    Specimen("never-repeats", "never the last number", NeverRepeating),
    Specimen("recurrent-8", "a linear rule on the last 8 numbers", partial(Recurrent, 8)),
    Specimen("seeds-60", "60 seeds, a new one every 10 numbers", partial(Restarted, 60, 10)),
)
