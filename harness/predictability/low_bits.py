"""Truncated congruential generators of a power of two by the low bits that a draw by modulo tells.

The low bits of the state depend on low bits only. An even bound tells the lowest bit of the output. So the low part of
the state is searched by itself, and then the high part."""

from collections.abc import Callable, Iterator, Sequence
from math import gcd

import numpy as np

from feltrig.harness.predictability.generators import Congruence, Generator
from feltrig.harness.predictability.scalings import MODULO, Scaling, Uints
from feltrig.harness.predictability.whole_search import CHUNK, Draws, OutOfTime, following

MOST_BITS = 4
"""Bits of an output that the low part takes in."""
MOST_LOW = 4096
"""Low parts that may be left: if there are more, the draws do not tell enough."""


def states_by_low_bits(
    row: Congruence, scaling: Scaling, draws: Draws, start: int, goes_on: Callable[[], bool] = lambda: True
) -> Iterator[int]:
    """The states, after the output of the draw `start`, from which the later draws follow. Raises OutOfTime."""
    told = [_known(scaling, draw, bound, row.span) for draw, bound in zip(draws.values, draws.bounds, strict=True)]
    if sum(known > 0 for known, _ in told) < row.shift:
        return
    low = _lowest(row, told, goes_on)
    width = row.shift + 1
    while width < row.shift + MOST_BITS and len(low):
        low = np.concatenate([low, low + np.uint64(1 << width)])
        width += 1
        low = low[_agree(row, told, low, width)]
    if len(low) > MOST_LOW or (scaling is not MODULO and _is_power(draws.bounds[start])):
        return
    generator = row.generator()
    part = Draws(draws.values[start:], draws.bounds[start:])
    for value in low:
        state = int(value)
        for _ in range(start):
            state = (state * row.a + row.c) % (1 << width)
        yield from _highest(generator, scaling, part, state, width, goes_on)


def _is_power(bound: int) -> bool:
    return bound & (bound - 1) == 0


def _known(scaling: Scaling, draw: int, bound: int, span: int) -> tuple[int, int]:
    """How many low bits of the output a draw tells, and what they are."""
    low = [place for place, _ in scaling.bits(draw, bound, span) if place < 0]
    return len(low), draw & ((1 << len(low)) - 1)


def _lowest(row: Congruence, told: Sequence[tuple[int, int]], goes_on: Callable[[], bool]) -> Uints:
    width = row.shift + 1
    found: list[Uints] = []
    for number, first in enumerate(range(0, 1 << width, CHUNK)):
        if number % 64 == 0 and not goes_on():
            raise OutOfTime
        low = np.arange(first, min(first + CHUNK, 1 << width), dtype=np.uint64)
        kept = _agree(row, told, low, width)
        if len(kept):
            found.append(low[kept])
    return np.concatenate(found) if found else np.empty(0, dtype=np.uint64)


def _agree(row: Congruence, told: Sequence[tuple[int, int]], low: Uints, width: int) -> Uints:
    """The indices of the low parts, of so many bits, that give what is told."""
    mask, a, c = np.uint64((1 << width) - 1), np.uint64(row.a), np.uint64(row.c)
    index, state = np.arange(len(low)), low
    waiting = 0
    for number, (known, value) in enumerate(told):
        bits = min(known, width - row.shift)
        if not bits:
            continue
        for _ in range(number - waiting):
            state = (state * a + c) & mask
        waiting = number
        shown = (state >> np.uint64(row.shift)) & np.uint64((1 << bits) - 1)
        kept = np.flatnonzero(shown == np.uint64(value & ((1 << bits) - 1)))
        index, state = index[kept], state[kept]
        if not len(index):
            break
    return index


def _highest(
    generator: Generator, scaling: Scaling, draws: Draws, low: int, width: int, goes_on: Callable[[], bool]
) -> Iterator[int]:
    """All states with this low part whose output gives the first draw, and from which the others follow."""
    shift = generator.shift
    step, bound = 1 << (width - shift), draws.bounds[0]
    both = step * bound // gcd(step, bound)
    begun = range(low >> shift, both, step)
    first = next((output for output in begun if output % bound == draws.values[0]), None)
    if first is None:
        return

    def advance(states: Uints) -> tuple[Uints, Uints]:
        states = generator.step(states)
        return states, generator.output(states)

    below = np.uint64(low & ((1 << shift) - 1))
    rest = Draws(draws.values[1:], draws.bounds[1:])
    count = -(-(generator.span - first) // both)
    for number, begin in enumerate(range(0, count, CHUNK)):
        if number % 64 == 0 and not goes_on():
            raise OutOfTime
        shown = np.arange(begin, min(begin + CHUNK, count), dtype=np.uint64) * np.uint64(both) + np.uint64(first)
        states = shown << np.uint64(shift) | below
        for found in following(advance, scaling, states, rest, generator.span):
            yield int(states[found])
