"""Which hand is higher, 20.3(c), and what becomes of ante, play and pair plus wagers: 20.10(b), 20.11. Nets are without
the stakes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from feltrig.engine.asks import Rules
from feltrig.engine.cards import QUEEN, Card, rank
from feltrig.engine.games.three_card_poker.paytables import ANTE_BONUS, PAIR_PLUS
from feltrig.engine.ranking.three_card import ThreeCard, category, ranks, strength

LOWEST_QUALIFYING = QUEEN + 2
"""A dealer without a pair or better plays with a queen or higher: 20.11(a)1."""

_DEFINED: Mapping[ThreeCard, str] = {
    ThreeCard.STRAIGHT_FLUSH: "19:47-20.3(b)1",
    ThreeCard.THREE_OF_A_KIND: "19:47-20.3(b)2",
    ThreeCard.STRAIGHT: "19:47-20.3(b)3",
    ThreeCard.FLUSH: "19:47-20.3(b)4",
    ThreeCard.PAIR: "19:47-20.3(b)5",
    ThreeCard.HIGH_CARD: "19:47-20.3(c)",
}
"""The clause that defines each hand."""


class TieBreak(Enum):
    """How two hands of one category compare: PGP-04."""

    GROUP_RANKS_FIRST = "group_ranks_first"
    """A higher pair wins whatever the third card is."""
    LITERAL = "literal"
    """The highest card that the other hand lacks wins, even against a higher pair."""


class Outcome(Enum):
    """How a player fares against the dealer."""

    WIN = "win"
    LOSE = "lose"
    DRAW = "draw"
    DEALER_NOT_QUALIFIED = "dealer_not_qualified"
    FOLD = "fold"


class Draw(Enum):
    """What ante and play do in a draw; outside the rule text, which only names it: TCP-01."""

    PUSH = "push"
    LOSE = "lose"


@dataclass(frozen=True, slots=True)
class ContestSettlement:
    """Ante and play wager against the dealer, settled."""

    outcome: Outcome
    ante_net: int
    play_net: int
    ante_bonus_net: int
    """Paid in addition to the ante, whatever the dealer holds: TCP-03."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class PairPlusSettlement:
    """A pair plus wager, settled."""

    net: int
    rules: Rules


_IN_EACH_WAGER: Mapping[Outcome, tuple[int, int]] = {
    Outcome.WIN: (1, 1),
    Outcome.LOSE: (-1, -1),  # outside the rule text, which says what a higher hand is paid only: TCP-01
    Outcome.DRAW: (0, 0),
    Outcome.DEALER_NOT_QUALIFIED: (1, 0),  # even when the player's hand is lower: TCP-02
}
"""What ante and play gain, in stakes: 20.11(a)1."""


def qualifies(dealer: Sequence[Card]) -> bool:
    """Whether the dealer holds queen high or better."""
    held = strength(dealer)
    return category(held) > ThreeCard.HIGH_CARD or ranks(held)[0] >= LOWEST_QUALIFYING


def compare(player: Sequence[Card], dealer: Sequence[Card], tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST) -> int:
    """More than 0 when the player's hand is higher, less than 0 when the dealer's is, 0 for a draw."""
    mine, theirs = strength(player), strength(dealer)
    if tie_break is TieBreak.LITERAL and category(mine) is category(theirs) is ThreeCard.PAIR:
        # Only pairs differ: 20.3(b) itself orders straights, with 3-2-A lowest, and the other hands have no groups.
        first, second = (sorted(map(rank, hand), reverse=True) for hand in (player, dealer))
        return (first > second) - (first < second)
    return mine - theirs


def fold(ante: int) -> ContestSettlement:
    """A player who makes no play wager forfeits the ante: 20.10(b)."""
    return ContestSettlement(Outcome.FOLD, -ante, 0, 0, ("19:47-20.10(b)",))


def settle_contest(
    player: Sequence[Card],
    dealer: Sequence[Card],
    ante: int,
    tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST,
    draw: Draw = Draw.PUSH,
) -> ContestSettlement:
    """Settle an ante and the play wager, which is as much, of a player who stayed in."""
    held, against = category(strength(player)), category(strength(dealer))
    outcome = _outcome(player, dealer, tie_break)
    rules = [_DEFINED[held], _DEFINED[against]]
    if held is against:
        rules.append("19:47-20.3(c)")
    rules.append("19:47-20.11(a)1")
    on_ante, on_play = _IN_EACH_WAGER[Outcome.LOSE if outcome is Outcome.DRAW and draw is Draw.LOSE else outcome]
    bonus = ANTE_BONUS.get(held.name.lower(), 0) * ante
    if bonus:
        rules.append("19:47-20.11(a)3")
    return ContestSettlement(outcome, on_ante * ante, on_play * ante, bonus, tuple(dict.fromkeys(rules)))


def settle_pair_plus(player: Sequence[Card], wager: int, *, folded: bool = False) -> PairPlusSettlement:
    """Settle a pair plus wager; `folded` when the player had placed an ante too and gave it up (TCP-04)."""
    if not wager:
        return PairPlusSettlement(0, ())
    if folded:
        return PairPlusSettlement(-wager, ("19:47-20.10(b)",))
    held = category(strength(player))
    paid = PAIR_PLUS.get(held.name.lower())
    net = -wager if paid is None else paid * wager
    return PairPlusSettlement(net, (_DEFINED[held], "19:47-20.11(a)2"))


def _outcome(player: Sequence[Card], dealer: Sequence[Card], tie_break: TieBreak) -> Outcome:
    if not qualifies(dealer):
        return Outcome.DEALER_NOT_QUALIFIED
    higher = compare(player, dealer, tie_break)
    if higher > 0:
        return Outcome.WIN
    return Outcome.LOSE if higher < 0 else Outcome.DRAW
