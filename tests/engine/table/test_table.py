"""A table between its rounds: what can be done to it, and what it remembers."""

from dataclasses import replace

import pytest
from moments import BY_HAND, SHOE, WAGERS, at

from feltrig.engine import asks
from feltrig.engine.games import GAMES
from feltrig.engine.games.three_card_poker.round import GAME
from feltrig.engine.rulings import OutOfTurn
from feltrig.engine.table.house import DEALER, Deal, House
from feltrig.engine.table.table import Table
from feltrig.engine.table.ways import Way


def test_nothing_happens_to_a_table_while_a_round_is_open(felt):
    table = at(felt, asks.Decide)
    own = table.table
    for forbidden in (
        own.idle,
        own.reshuffle,
        own.new_dice,
        own.new_cards,
        lambda: own.remove_device("shuffler"),
        lambda: own.change(own.options, own.house),
        lambda: own.open_round(WAGERS),
    ):
        with pytest.raises(OutOfTurn, match="a round is open"):
            forbidden()
    table.finish()
    own.change(own.options, own.house)
    assert (own.devices, own.deck, own.button) == ({"shuffler"}, "red", DEALER)
    with pytest.raises(ValueError, match="device 'shoe': expected one of shuffler"):
        own.remove_device("shoe")


def test_a_shoe_is_shuffled_before_the_next_round_when_the_house_wants(felt):
    table = felt(GAMES["blackjack"], BY_HAND)
    shuffles = []
    for number in range(3):
        if number == 2:
            table.table.reshuffle()
        table.open(SHOE)
        table.finish()
        shuffles.append(sum(isinstance(ask, asks.StartShuffle) for ask in table.asked))
    assert shuffles == [1, 0, 1]


def test_other_decks_are_washed_and_what_lay_in_the_shuffler_is_shuffled_by_hand():
    game = GAMES["three_card_poker"]
    table = Table(game.procedure, game.options(), House(decks=("red", "blue")))
    table.change(table.options, House(decks=("green",)))
    assert table.deck == "green"
    table.remove_device("shuffler")
    table.change(table.options, House(decks=("green",), machine_shuffle=False))
    game = table.open_round(WAGERS)
    assert game.ask == asks.StartShuffle("green", "hand", game.ask.rules)
    assert House(deal=Deal.AUTOMATED_SHOE).devices == {"shuffler", "shoe"}
    assert House(machine_shuffle=False).devices == set()


def test_a_shoe_of_other_decks_is_shuffled_first(felt):
    table = felt(GAMES["blackjack"], BY_HAND)
    table.open(SHOE)
    table.finish()
    house = replace(table.table.house, decks=("green",))
    table.table.change(table.table.options, house)
    table.open(SHOE)
    assert table.ask == asks.StartShuffle("green", "hand", table.ask.rules)


@pytest.mark.parametrize("marked", [True, False])
def test_a_marker_that_comes_to_the_table_begins_at_the_dealer(felt, marked):
    def procedure(options, house):
        return replace(GAME.procedure(options, house), marker=house.two_areas)

    table = felt(replace(GAME, procedure=procedure), Way({"two_areas": not marked})).table
    table._memory.own["marker"] = 4
    table.change(table.options, replace(table.house, two_areas=True))
    assert table.button == (DEALER if marked else 4)
