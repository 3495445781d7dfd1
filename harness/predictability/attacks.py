"""The ways to find a state: all states, all seeds, a lattice, low bits, linear algebra. Each ends by foretelling."""

from collections.abc import Callable
from itertools import islice

import numpy as np

from feltrig.harness.predictability.foretelling import Candidate, Foretold, each_anew, goes_on
from feltrig.harness.predictability.generators import Congruence, Generator
from feltrig.harness.predictability.lattice import states_by_size
from feltrig.harness.predictability.linear import LinearGenerator, solved
from feltrig.harness.predictability.low_bits import states_by_low_bits
from feltrig.harness.predictability.scalings import Scaling
from feltrig.harness.predictability.seeded import SeededGenerator, seed_search
from feltrig.harness.predictability.targets import Target
from feltrig.harness.predictability.whole_search import Draws, OutOfTime, whole_search

GoesOn = Callable[[], bool]
"""Whether there is time left."""
Attack = Callable[[Target, GoesOn], Foretold | None]

WINDOWS = 12
"""Places at which the lattice is tried: from some, the nearest vector is not found."""
MORE_BITS = 48
"""Bits beyond those of the state, so that few stay open and a wrong program shows."""


def all_states(generator: Generator, scaling: Scaling, target: Target, goes: GoesOn) -> Foretold | None:
    """All states of a generator against the first unit; then on from there, or each unit anew."""
    start = target.start

    def find(unit: Draws) -> int | None:
        return next(whole_search(generator, scaling, Draws(unit.values[start:], unit.bounds[start:]), goes), None)

    return _from_state(generator, scaling, find, target)


def low_bits(row: Congruence, scaling: Scaling, target: Target, goes: GoesOn) -> Foretold | None:
    """The low part of the state first, which draws by modulo tell."""

    def find(unit: Draws) -> int | None:
        return next(states_by_low_bits(row, scaling, unit, target.start, goes), None)

    return _from_state(row.generator(), scaling, find, target)


def _from_state(
    generator: Generator, scaling: Scaling, find: Callable[[Draws], int | None], target: Target
) -> Foretold | None:
    state = find(target.units[0])
    if state is None:
        return None
    candidate, begun = Candidate(generator.name, scaling, generator.span), target.start + 1
    foretold = goes_on(candidate, str(state), generator.outputs(state), begun, target)
    return foretold or each_anew(candidate, find, generator.outputs, state, begun, target)


def all_seeds(
    generator: SeededGenerator, scaling: Scaling, seeds: range, target: Target, goes: GoesOn
) -> Foretold | None:
    """All seeds of a range; then on from there, or each unit anew."""

    def find(unit: Draws) -> int | None:
        return next(seed_search(generator, scaling, unit, seeds, goes), None)

    seed = find(target.units[0])
    if seed is None:
        return None
    candidate = Candidate(generator.name, scaling, generator.span)
    foretold = goes_on(candidate, f"seed {seed}", generator.following(seed), 0, target)
    return foretold or each_anew(candidate, find, generator.following, seed, 0, target)


def lattice(row: Congruence, c: int | None, scaling: Scaling, target: Target, goes: GoesOn) -> Foretold | None:
    """A congruential generator by the sizes of its states; with any increment if `c` is None."""
    m = row.span << row.shift if row.m & (row.m - 1) == 0 else row.m
    a = row.a % m
    unit = target.units[0]
    bits = (1.5 if c is not None else 2.6) * m.bit_length() + 8
    told = np.log2(np.array(unit.bounds[target.start :], dtype=float)).cumsum()
    size = int(np.searchsorted(told, bits)) + 1
    room = len(unit.values) - target.start - size
    for begin in range(target.start, target.start + min(room + 1, WINDOWS)):
        if not goes():
            raise OutOfTime
        state, increment = states_by_size(a, c, m, unit.values[begin:], unit.bounds[begin:], size)
        known = Congruence(row.name, a, increment, m, 0, m).generator()
        candidate = Candidate(row.name, scaling, m)
        words = f"{state}, increment {increment}, modulus {m}"
        if (found := goes_on(candidate, words, known.outputs(state), begin + 1, target)) is not None:
            return found
    return None


def linear_algebra(linear: LinearGenerator, scaling: Scaling, target: Target, goes: GoesOn) -> Foretold | None:
    """Known bits of the outputs of as many units as it takes, with one output or none between two."""
    wanted = linear.bits + MORE_BITS
    width = (linear.span - 1).bit_length()
    candidate = Candidate(linear.name, scaling, linear.span)
    for gap in (0, 1):
        known: list[tuple[int, int, int]] = []
        number = used = 0
        while len(known) < wanted and used < len(target.units) - 2:
            unit = target.units[used]
            for value, bound in zip(unit.values, unit.bounds, strict=True):
                for place, bit in scaling.bits(value, bound, linear.span):
                    known.append((number, width - 1 - place if place >= 0 else -1 - place, bit))
                number += 1
            used += 1
            number += gap
        if len(known) < wanted:
            return None
        state = solved(linear, known[:wanted], goes)
        if state is None:
            continue
        skipped = sum(len(unit.values) + gap for unit in target.units[: used - 1])
        words = " ".join(f"{word:x}" for word in state[:4]) + (" …" if linear.words > 4 else "")
        left = Target(target.program, target.units[used - 1 :], target.show)
        found = goes_on(candidate, words, islice(linear.outputs(state), skipped, None), 0, left)
        if found is not None:
            return found
    return None
