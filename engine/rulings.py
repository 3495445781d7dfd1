"""What a clause orders when something goes wrong, and what a round refuses."""

from dataclasses import dataclass
from enum import Enum


class Order(Enum):
    """What must be done."""

    NO_ROLL = "no roll: shake again"
    RESHAKE = "cover and shake again"
    SELECT_AGAIN = "select again"
    RESHUFFLE = "reshuffle"
    VOID = "all hands void; reshuffle"
    VOID_KEEP_BONUS = "all hands void, bonus wagers settled; reshuffle"
    REMOVE_DECK = "remove the deck"
    VOID_REMOVE_DECK = "all hands void; remove the deck"
    DISCARD_CARD = "discard the card and go on"
    USE_AS_NEXT = "use it as the next card"
    OFFER_VOID = "the player may void the hand"
    RESET_HANDS = "set the hands again by the house way"
    WAGER_LOSES = "the wager loses"
    RECUT = "cut again"
    MOVE_BUTTON = "put the button where it belongs"
    STANDS = "noted; the round goes on"
    NO_SPIN = "no spin: spin again"
    LAST_ROUND = "finish the round, then shuffle"
    RETURN_BET = "return the bet"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was ordered, why, by which rules (keys of the clause register), and whom it concerns."""

    order: Order
    rules: tuple[str, ...]
    why: str
    device: str | None = None
    """The kind of device whose fault this is, None when people erred."""
    position: int | None = None
    policy: bool = False
    """Set when no clause orders this and it is the rig's own policy."""


class Illegal(Exception):
    """A move that the rules forbid, with the rule that forbids it. The round is as it was before."""

    def __init__(self, why: str, *rules: str) -> None:
        super().__init__(f"{why} ({', '.join(rules)})" if rules else why)
        self.why = why
        self.rules = rules


class OutOfTurn(Exception):
    """An observation that does not answer the present ask: the caller's mistake, not the table's."""
