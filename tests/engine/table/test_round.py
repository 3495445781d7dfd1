"""A round hears, refuses and remembers what its game says."""

from feltrig.engine import asks, tells
from feltrig.engine.rulings import Illegal


def test_what_the_game_refuses_is_refused_whatever_is_asked_for(hooked):
    def refuse(play, seen):
        if isinstance(seen, tells.BankAccepted):
            raise Illegal("no bank here", "1")

    table = hooked(refuse=refuse)
    for kind in (asks.StartShuffle, asks.Decide):
        table.until(kind)
        assert table.refused(tells.BankAccepted(2, 500)) == ("1",)


def test_the_game_notes_what_it_likes_in_a_round_and_remembers_it_after(hooked):
    def remember(play):
        play.memory.own["stakes"] = play.own["stakes"]

    table = hooked(begin=lambda play: {"stakes": len(play.wagers)}, round_over=remember, result=lambda play, rows: rows)
    rows = table.finish()
    assert {row.seat for row in rows} == {2, 5}
    assert table.table._memory.own["stakes"] == 2
