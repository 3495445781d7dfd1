"""What a check is: a function over the evidence of a run, with its data beside it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Sighting:
    """One occasion on which a check could be made."""

    good: bool
    evidence: tuple[int, ...]
    detail: str = ""
    note: str = ""
    """What a good one rests on, where that is less than the check's name says."""
    unproven: str = ""
    """Why the occasion proves nothing, good or not."""
    lacks: tuple[str, ...] = ()
    """What it would rest on and the device's own protocol does not carry, as `Profile.lacks` names it."""
    requirements: tuple[str, ...] = ()
    """The requirements that a bad one breaks, if they are known more closely than by the check."""


Look = Callable[[Evidence, str], Iterator[Sighting]]
"""Finds the occasions of a check in the evidence about one device."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check of a device."""

    name: str
    look: Look
    role: str | None = None
    """What it is about: each game says which of its clauses that is. None: the rig's own demand."""
    kind: str | None = None
    """The kind of device that it is about. None: the kind in whose record it stands, else every device."""
    required: bool = True
    """Whether a certificate needs at least one occasion."""
    rests_on: tuple[str, ...] = ()
    """What it takes the device's word for, as `Profile.lacks` names it."""
    catches: tuple[str, ...] = ()
    """The faults of emulated devices for which it must fail."""
    limits: str = ""
    """What a pass does not show, where that is easily overestimated."""
    absent: str = "did not occur in this run"
    """What it means that there was no occasion."""
    requirements: tuple[str, ...] = ()
    """The requirements of the wire documents that it tests, by their ids."""
    basis: Basis = Basis.CLAIMED
    """What a pass rests on."""


def check(
    name: str,
    *,
    role: str | None = None,
    kind: str | None = None,
    required: bool = True,
    rests_on: tuple[str, ...] = (),
    catches: tuple[str, ...] = (),
    limits: str = "",
    absent: str = "did not occur in this run",
    requirements: tuple[str, ...] = (),
    basis: Basis = Basis.CLAIMED,
) -> Callable[[Look], Check]:
    """Make a check of the function below it."""
    return lambda look: Check(name, look, role, kind, required, rests_on, catches, limits, absent, requirements, basis)
