"""What a player may stake before the deal, and by how much raise on each street."""

import pytest

from feltrig.engine.games import GAMES
from feltrig.engine.games.heads_up_holdem.wagers import MOVES, Street, Wager, check, check_raise
from feltrig.engine.rulings import Illegal


@pytest.mark.clause("heads_up_holdem", "13:69F-39.6(c)", "13:69F-39.10(b)", "13:69F-39.1[odds-wager]")
def test_an_ante_goes_with_equal_odds_and_any_side_bets() -> None:
    check(Wager(500, 500))
    assert Wager(500, 500) == Wager(500, 500, trips_plus=0, pocket_bonus=0)
    check(Wager(1, 1, trips_plus=1, pocket_bonus=300))
    for odds in (0, 499, 501):
        with pytest.raises(
            Illegal, match=f"odds wager of {odds} beside an ante of 500: they must be equal [(]"
        ) as refused:
            check(Wager(500, odds))
        assert refused.value.rules == ("13:69F-39.6(c)",)


@pytest.mark.clause("heads_up_holdem", "13:69F-39.1[ante]")
@pytest.mark.parametrize("ante", [0, -1])
def test_nobody_plays_without_an_ante(ante: int) -> None:
    with pytest.raises(Illegal, match=r"^no ante \(") as refused:
        check(Wager(ante, ante, trips_plus=100))
    assert refused.value.rules == ("13:69F-39.1[ante]",)


@pytest.mark.clause("heads_up_holdem", "13:69F-39.10(b)")
def test_the_ante_is_within_the_limits_of_the_table() -> None:
    check(Wager(500, 500), 500, 500)
    for ante, expected in ((499, "ante of 499: the table takes 500 to 900"), (901, "ante of 901")):
        with pytest.raises(Illegal, match=expected) as refused:
            check(Wager(ante, ante), 500, 900)
        assert refused.value.rules == ("13:69F-39.10(b)",)
    check(Wager(10**9, 10**9), 500)
    with pytest.raises(Illegal, match=r"takes 500 to any amount \("):
        check(Wager(499, 499), 500)


@pytest.mark.parametrize(
    ("wager", "why"),
    [
        (Wager(500, 500, trips_plus=-1), "trips plus of -1 cents is no wager [(]"),
        (Wager(500, 500, pocket_bonus=-1), "pocket bonus of -1 cents is no wager [(]"),
    ],
)
def test_a_side_bet_is_not_less_than_nothing(wager: Wager, why: str) -> None:
    with pytest.raises(Illegal, match=why) as refused:
        check(wager)
    assert refused.value.rules == ("13:69F-39.6(d)",)


RAISES = {
    Street.HOLE_CARDS: ((1, 2, 3), "13:69F-39.10(d)"),
    Street.FLOP: ((1, 2), "13:69F-39.10(f)"),
    Street.RIVER: ((1,), "13:69F-39.10(h)"),
}


@pytest.mark.clause(
    "heads_up_holdem",
    "13:69F-39.10(d)",
    "13:69F-39.10(f)",
    "13:69F-39.10(h)",
    "13:69F-39.1[raise-wager](a)",
    "13:69F-39.1[raise-wager](b)",
    "13:69F-39.1[raise-wager](c)",
)
@pytest.mark.parametrize("street", Street)
def test_a_raise_is_as_many_whole_antes_as_the_street_allows(street: Street) -> None:
    allowed, rule = RAISES[street]
    for multiple in allowed:
        assert check_raise(street, 500, 500 * multiple) == multiple
    for cents in (0, 250, 499, 750, 501, -500, *(500 * multiple for multiple in {2, 3, 4} - set(allowed))):
        with pytest.raises(Illegal, match=f"raise of {cents} on an ante of 500: expected") as refused:
            check_raise(street, 500, cents)
        assert refused.value.rules == (rule,)


@pytest.mark.clause("heads_up_holdem", "13:69F-39.10(f)", "13:69F-39.10(h)")
@pytest.mark.parametrize("street", Street)
def test_who_has_raised_does_not_raise_again(street: Street) -> None:
    with pytest.raises(Illegal, match=r"^a second raise in one round \(") as refused:
        check_raise(street, 500, 500, raised=True)
    assert refused.value.rules == (RAISES[street][1],)


def test_a_refused_raise_says_what_is_allowed() -> None:
    with pytest.raises(Illegal, match=r"expected 1, 2 times the ante \("):
        check_raise(Street.FLOP, 500, 1500)


@pytest.mark.clause("heads_up_holdem", "13:69F-39.1[check]", "13:69F-39.10(h)", "13:69F-39.1[fold]")
def test_a_player_may_check_twice_and_must_raise_or_fold_at_the_end() -> None:
    assert {street.value: MOVES[street].otherwise for street in Street} == {
        "hole cards": "check",
        "flop": "check",
        "turn and river": "fold",
    }
    assert {move.rule for move in MOVES.values()} <= set(GAMES["heads_up_holdem"].clauses)
