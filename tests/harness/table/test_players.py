"""The people at the felt: what they do is legal where it must be, and the same for the same seed."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.cards import deck
from feltrig.engine.games.game import Habits
from feltrig.engine.games.supreme_pai_gow import houseway
from feltrig.engine.games.supreme_pai_gow.game import GAME
from feltrig.engine.games.supreme_pai_gow.options import Options
from feltrig.engine.games.supreme_pai_gow.ranking import set_fault
from feltrig.engine.games.supreme_pai_gow.wagers import check
from feltrig.engine.table.house import House
from feltrig.harness.table.players import Players, chips

CODES = deck(jokers=2)
ALWAYS_FOUL = Habits(own_way=0.0, foul=1.0)
OWN_WAY = Habits(own_way=1.0, foul=0.0)


def people(seed=1, seats=6, habits=None, bonus=500):
    record, stakes = {"house": {}, "options": {}}, {"main": 2500, "bonus": bonus}
    return Players(GAME, seats, record, random.Random(seed), stakes, habits)


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_whatever_is_staked_is_legal_and_at_the_seats_there_are(seed, seats):
    wagers = people(seed, seats).wagers()
    assert set(wagers) <= set(range(1, seats + 1))
    check(Options(), House(), wagers)


def test_somebody_always_plays():
    assert set(people(habits=Habits(empty_seat=1.0)).wagers()) == {1}


def test_every_seat_is_taken_where_none_stays_empty():
    assert set(people(habits=Habits(empty_seat=0.0)).wagers()) == set(range(1, 7))


@pytest.mark.parametrize(("share", "bonuses"), [(0.0, {0}), (1.0, {500})])
def test_a_bonus_is_staked_as_often_as_the_habit_says(share, bonuses):
    wagers = people(habits=Habits(bonus=share)).wagers()
    assert {bets.get("bonus", 0) for bets in wagers.values()} == bonuses


def test_a_rig_without_a_bonus_stakes_none():
    wagers = people(habits=Habits(bonus=1.0), bonus=0).wagers()
    assert {bets.get("bonus", 0) for bets in wagers.values()} == {0}


@given(st.integers(0, 2**32), st.permutations(range(7)))
def test_a_cut_is_at_least_ten_cards_from_either_end_and_by_a_seat_that_was_offered_it(seed, offer):
    by, depth = people(seed).cut(offer[:3], 54)
    assert by in (*offer[:3], 0)
    assert 10 <= depth <= 44


def test_the_first_seat_that_wants_to_cut_does_and_the_dealer_when_none_does():
    assert people(habits=Habits(takes_cut=1.0)).cut((4, 5), 54)[0] == 4
    assert people(habits=Habits(takes_cut=0.0)).cut((4, 5), 54)[0] == 0


@given(st.integers(0, 2**32), st.lists(st.sampled_from(CODES), min_size=4, max_size=4, unique=True))
def test_the_house_way_is_followed_where_it_must_be(seed, cards):
    way = houseway.DEFAULT.set(cards)
    assert people(seed, habits=ALWAYS_FOUL).set_hands(cards, house_way=True) == (way.high, way.low)


@given(st.integers(0, 2**32), st.lists(st.sampled_from(CODES), min_size=4, max_size=4, unique=True))
def test_an_own_way_is_a_legal_split_of_the_same_cards(seed, cards):
    high, low = people(seed, habits=OWN_WAY).set_hands(cards, house_way=False)
    assert sorted((*high, *low)) == sorted(cards)
    assert set_fault(high, low) is None


def test_a_foul_setting_is_really_one():
    players = people(habits=ALWAYS_FOUL)
    hands = players.set_hands(CODES[:4], house_way=False)
    assert set_fault(*hands) is not None


@given(st.integers(0, 2**32), st.integers(0, 100_000))
def test_the_bank_lets_the_dealer_stake_no_more_than_the_most(seed, most):
    assert 0 <= people(seed).dealer_wager(most) <= most


@given(st.integers(0, 2**32))
def test_the_stack_chosen_is_one_of_those_there_are(seed):
    assert people(seed).chooses_stack(7) in range(1, 8)


@pytest.mark.parametrize("always", [True, False])
def test_bank_and_surrender_go_by_habit(always):
    players = people(habits=Habits(takes_bank=float(always), surrender=float(always)))
    assert (players.takes_bank(), players.surrenders()) == (always, always)


def test_an_exposed_card_makes_some_void_their_hand_and_some_play_on():
    players = people()
    assert {players.voids_exposed() for _ in range(64)} == {True, False}


def test_the_same_seed_does_the_same():
    one, other = people(7), people(7)
    assert [one.wagers() for _ in range(5)] == [other.wagers() for _ in range(5)]
    assert [one.cut((1, 2), 54) for _ in range(5)] == [other.cut((1, 2), 54) for _ in range(5)]
    assert people(8).wagers() != people(7).wagers()


def test_a_bank_has_chips_for_all_the_wagers_of_the_others():
    wagers = {1: {"main": 10_000}, 2: {"main": 2500}, 3: {"main": 50_000}}
    assert chips(wagers, bank=3) >= 2 * 12_500
    assert chips(wagers, bank=1) - chips(wagers, bank=3) == 2 * 40_000
