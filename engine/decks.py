"""The decks of a table: two alternate, one is shuffled while the other is dealt, and their cards are counted."""

from dataclasses import dataclass, field
from enum import Enum

from feltrig.engine.asks import Rules

DECKS = ("red", "blue")
"""The decks of a table by the colour of their backs. The first lies in compartment 1 of the shuffler."""


class Stage(Enum):
    """Where a deck is between two deals."""

    USED = "to be shuffled"
    SHUFFLING = "being shuffled"
    SHUFFLED = "ready to be dealt"


@dataclass(slots=True)
class Decks:
    """The decks of a table, by name. Of two, each is used every other round."""

    names: tuple[str, ...]
    in_play: str = field(init=False)
    stages: dict[str, Stage] = field(init=False)
    counted: set[str] = field(init=False, default_factory=set)
    """Decks that the shuffler counted, and found complete, after their last shuffle."""
    removed: dict[str, Rules] = field(init=False, default_factory=dict)
    """Decks that must leave the table, with the rules that say so, until another one is in their place."""

    def __post_init__(self) -> None:
        self.in_play = self.names[0]
        self.stages = dict.fromkeys(self.names, Stage.USED)

    @property
    def waiting(self) -> str | None:
        """The deck that is not in play, when there are two."""
        return next((name for name in self.names if name != self.in_play), None)

    def use(self, name: str) -> None:
        """The deck is no longer shuffled."""
        self.stages[name] = Stage.USED
        self.counted.discard(name)

    def start(self, name: str) -> None:
        """The shuffle of the deck has begun."""
        self.stages[name] = Stage.SHUFFLING

    def finish(self, name: str, counted: bool) -> None:
        """The deck is shuffled, and counted when the shuffler said so."""
        self.stages[name] = Stage.SHUFFLED
        if counted:
            self.counted.add(name)

    def remove(self, name: str, rules: Rules) -> None:
        """The deck must leave the table."""
        self.use(name)
        self.removed[name] = rules

    def replace(self, name: str) -> None:
        """A good deck is in the place of the removed one, not yet shuffled."""
        del self.removed[name]

    def alternate(self) -> None:
        """The deck in play is used; the other one, if there is one, is next."""
        self.use(self.in_play)
        self.in_play = self.waiting or self.in_play


@dataclass(slots=True)
class StubCount:
    """Says when the stub must be counted: at least once in `every` rounds."""

    every: int
    uncounted: int = 0
    """Rounds since the last count."""

    @property
    def due(self) -> bool:
        """Whether this round's stub must be counted."""
        return self.uncounted + 1 >= self.every

    def round_over(self, counted: bool) -> None:
        """A round ended, with its deck counted or not."""
        self.uncounted = 0 if counted else self.uncounted + 1
