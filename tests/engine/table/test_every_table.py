"""What is so at the tables of all games of the shared round machine: one row of facts for each, and what all share."""

from dataclasses import dataclass, field, fields
from enum import Enum
from itertools import groupby
from typing import Any

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.decks import Decks
from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Game, from_plain
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import DEALER, Deal, House
from feltrig.engine.table.play import Memory, Play
from feltrig.engine.table.table import Table

WAGER = {"wager": 500}


@dataclass(frozen=True)
class Facts:
    """The size of a game's table, and what the house has chosen where nothing is said."""

    game: str
    seats: int
    cards: int
    """In the deck, or in the shoe."""
    wagers: dict[str, int]
    """Good ones, for one seat."""
    options: dict[str, Any] = field(default_factory=dict)
    behind: int = 0
    """Cards behind the cutting card."""
    unplayed: frozenset[str] = frozenset()
    """Options that no way to play has: the text has the choice, but not what comes of it in a round."""

    @property
    def record(self) -> Game:
        return GAMES[self.game]


FACTS = (
    Facts("pai_gow", 6, 32, WAGER, {"equal_is_legal": True}),
    Facts("pai_gow_poker", 6, 53, WAGER),
    Facts(
        "let_it_ride",
        7,
        52,
        {"bet_1": 500, "bet_2": 500, "bet_3": 500, "bonus": 100},
        {"bonus_offered": True, "payout_limit": None},
    ),
    Facts("three_card_poker", 7, 52, {"ante": 500, "pair_plus": 500}),
    Facts("double_down_stud", 7, 52, WAGER, {"feeds_shoe": False}),
    Facts(
        "packs_poker",
        6,
        52,
        {"pack_1": 500, "pack_2": 500, "pack_3": 500, "five_card_1": 100, "seven_card_3": 100},
        {
            "five_consecutive": False,
            "packs_singly": False,
            "players_reveal": True,
            "no_pair_higher_pushes": False,
            "five_card_table": "A",
            "seven_card_table": "A",
            "five_card_meter": 1_000_000,
            "seven_card_meter": 5_000_000,
        },
    ),
    Facts(
        "heads_up_holdem",
        6,
        52,
        {"ante": 500, "odds": 500, "trips_plus": 500, "pocket_bonus": 500},
        {
            "trips_plus_table": 1,
            "pocket_bonus_table": 1,
            "bad_beat_table": "example",
            "trips_plus_first": False,
            "board_first": False,
        },
    ),
    Facts("fast_action_holdem", 6, 8 * 52, WAGER, behind=104),
    Facts("red_dog", 7, 52, WAGER, {"decks": 1, "continuous": False}, behind=13),
    Facts(
        "minibaccarat",
        7,
        8 * 52,
        {"banker": 500, "tie": 500},
        {"decks": 8, "reshuffle_laced": False, "recut_by": "last"},
        behind=14,
    ),
    Facts(
        "blackjack",
        7,
        8 * 52,
        WAGER,
        {
            "card_reader": False,
            "surrender": False,
            "consolidated_payout": False,
            "insurance_at_decision": False,
            "multiple_action": False,
            "progressive": False,
            "chip_unit": 100,
            "decks": 8,
            "dealer_hits_soft_17": False,
            "split_aces_draw": False,
            "splits_lose_original_only": False,
        },
        behind=52,
        unplayed=frozenset({"multiple_action", "progressive"}),
    ),
    Facts(
        "roulette",
        8,
        0,
        {"straight 17": 500, "split 17-18": 500, "six_numbers 1-2-3-4-5-6": 500},
        {"zero": None, "notice": False, "seven_numbers": False, "five_adjacent_numbers": False},
    ),
    Facts("big_six", 8, 0, {"1": 500, "2": 500, "5": 500}),
)

BY_GAME = pytest.mark.parametrize("facts", FACTS, ids=[facts.game for facts in FACTS])
BY_WAY = pytest.mark.parametrize(
    ("facts", "way"), [pytest.param(f, way, id=f"{f.game} {way}") for f in FACTS for way in f.record.ways]
)


def offered(table, facts):
    """The wagers of a row, as far as the table takes them."""
    names = {bet.name for bet in facts.record.bets(table.table.options)} or set(facts.wagers)
    return {bet: amount for bet, amount in facts.wagers.items() if bet in names}


def part(facts, way, row):
    """The part of the settlement that a row belongs to: the packs come one after the other, and trips plus may."""
    if facts.game == "packs_poker":
        return row.bet[-1]
    return way.options.get("trips_plus_first", False) and row.bet == "trips_plus"


def test_every_game_but_the_one_with_a_machine_of_its_own_has_a_row():
    assert {facts.game for facts in FACTS} == set(GAMES) - {"supreme_pai_gow"}


@BY_GAME
def test_a_table_has_so_many_seats_and_cards(felt, facts):
    table = felt(facts.record, facts.record.ways[0])
    procedure = facts.record.procedure(facts.record.options(), House())
    assert (procedure.game, procedure.seats, len(procedure.cards)) == (facts.game, facts.seats, facts.cards)
    assert (facts.record.seats, len(facts.record.cards)) == (facts.seats, facts.cards)
    assert procedure.behind_cutting_card == facts.behind
    for seat, legal in ((0, False), (1, True), (facts.seats, True), (facts.seats + 1, False)):
        if legal:
            table.open({seat: offered(table, facts)})
            table.finish()
            continue
        with pytest.raises(Illegal, match=f"seat {seat}: no such (betting area|place), expected 1 to {facts.seats}"):
            table.open({seat: offered(table, facts)})


@BY_GAME
def test_what_the_house_has_chosen_when_nothing_is_said(facts):
    options = facts.record.options()
    plain = {
        option.name: value
        for option in fields(options)
        if isinstance(value := getattr(options, option.name), bool | int | str | None)
    }
    assert plain == facts.options


@BY_GAME
def test_the_ways_to_play_use_every_switch_of_the_game(facts):
    played = [from_plain(facts.record.options, way.options) for way in facts.record.ways]
    for option in fields(facts.record.options):
        default = getattr(facts.record.options(), option.name)
        values = {True, False} if isinstance(default, bool) else set(type(default)) if isinstance(default, Enum) else ()
        if values and option.name not in facts.unplayed:
            assert {getattr(options, option.name) for options in (*played, facts.record.options())} == set(values)


@BY_GAME
def test_the_ways_to_play_use_every_dealing_method_and_every_machine(facts):
    houses = [variant.house for variant in facts.record.every_variant]
    assert {house.deal for house in houses} == set(
        facts.record.procedure(facts.record.options(), House()).rules.methods
    )
    assert any(house.machine_shuffle for house in houses) is ("shuffler" in facts.record.uses)
    assert any(house.deal is Deal.AUTOMATED_SHOE for house in houses) is ("shoe" in facts.record.uses)
    assert all(house.machine_shuffle for house in houses if house.shuffler_counts)
    if "shuffler" in facts.record.uses:
        assert {house.shuffler_counts for house in houses if house.machine_shuffle} == {True, False}


@BY_WAY
def test_every_wager_is_settled_as_its_outcome_says_and_losers_first(felt, facts, way):
    table = felt(facts.record, way, seed=5)
    wagers = {seat: offered(table, facts) for seat in (1, 4, facts.seats)}
    for number in range(6):
        table.choices = {seat: ("fold", "withdraw", "double down")[(seat + number) % 3] for seat in wagers}
        table.open(wagers)
        result = table.finish()
        assert {row.seat for row in result.settlements} == set(wagers)
        for row in result.settlements:
            assert row.stake > 0
            if facts.game == "heads_up_holdem" and row.bet in ("ante", "odds"):
                continue  # which push when the hand wins without a dealer who qualifies, or without odds
            assert row.outcome != "win" or row.net > 0, row
            assert row.outcome not in ("lose", "fold") or row.net < 0, row
            assert row.outcome != "push" or row.net == 0, row
        for _, rows in groupby(result.settlements, lambda row: part(facts, way, row)):
            signs = [(row.net > 0) - (row.net < 0) for row in rows]
            assert signs == sorted(signs)


@BY_GAME
def test_a_round_starts_with_nothing_seen_and_a_table_with_nothing_remembered(facts):
    procedure = facts.record.procedure(facts.record.options(), House())
    memory = Memory(Decks(("red",)))
    play = Play(procedure, House(), facts.record.options(), memory, {3: dict(facts.wagers)}, 3)
    given = ("procedure", "house", "options", "memory", "wagers", "first_player", "undealt")
    assert not any(getattr(play, part.name) for part in fields(Play) if part.name not in given)
    assert play.left == len(procedure.cards)
    assert (memory.start_of_game, memory.rounds, memory.hours, memory.dice_hours) == (True, 0, 0, 0)
    assert (memory.stub.every, memory.stub.uncounted, memory.cuts.after) == (5, 0, DEALER)
    assert (memory.shoe.ready, memory.shoe.rounds_left, memory.shoe.burn_due) == (False, None, True)


@BY_GAME
@pytest.mark.parametrize(
    ("house", "why"),
    [
        ({"table_minimum": 0}, "table minimum 0: expected at least one cent"),
        ({"table_maximum": 499}, "table maximum 499: below the minimum of 500"),
        ({"recut_by": "nobody"}, "recut by 'nobody': expected last or next"),
        ({"decks": ["red", "blue", "green"]}, "3 decks: expected"),
        ({"decks": []}, "0 decks: expected"),
    ],
)
def test_limits_that_are_none_are_refused(facts, house, why):
    chosen = {**facts.record.ways[0].house, **house}
    with pytest.raises(Illegal, match=why):
        Table(facts.record.procedure, facts.record.options(), from_plain(House, chosen))


@BY_GAME
def test_the_limits_of_a_table_are_themselves_legal(facts):
    least = {"table_minimum": 1, "table_maximum": 1}
    house = from_plain(House, {**facts.record.ways[0].house, **least})
    assert Table(facts.record.procedure, facts.record.options(), house).house is house


def test_a_wager_lies_between_the_limits_of_the_table(felt):
    facts = next(facts for facts in FACTS if facts.game == "double_down_stud")
    house = House(table_minimum=700, table_maximum=900)
    table = Table(facts.record.procedure, facts.record.options(), house)
    for amount, legal in ((699, False), (700, True), (900, True), (901, False), (0, False)):
        if legal:
            table.procedure.check_wagers({1: {"wager": amount}})
            continue
        with pytest.raises(Illegal):
            table.open_round({1: {"wager": amount}})
    with pytest.raises(Illegal, match="nobody plays"):
        table.open_round({})


@BY_GAME
def test_a_new_table_is_washed_anew_when_it_was_idle(felt, facts):
    way = facts.record.ways[0]
    table = felt(facts.record, way)
    wagers = {2: offered(table, facts)}
    table.open(wagers)
    with pytest.raises(Exception, match="a round is open"):
        table.table.idle()
    table.finish()
    table.table.idle()
    table.open(wagers)
    assert not table.finish().void
    if facts.cards:
        assert any(isinstance(ask, asks.StartShuffle) for ask in table.asked)


@BY_GAME
def test_nothing_can_be_told_when_the_round_is_over(felt, facts):
    table = felt(facts.record, facts.record.ways[0])
    table.open({2: offered(table, facts)})
    assert table.result is None
    table.finish()
    assert not table.round.can(tells.NoMoreBets())
    assert not table.round.can(tells.BetPlaced(2, "wager", 500))
