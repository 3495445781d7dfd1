"""Searches all states of a generator for those that give the draws of one deck, or some numbers in a row.

A draw leaves one output in `bound`. Only those are tried: each is stepped once, and must give the next draw."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from feltrig.harness.predictability.generators import Generator
from feltrig.harness.predictability.scalings import Outputs, Scaling, Uints

CHUNK = 1 << 17
"""States at a time: as many as stay in the cache of a core."""
MOST_AGAIN = 64
"""Outputs that are drawn again, at most."""

Advance = Callable[[Uints], tuple[Uints, Uints]]
"""From states to the next ones, and their outputs."""


class OutOfTime(Exception):
    """The budget is used up."""


class Draws(NamedTuple):
    """Draws in a row, and what each was below."""

    values: Sequence[int]
    bounds: Sequence[int]


def whole_search(
    generator: Generator, scaling: Scaling, draws: Draws, goes_on: Callable[[], bool] = lambda: True
) -> Iterator[int]:
    """The states, after the output of the first draw, from which all other draws follow. Raises OutOfTime."""
    outputs = scaling.giving(draws.values[0], draws.bounds[0], generator.span)
    yield from among(generator, scaling, draws, outputs, goes_on)


def among(
    generator: Generator, scaling: Scaling, draws: Draws, outputs: Outputs, goes_on: Callable[[], bool]
) -> Iterator[int]:
    """The same, among the states with these outputs."""

    def advance(states: Uints) -> tuple[Uints, Uints]:
        states = generator.step(states)
        return states, generator.output(states)

    total = outputs.many << generator.shift
    rest = Draws(draws.values[1:], draws.bounds[1:])
    for number, first in enumerate(range(0, total, CHUNK)):
        if number % 64 == 0 and not goes_on():
            raise OutOfTime
        states = _states(generator, outputs, first, min(CHUNK, total - first))
        for found in following(advance, scaling, states, rest, generator.span):
            yield int(states[found])


def _states(generator: Generator, outputs: Outputs, first: int, count: int) -> Uints:
    kind = generator.kind
    index = np.arange(first, first + count, dtype=kind)
    if outputs.step == 1:
        return np.asarray(index + kind(outputs.first << generator.shift))
    if not generator.shift:
        return np.asarray(index * kind(outputs.step) + kind(outputs.first))
    shift = kind(generator.shift)
    shown = (index >> shift) * kind(outputs.step) + kind(outputs.first)
    return np.asarray(shown << shift | index & kind((1 << generator.shift) - 1))


def following(
    advance: Advance, scaling: Scaling, states: Uints, draws: Draws, span: int, most: int | None = None
) -> Uints:
    """The indices of the states from which the draws follow. After `most` outputs, those that may still."""
    return (_again if scaling.rejects else _in_step)(advance, scaling, states, draws, span, most)


def _in_step(advance: Advance, scaling: Scaling, states: Uints, draws: Draws, span: int, most: int | None) -> Uints:
    index: Uints | None = None
    for draw, bound in list(zip(draws.values, draws.bounds, strict=True))[:most]:
        states, outputs = advance(states)
        kept = np.flatnonzero(scaling.see(outputs, draw, bound, span).match)
        if not len(kept):
            return kept
        index = kept if index is None else index[kept]
        states = states[kept]
    return np.arange(len(states)) if index is None else index


def _again(advance: Advance, scaling: Scaling, states: Uints, draws: Draws, span: int, most: int | None) -> Uints:
    """Where some outputs give no draw, and the next one is taken."""
    waiting = {0: (states, np.arange(len(states)))}
    """States that have given so many draws, with their indices."""
    found: list[Uints] = []
    for _ in range(len(draws.values) + MOST_AGAIN if most is None else most):
        after: dict[int, list[tuple[Uints, Uints]]] = {}
        for given, (held, index) in waiting.items():
            moved, outputs = advance(held)
            seen = scaling.see(outputs, draws.values[given], draws.bounds[given], span)
            assert seen.again is not None
            for to, mask in ((given + 1, seen.match), (given, seen.again)):
                kept = np.flatnonzero(mask)
                if len(kept) and to == len(draws.values):
                    found.append(index[kept])
                elif len(kept):
                    after.setdefault(to, []).append((moved[kept], index[kept]))
        waiting = {
            to: (np.concatenate([s for s, _ in parts]), np.concatenate([i for _, i in parts]))
            for to, parts in after.items()
        }
        if not waiting:
            break
    if most is not None:
        found += [index for _, index in waiting.values()]
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)
