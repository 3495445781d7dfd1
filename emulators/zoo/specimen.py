"""One machine of the zoo."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from feltrig.emulators.models.faults import Fault

Mechanics = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Specimen:
    """One machine: what it does, and whether it is good. It has mechanics of its own, or a fault, or is plain."""

    name: str
    words: str
    build: Callable[[], Mechanics] | None = None
    """Makes its mechanics; each device gets its own."""
    good: bool = False
    fault: "Fault | None" = None
    kind: str = ""
    """The kind of device, which the catalogue fills in."""


def always(function: Mechanics, **given: Any) -> Callable[[], Mechanics]:
    """Builds mechanics without a memory."""
    return lambda: partial(function, **given)
