"""One round of play as its cards come out of the shoe, from the first card to the winning hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from feltrig.engine.cards import Card
from feltrig.engine.games.minibaccarat.drawing import (
    BANKER_DRAWS,
    Action,
    BankerTable,
    banker_action,
    player_action,
    point_count,
    points,
)


class Hand(Enum):
    """The two hands that are dealt: 19:47-7.7(a)."""

    PLAYER = "player"
    BANKER = "banker"


class Result(Enum):
    """Which hand has the higher count."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


INITIAL = (Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER)
"""To whom the first four cards go: 19:47-7.7(c)."""


class TooFewCards(ValueError):
    """The cards end before the round does."""


@dataclass(frozen=True, slots=True)
class Coup:
    """A round that has been dealt."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]

    @property
    def player_total(self) -> int:
        """The final count of the Player's Hand."""
        return point_count(self.player)

    @property
    def banker_total(self) -> int:
        """The final count of the Banker's Hand."""
        return point_count(self.banker)

    @property
    def cards_used(self) -> int:
        """How many cards left the shoe, four to six."""
        return len(self.player) + len(self.banker)

    @property
    def natural(self) -> bool:
        """Whether two cards ended the round."""
        return player_action(point_count(self.player[:2]), point_count(self.banker[:2])) is Action.NATURAL

    @property
    def result(self) -> Result:
        """The hand of the higher count wins: outside the rule text, which is cut off before the settlement."""
        if self.player_total == self.banker_total:
            return Result.TIE
        return Result.PLAYER if self.player_total > self.banker_total else Result.BANKER

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that made the round what it is."""
        drawing = ("19:47-7.9(a)",) if self.natural else ("19:47-7.8(b)", "19:47-7.8(c)", "19:47-7.9(b)")
        return ("19:47-7.7(c)", *drawing)


def next_card(dealt: Sequence[Card], table: BankerTable = BANKER_DRAWS) -> Hand | None:
    """Which hand gets the card after these, in the order of the deal; None when the round is complete."""
    if len(dealt) < len(INITIAL):
        return INITIAL[len(dealt)]
    counts = point_count(dealt[0:4:2]), point_count(dealt[1:4:2])
    thirds = list(dealt[4:])
    player_draws = player_action(*counts) is Action.DRAW
    if player_draws and not thirds:
        return Hand.PLAYER  # before the Banker's Hand: 19:47-7.8(c)
    third = points(thirds.pop(0)) if player_draws else None
    if thirds or banker_action(*counts, third, table) is not Action.DRAW:
        return None  # one additional card at the most: 19:47-7.8(d)
    return Hand.BANKER


def deal(cards: Sequence[Card], table: BankerTable = BANKER_DRAWS) -> Coup:
    """Play a round from the front of the cards; those that it does not need stay in the shoe."""
    hands: dict[Hand, list[Card]] = {Hand.PLAYER: [], Hand.BANKER: []}
    used = 0
    while (hand := next_card(cards[:used], table)) is not None:
        if used == len(cards):
            raise TooFewCards(f"{used} cards, and the next one goes to the {hand.value.capitalize()}'s Hand")
        hands[hand].append(cards[used])
        used += 1
    return Coup(tuple(hands[Hand.PLAYER]), tuple(hands[Hand.BANKER]))
