"""Supreme Pai Gow as a record: its options when nothing is said, and the ways to play it."""

import random

import pytest

from feltrig.engine.cards import deck, is_joker, parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Choices, Habits, Sample
from feltrig.engine.games.supreme_pai_gow.game import GAME, house_way, sample_wagers, settings, ways
from feltrig.engine.games.supreme_pai_gow.options import Options, Start
from feltrig.engine.games.supreme_pai_gow.ranking import set_fault
from feltrig.engine.table.house import Deal, House


def test_a_table_of_supreme_pai_gow_when_nothing_is_said() -> None:
    options, house = GAME.options(), House()
    assert (house.deal, options.start, house.decks) == (Deal.MANUAL_SHOE, Start.RNG, ("red",))
    assert (house.machine_shuffle, house.shuffler_counts, options.equal_is_legal) == (True, True, True)
    assert not any((options.banking, options.co_banking, house.two_areas))
    assert (house.table_minimum, options.bonus_minimum, house.table_maximum) == (500, 100, None)
    assert (options.vigorish_rounding, house.recut_by, options.dealer_wager) == ("exact", "last", None)


@pytest.mark.clause("supreme_pai_gow", "34.2(a)", "19:46-1.17(a)3")
def test_the_deck_has_two_jokers_besides_the_52_cards_34_2_a() -> None:
    assert sorted(GAME.cards) == sorted(deck(jokers=2))
    assert len(GAME.cards) == 54


@pytest.mark.clause("supreme_pai_gow", "19:46-1.17(h)")
def test_no_game_has_jokers_but_this_one_and_pai_gow_poker() -> None:
    """Of the games that may use them, the rig has these two. Tiles are no cards."""
    cards = {name: [card for card in game.cards if isinstance(card, int)] for name, game in GAMES.items()}
    jokers = {name: sum(map(is_joker, held)) for name, held in cards.items()}
    assert {name: count for name, count in jokers.items() if count} == {"supreme_pai_gow": 2, "pai_gow_poker": 1}


def test_every_device_of_the_game_is_used_by_some_way_to_play() -> None:
    used = {device for variant in GAME.every_variant for device in variant.house.devices}
    assert used <= set(GAME.uses)
    assert {variant.house.deal for variant in GAME.every_variant} == set(Deal)


@pytest.mark.clause("supreme_pai_gow", "34.4(a)3")
def test_a_button_needs_the_automated_shuffler_and_shoe_34_4_a_3() -> None:
    by_machine = [way for way in ways(Choices("NJ")) if way.options["start"] == "button"]
    assert [way.house["deal"] for way in by_machine] == ["automated_shoe"]
    by_hand = ways(Choices("NJ", machine_shuffle=False))
    assert {way.options["start"] for way in by_hand} == {"dice", "rng"}


def test_one_deck_that_nobody_counts_is_shuffled_by_hand() -> None:
    for machine, chosen, decks in ((True, 2, ["red", "blue"]), (True, 1, ["red"]), (False, 2, ["red"])):
        for way in ways(Choices("NJ", decks=chosen, machine_shuffle=machine)):
            assert (way.house["decks"], way.house["shuffler_counts"]) == (decks, machine)
    assert not any(way.house["shuffler_counts"] for way in ways(Choices("NJ", shuffler_counts=False)))


@pytest.mark.parametrize(
    ("bank", "title", "banking", "co_banking"),
    [("none", "no bank", False, False), ("player", "player bank", True, False), ("co_bank", "co-bank", True, True)],
)
def test_a_way_says_who_banks(bank: str, title: str, banking: bool, co_banking: bool) -> None:
    (way,) = ways(Choices("NJ", start=("rng",), deal=("hand",), bank=(bank,)))
    assert str(way) == f"rng · hand · {title}"
    assert (way.options["banking"], way.options["co_banking"]) == (banking, co_banking)


@pytest.mark.parametrize(("habit", "stake", "bonus"), [(1.0, 500, {500}), (0.0, 500, {None}), (1.0, 0, {None})])
def test_players_stake_one_to_four_times_the_usual_and_a_bonus_if_they_like(
    habit: float, stake: int, bonus: set[int | None]
) -> None:
    sample = Sample(random.Random(1), Options(), House(), {"main": 700, "bonus": stake}, Habits(bonus=habit))
    placed = sample_wagers(sample, range(1, 201))
    assert list(placed) == list(range(1, 201))
    assert {bets["main"] for bets in placed.values()} == {700, 1400, 2100, 2800}
    assert {bets.get("bonus") for bets in placed.values()} == bonus


@pytest.mark.parametrize(("cards", "foul"), [("Kc Kd 2h 2s", 1), ("7c 7d 7h 7s", 0), ("Ac 9d 5h 2s", 3)])
def test_six_settings_are_legal_or_foul_and_the_house_way_is_legal_34_12_g_2(cards: str, foul: int) -> None:
    dealt = parse_all(cards.split())
    good, bad = settings(Options(), dealt)
    assert (len({*good}), len({*bad})) == (6 - foul, foul)
    assert all(sorted((*high, *low)) == sorted(dealt) for high, low in (*good, *bad))
    assert [set_fault(*setting) for setting in bad] == ["34.12(g)2"] * foul
    assert house_way(Options(), dealt) in good
