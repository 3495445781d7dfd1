"""Exact odds: every wager and pay table of every game, by counting all the ways it can end."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from feltrig.engine.games.big_six import odds as big_six
from feltrig.engine.games.blackjack import odds as blackjack
from feltrig.engine.games.double_down_stud import odds as double_down_stud
from feltrig.engine.games.fast_action_holdem import odds as fast_action_holdem
from feltrig.engine.games.heads_up_holdem import best_play as heads_up_play
from feltrig.engine.games.heads_up_holdem import odds as heads_up_holdem
from feltrig.engine.games.let_it_ride import odds as let_it_ride
from feltrig.engine.games.minibaccarat import odds as minibaccarat
from feltrig.engine.games.packs_poker import odds as packs_poker
from feltrig.engine.games.packs_poker import packs_bet_odds as packs_bet
from feltrig.engine.games.pai_gow import odds as pai_gow
from feltrig.engine.games.pai_gow_poker import odds as pai_gow_poker
from feltrig.engine.games.red_dog import odds as red_dog
from feltrig.engine.games.roulette import odds as roulette
from feltrig.engine.games.supreme_pai_gow import odds as supreme_pai_gow
from feltrig.engine.games.three_card_poker import odds as three_card_poker
from feltrig.engine.odds import dice
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
