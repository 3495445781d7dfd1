"""Let It Ride: the three bets, taken back where they lose on average, and the bonus wager."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from feltrig.engine.games.let_it_ride.paytables import AWARDS, BETS, BONUS_WAGER, PAY_TABLES, Odds, line_of
from feltrig.engine.games.let_it_ride.settlement import BonusStake
from feltrig.engine.odds import five_cards
from feltrig.engine.odds.wager import GameOdds, Progress, Source, Wager, gathered, silent

_RIDING = {1: "_on_1_bet", 2: "_on_2_bets", 3: "_on_3_bets"}


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """The bets together, in units of one of them, and the bonus wager by what becomes of its stake (LIR-03)."""
    for table, odds in PAY_TABLES["bets"].items():
        yield bets(odds, table, progress)
    for table, amounts in AWARDS["bonus"].items():
        for stake in BonusStake:
            yield bonus(amounts, stake, table)


def bets(odds: Odds = BETS, table: str = "19:47-18.11(b)", progress: Progress = silent) -> Wager:
    """All three bets when each is left to ride only where it gains: on three cards the first, on four the second."""
    names, of_hand = five_cards.lines(line_of)
    by_line = five_cards.nets(names, odds)
    first, second = (five_cards.gains(size, by_line[of_hand]) for size in (3, 4))
    on_four = {places: second[numbers] for places, numbers in five_cards.parts(4)}
    ways = np.zeros(4 * len(names), np.int64)
    for done, (places, numbers) in enumerate(five_cards.parts(3)):
        progress("cards of the player", done, 10)
        for four, rides in on_four.items():
            if set(places) <= set(four):
                riding = 1 + first[numbers] + rides
                ways += np.bincount(4 * of_hand + riding, minlength=len(ways))
    return gathered("bets", table, five_cards.ends(names, by_line, _RIDING, ways.reshape(len(names), 4)))


def bonus(amounts: Odds, stake: BonusStake, table: str) -> Wager:
    """The bonus wager of one dollar."""
    kept = 0 if stake is BonusStake.RETURNED else BONUS_WAGER
    ends = (
        (name, Fraction(amounts[name] - kept, BONUS_WAGER) if name in amounts else -1, count)
        for name, count in five_cards.counts(line_of).items()
    )
    return gathered("bonus", f"{table}, stake {stake.value.replace('_', ' ')}", ends)


ODDS = GameOdds((Source("bets, bonus", wagers),))
