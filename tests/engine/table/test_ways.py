"""A way to play is told by the choices that it makes."""

import pytest

from feltrig.engine.games import GAMES
from feltrig.engine.table.ways import Way


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (Way(), "defaults"),
        (Way({"deal": "manual_shoe"}, {"decks": 6}), "manual shoe, decks 6"),
        (Way({"machine_shuffle": False, "decks": ["red", "blue"]}), "no machine shuffle, decks red and blue"),
        (Way({"two_areas": True}), "two areas"),
        (Way({"two_areas": True}, title="both areas"), "both areas"),
    ],
)
def test_a_way_is_told_in_words(way: Way, words: str) -> None:
    assert str(way) == words


@pytest.mark.parametrize(
    ("game", "option", "values"),
    [
        ("heads_up_holdem", "trips_plus_table", {2}),
        ("heads_up_holdem", "pocket_bonus_table", {2, 3}),
        ("let_it_ride", "payout_limit", {50_000_00, 75_000_00}),
    ],
)
def test_the_ways_of_a_game_play_these_values_besides_its_defaults(game: str, option: str, values: set[int]) -> None:
    assert {way.options[option] for way in GAMES[game].ways if option in way.options} == values
