"""Standards: what a jurisdiction, or a laboratory's habit, asks of every kind of device. Each is a TOML file:

title         as people read it
jurisdiction  by whose rules the rounds must be played; without it, by those of the rig
level         share of good machines that may be refused: one decision for all statistics of a device together
samples       by kind of device: how many must be taken; fewer only if the machine is refused before
tests         by kind of device: the tests that the standard names, each with those of ours that make it. Without one
              of them there is no pass. All tests that we have decide together in any case
least_rounds  rounds in all, however few ways to play the rig file names
least         by kind of device: events that the rounds must show, each with the least number of them
needs         what a certificate of a physical machine needs besides: parts of the identity that were submitted (all of
              one of the groups), the inspector's checklist, and by kind of device what a person must have read off it,
              `looks` times each
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from feltrig.harness.plan.needs import Needs
from feltrig.registry import Registry


@dataclass(frozen=True, slots=True)
class Standard:
    """What one standard asks."""

    title: str
    level: float
    samples: Mapping[str, int]
    jurisdiction: str | None = None
    tests: Mapping[str, Mapping[str, list[str]]] = field(default_factory=dict)
    least_rounds: int = 0
    least: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    needs: Mapping[str, Any] = field(default_factory=dict)

    def needs_of(self, kind: str) -> Needs:
        """What a certificate needs of a physical machine of a kind."""
        identity = tuple(tuple(group) for group in self.needs.get("identity", ()))
        eye = tuple(self.needs.get("eye", {}).get(kind, ()))
        return Needs(identity, self.needs.get("checklist", False), eye, self.needs.get("looks", 0) if eye else 0)


def standard(file: Traversable) -> Standard:
    """Read a standard from its file."""
    return Standard(**tomllib.loads(file.read_text(encoding="utf-8")))


SHIPPED = ("nj", "ma", "gli")
"""The standards of this folder, in the order in which plans are listed."""

STANDARDS: Registry[Standard] = Registry(
    "feltrig.standards", {name: f"{__name__}:{name}" for name in SHIPPED}, Standard
)


def __getattr__(name: str) -> Standard:
    """A standard of this folder, read when it is first asked for."""
    if name not in SHIPPED:
        raise AttributeError(name)
    return standard(files(__name__) / f"{name}.toml")
