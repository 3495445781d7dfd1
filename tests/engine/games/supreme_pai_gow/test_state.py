"""Supreme Pai Gow: what a round has seen and a table remembers."""

from dataclasses import fields

from supreme_pai_gow_table import Options, SupremeTable

from feltrig.engine.decks import Decks
from feltrig.engine.games.supreme_pai_gow.banking import history
from feltrig.engine.games.supreme_pai_gow.round import procedure
from feltrig.engine.games.supreme_pai_gow.state import State, dealt_out
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.play import Memory, Play


def test_a_round_starts_with_nothing_seen_and_a_table_with_nothing_remembered():
    memory, choices = Memory(Decks(("red",))), Options()
    round_of = procedure(choices.own, choices.house)
    play = Play(round_of, choices.house, choices.own, memory, {3: {"main": 1000}, 1: {"main": 500}}, 3)
    given = ("procedure", "house", "options", "memory", "wagers", "first_player", "undealt", "own")
    assert not any(getattr(play, part.name) for part in fields(Play) if part.name not in given)
    assert play.own == State()
    assert not any(getattr(play.own, part.name) for part in fields(State))
    assert (play.first_player, play.undealt.total(), play.dealt, dealt_out(play)) == (3, 54, 0, False)
    banks = history(play)
    assert (SupremeTable(choices).button, memory.stub.every, memory.cuts.after) == (DEALER, 5, DEALER)
    assert (memory.start_of_game, banks.last_bank, banks.last_wagers) == (True, None, {})
