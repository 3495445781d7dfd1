"""Three Card Poker: the bonus tables over all C(52,3) hands, ante and play against all C(49,3) of the dealer's."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from feltrig.engine.cards import Card
from feltrig.engine.games.three_card_poker.paytables import PAY_TABLES
from feltrig.engine.games.three_card_poker.settlement import LOWEST_QUALIFYING, Outcome, fold, settle_contest
from feltrig.engine.odds.sets import bits
from feltrig.engine.odds.suits import orbits
from feltrig.engine.odds.wager import GameOdds, Net, Progress, Source, Wager, gathered, paid, silent
from feltrig.engine.ranking.bulk import strengths
from feltrig.engine.ranking.census import Cards, census, hands
from feltrig.engine.ranking.shape import packed
from feltrig.engine.ranking.three_card import RANKING, ThreeCard

ANTE_AND_PLAY = "ante_and_play"
_QUALIFIES = packed(ThreeCard.HIGH_CARD, [LOWEST_QUALIFYING])


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """The pair plus wager by itself, and the contest with the ante bonus, played in the best way."""
    counts = {category.name.lower(): count for category, count in _by_category().items()}
    for table, odds in PAY_TABLES["pair_plus"].items():
        yield paid("pair_plus", table, counts, odds)
    yield contest(progress)


def contest(progress: Progress = silent) -> Wager:
    """Ante, play and ante bonus together, in units of the ante."""
    every = np.concatenate(list(hands(52, 3)))
    held, sets = strengths(every, RANKING), bits(every)
    ends: list[tuple[str, Net, int]] = []
    first, weights = orbits(every)
    for done, (player, weight) in enumerate(zip(first.tolist(), weights.tolist(), strict=True)):
        progress("hands of the player", done, len(first))
        dealers = np.flatnonzero((sets & sets[player]) == 0)
        ends += _against(every, player, _judged(held[dealers], held[player]), dealers, weight)
    return gathered(ANTE_AND_PLAY, "19:47-20.11(a)1 with 19:47-20.11(a)3", ends)


def _by_category() -> dict[ThreeCard, int]:
    return {ThreeCard(category): count for category, count in census(3, RANKING).items()}


def _judged(dealers: npt.NDArray[np.uint32], player: np.uint32) -> npt.NDArray[np.int8]:
    """0 to 2: the player's hand is lower, equal, higher; 3: the dealer does not play."""
    against = np.sign(player.astype(np.int64) - dealers.astype(np.int64)) + 1
    return np.where(dealers >= _QUALIFIES, against, 3).astype(np.int8)


def _against(
    every: Cards, player: int, judged: npt.NDArray[np.int8], dealers: npt.NDArray[np.int64], weight: int
) -> list[tuple[str, Net, int]]:
    """How a hand ends against all of the dealer's; one of each kind is settled for all."""
    mine = _cards(every[player])
    ends: list[tuple[str, Net, int]] = []
    _, examples, counts = np.unique(judged, return_index=True, return_counts=True)
    for first, count in zip(examples.tolist(), counts.tolist(), strict=True):
        settled = settle_contest(mine, _cards(every[dealers[first]]), 1)
        net = settled.ante_net + settled.play_net + settled.ante_bonus_net
        bonus = f"_with_bonus_{settled.ante_bonus_net}" if settled.ante_bonus_net else ""
        ends.append((settled.outcome.value + bonus, net, weight * count))
    folded = fold(1).ante_net
    if sum(net * count for _, net, count in ends) < folded * weight * len(judged):
        return [(Outcome.FOLD.value, folded, weight * len(judged))]
    return ends


def _cards(hand: Cards) -> list[Card]:
    return [Card(card) for card in hand.tolist()]


ODDS = GameOdds((Source("pair_plus, ante_and_play", wagers),))
