"""Supreme Pai Gow: wagers that the rules allow and forbid."""

import pytest
from supreme_pai_gow_table import Options, SupremeTable, Wager

from feltrig.engine.rulings import Illegal


@pytest.mark.clause("supreme_pai_gow", "34.1 Supreme pai gow wager", "34.7(a)", "34.7(d)", "34.15(a)")
@pytest.mark.parametrize(
    ("wagers", "rules"),
    [
        ({}, ("34.6(g)",)),
        ({0: Wager(1000)}, ("34.7(a)",)),
        ({7: Wager(1000)}, ("34.7(a)",)),
        ({1: Wager(0)}, ("34.1 Supreme pai gow wager",)),
        ({1: Wager(-5)}, ("34.1 Supreme pai gow wager",)),
        ({1: Wager(0, 100)}, ("34.7(d)",)),
        ({1: Wager(1000, 99)}, ("34.7(d)",)),
        ({1: Wager(499)}, ()),
        ({1: Wager(9000, 1001)}, ()),
        ({1: Wager(1000, player="ann"), 2: Wager(1000, player="ann")}, ("34.15(a)",)),
    ],
)
def test_illegal_wagers_are_refused_with_their_rule(wagers, rules):
    table = SupremeTable(Options(table_maximum=10_000))
    with pytest.raises(Illegal) as caught:
        table.open_round(wagers)
    assert caught.value.rules == rules


@pytest.mark.clause("supreme_pai_gow", "34.15(a)")
def test_two_areas_must_be_adjacent_and_no_more_34_15_a():
    table = SupremeTable(Options(two_areas=True))
    ann = Wager(1000, player="ann")
    for seats in ((1, 3), (1, 2, 3), (1, 6)):
        with pytest.raises(Illegal, match=r"34\.15\(a\)"):
            table.open_round(dict.fromkeys(seats, ann))
    assert table.open_round({5: ann, 6: ann}).ask
