"""Double Down Stud: the wager, doubled where that gains on the four cards that are seen."""

from collections.abc import Iterator

import numpy as np

from feltrig.engine.games.double_down_stud.paytables import PAY_TABLES, Odds, line_of
from feltrig.engine.odds import five_cards
from feltrig.engine.odds.wager import GameOdds, Progress, Source, Wager, gathered, silent

_STAKES = {1: "", 2: "_doubled"}


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """The wager below the payout limit, doubled by as much where that gains on average."""
    for table, odds in PAY_TABLES["wager"].items():
        yield wager(odds, table)


def wager(odds: Odds, table: str) -> Wager:
    """One table: the player decides on the own card and three of those that all share, 17.8(b), (c)."""
    names, of_hand = five_cards.lines(line_of)
    by_line = five_cards.nets(names, odds)
    doubles = five_cards.gains(4, by_line[of_hand])
    ways = np.zeros(3 * len(names), np.int64)
    for _, numbers in five_cards.parts(4):
        ways += np.bincount(3 * of_hand + 1 + doubles[numbers], minlength=len(ways))
    return gathered("wager", table, five_cards.ends(names, by_line, _STAKES, ways.reshape(len(names), 3)))


ODDS = GameOdds((Source("wager", wagers),))
