"""The state of a round: which cards are left."""

from feltrig.engine import asks
from feltrig.engine.decks import Decks
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.play import Memory


def test_cards_come_from_what_is_left_of_the_deck_and_only_once(hooked):
    table = hooked()
    table.until(asks.Decide)
    play = table.round._play
    a, b, *_ = table.cards
    assert play.holds((a, b))
    assert not play.holds((a, a))
    assert not play.holds((a, play.hand(DEALER)[0]))


def test_a_wash_starts_a_new_game_and_forgets_whose_turn_it_was_to_cut_and_the_shoe():
    memory = Memory(Decks(("red",)))
    memory.start_of_game, memory.shoe.ready = False, True
    memory.cuts.pass_on(3)
    memory.wash()
    assert memory.start_of_game
    assert memory.cuts.after == DEALER
    assert not memory.shoe.ready
