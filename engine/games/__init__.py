"""The games that the engine knows, by name."""

from feltrig.engine.games.game import Game
from feltrig.registry import Registry

GAMES: Registry[Game] = Registry(
    "feltrig.games",
    {
        "supreme_pai_gow": "feltrig.engine.games.supreme_pai_gow.game:GAME",
        "pai_gow": "feltrig.engine.games.pai_gow.round:GAME",
        "pai_gow_poker": "feltrig.engine.games.pai_gow_poker.round:GAME",
        "let_it_ride": "feltrig.engine.games.let_it_ride.round:GAME",
        "three_card_poker": "feltrig.engine.games.three_card_poker.round:GAME",
        "double_down_stud": "feltrig.engine.games.double_down_stud.round:GAME",
        "packs_poker": "feltrig.engine.games.packs_poker.round:GAME",
        "heads_up_holdem": "feltrig.engine.games.heads_up_holdem.round:GAME",
        "fast_action_holdem": "feltrig.engine.games.fast_action_holdem.round:GAME",
        "red_dog": "feltrig.engine.games.red_dog.round:GAME",
        "minibaccarat": "feltrig.engine.games.minibaccarat.round:GAME",
        "blackjack": "feltrig.engine.games.blackjack.round:GAME",
        "roulette": "feltrig.engine.games.roulette.round:GAME",
        "big_six": "feltrig.engine.games.big_six.round:GAME",
    },
    Game,
)
