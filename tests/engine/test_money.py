"""Exact money and the five percent of 34.12(i)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.money import exact, vigorish


def test_whole_amounts_become_integers_and_others_stay_fractions() -> None:
    assert type(exact(Fraction(10, 2))) is int
    assert exact(Fraction(10, 2)) == 5
    assert exact(Fraction(5, 2)) == Fraction(5, 2)
    assert exact(7) == 7


@pytest.mark.clause("supreme_pai_gow", "34.12(i)")
@pytest.mark.parametrize(
    ("won", "taken"), [(10_000, 500), (500, 25), (0, 0), (1050, Fraction(105, 2)), (1, Fraction(1, 20))]
)
def test_34_12_i_exact_vigorish_is_five_percent_to_the_fraction_of_a_cent(won: int, taken: int | Fraction) -> None:
    assert vigorish(won, "exact") == taken


@pytest.mark.clause("supreme_pai_gow", "34.12(i)")
@pytest.mark.parametrize(("won", "taken"), [(500, 25), (501, 50), (520, 50), (1000, 50), (1001, 75), (100, 25), (0, 0)])
def test_34_12_i_rounded_vigorish_goes_up_to_the_next_quarter(won: int, taken: int) -> None:
    assert vigorish(won, "round_up_to_25_cents") == taken
    assert type(vigorish(won, "round_up_to_25_cents")) is int


@pytest.mark.clause("supreme_pai_gow", "34.12(i)")
@given(st.integers(min_value=0, max_value=10**9))
def test_34_12_i_rounding_never_goes_down_and_never_up_by_a_whole_quarter(won: int) -> None:
    plain, rounded = vigorish(won, "exact"), vigorish(won, "round_up_to_25_cents")
    assert 0 <= rounded - plain < 25
    assert rounded % 25 == 0


def test_vigorish_of_half_a_pot_may_itself_be_of_a_fraction() -> None:
    assert vigorish(Fraction(6001, 2), "exact") == Fraction(6001, 40)
    assert vigorish(Fraction(1001, 2), "round_up_to_25_cents") == 50


def test_vigorish_refuses_a_loss_and_an_unknown_rounding() -> None:
    with pytest.raises(ValueError, match="win only"):
        vigorish(-1, "exact")
    with pytest.raises(ValueError, match="nearest"):
        vigorish(100, "nearest")
