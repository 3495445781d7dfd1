"""Minibaccarat: what a table chooses, within its rules."""

import pytest

from feltrig.engine.games.minibaccarat.drawing import BANKER_DRAWS
from feltrig.engine.games.minibaccarat.options import Deal, Options, Shuffle
from feltrig.engine.games.minibaccarat.settlement import CUSTOMARY
from feltrig.engine.rulings import Illegal


def test_choices_have_the_names_that_a_configuration_uses() -> None:
    assert [deal.value for deal in Deal] == ["face_up", "under_shoe", "viewed"]
    assert [shuffle.value for shuffle in Shuffle] == ["feathered", "laced"]


def test_a_table_starts_from_the_customary_choices() -> None:
    options = Options()
    assert (options.decks, options.deal, options.shuffle) == (8, Deal.FACE_UP, Shuffle.FEATHERED)
    assert (options.recut_by, options.reshuffle_laced) == ("last", False)
    assert options.banker_table is BANKER_DRAWS
    assert options.payouts is CUSTOMARY


@pytest.mark.clause("minibaccarat", "19:47-7.1(a)", "19:47-7.5(b)2i", "19:47-7.5(g)")
@pytest.mark.parametrize(
    ("choice", "why", "rule"),
    [
        ({"decks": 5}, "5 decks: at least 6", "19:47-7.1(a)"),
        ({"reshuffle_laced": True}, "only a laced stack is shuffled again", "19:47-7.5(b)2i"),
        ({"recut_by": "anyone"}, "recut by 'anyone': expected last or next", "19:47-7.5(g)"),
    ],
)
def test_a_choice_that_the_rules_forbid_names_the_rule(choice: dict[str, object], why: str, rule: str) -> None:
    with pytest.raises(Illegal) as refused:
        Options(**choice)  # type: ignore[arg-type]
    assert refused.value.why == why
    assert refused.value.rules == (rule,)


@pytest.mark.clause("minibaccarat", "19:47-7.1(a)", "19:47-7.5(b)2i", "19:47-7.5(g)")
def test_choices_within_the_rules_are_accepted() -> None:
    assert Options(decks=6).decks == 6
    assert Options(shuffle=Shuffle.LACED, reshuffle_laced=True).reshuffle_laced
    assert Options(recut_by="next").recut_by == "next"
