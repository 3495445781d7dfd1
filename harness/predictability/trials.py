"""All searches, as the product of programs, scalings and families: the likely and the quick ones first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from feltrig.harness.predictability import attacks
from feltrig.harness.predictability.generators import (
    CONGRUENCES,
    FORMS,
    LONG_CONGRUENCES,
    XORSHIFTS,
    Generator,
)
from feltrig.harness.predictability.linear import LINEAR
from feltrig.harness.predictability.scalings import (
    DIVIDED,
    GETRANDBITS,
    HIGH_BITS,
    JAVA,
    LOW_BITS,
    MODULO,
    MULTIPLIED,
    SCALINGS,
    Scaling,
)
from feltrig.harness.predictability.seeded import SEEDED
from feltrig.harness.predictability.targets import Target

SEEDS = (range(1 << 12), range(1 << 12, 1 << 16), range(1 << 16, 1 << 20), range(1 << 20, 1 << 24))
"""Ranges of seeds, one after the other."""
BY_SIZE = (MULTIPLIED, DIVIDED)
"""Scalings whose draws tell how large the output was."""
WHOLE = tuple(scaling for scaling in SCALINGS if scaling not in (JAVA, GETRANDBITS))
"""Scalings of generators whose whole state is searched."""
LONG_STATE = 100
"""Words of a state from which linear algebra takes minutes."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One family and scaling against one program."""

    family: str
    searched: str
    """What of the family it searches."""
    scaling: str
    attack: attacks.Attack
    target: Target
    weight: float
    """Seconds that it takes, times how far down the tables its rows are. The least weight comes first."""


def trials(targets: Sequence[Target], clock: Sequence[range] = ()) -> list[Trial]:
    """All searches in their order. `clock` has ranges of times that may have been seeds."""
    every = [trial for place, target in enumerate(targets, 1) for trial in _of(target, place, clock)]
    return sorted(every, key=lambda trial: trial.weight)


def _of(target: Target, place: int, clock: Sequence[range]) -> Iterator[Trial]:
    def trial(name: str, searched: str, scaling: Scaling, attack: attacks.Attack, seconds: float, row: int) -> Trial:
        weight = seconds * place * (1 + SCALINGS.index(scaling)) * (8 + row)
        return Trial(name, searched, scaling.name, attack, target, weight)

    for row, known in enumerate((*CONGRUENCES, *LONG_CONGRUENCES)):
        for scaling in BY_SIZE:
            for c, words, seconds in ((known.c, "all states, by lattice", 0.1), (None, "any increment, by lattice", 1)):
                yield trial(known.name, words, scaling, partial(attacks.lattice, known, c, scaling), seconds, row)
    for row, generator in _whole_generators():
        for scaling in WHOLE:
            yield trial(
                generator.name, "all states", scaling, partial(attacks.all_states, generator, scaling), 0.4, row
            )
    for row, known in enumerate(CONGRUENCES):
        for shift, span in FORMS:
            if span << shift <= known.m and known.m & (known.m - 1) == 0 and (shift, span) != (known.shift, known.span):
                words = f"all states, {(span - 1).bit_length()} bits from bit {shift}"
                for scaling in WHOLE:
                    attack = partial(attacks.all_states, known.generator(shift, span), scaling)
                    yield trial(known.name, words, scaling, attack, 3, row)
    for row, known in enumerate(LONG_CONGRUENCES):
        seconds = 0.5 + 2.0 ** (known.shift - 28)
        for scaling in (MODULO, JAVA):
            attack = partial(attacks.low_bits, known, scaling)
            yield trial(known.name, "all states, by low bits", scaling, attack, seconds, row)
    for row, linear in enumerate(LINEAR):
        seconds = 0.05 if linear.words < LONG_STATE else 60
        for scaling in (MODULO, MULTIPLIED, HIGH_BITS if linear.words < LONG_STATE else DIVIDED):
            attack = partial(attacks.linear_algebra, linear, scaling)
            yield trial(linear.name, "all states, by linear algebra", scaling, attack, seconds, row)
    for row, seeded in enumerate(SEEDED):
        for scaling in SCALINGS:
            if seeded.span < 1 << 50 or scaling in BY_SIZE:
                power = seeded.span & (seeded.span - 1) == 0
                if not power and scaling in (HIGH_BITS, LOW_BITS, GETRANDBITS, JAVA):
                    continue
                for seeds in (*SEEDS, *clock):
                    words = _words(seeds, clock)
                    attack = partial(attacks.all_seeds, seeded, scaling, seeds)
                    yield trial(seeded.name, words, scaling, attack, 0.01 + len(seeds) * 4e-6 * seeded.cost, row)


def _whole_generators() -> Iterator[tuple[int, Generator]]:
    """Those of which all states are searched, each with its place in its own table."""
    yield from enumerate(known.generator() for known in CONGRUENCES)
    yield from enumerate(XORSHIFTS)


def _words(seeds: range, clock: Sequence[range]) -> str:
    if seeds in clock:
        return f"seeds by the clock, {seeds.start} to {seeds.stop - 1}"
    return f"seeds {seeds.start} to {seeds.stop - 1}"
