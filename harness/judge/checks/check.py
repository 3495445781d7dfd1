"""What a check is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from feltrig.harness.judge.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Sighting:
    """One occasion on which a check could be made."""

    good: bool
    evidence: tuple[int, ...]
    detail: str = ""
    note: str = ""
    """What a good one rests on, where that is less than the check's name says."""


Look = Callable[[Evidence, str], Iterator[Sighting]]


@dataclass(frozen=True, slots=True)
class Check:
    """A check of one kind of device (None: of every device). `role` is what it is about: each game says which of its
    clauses that is (None: the rig's own demand)."""

    name: str
    kind: str | None
    role: str | None
    look: Look
    required: bool = True
    """Whether a certificate needs at least one occasion."""
    limits: str = ""
    """What a pass does not show, where that is easily overestimated."""
    absent: str = "did not occur in this run"
    """What it means that there was no occasion."""
