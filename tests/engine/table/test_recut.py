"""Who cuts again when a supervisor orders it: whoever cut last, or the next in turn, as the house chose."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.games import GAMES
from feltrig.engine.table.ways import Way

WAGERS = {
    "double_down_stud": ("19:47-17.4(f)", {"wager": 500}),
    "pai_gow_poker": ("19:47-11.6(f)", {"wager": 500}),
    "red_dog": ("19:47-6.3(d)", {"wager": 500}),
    "minibaccarat": ("19:47-7.5(g)", {"player": 500}),
}


@pytest.mark.parametrize(
    ("game", "rule", "wager"),
    [
        pytest.param(game, rule, wager, id=game, marks=pytest.mark.clause(game, rule))
        for game, (rule, wager) in WAGERS.items()
    ],
)
@pytest.mark.parametrize("by", ["last", "next"])
def test_the_last_cutter_cuts_again_or_the_next(felt, game, rule, wager, by):
    house = {"deal": "manual_shoe", "machine_shuffle": False, "shuffler_counts": False, "recut_by": by}
    table = felt(GAMES[game], Way(house))
    table.open({2: wager, 5: wager})
    first = table.until(asks.Cut).offer[0]
    table.tell(tells.DeckCut(first, 20))
    table.until(asks.LoadShoe)
    table.tell(tells.RecutOrdered())
    assert (table.ask.offer, table.ask.rules) == ((first if by == "last" else 7 - first,), (rule,))


def test_only_the_next_in_turn_may_cut_again(felt):
    house = {"deal": "manual_shoe", "machine_shuffle": False, "shuffler_counts": False, "recut_by": "next"}
    table = felt(GAMES["pai_gow_poker"], Way(house))
    table.open({seat: {"wager": 500} for seat in (1, 2, 3)})
    first = table.until(asks.Cut).offer[0]
    table.tell(tells.DeckCut(first, 20))
    table.until(asks.LoadShoe)
    table.tell(tells.RecutOrdered())
    assert table.ask.offer == ({1: 2, 2: 3, 3: 1}[first],)
