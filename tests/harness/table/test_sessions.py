"""Which ways to play a rig file gives, and how the rounds of a run are dealt out over them."""

import json
from dataclasses import replace
from itertools import islice

import pytest

from feltrig.engine.games.supreme_pai_gow.game import GAME as SUPREME
from feltrig.engine.games.supreme_pai_gow.options import Start
from feltrig.engine.games.supreme_pai_gow.ranking import Hand
from feltrig.engine.table.house import Deal
from feltrig.harness.devices.hands import COMPARTMENTS
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import HouseWayConfig, SettingRule
from feltrig.harness.table.sessions import (
    Session,
    drilled_kinds,
    session_record,
    sessions,
    used_kinds,
    variants,
)

GAME = rigfile.embedded().game
STARTS = ("dice", "rng", "button")
DEALS = ("automated_shoe", "manual_shoe", "hand")
BANKS = ("none", "player", "co_bank")


def bank(way):
    """Who may bank in a way to play."""
    return "co_bank" if way.way.options["co_banking"] else "player" if way.way.options["banking"] else "none"


def way_of(game, start, deal, bank):
    """The one way to play with these."""
    (way,) = variants(replace(game, start=(start,), deal=(deal,), bank=(bank,)))
    return way


def test_the_embedded_rig_is_played_in_21_ways_of_which_none_is_twice():
    ways = variants(GAME)
    assert len(ways) == len(set(map(str, ways))) == 21
    assert {(w.start.value, w.house.deal.value, bank(w)) for w in ways} == {
        (start, deal, bank)
        for start in STARTS
        for deal in DEALS
        for bank in BANKS
        if start != "button" or deal == "automated_shoe"
    }


def test_the_button_needs_a_shuffler_as_well_as_the_automated_shoe():
    """34.4(a)3."""
    by_hand = replace(GAME, machine_shuffle=False, decks=1)
    assert {way.start for way in variants(by_hand)} == {Start.DICE, Start.RNG}


@pytest.mark.parametrize("way", variants(GAME), ids=str)
def test_the_rules_allow_every_variant(way):
    table = SUPREME.table(session_record(GAME, Session(way, 1)))
    assert (table.options.start, table.house.deal) == (way.start, way.house.deal)
    assert (table.options.banking, table.options.co_banking) == (bank(way) != "none", bank(way) == "co_bank")


def test_a_variant_is_named_in_words():
    assert str(way_of(GAME, "rng", "manual_shoe", "co_bank")) == "rng · manual shoe · co-bank"


@pytest.mark.parametrize("rounds", [1, 3, 21, 22, 40, 1000])
def test_the_rounds_are_dealt_out_evenly_and_none_is_lost(rounds):
    dealt = sessions(GAME, rounds)
    shares = [session.rounds for session in dealt]
    assert sum(shares) == rounds
    assert max(shares) - min(shares) <= 1
    assert len(dealt) == min(rounds, 21)
    assert [session.variant for session in dealt] == list(islice(variants(GAME), len(dealt)))


def test_the_first_two_rounds_meet_every_device_of_the_embedded_rig():
    met = {used for session in sessions(GAME, 2) for used in (session.variant.start, session.variant.house.deal)}
    assert met == {Start.DICE, Start.RNG, Deal.AUTOMATED_SHOE}


@pytest.mark.parametrize(
    ("start", "deal", "machine_shuffle", "used"),
    [
        (STARTS, DEALS, True, ["reader", "rng", "shaker", "shoe", "shuffler"]),
        (("dice",), ("hand",), False, ["reader", "shaker"]),
        (("rng",), ("manual_shoe",), True, ["reader", "rng", "shuffler"]),
        (("button",), ("automated_shoe",), True, ["reader", "shoe", "shuffler"]),
    ],
)
def test_the_kinds_in_use_follow_from_the_ways_chosen(start, deal, machine_shuffle, used):
    assert used_kinds(replace(GAME, start=start, deal=deal, machine_shuffle=machine_shuffle)) == used


def test_a_shoe_that_only_an_illegal_combination_would_use_is_not_in_use():
    assert "shoe" not in used_kinds(replace(GAME, start=("button", "dice"), deal=("hand",)))


@pytest.mark.parametrize(
    ("changes", "drilled"),
    [
        ({}, {"rng", "shaker", "shuffler", "shoe"}),
        ({"shuffler_counts": False}, {"rng", "shaker", "shoe"}),
        ({"deal": ("hand",), "start": ("dice",)}, {"shaker", "shuffler"}),
        ({"deal": ("hand",), "start": ("dice",), "machine_shuffle": False}, {"shaker"}),
    ],
)
def test_drills_are_for_a_shuffler_that_is_to_count_and_others_that_are_in_use(changes, drilled):
    assert drilled_kinds(replace(GAME, **changes)) == drilled


def test_a_session_record_builds_the_same_table_again():
    game = replace(GAME, jurisdiction="MA", vigorish="round_up_to_25_cents", shuffler_counts=False)
    record = session_record(game, Session(way_of(game, "dice", "hand", "player"), 7))
    assert record["rounds"] == 7
    table = SUPREME.table(record)
    chosen, house = table.options, table.house
    assert (record["jurisdiction"], chosen.vigorish_rounding) == ("MA", "round_up_to_25_cents")
    assert (house.table_minimum, chosen.bonus_minimum) == (500, 100)
    assert (house.decks, house.machine_shuffle, house.shuffler_counts) == (("red", "blue"), True, False)


def test_a_deck_shuffled_by_hand_is_alone_and_is_counted_by_no_machine():
    game = replace(GAME, machine_shuffle=False)
    record = session_record(game, Session(way_of(game, "dice", "hand", "none"), 1))
    assert (record["decks"], record["house"]["machine_shuffle"], record["shuffler_counts"]) == (["red"], False, False)


def test_every_deck_has_a_compartment_of_its_own():
    assert COMPARTMENTS == {"red": 1, "blue": 2}


def test_the_licensees_house_way_is_in_the_record_and_sets_the_hands():
    rules = (SettingRule("AA", "0", "high"), SettingRule("0", "0", "low"))
    game = replace(GAME, house_way=HouseWayConfig("theirs", "3", "Example Casino, 2026", rules))
    record = session_record(game, sessions(game, 1)[0])
    options = SUPREME.options_of(json.loads(json.dumps(record)))
    assert str(options.house_way) == "theirs 3 (Example Casino, 2026)"
    assert [(rule.high, rule.low, rule.prefer) for rule in options.house_way.rules] == [
        ("AA", "0", Hand.HIGH),
        ("0", "0", Hand.LOW),
    ]
    assert "house_way" not in session_record(GAME, sessions(GAME, 1)[0])["options"]
