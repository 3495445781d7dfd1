"""A wager: its outcomes, what it gains by each, and what the house keeps."""

from fractions import Fraction

import pytest

from feltrig.engine.games import GAMES
from feltrig.engine.odds.wager import Wager, gathered, paid


def test_every_game_has_odds_or_says_why_not() -> None:
    assert all(game.odds.sources for game in GAMES.values())
    slow = {source.bets for game in GAMES.values() for source in game.odds.sources if source.minutes}
    assert slow == {"packs_bet", "ante_raise_and_odds"}


def test_a_wager_without_odds_for_an_outcome_loses_it() -> None:
    wager = paid("bet", "table", {"full_house": 2, "nothing": 5}, {"full_house": 3})
    assert wager.nets == {"full_house": 3, "nothing": -1}
    assert (wager.total, wager.expected, wager.returned) == (7, Fraction(1, 7), Fraction(8, 7))
    unpaid = Wager("bet", "table", {"any": 1}, None)
    assert (unpaid.expected, unpaid.returned, unpaid.house_edge, unpaid.of_meter) == (None,) * 4


def test_an_outcome_has_one_net() -> None:
    with pytest.raises(ValueError, match="win gains both 1 and 2"):
        gathered("bet", "table", [("win", 1, 3), ("win", 2, 1)])
    wager = gathered("bet", "table", [("lose", -1, 3), ("win", 2, 1), ("lose", -1, 2)])
    assert list(wager.outcomes.items()) == [("win", 1), ("lose", 5)], "the best first"
    assert (wager.returned, wager.house_edge) == (Fraction(1, 2), Fraction(1, 2))
