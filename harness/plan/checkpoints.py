"""The legs of a run: what is done between two moments at which it could be broken off and taken up again."""

import hashlib
import json
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from feltrig.harness.journal.journal import Journal, Record
from feltrig.harness.rig.model import Rig
from feltrig.harness.wires.connecting import WiredRig


@dataclass(frozen=True, slots=True)
class Crew:
    """What a leg is run with. `rng` is the leg's own: the same seed and leg draw the same again."""

    rig: Rig
    wired: WiredRig
    journal: Journal
    seed: int
    rng: random.Random


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg. Its name is its own within the run; the definition says in plain values what it does."""

    name: str
    definition: Mapping[str, Any]
    run: Callable[[Crew], Awaitable[None]] = field(compare=False)

    @property
    def digest(self) -> str:
        """SHA-256 of the definition: a leg that means something else today is not taken up again."""
        return hashlib.sha256(json.dumps(self.definition, sort_keys=True).encode()).hexdigest()


class Step(Protocol):
    """A part of a plan. Which leg comes next may depend on what the legs before it have shown."""

    @property
    def name(self) -> str:
        """As people read it."""

    def next_leg(self) -> Leg | None:
        """The next leg, None when the step is complete."""

    def recall(self, leg: str, records: Sequence[Record]) -> None:
        """Take in a leg that was run before the run was broken off."""


class Fixed:
    """A step whose legs are known beforehand."""

    def __init__(self, name: str, legs: Iterable[Leg]) -> None:
        self.name = name
        self._legs = list(legs)

    def next_leg(self) -> Leg | None:
        """The first leg that was not run."""
        return self._legs.pop(0) if self._legs else None

    def recall(self, leg: str, records: Sequence[Record]) -> None:
        """Nothing but that it is done: `next_leg` has handed it out."""


@dataclass(frozen=True, slots=True)
class Completed:
    """A leg that is done, as the journal has it."""

    name: str
    digest: str
    records: tuple[Record, ...]
    memory: Mapping[str, Any]
    """What the emulated devices remembered at its end."""


class Changed(Exception):
    """The run cannot be taken up again: a leg means something else than it did, or another device answers."""


async def run_legs(steps: Iterable[Step], crew: Crew, done: Sequence[Completed] = ()) -> None:
    """Run every leg of every step in turn; those that are done already are recalled. Raises what stops any run."""
    before = list(done)
    if before:
        crew.wired.emulated.restore(before[-1].memory)
    for step in steps:
        while (leg := step.next_leg()) is not None:
            if before:
                completed = before.pop(0)
                if (completed.name, completed.digest) != (leg.name, leg.digest):
                    raise Changed(f"leg {leg.name!r} is not the one that was run: {completed.name!r}")
                step.recall(leg.name, completed.records)
                continue
            await _run(leg, crew)


async def _run(leg: Leg, crew: Crew) -> None:
    crew.journal.append("leg", {"name": leg.name, "digest": leg.digest})
    seed = f"{crew.seed} {leg.name}"
    crew.wired.reseed(seed)
    own = Crew(crew.rig, crew.wired, crew.journal, crew.seed, random.Random(f"players {seed}"))
    await leg.run(own)
    crew.journal.append("leg done", {"name": leg.name, "memory": crew.wired.emulated.memory()})
    crew.journal.sync()


def completed(records: Iterable[Record]) -> list[Completed]:
    """The legs of a journal that are done, in their order."""
    found: list[Completed] = []
    begun: list[Record] = []
    for record in records:
        if record.kind == "leg":
            begun = []
        begun.append(record)
        if record.kind == "leg done":
            leg = begun[0]
            found.append(Completed(leg.data["name"], leg.data["digest"], tuple(begun), record.data["memory"]))
            begun = []
    return found
