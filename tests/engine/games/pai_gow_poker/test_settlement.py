"""The settlement of pai gow poker, which is customary: the text is cut off before it."""

import pytest

from feltrig.engine.cards import parse_all
from feltrig.engine.games.pai_gow_poker.ranking import Readings
from feltrig.engine.games.pai_gow_poker.settlement import Copies, settle
from feltrig.engine.ranking.pai_gow_poker import Wheel
from feltrig.engine.table.result import Outcome
from feltrig.engine.table.setting import Hands


def hands(high: str, low: str) -> Hands:
    return Hands(parse_all(high.split()), parse_all(low.split()))


DEALER = hands("Ks Kd 9h 8c 2d", "Qs Jd")


@pytest.mark.parametrize(
    ("high", "low", "outcome", "net", "vigorish"),
    [
        ("As Ad 9c 8d 2c", "Kh Jc", Outcome.WIN, 950, 50),
        ("As Ad 9c 8d 2c", "Th 7c", Outcome.PUSH, 0, 0),
        ("Qd Qc 9c 8d 2c", "Kh Jc", Outcome.PUSH, 0, 0),
        ("Qd Qc 9c 8d 2c", "Th 7c", Outcome.LOSE, -1000, 0),
        ("Kh Kc 9c 8d 2c", "Qh Jc", Outcome.LOSE, -1000, 0),  # copies
        ("As Ad 9c 8d 2c", "Qh Jc", Outcome.PUSH, 0, 0),  # a copy below
        ("Th 7c 9c 8d 2c", "As Ad", Outcome.LOSE, -1000, 0),  # foul
    ],
)
def test_both_hands_must_win_and_copies_are_the_dealers(
    high: str, low: str, outcome: Outcome, net: int, vigorish: int
) -> None:
    settled = settle(hands(high, low), DEALER, 1000)
    assert (settled.outcome, settled.net, settled.vigorish) == (outcome, net, vigorish)


def test_copies_go_to_the_dealer_or_to_the_player() -> None:
    assert [copies.value for copies in Copies] == ["dealer", "player"]


def test_a_house_may_give_copies_to_the_player_and_round_its_vigorish() -> None:
    copied = settle(hands("Kh Kc 9c 8d 2c", "Qh Jc"), DEALER, 1010, "round_up_to_25_cents", copies=Copies.PLAYER)
    assert (copied.outcome, copied.net, copied.vigorish) == (Outcome.WIN, 935, 75)


def test_the_licensees_wheel_counts() -> None:
    wheel, king = hands("As 2d 3h 4c 5d", "Ad Kc"), hands("Ks Qd Jh Tc 9d", "Qs Jc")
    assert settle(wheel, king, 1000).outcome is Outcome.WIN
    assert settle(wheel, king, 1000, readings=Readings(Wheel.LOWEST)).outcome is Outcome.PUSH


def test_a_settlement_cites_how_the_hands_compare_and_a_foul_one_nothing() -> None:
    settled = settle(hands("As Ad 9c 8d 2c", "Kh Jc"), DEALER, 1000)
    assert settled.rules == ("19:47-11.3(b)10", "19:47-11.3(e)")
    assert settle(hands("Th 7c 9c 8d 2c", "As Ad"), DEALER, 1000).rules == ()
