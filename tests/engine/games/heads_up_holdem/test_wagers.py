"""What a player may stake before the deal, and by how much raise on each street."""

import pytest

from feltrig.engine.games import GAMES
from feltrig.engine.games.heads_up_holdem.round import Options, procedure
from feltrig.engine.games.heads_up_holdem.wagers import MOVES, Street
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import House


def check(ante: int, odds: int, house: House | None = None, **side_bets: int) -> None:
    bets = {"ante": ante, "odds": odds, **side_bets}
    procedure(Options(), house or House(table_minimum=1)).check_wagers({1: bets})


@pytest.mark.clause("heads_up_holdem", "13:69F-39.6(c)", "13:69F-39.10(b)", "13:69F-39.1[odds-wager]")
def test_an_ante_goes_with_equal_odds_and_any_side_bets() -> None:
    check(500, 500)
    check(1, 1, trips_plus=1, pocket_bonus=300)
    for odds, why in ((0, "nobody plays without it"), (499, "expected as much as ante"), (501, "expected as much as")):
        with pytest.raises(Illegal, match=f"seat 1: odds.*{why}") as refused:
            check(500, odds)
        assert refused.value.rules == ("13:69F-39.6(c)",)


@pytest.mark.clause("heads_up_holdem", "13:69F-39.1[ante]")
@pytest.mark.parametrize(("ante", "why"), [(0, "ante: nobody plays without it"), (-1, "ante of -1, the least is 1")])
def test_nobody_plays_without_an_ante(ante: int, why: str) -> None:
    with pytest.raises(Illegal, match=why) as refused:
        check(ante, ante, trips_plus=100)
    assert refused.value.rules == ("13:69F-39.10(b)",)


@pytest.mark.clause("heads_up_holdem", "13:69F-39.10(b)")
def test_the_ante_is_within_the_limits_of_the_table() -> None:
    check(500, 500, House(table_minimum=500, table_maximum=500))
    for ante, expected in ((499, "ante of 499, the least is 500"), (901, "ante of 901, the most is 900")):
        with pytest.raises(Illegal, match=expected) as refused:
            check(ante, ante, House(table_minimum=500, table_maximum=900))
        assert refused.value.rules == ("13:69F-39.10(b)",)
    check(10**9, 10**9, House(table_minimum=500))
    with pytest.raises(Illegal, match="the least is 500"):
        check(499, 499, House(table_minimum=500))


@pytest.mark.parametrize("bet", ["trips_plus", "pocket_bonus"])
def test_a_side_bet_is_not_less_than_nothing(bet: str) -> None:
    with pytest.raises(Illegal, match=f"{bet} of -1, the least is 1") as refused:
        check(500, 500, **{bet: -1})
    assert refused.value.rules == ("13:69F-39.6(d)",)


@pytest.mark.clause(
    "heads_up_holdem",
    "13:69F-39.10(d)",
    "13:69F-39.10(f)",
    "13:69F-39.10(h)",
    "13:69F-39.1[raise-wager](a)",
    "13:69F-39.1[raise-wager](b)",
    "13:69F-39.1[raise-wager](c)",
)
@pytest.mark.parametrize(
    ("street", "multiples", "rule"),
    [
        (Street.HOLE_CARDS, (1, 2, 3), "13:69F-39.10(d)"),
        (Street.FLOP, (1, 2), "13:69F-39.10(f)"),
        (Street.RIVER, (1,), "13:69F-39.10(h)"),
    ],
)
def test_a_raise_is_as_many_whole_antes_as_the_street_allows(
    street: Street, multiples: tuple[int, ...], rule: str
) -> None:
    assert (MOVES[street].multiples, MOVES[street].rule) == (multiples, rule)


@pytest.mark.clause("heads_up_holdem", "13:69F-39.1[check]", "13:69F-39.10(h)", "13:69F-39.1[fold]")
def test_a_player_may_check_twice_and_must_raise_or_fold_at_the_end() -> None:
    assert {street.value: MOVES[street].otherwise for street in Street} == {
        "hole cards": "check",
        "flop": "check",
        "turn and river": "fold",
    }
    assert {move.rule for move in MOVES.values()} <= set(GAMES["heads_up_holdem"].clauses)
