"""How five-card hands rank and compare: 21.3. The numbers come from the kernel, the words from here."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from feltrig.engine.cards import Card
from feltrig.engine.ranking import many_decks as kernel
from feltrig.engine.ranking.many_decks import RANKING, Category
from feltrig.engine.ranking.shape import literal

DECKS = (8, 6)
"""How many a shoe may hold: 21.2(a). More first, since that allows every hand that fewer do."""

KEPT, COMMUNITY = 2, 5
"""The cards that a holder keeps, and those that all share: 21.1."""


class TieBreak(Enum):
    """What decides between hands of one category: PGP-04."""

    GROUP_RANKS_FIRST = "group_ranks_first"
    LITERAL = "literal"
    """The highest card that the other hand lacks, even before the rank of a pair."""


@dataclass(frozen=True, slots=True)
class HandRank:
    """The rank of a five-card hand."""

    category: Category
    ranks: tuple[int, ...]
    """The deciding ranks, 2 to 14, groups first; of a straight its top, which is 5 for 5-4-3-2-A."""
    strength: int
    """Higher is better, equal is a copy hand."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule that defines the category."""
        return (f"19:47-21.3(b){self.category.place}",)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A player's hand and the dealer's, compared."""

    player_by: int
    """Above zero when the player's is higher, below when the dealer's is, zero for a copy hand: 21.3(c)."""
    rules: tuple[str, ...]


def rank_five(cards: Sequence[Card]) -> HandRank:
    """The rank of five cards; of many decks, so one card may come again."""
    if len(cards) != 5:
        raise ValueError(f"hand {tuple(cards)}: expected five cards")
    return _ranked(kernel.strength(cards))


def best_of_seven(kept: Sequence[Card], community: Sequence[Card]) -> HandRank:
    """The highest five-card hand of the two cards kept and the five community cards: 21.1."""
    if len(kept) != KEPT or len(community) != COMMUNITY:
        raise ValueError(f"{len(kept)} cards kept, {len(community)} community cards: expected {KEPT} and {COMMUNITY}")
    return _ranked(kernel.strength((*kept, *community)))


def compare(player: HandRank, dealer: HandRank, tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST) -> Comparison:
    """Which of two hands is higher."""
    rules = dict.fromkeys((*player.rules, *dealer.rules))
    if player.category is dealer.category:
        rules["19:47-21.3(c)"] = None
    mine, theirs = player.strength, dealer.strength
    if tie_break is TieBreak.LITERAL:
        mine, theirs = literal(RANKING, mine), literal(RANKING, theirs)
    return Comparison(mine - theirs, tuple(rules))


def _ranked(strength: int) -> HandRank:
    return HandRank(kernel.category(strength), kernel.ranks(strength), strength)
