"""What the record of a game says of its options, of a table where nothing is chosen, and of its test players."""

from dataclasses import astuple

import pytest

from feltrig.engine.decks import DECKS
from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Choices, Game
from feltrig.engine.games.supreme_pai_gow.options import Options
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import Deal, House
from feltrig.engine.table.table import Table


@pytest.mark.parametrize("name", GAMES)
def test_the_habits_of_players_are_probabilities(name: str) -> None:
    assert all(0 <= habit <= 1 for habit in astuple(GAMES[name].habits))


def test_players_do_nothing_that_the_record_of_their_game_does_not_speak_of() -> None:
    habits = GAMES["red_dog"].habits
    assert (habits.takes_bank, habits.surrender, habits.own_way, habits.foul) == (0, 0, 0, 0)


def test_each_thing_that_a_device_is_checked_for_has_its_clause() -> None:
    assert GAMES["let_it_ride"].roles == {
        "deck": "19:47-18.2(a)",
        "shuffle": "19:47-18.5(a)",
        "shuffle waiting": "19:47-18.2(b)3",
        "alternate": "19:47-18.2(b)4",
        "stack": "19:47-18.9(c)",
        "closed first": "19:47-18.9(b)2",
        "dispense": "19:47-18.9(c)",
        "shuffler fails": "19:47-18.12(d)",
        "machine count": "19:47-18.7(f)",
        "shoe fails": "19:47-18.12(e)",
        "face up": "19:47-18.12(a)",
        "settlement": "19:47-18.11(b)",
    }
    assert "stack" not in GAMES["pai_gow_poker"].roles, "it has no automated shoe"


@pytest.mark.parametrize("name", GAMES)
def test_every_role_of_a_device_is_a_clause_of_the_game(name: str) -> None:
    assert set(GAMES[name].roles.values()) <= set(GAMES[name].clauses)


def test_a_clause_is_cited_only_where_it_is_printed() -> None:
    game = GAMES["red_dog"]
    assert game.cite("19:47-6.5(h)", "NJ") == "19:47-6.5(h)"
    assert game.cite("19:47-6.5(h)", "MA") is None
    with pytest.raises(ValueError, match="jurisdiction 'XX': expected one of MA, NJ"):
        game.cite("19:47-6.5(h)", "XX")
    with pytest.raises(KeyError, match="not in the register of red_dog"):
        game.cite("19:47-6.99", "NJ")


def test_a_variant_is_told_as_its_way_to_play_is() -> None:
    first, *_ = GAMES["double_down_stud"].every_variant
    assert str(first) == str(first.way) == "manual shoe, feeds shoe"


def test_a_game_knows_the_values_of_its_own_options() -> None:
    assert GAMES["minibaccarat"].known_options["deal"] == ("face_up", "under_shoe", "viewed")
    assert GAMES["minibaccarat"].known_options["reshuffle_laced"] == (True, False)
    assert GAMES["minibaccarat"].known_options["decks"] is None, "any number that the rules allow"
    assert GAMES["supreme_pai_gow"].known_options == {}, "the licensee's choices say it all"


@pytest.mark.parametrize("name", GAMES)
def test_where_nothing_is_chosen_the_least_wagers_are_those_of_an_ordinary_table(name: str) -> None:
    game = GAMES[name]
    choices = Choices("NJ", start=game.start_methods)
    assert game.variants(choices)
    for variant in game.variants(choices):
        table = game.table(game.record(choices, variant))
        assert table.house.table_minimum == House().table_minimum
        if isinstance(table.options, Options):
            assert table.options.bonus_minimum == Options().bonus_minimum


SHUFFLES = {"by hand": (False, False), "by machine": (True, False), "by a machine that counts": (True, True)}


def legal(game: Game, shuffle: str, decks: int) -> bool:
    """Whether the rules allow such a shuffle of so many decks, whatever the deal."""
    machine, counts = SHUFFLES[shuffle]
    for deal in game.dealing_methods:
        house = House(Deal(deal), decks=DECKS[:decks], machine_shuffle=machine, shuffler_counts=counts)
        try:
            Table(game.procedure, game.options(), house)
        except Illegal:
            continue
        return True
    return False


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if not callable(game.ways)])
def test_the_ways_to_play_use_every_shuffle_and_number_of_decks_that_the_rules_allow(name: str) -> None:
    game = GAMES[name]
    houses = [variant.house for variant in game.every_variant]
    shuffles = {(house.machine_shuffle, house.shuffler_counts) for house in houses}
    if "shuffler" not in game.uses:
        assert shuffles == {SHUFFLES["by hand"]}
        return
    allowed = {(shuffle, decks) for shuffle in SHUFFLES for decks in (1, 2) if legal(game, shuffle, decks)}
    assert shuffles == {SHUFFLES[shuffle] for shuffle, _ in allowed}
    assert {len(house.decks) for house in houses} == {decks for _, decks in allowed}
