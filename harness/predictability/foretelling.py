"""Whether the unit that was kept aside follows from a state that was found."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from feltrig.harness.predictability.scalings import Scaling
from feltrig.harness.predictability.targets import Target
from feltrig.harness.predictability.whole_search import Draws

MOST_GAP = 256
"""Outputs that a machine may throw away between two decks."""
SHOWN = 14
"""Draws of the unit kept aside that may be looked at when the generator starts anew for each: the rest is foretold."""


@dataclass(frozen=True, slots=True)
class Foretold:
    """The generator behind a machine: the unit that was kept aside was foretold from those before."""

    generator: str
    scaling: str
    program: str
    state: str
    how: str
    """How it goes on from one deck, or block, to the next."""
    foretold: tuple[int, ...]
    dealt: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """As a journal or a file has it."""
        return {**asdict(self), "foretold": list(self.foretold), "dealt": list(self.dealt)}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A generator as it may have been used."""

    name: str
    scaling: Scaling
    span: int

    def draws(self, outputs: Iterator[int], bounds: Iterator[int] | tuple[int, ...] | list[int]) -> list[int] | None:
        """The draws that outputs give; None when there are too few of them."""
        try:
            return [self.scaling.draw(outputs, bound, self.span) for bound in bounds]
        except (StopIteration, RuntimeError):
            return None

    def taken(self, outputs: Iterator[int], draws: Draws) -> int | None:
        """How many outputs it takes to give all these draws; None if they give others."""
        count = 0

        def counted() -> Iterator[int]:
            nonlocal count
            for output in outputs:
                count += 1
                yield output

        source = counted()
        for value, bound in zip(draws.values, draws.bounds, strict=True):
            if self.draws(source, (bound,)) != [value]:
                return None
        return count

    def tells(self, target: Target, state: str, how: str, told: list[int] | None) -> Foretold | None:
        """What is reported if these draws are those that were kept aside."""
        aside = list(target.units[2].values)
        if told != aside:
            return None
        shown = target.show(told)
        return Foretold(self.name, self.scaling.name, target.program, state, how, shown, target.show(aside))


def goes_on(candidate: Candidate, state: str, outputs: Iterator[int], begun: int, target: Target) -> Foretold | None:
    """Run a generator on, which has given `begun` draws of the first unit: it must give the rest of it, the second
    after some gap, and after the same or another gap the one that was kept aside."""
    first, second, aside = target.units[:3]
    if candidate.taken(outputs, Draws(first.values[begun:], first.bounds[begun:])) is None:
        return None
    held = list(islice(outputs, 2 * MOST_GAP + 8 * len(second.values)))
    for gap in range(MOST_GAP + 1):
        used = candidate.taken(iter(held[gap:]), second)
        if used is None:
            continue
        for other in (gap, *range(MOST_GAP + 1)):
            told = candidate.draws(iter(held[gap + used + other :]), list(aside.bounds))
            how = "runs on" if gap == other == 0 else f"runs on, {gap} and then {other} outputs between"
            if (foretold := candidate.tells(target, state, how, told)) is not None:
                return foretold
    return None


def each_anew(
    candidate: Candidate,
    find: Callable[[Draws], int | None],
    run: Callable[[int], Iterator[int]],
    state: int,
    begun: int,
    target: Target,
) -> Foretold | None:
    """The generator starts anew for each unit. `find` gives the state of a unit, or of its beginning, once it has given
    `begun` draws, and `run` the outputs that follow; `state` was found for the first unit."""
    _, second, aside = target.units[:3]
    if not target.anew or len(aside.values) - target.start <= SHOWN:
        return None
    following = find(second)
    if following is None:
        return None
    begin = target.start + SHOWN
    known = Draws(aside.values[:begin], aside.bounds[:begin])
    step = following - state
    for expected, how in (
        (following + step, "from the same state" if step == 0 else f"from a seed that counts up by {step}"),
        (find(known), f"from any state: {SHOWN} draws of the deck kept aside told the rest of it"),
    ):
        if expected is None or expected < 0:
            continue
        outputs = run(expected)
        if candidate.taken(outputs, Draws(known.values[begun:], known.bounds[begun:])) is None:
            continue
        told = candidate.draws(outputs, list(aside.bounds[begin:]))
        if told is None:
            continue
        states = f"{state}, {following}, {expected}"
        found = candidate.tells(target, states, f"starts anew for each, {how}", [*known.values, *told])
        if found is not None:
            return found
    return None
