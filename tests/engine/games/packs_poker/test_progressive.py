"""The meter: what it pays, how it is shared, what is left on it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.cards import parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.games.packs_poker.hands import five_card_hands, seven_card_hands
from feltrig.engine.games.packs_poker.paytables import FIVE_CARD_PROGRESSIVE, SEVEN_CARD_PROGRESSIVE
from feltrig.engine.games.packs_poker.progressive import (
    LEAST_RATE,
    PERCENTS,
    PackSettlement,
    award_in_sequence,
    least_increment,
    settle_pack,
    share,
)
from feltrig.engine.games.packs_poker.readings import MeterShare, Multiples, Readings, RepeatedJackpot, SinglePayout
from feltrig.engine.games.packs_poker.settlement import BonusSettlement

D, D1, D2, D3 = (f"13:69F-43.12(d){label}" for label in ("", "1", "2", "3"))


@pytest.mark.clause("packs_poker", D)
def test_one_winner_takes_the_percentage_of_the_meter() -> None:
    whole = share(1_000_000, {4: 100})
    assert (dict(whole.payouts), whole.left, whole.jackpot, whole.rules) == ({4: 1_000_000}, 0, True, (D, D3))
    tenth = share(1_000_000, {4: 10})
    assert (dict(tenth.payouts), tenth.left, tenth.jackpot, tenth.rules) == ({4: 100_000}, 900_000, False, (D, D3))


def test_nobody_wins_nothing_and_the_meter_stays() -> None:
    award = share(1_000_000, {})
    assert (dict(award.payouts), award.left, award.jackpot, award.rules) == ({}, 1_000_000, False, ())


@pytest.mark.clause("packs_poker", D1)
def test_equal_percentages_share_one_award_equally() -> None:
    whole = share(1_000_000, {1: 100, 5: 100})
    assert (dict(whole.payouts), whole.left, whole.rules) == ({1: 500_000, 5: 500_000}, 0, (D, D1, D3))
    tenths = share(1_000_000, {1: 10, 5: 10})
    assert (dict(tenths.payouts), tenths.left, tenths.rules) == ({1: 50_000, 5: 50_000}, 900_000, (D, D1, D3))


def test_read_the_other_way_each_takes_a_tenth() -> None:
    award = share(1_000_000, {1: 10, 5: 10, 6: 100}, MeterShare.EACH)
    assert (dict(award.payouts), award.left) == ({1: 100_000, 5: 100_000, 6: 800_000}, 0)
    assert dict(share(1_000_000, {1: 100, 5: 100}, MeterShare.EACH).payouts) == {1: 500_000, 5: 500_000}


@pytest.mark.clause("packs_poker", D2)
def test_ten_percent_is_paid_first_and_the_whole_is_the_balance() -> None:
    one = share(10_000_000, {1: 10, 3: 100})
    assert (dict(one.payouts), one.left, one.rules) == ({1: 1_000_000, 3: 9_000_000}, 0, (D, D2, D3))
    two = share(10_000_000, {3: 100, 4: 100, 1: 10})
    assert (dict(two.payouts), two.rules) == ({1: 1_000_000, 3: 4_500_000, 4: 4_500_000}, (D, D1, D2, D3))


def test_odd_cents_stay_on_the_meter_or_go_to_who_takes_the_balance() -> None:
    assert (dict(share(101, {1: 100, 2: 100}).payouts), share(101, {1: 100, 2: 100}).left) == ({1: 50, 2: 50}, 1)
    assert (dict(share(109, {1: 10}).payouts), share(109, {1: 10}).left) == ({1: 10}, 99)
    assert dict(share(10_000_005, {1: 10, 2: 100}).payouts) == {1: 1_000_000, 2: 9_000_005}
    assert dict(share(1_000, {1: 10, 2: 10, 4: 10, 3: 100}).payouts) == {1: 33, 2: 33, 4: 33, 3: 901}
    assert (dict(share(9, {1: 10}).payouts), share(9, {1: 10}).left) == ({1: 0}, 9)


@pytest.mark.clause("packs_poker", D, D1, D2)
@given(
    st.integers(0, 10**9),
    st.dictionaries(st.integers(1, 6), st.sampled_from((10, 100))),
    st.sampled_from(tuple(MeterShare)),
)
def test_nothing_is_lost_and_equals_are_paid_alike(meter: int, percents: dict[int, int], sharing: MeterShare) -> None:
    award = share(meter, percents, sharing)
    assert sum(award.payouts.values()) + award.left == meter
    assert set(award.payouts) == set(percents)
    assert award.left >= 0
    for percent in (10, 100):
        assert len({paid for seat, paid in award.payouts.items() if percents[seat] == percent}) <= 1
    if award.jackpot:
        assert award.left < list(percents.values()).count(100)


@pytest.mark.clause("packs_poker", "13:69F-43.12(b)")
def test_the_packs_are_settled_in_sequence_from_the_meter_as_it_stands() -> None:
    first, second, third = award_in_sequence("five_card", 1_000_000, ({2: 100}, {}, {2: 100}), reset=250_000)
    assert (dict(first.payouts), dict(second.payouts), dict(third.payouts)) == ({2: 1_000_000}, {}, {2: 250_000})
    assert third.next_reading(250_000) == 250_000
    tenth, whole = award_in_sequence("seven_card", 1_000_000, ({2: 10}, {3: 100, 4: 100}), reset=7)
    assert (dict(tenth.payouts), dict(whole.payouts)) == ({2: 100_000}, {3: 450_000, 4: 450_000})
    assert tenth.next_reading(7) == 900_000
    assert whole.next_reading(7) == 7


def test_an_odd_cent_is_on_the_meter_after_the_reset() -> None:
    (award,) = award_in_sequence("seven_card", 101, ({1: 100, 2: 100},), reset=5000)
    assert award.next_reading(5000) == 5001


def test_read_as_one_award_per_hand_the_same_five_cards_take_the_meter_once() -> None:
    once = Readings(repeated_jackpot=RepeatedJackpot.ONE_AWARD_PER_HAND)
    packs = ({2: 100}, {2: 100}, {3: 100})
    awards = award_in_sequence("five_card", 1_000_000, packs, 250_000, once)
    assert [dict(award.payouts) for award in awards] == [{2: 1_000_000}, {}, {3: 250_000}]
    awards = award_in_sequence("seven_card", 1_000_000, packs, 250_000, once)
    assert [dict(award.payouts) for award in awards] == [{2: 1_000_000}, {2: 250_000}, {3: 250_000}]


def test_shares_of_the_meter_are_by_the_awards_reading() -> None:
    each = Readings(meter_share=MeterShare.EACH)
    (award,) = award_in_sequence("seven_card", 1000, ({1: 10, 2: 10},), 0, each)
    assert dict(award.payouts) == {1: 100, 2: 100}


@pytest.mark.clause("packs_poker", "13:69F-43.12(e)")
def test_the_meter_grows_by_five_percent_or_one() -> None:
    assert dict(LEAST_RATE) == {"five_card": Fraction(1, 100), "seven_card": Fraction(1, 20)}
    assert least_increment("seven_card", 500) == 25
    assert least_increment("five_card", 500) == 5
    assert least_increment("five_card", 50) == Fraction(1, 2)
    assert isinstance(least_increment("five_card", 500), int)


def test_only_the_seven_card_wager_wins_ten_percent() -> None:
    assert PERCENTS == {"five_card": (100,), "seven_card": (10, 100)}


def five(*held: str) -> dict[int, tuple[str, ...]]:
    return {seat: five_card_hands(parse_all(text.split())) for seat, text in enumerate(held, start=1)}


def seven(pack: str, *held: str) -> dict[int, tuple[str, ...]]:
    return {seat: seven_card_hands(parse_all((text + " " + pack).split())) for seat, text in enumerate(held, start=1)}


def nets(settled: PackSettlement) -> dict[int, tuple[str | None, int]]:
    return {seat: (bonus.paid_as, bonus.net) for seat, bonus in settled.seats.items()}


DIAMONDS = "Ad Kd Qd Jd Td"
RUNS = seven("7s 8s", "2s 3s 4s 5s 6s", "9s Ts Js Qs Ks")
RUN_AND_SIX = seven("As 2s", "3s 4s 5s 6s 7s", "Ks Qs Js Ts 9s")
TWO_SIXES = seven("9s 9h", "As Ks Qs Js Ts", "Ah Kh Qh Jh Th")
TOP, SIX = "seven_card_straight_flush", "six_card_royal_flush"


@pytest.mark.clause("packs_poker", "13:69F-43.5(c)", "13:69F-43.11(b)2", D3)
@pytest.mark.parametrize("wager", [100, 2500])
def test_a_diamond_royal_takes_the_whole_meter_whatever_was_wagered(wager: int) -> None:
    settled = settle_pack(
        five(DIAMONDS, "Ac Ad Ah 2s 2c", "Ac Kd Qh Js 9c"),
        FIVE_CARD_PROGRESSIVE,
        "A",
        {1: wager, 2: 100, 3: 100},
        5_000_000,
    )
    assert nets(settled) == {
        1: ("diamond_royal_flush", 5_000_000 - wager),
        2: ("full_house", 4900),
        3: (None, -100),
    }
    assert settled.seats[1] == BonusSettlement(
        "diamond_royal_flush",
        5_000_000 - wager,
        ("13:69F-43.10(g)", "13:69F-43.5(c)", "13:69F-43.11(b)2", D, D3),
        from_meter=5_000_000,
    )
    assert settled.seats[2].from_meter == 0
    assert (settled.award.left, settled.award.jackpot) == (0, True)


def test_other_royals_leave_the_meter_alone() -> None:
    settled = settle_pack(five("As Ks Qs Js Ts"), FIVE_CARD_PROGRESSIVE, "A", {1: 100}, 5_000_000)
    assert nets(settled) == {1: ("royal_flush", 99_900)}
    assert (settled.award.left, settled.award.jackpot) == (5_000_000, False)


@pytest.mark.clause("packs_poker", "13:69F-43.11(c)2", D1)
def test_two_runs_of_seven_share_the_meter() -> None:
    settled = settle_pack(RUNS, SEVEN_CARD_PROGRESSIVE, "A", {1: 100, 2: 500}, 5_000_000)
    assert nets(settled) == {1: (TOP, 2_499_900), 2: (TOP, 2_499_500)}


@pytest.mark.clause("packs_poker", "13:69F-43.11(c)2", D2)
def test_a_six_card_royal_takes_a_tenth_before_the_run_of_seven() -> None:
    settled = settle_pack(RUN_AND_SIX, SEVEN_CARD_PROGRESSIVE, "M", {1: 100, 2: 100}, 5_000_000)
    assert nets(settled) == {1: (TOP, 4_499_900), 2: (SIX, 499_900)}


@pytest.mark.clause("packs_poker", D1)
def test_two_six_card_royals_share_a_tenth() -> None:
    settled = settle_pack(TWO_SIXES, SEVEN_CARD_PROGRESSIVE, "A", {1: 100, 2: 100}, 5_000_000)
    assert nets(settled) == {1: (SIX, 249_900), 2: (SIX, 249_900)}
    each = settle_pack(
        TWO_SIXES, SEVEN_CARD_PROGRESSIVE, "A", {1: 100, 2: 100}, 5_000_000, Readings(meter_share=MeterShare.EACH)
    )
    assert nets(each) == {1: (SIX, 499_900), 2: (SIX, 499_900)}


@pytest.mark.clause("packs_poker", "13:69F-43.11(c)2", "13:69F-43.11(b)2")
def test_a_low_meter_is_left_for_a_multiple_that_pays_more() -> None:
    six = seven("9s 2h", "As Ks Qs Js Ts")
    assert nets(settle_pack(six, SEVEN_CARD_PROGRESSIVE, "A", {1: 100}, 500_000)) == {1: (SIX, 49_900)}
    low = settle_pack(six, SEVEN_CARD_PROGRESSIVE, "A", {1: 100}, 499_999)
    assert nets(low) == {1: ("royal_flush", 49_900)}
    assert (low.award.left, dict(low.award.payouts)) == (499_999, {})
    assert nets(settle_pack(five(DIAMONDS), FIVE_CARD_PROGRESSIVE, "A", {1: 100}, 99_999)) == {
        1: ("royal_flush", 99_900)
    }


def test_who_leaves_the_meter_leaves_the_others_a_larger_share() -> None:
    settled = settle_pack(TWO_SIXES, SEVEN_CARD_PROGRESSIVE, "A", {1: 100, 2: 1000}, 5_000_000)
    assert nets(settled) == {1: (SIX, 499_900), 2: ("royal_flush", 499_000)}
    assert settled.award.left == 4_500_000
    both_low = settle_pack(TWO_SIXES, SEVEN_CARD_PROGRESSIVE, "A", {1: 200, 2: 100}, 700_000)
    assert nets(both_low) == {1: ("royal_flush", 99_800), 2: (SIX, 69_900)}


def test_read_by_rank_the_meter_is_paid_however_low_it_is() -> None:
    six = seven("9s 2h", "As Ks Qs Js Ts")
    by_rank = Readings(single_payout=SinglePayout.HIGHEST_HAND)
    assert nets(settle_pack(six, SEVEN_CARD_PROGRESSIVE, "A", {1: 100}, 1000, by_rank)) == {1: (SIX, 0)}


def test_read_to_1_the_stake_comes_back_with_the_meter() -> None:
    to_1 = Readings(multiples=Multiples.TO_1)
    settled = settle_pack(TWO_SIXES, SEVEN_CARD_PROGRESSIVE, "A", {1: 100, 2: 100}, 5_000_000, to_1)
    assert nets(settled) == {1: (SIX, 250_000), 2: (SIX, 250_000)}


def test_a_seat_without_a_wager_takes_nothing_off_the_meter() -> None:
    settled = settle_pack(RUNS, SEVEN_CARD_PROGRESSIVE, "A", {1: 100, 2: 0}, 5_000_000)
    assert nets(settled) == {1: (TOP, 4_999_900), 2: (None, 0)}


@pytest.mark.parametrize(
    ("repeated", "paid"),
    [(RepeatedJackpot.SEQUENTIAL, "diamond_royal_flush"), (RepeatedJackpot.ONE_AWARD_PER_HAND, "royal_flush")],
)
def test_five_cards_that_had_the_meter_have_it_again_or_the_royal_multiple(
    repeated: RepeatedJackpot, paid: str
) -> None:
    readings = Readings(repeated_jackpot=repeated)
    settled = settle_pack(five(DIAMONDS), FIVE_CARD_PROGRESSIVE, "A", {1: 100}, 5_000_000, readings, already_paid={1})
    assert settled.seats[1].paid_as == paid
    fresh = settle_pack(five(DIAMONDS), FIVE_CARD_PROGRESSIVE, "A", {1: 100}, 5_000_000, readings, already_paid={2})
    assert fresh.seats[1].paid_as == "diamond_royal_flush"


def test_the_rules_of_an_award_are_in_the_register() -> None:
    assert {D, D1, D2, D3} <= set(GAMES["packs_poker"].clauses)
