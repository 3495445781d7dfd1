"""Minibaccarat: all rounds of a full shoe, counted by the points of their cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import perm, prod

from feltrig.engine.games.minibaccarat import drawing
from feltrig.engine.games.minibaccarat.coup import Result
from feltrig.engine.games.minibaccarat.settlement import CUSTOMARY, Payouts, settle
from feltrig.engine.odds.wager import GameOdds, Progress, Source, Wager, gathered, silent

DECKS = (6, 8)
"""Six is the least (7.1(a)), eight is customary."""
_STAKE = 20
"""Divides by the twentieth that the commission is."""


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """The three wagers, by number of decks."""
    for decks in DECKS:
        counts = results(decks)
        yield from (wager(on, counts, decks) for on in Result)


def wager(on: Result, counts: Counter[Result], decks: int, payouts: Payouts = CUSTOMARY) -> Wager:
    """One wager; what it is paid is outside the rule text."""
    nets = {result: Fraction(settle(on, result, _STAKE, payouts).net, _STAKE) for result in Result}
    ends = ((result.value, nets[result], counts[result]) for result in Result)
    return gathered(on.value, f"{decks} decks", ends)


def results(decks: int, table: drawing.BankerTable = drawing.BANKER_DRAWS) -> Counter[Result]:
    """In how many orders of the first six cards each hand wins; cards that a round leaves in the shoe count too."""
    shoe = Counter[int]()
    for points in drawing.POINTS.values():
        shoe[points] += 4 * decks
    found = Counter[Result]()
    twos = list(combinations_with_replacement(range(10), 2))
    for players, bankers in product(twos, repeat=2):
        first_four = (*players, *bankers)
        orders = (1 + (players[0] != players[1])) * (1 + (bankers[0] != bankers[1]))
        ways = orders * _ways(shoe, first_four)
        player, banker = sum(players) % 10, sum(bankers) % 10
        for result, share in _finished(shoe - Counter(first_four), player, banker, table).items():
            found[result] += ways * share
    return found


def _finished(shoe: Counter[int], player: int, banker: int, table: drawing.BankerTable) -> Counter[Result]:
    """How a round goes on from both counts of two cards, over all ordered pairs of the next two cards."""
    found = Counter[Result]()
    draws = drawing.player_action(player, banker) is drawing.Action.DRAW
    for fifth in shoe:
        third = fifth if draws else None
        final = (player + fifth) % 10 if draws else player
        banker_draws = drawing.banker_action(player, banker, third, table) is drawing.Action.DRAW
        for sixth in shoe:
            ways = shoe[fifth] * (shoe[sixth] - (fifth == sixth))
            # The Banker's Hand takes the next card: the sixth only if the Player's Hand took the fifth.
            other = (banker + (sixth if draws else fifth)) % 10 if banker_draws else banker
            found[_result(final, other)] += ways
    return found


def _ways(shoe: Counter[int], cards: Sequence[int]) -> int:
    """In how many ways the shoe deals cards of these points in this order."""
    return prod(perm(shoe[points], often) for points, often in Counter(cards).items())


def _result(player: int, banker: int) -> Result:
    if player == banker:
        return Result.TIE
    return Result.PLAYER if player > banker else Result.BANKER


ODDS = GameOdds((Source("player, banker, tie", wagers),))
