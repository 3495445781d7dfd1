"""Number displays: which of 1 to 7 comes next. A machine with a memory is a class, and each one built has its own."""

import random
from dataclasses import dataclass, field
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


@dataclass(slots=True)
class Periodic:
    """The same numbers again and again."""

    period: int
    numbers: list[int] = field(default_factory=list)
    at: int = 0

    def __call__(self, rng: random.Random) -> int:
        if len(self.numbers) < self.period:
            self.numbers.append(rng.randint(1, HIGHEST))
            return self.numbers[-1]
        self.at += 1
        return self.numbers[(self.at - 1) % self.period]


@dataclass(slots=True)
class Sticky:
    """The last number once more, with some chance."""

    chance: float
    last: int | None = None

    def __call__(self, rng: random.Random) -> int:
        fresh, stays = rng.randint(1, HIGHEST), rng.random() < self.chance
        self.last = self.last if stays and self.last is not None else fresh
        return self.last


@dataclass(slots=True)
class NeverRepeating:
    """Any number but the last."""

    last: int = 0

    def __call__(self, rng: random.Random) -> int:
        self.last = (self.last + rng.randrange(1, HIGHEST)) % HIGHEST
        return self.last + 1


@dataclass(slots=True)
class Recurrent:
    """A linear rule mod 7 on the last numbers. The rule and the first numbers are drawn once."""

    order: int
    rule: list[int] = field(default_factory=list)
    last: list[int] = field(default_factory=list)

    def __call__(self, rng: random.Random) -> int:
        if not self.rule:
            self.rule = [rng.randrange(1, HIGHEST), *(rng.randrange(HIGHEST) for _ in range(self.order - 1))]
            self.last = [rng.randrange(1, HIGHEST), *(rng.randrange(HIGHEST) for _ in range(self.order - 1))]
        new = sum(tap * value for tap, value in zip(self.rule, self.last, strict=True)) % HIGHEST
        self.last = [*self.last[1:], new]
        return new + 1


@dataclass(slots=True)
class Restarted:
    """Loses power every few numbers, and its generator then starts from one of few seeds."""

    seeds: int
    draws: int
    left: int = 0
    own: random.Random = field(default_factory=random.Random)

    def __call__(self, rng: random.Random) -> int:
        if not self.left:
            self.left, self.own = self.draws, random.Random(rng.randrange(self.seeds))
        self.left -= 1
        return self.own.randint(1, HIGHEST)


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
