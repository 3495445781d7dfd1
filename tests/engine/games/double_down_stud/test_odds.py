"""The odds of Double Down Stud: published figures."""

from fractions import Fraction

from house_edges import edges

from feltrig.engine.games.double_down_stud import odds as double_down_stud
from feltrig.engine.games.double_down_stud.paytables import WAGER


def test_double_down_stud() -> None:
    (wager,) = double_down_stud.wagers()
    assert wager.total == 2_598_960 * 5
    assert wager.returned == Fraction(309_467, 324_870)
    assert wager.outcomes["pair_of_fives_or_less_doubled"] > 0
    more = {"royal_flush": 2000, "straight_flush": 200, "four_of_a_kind": 50, "full_house": 11}
    published = double_down_stud.wager({**WAGER, **more}, "the table that is published most")
    assert edges([published]).popitem()[1] == "2.6678%"
