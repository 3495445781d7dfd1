"""The registry of games, and what each record says."""

import pytest

from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Choices

ALL_DEALS = "manual_shoe hand automated_shoe"
KNOWN = {
    "supreme_pai_gow": ("Supreme Pai Gow", "rng shaker shoe shuffler", ALL_DEALS, "dice rng button"),
    "pai_gow": ("Pai Gow", "shaker", "hand", "dice"),
    "pai_gow_poker": ("Pai Gow Poker", "rng shaker shuffler", "manual_shoe hand", "dice rng"),
    "let_it_ride": ("Let It Ride", "shoe shuffler", ALL_DEALS, ""),
    "three_card_poker": ("Three Card Poker", "shoe shuffler", ALL_DEALS, ""),
    "double_down_stud": ("Double Down Stud", "shuffler", "manual_shoe hand", ""),
    "packs_poker": ("Pack's Poker", "shoe shuffler", ALL_DEALS, ""),
    "heads_up_holdem": ("Heads Up Hold'em", "shoe shuffler", ALL_DEALS, ""),
    "fast_action_holdem": ("Fast Action Hold'em", "shuffler", "manual_shoe", ""),
    "red_dog": ("Red Dog", "", "manual_shoe", ""),
    "minibaccarat": ("Minibaccarat", "", "manual_shoe", ""),
    "blackjack": ("Blackjack", "", "manual_shoe", ""),
    "roulette": ("Roulette", "", "", ""),
    "big_six": ("Big Six", "", "", ""),
}


def test_the_registry_holds_these_games_in_this_order():
    assert list(GAMES) == list(KNOWN)


@pytest.mark.parametrize("name", KNOWN)
def test_a_record_says_on_which_devices_and_in_which_ways_its_game_is_played(name):
    game = GAMES[name]
    ways = (game.uses, game.dealing_methods, game.start_methods)
    assert (game.name, game.title, *(" ".join(way) for way in ways)) == (name, *KNOWN[name])
    assert game.jurisdictions == (("NJ", "MA") if name == "supreme_pai_gow" else ("NJ",))


@pytest.mark.parametrize("name", KNOWN)
def test_every_game_has_a_clause_register_that_names_its_devices(name):
    named = {device for clause in GAMES[name].clauses.values() for device in clause.device}
    assert set(GAMES[name].uses) <= named


@pytest.mark.parametrize("name", KNOWN)
def test_the_record_of_a_session_sets_up_the_same_table_again(name):
    game = GAMES[name]
    choices = Choices("NJ", start=game.start_methods, bank=("none", "player"), minimum=700)
    for variant in game.variants(choices):
        record = game.record(choices, variant)
        assert game.table(record).options == game.options_of(record)
        assert record["decks"]
        assert len(game.cards_of(record)) % 52 in (0, 1, 2, 32)


def test_only_the_ways_that_fit_the_licensees_choices_are_played():
    game = GAMES["pai_gow_poker"]
    every = Choices("NJ", start=("dice", "rng"))
    assert game.variants(every) == game.every_variant
    for chosen, fits in (
        (Choices("NJ"), lambda v: False),
        (Choices("NJ", start=("rng",)), lambda v: "rng" in v.uses),
        (Choices("NJ", start=("dice", "rng"), deal=("hand",)), lambda v: v.house.deal.value == "hand"),
        (Choices("NJ", start=("dice", "rng"), decks=1), lambda v: len(v.house.decks) == 1),
        (Choices("NJ", start=("dice", "rng"), machine_shuffle=False), lambda v: "shuffler" not in v.uses),
        (Choices("NJ", start=("dice", "rng"), shuffler_counts=False), lambda v: not v.house.shuffler_counts),
    ):
        assert game.variants(chosen) == tuple(filter(fits, game.every_variant))
