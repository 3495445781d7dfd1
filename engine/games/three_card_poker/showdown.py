"""Which of two hands of three cards is higher, and whether the dealer's is one that plays: 20.3(c), 20.11(a)1."""

from collections.abc import Sequence
from enum import Enum

from feltrig.engine.cards import QUEEN, Card, rank
from feltrig.engine.ranking.three_card import ThreeCard, category, ranks, strength

LOWEST_QUALIFYING = QUEEN + 2
"""A dealer without a pair or better plays with a queen or higher: 20.11(a)1."""


class TieBreak(Enum):
    """How two hands of one category compare: PGP-04."""

    GROUP_RANKS_FIRST = "group_ranks_first"
    """A higher pair wins whatever the third card is."""
    LITERAL = "literal"
    """The highest card that the other hand lacks wins, even against a higher pair."""


def qualifies(dealer: Sequence[Card]) -> bool:
    """Whether the dealer holds queen high or better."""
    held = strength(dealer)
    return category(held) > ThreeCard.HIGH_CARD or ranks(held)[0] >= LOWEST_QUALIFYING


def compare(player: Sequence[Card], dealer: Sequence[Card], tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST) -> int:
    """More than 0 when the player's hand is higher, less than 0 when the dealer's is, 0 for a draw."""
    mine, theirs = strength(player), strength(dealer)
    if tie_break is TieBreak.LITERAL and category(mine) is category(theirs) is ThreeCard.PAIR:
        # Only pairs differ: 20.3(b) itself orders straights, with 3-2-A lowest, and the other hands have no groups.
        return _sign(_descending(player), _descending(dealer))
    return mine - theirs


def _descending(cards: Sequence[Card]) -> list[int]:
    return sorted(map(rank, cards), reverse=True)


def _sign(mine: list[int], theirs: list[int]) -> int:
    return (mine > theirs) - (mine < theirs)
