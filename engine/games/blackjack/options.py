"""What a licensee chooses at a blackjack table, checked against the rules that limit the choice."""

from dataclasses import dataclass
from enum import Enum

from feltrig.engine.rulings import Illegal


class SecondCard(Enum):
    """When and how the dealer gets the second card: 19:47-2.6(h), (j), (k)."""

    AFTER_PLAYERS = "after_players"
    FACE_DOWN = "face_down"
    FACE_UP = "face_up"


class Shoe(Enum):
    """What the cards are dealt from: 19:47-2.6(c), (d), (m).

    The engine keeps a double shoe as one pile. The determinant card is drawn and used as (d)2 says, but which side is
    dealt from, emptied and shuffled is for an inspector; so is how discards come back in a Bart Carter shuffle."""

    SINGLE = "single"
    DOUBLE = "double"
    BART_CARTER = "bart_carter"


class InsuranceUntil(Enum):
    """When the time for insurance is over: 19:47-2.9(b)."""

    ADDITIONAL_CARDS = "additional_cards"
    """Before any player gets a third card."""
    OWN_DECISION = "own_decision"
    """Before that player decides."""
    CARD_READER = "card_reader"
    """Before the hole card goes into the reader."""


@dataclass(frozen=True, slots=True)
class Options:
    """A table's choices. An illegal combination raises Illegal with the rule that forbids it."""

    shoe: Shoe = Shoe.SINGLE
    second_card: SecondCard = SecondCard.AFTER_PLAYERS
    card_reader: bool = False
    surrender: bool = False
    consolidated_payout: bool = False
    """Even money at once for a blackjack with full insurance: 19:47-2.7(c)."""
    insurance_at_decision: bool = False
    """Each player may insure until they decide: 19:47-2.9(b)."""
    multiple_action: bool = False
    progressive: bool = False
    notices: frozenset[str] = frozenset()
    """The choices that the players have been given notice of, by the names of these fields."""
    chip_unit: int = 100
    """The least amount in cents that can be wagered in chips: 19:47-2.9(b), BJ-03."""
    decks: int = 8
    """In the shoe, or in each side of it: outside the rule text."""
    dealer_hits_soft_17: bool = False
    """Outside the rule text: 19:47-2.12 is cut off."""
    split_aces_draw: bool = False
    """Outside the rule text, which is cut off in 19:47-2.11(c): by custom each split ace gets one card."""
    splits_lose_original_only: bool = False
    """Whether a dealer's blackjack takes but one wager of a split: not in the text, BJ-02."""

    @property
    def face_up(self) -> bool:
        """Whether the rules for an exposed hole card apply: 19:47-2.6(k)."""
        return self.second_card is SecondCard.FACE_UP

    @property
    def insurance_until(self) -> InsuranceUntil:
        """When the time for insurance is over."""
        if self.card_reader:
            return InsuranceUntil.CARD_READER
        return InsuranceUntil.OWN_DECISION if self.insurance_at_decision else InsuranceUntil.ADDITIONAL_CARDS

    def __post_init__(self) -> None:
        for forbidden, why, *rules in (*self._limits(), *self._unannounced()):
            if forbidden:
                raise Illegal(why, *rules)

    def _limits(self) -> tuple[tuple[bool, str, *tuple[str, ...]], ...]:
        """What the rules forbid, in words, and by which of them."""
        face_down = self.second_card is SecondCard.FACE_DOWN
        return (
            (self.card_reader and not face_down, "a card reader needs a hole card dealt face down", "19:47-2.6(j)"),
            (face_down and self.progressive, "no face-down hole card with a progressive wager", "19:47-2.6(j)2"),
            (self.face_up and self.progressive, "no face-up hole card with a progressive wager", "19:47-2.6(k)"),
            (self.face_up and self.surrender, "no surrender with a face-up hole card", "19:47-2.6(k)3"),
            (self.face_up and self.consolidated_payout, "no insurance with a face-up hole card", "19:47-2.6(k)3"),
            (self.face_up and self.insurance_at_decision, "no insurance with a face-up hole card", "19:47-2.6(k)3"),
            (self.surrender and self.multiple_action, "no surrender with multiple action", "19:47-2.8(c)"),
            (self.surrender and self.progressive, "no surrender with a progressive wager", "19:47-2.8(c)"),
            (
                self.insurance_at_decision and self.card_reader,
                "with a card reader, insurance is placed before it is used",
                "19:47-2.9(b)",
            ),
            (self.chip_unit < 1, f"chip unit of {self.chip_unit} cents: at least 1"),
            (self.decks < 1, f"{self.decks} decks: at least 1"),
        )

    def _unannounced(self) -> tuple[tuple[bool, str, *tuple[str, ...]], ...]:
        """The choices that need a notice at the table and have none."""
        needed = (
            ("second_card", self.face_up, "19:47-2.6(k)"),
            ("consolidated_payout", self.consolidated_payout, "19:47-2.7(c)"),
            ("surrender", self.surrender, "19:47-2.8(c)"),
            ("insurance_at_decision", self.insurance_at_decision, "19:47-2.9(b)"),
        )
        return tuple(
            (chosen and name not in self.notices, f"no notice of {name.replace('_', ' ')}", rule)
            for name, chosen, rule in needed
        )
