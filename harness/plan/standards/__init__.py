"""Standards: what a jurisdiction, or a laboratory's habit, asks of every kind of device. Each is a TOML file:

title         as people read it
jurisdiction  by whose rules the rounds must be played; without it, by those of the rig
level         share of good machines that may be refused: one decision for all statistics of a device together
samples       by kind of device: how many must be taken; fewer only if the machine is refused before
tests         by kind of device: the tests that the standard names, each with those of ours that make it. Without one
              of them there is no pass. All tests that we have decide together in any case
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable

from feltrig.registry import Registry


@dataclass(frozen=True, slots=True)
class Standard:
    """What one standard asks."""

    title: str
    level: float
    samples: Mapping[str, int]
    jurisdiction: str | None = None
    tests: Mapping[str, Mapping[str, list[str]]] = field(default_factory=dict)


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
