"""Every wager of Heads Up Hold'em, settled: 39.11. Nets are gains (+) and losses (-) without the stake."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from feltrig.engine.asks import Rules
from feltrig.engine.cards import Card
from feltrig.engine.games.heads_up_holdem import paytables
from feltrig.engine.games.heads_up_holdem.readings import (
    DEFAULT,
    PocketPairs,
    Readings,
    TieBreak,
    TripsPlusOnFold,
    UnqualifiedHigher,
)
from feltrig.engine.money import Cents, exact
from feltrig.engine.ranking.poker import RANKING, Category, category
from feltrig.engine.ranking.shape import ACE, literal, shape


class Outcome(Enum):
    """What became of the player's hand against the dealer's."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class MainSettlement:
    """Ante, raise and odds wager, settled. The odds wager is as large as the ante: 39.6(c)."""

    outcome: Outcome
    ante_net: int
    raise_net: int
    odds_net: Cents
    """The flush pays 3 to 2: half a cent on an odd ante."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class BonusSettlement:
    """One optional wager, settled."""

    paid_as: str | None
    """The hand that was paid, as the pay table calls it; None when the wager lost or there was none."""
    net: Cents
    rules: Rules


NO_BONUS = BonusSettlement(None, 0, ())

_FACES = (11, 12, 13)
"""39.1[face-card]: jack, queen, king."""


def compare(player: int, dealer: int, tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST) -> int:
    """Above 0 when the player's strength is higher, below 0 when the dealer's is, 0 for copies: 39.5(c)."""
    if tie_break is TieBreak.LITERAL:
        return literal(RANKING, player) - literal(RANKING, dealer)
    return player - dealer


def qualifies(dealer: int) -> bool:
    """Whether a dealer's hand of this strength is a pair or better: 39.11(b)(1)."""
    return category(dealer) >= Category.PAIR


def settle_main(
    player: int,
    dealer: int,
    ante: int,
    raised: int,
    readings: Readings = DEFAULT,
    odds: paytables.PayTable = paytables.ODDS,
    bad_beat: paytables.PayTable = paytables.BAD_BEAT["example"],
) -> MainSettlement:
    """The wagers of a player who raised by `raised` cents and meets the dealer; hands by their strength."""
    higher = compare(player, dealer, readings.tie_break)
    ante_sign, ante_rule = _ante(higher, qualifies(dealer), readings)
    hand = category(player).name.lower()
    straight_or_better = category(player) >= Category.STRAIGHT
    if higher > 0:
        paid, rule = (odds[hand], "13:69F-39.11(b)(5)") if straight_or_better else (0, "13:69F-39.11(c)")
        outcome, raise_sign = Outcome.WIN, 1
    elif higher == 0:
        outcome, raise_sign, paid, rule = Outcome.PUSH, 0, 0, "13:69F-39.11(d)"
    else:
        paid, rule = (bad_beat[hand], "13:69F-39.11(f)") if straight_or_better else (-1, "13:69F-39.11(e)")
        outcome, raise_sign = Outcome.LOSE, -1
    tie_break = ("13:69F-39.5(c)",) if category(player) is category(dealer) else ()
    rules = (ante_rule, rule, *tie_break)
    return MainSettlement(outcome, ante_sign * ante, raise_sign * raised, exact(paid * ante), rules)


def fold(ante: int) -> MainSettlement:
    """The wagers of a player who folds: ante and odds are lost, and there was no raise."""
    return MainSettlement(Outcome.FOLD, -ante, 0, -ante, ("13:69F-39.10(h)", "13:69F-39.1[fold]"))


def settle_trips_plus(
    player: int, wager: int, table: int = 1, folded: bool = False, readings: Readings = DEFAULT
) -> BonusSettlement:
    """The wager on three of a kind or better in the best five of seven, whatever becomes of the others: 39.11(g)."""
    if folded and readings.trips_plus_on_fold is TripsPlusOnFold.LOSE:
        return _bonus(None, wager, paytables.TRIPS_PLUS[table], "13:69F-39.10(h)")
    return _bonus(category(player).name.lower(), wager, paytables.TRIPS_PLUS[table], "13:69F-39.11(g)")


def pocket_hand(hole: Sequence[Card], pairs: PocketPairs = PocketPairs.WIN) -> str | None:
    """What two hole cards are in the pocket bonus tables; None when they lose. A ten is no face card."""
    seen = shape(hole)
    if seen.groups == (2,):
        if pairs is PocketPairs.LOSE:
            return None
        return paytables.PAIR_OF_ACES if seen.ranks == (ACE,) else paytables.OTHER_PAIR
    if seen.ranks[0] == ACE and seen.ranks[1] in _FACES:
        return paytables.ACE_FACE_SUITED if seen.suited else paytables.ACE_FACE_UNSUITED
    return None


def settle_pocket_bonus(
    hole: Sequence[Card], wager: int, table: int = 1, readings: Readings = DEFAULT
) -> BonusSettlement:
    """The wager on the hole cards alone, which a fold does not touch: 39.10(h), 39.11(i)."""
    return _bonus(pocket_hand(hole, readings.pocket_pairs), wager, paytables.POCKET_BONUS[table], "13:69F-39.11(i)")


def _bonus(hand: str | None, wager: int, table: paytables.PayTable, rule: str) -> BonusSettlement:
    if not wager:
        return NO_BONUS
    if hand is None or hand not in table:
        return BonusSettlement(None, -wager, (rule,))
    return BonusSettlement(hand, exact(table[hand] * wager), (rule,))


def _ante(higher: int, qualified: bool, readings: Readings) -> tuple[int, str]:
    """Whether the ante wins (1), pushes (0) or loses (-1), and by which of 39.11(b)(1) to (4)."""
    if not qualified and (higher >= 0 or readings.unqualified_higher is UnqualifiedHigher.PUSH):
        return 0, "13:69F-39.11(b)(1)"
    if higher > 0:
        return 1, "13:69F-39.11(b)(2)"
    return (0, "13:69F-39.11(b)(4)") if higher == 0 else (-1, "13:69F-39.11(b)(3)")
