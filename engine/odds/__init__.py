"""Exact odds: every wager and pay table of every game, by counting all the ways it can end."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from feltrig.engine.odds import (
    big_six,
    blackjack,
    dice,
    double_down_stud,
    fast_action_holdem,
    heads_up_holdem,
    heads_up_play,
    let_it_ride,
    minibaccarat,
    packs_bet,
    packs_poker,
    pai_gow,
    pai_gow_poker,
    red_dog,
    roulette,
    supreme_pai_gow,
    three_card_poker,
)
from feltrig.engine.odds.wager import LeftOut, Progress, Wager


@dataclass(frozen=True, slots=True)
class Source:
    """Where some wagers of a game come from."""

    bets: str
    wagers: Callable[[Progress], Iterator[Wager]]
    minutes: bool = False
    """Takes minutes of a processor rather than seconds."""


@dataclass(frozen=True, slots=True)
class GameOdds:
    """What is counted of a game, and what is not."""

    sources: tuple[Source, ...]
    left_out: tuple[LeftOut, ...] = ()


_SET_HANDS = "depends on how dealer and players set their hands, and the text leaves the house way to the licensee"

ODDS: Mapping[str, GameOdds] = MappingProxyType(
    {
        "supreme_pai_gow": GameOdds(
            (Source("bonus", supreme_pai_gow.wagers), Source("start_position", dice.start_positions)),
            (LeftOut("wager", f"{_SET_HANDS} (SPG-20)"),),
        ),
        "pai_gow": GameOdds(
            (Source("two_tiles", pai_gow.wagers),),
            (LeftOut("wager", "depends on how the hands are set, and the text is cut off before the settlement"),),
        ),
        "pai_gow_poker": GameOdds((Source("five_cards", pai_gow_poker.wagers),), (LeftOut("wager", _SET_HANDS),)),
        "let_it_ride": GameOdds((Source("bets, bonus", let_it_ride.wagers),)),
        "three_card_poker": GameOdds((Source("pair_plus, ante_and_play", three_card_poker.wagers),)),
        "double_down_stud": GameOdds((Source("wager", double_down_stud.wagers),)),
        "packs_poker": GameOdds(
            (Source("bonus wagers", packs_poker.wagers), Source("packs_bet", packs_bet.wagers, minutes=True))
        ),
        "heads_up_holdem": GameOdds(
            (
                Source("pocket_bonus, trips_plus", heads_up_holdem.wagers),
                Source("ante_raise_and_odds", heads_up_play.wagers, minutes=True),
            )
        ),
        "fast_action_holdem": GameOdds(
            (
                Source("four_cards_dealt", fast_action_holdem.naturals),
                Source("five_cards", fast_action_holdem.five_cards),
            ),
            (LeftOut("wager", "the text is cut off before it says what a higher hand wins (FAH-01)"),),
        ),
        "red_dog": GameOdds((Source("wager", red_dog.wagers),)),
        "minibaccarat": GameOdds((Source("player, banker, tie", minibaccarat.wagers),)),
        "blackjack": GameOdds(
            (Source("insurance", blackjack.wagers),),
            (LeftOut("wager", "the text is cut off before it says how hands are drawn and settled"),),
        ),
        "roulette": GameOdds((Source("all wagers", roulette.wagers),)),
        "big_six": GameOdds((Source("all wagers", big_six.wagers),)),
    }
)
"""By name of the game."""
