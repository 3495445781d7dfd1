"""How one emulated device is set up: the same for every kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from feltrig.emulators.bench import Bench
from feltrig.emulators.models.faults import Fault
from feltrig.protocols.kinds.shoe import STACK_SIZES
from feltrig.protocols.messages import Identity


@dataclass(frozen=True, slots=True)
class Setup:
    """What the factory of a model is given. A kind of device uses what concerns it."""

    name: str
    seed: int | str
    speed: float = 0.0
    """Every duration is multiplied by it; 0 makes everything happen at once."""
    faults: Sequence[Fault] = ()
    identity: Identity | None = None
    """None for one that is made up."""
    mechanics: Callable[..., Any] | None = None
    """A function of the user's in place of the moving parts; None for fair ones."""
    bench: Bench = field(default_factory=Bench)
    """Where the cards lie."""
    decks: int = 1
    deck_size: Callable[[], int] = lambda: 54
    """How many cards a whole deck has now."""
    stack_sizes: tuple[int, ...] = STACK_SIZES
    """The sizes of stack that a shoe deals."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The values of the model's own keys."""
