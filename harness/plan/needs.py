"""What a certificate of a physical machine needs besides what the rig tests itself. An emulated device needs none."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Needs:
    """What must be there, or the run is inconclusive and names what is missing."""

    identity: tuple[tuple[str, ...], ...] = ()
    """What must have been submitted of the identity: all parts of one of these groups. Empty: nothing."""
    checklist: bool = False
    """Whether every item of the inspector's checklist must be answered."""
    eye: tuple[str, ...] = ()
    """What a person must have read off the machine, as the record of its kind names it."""
    looks: int = 0
    """How many times, each."""

    def __bool__(self) -> bool:
        return bool(self.identity or self.checklist or self.eye)

    @property
    def words(self) -> tuple[str, ...]:
        """Each need as people read it."""
        submitted = " or ".join(" and ".join(group) for group in self.identity)
        eyes = (f"a person reads off its {name}, {self.looks} times" for name in self.eye)
        identity = (f"its identity was submitted: {submitted}",) if self.identity else ()
        return (*identity, *(("the inspector's checklist, every item",) if self.checklist else ()), *eyes)


NO_NEEDS = Needs()


def from_record(record: Mapping[str, Any]) -> Needs:
    """The needs as a plan's record has them."""
    identity = tuple(tuple(group) for group in record["identity"])
    return Needs(identity, record["checklist"], tuple(record["eye"]), record["looks"])
