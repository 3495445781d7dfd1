"""What a licensee chooses at a minibaccarat table, checked against the rules that limit the choice."""

from dataclasses import dataclass, field
from enum import Enum

from feltrig.engine.games.minibaccarat.drawing import BANKER_DRAWS, BankerTable
from feltrig.engine.games.minibaccarat.settlement import CUSTOMARY, Payouts
from feltrig.engine.rulings import Illegal

LEAST_DECKS = 6
"""19:47-7.1(a)."""


class Deal(Enum):
    """How the first four cards are laid out: 19:47-7.7(c)1 to 3."""

    FACE_UP = "face_up"
    UNDER_SHOE = "under_shoe"
    VIEWED = "viewed"


class Shuffle(Enum):
    """How the stack is left after the shuffle: 19:47-7.5(b)."""

    FEATHERED = "feathered"
    LACED = "laced"


@dataclass(frozen=True)
class Options:
    """A table's choices. An illegal combination raises Illegal with the rule that forbids it."""

    decks: int = 8
    deal: Deal = Deal.FACE_UP
    shuffle: Shuffle = Shuffle.FEATHERED
    reshuffle_laced: bool = False
    """Shuffle some or all of the cards again after lacing: 19:47-7.5(b)2i."""
    recut_by: str = "last"
    """Who cuts again when a supervisor says so, `last` or `next`: 19:47-7.5(g)."""
    banker_table: BankerTable = field(default_factory=lambda: BANKER_DRAWS)
    """Outside the rule text: MB-01."""
    payouts: Payouts = CUSTOMARY

    def __post_init__(self) -> None:
        if self.decks < LEAST_DECKS:
            raise Illegal(f"{self.decks} decks: at least {LEAST_DECKS}", "19:47-7.1(a)")
        if self.reshuffle_laced and self.shuffle is not Shuffle.LACED:
            raise Illegal("only a laced stack is shuffled again", "19:47-7.5(b)2i")
        if self.recut_by not in ("last", "next"):
            raise Illegal(f"recut by {self.recut_by!r}: expected last or next", "19:47-7.5(g)")
