"""Who is paid what: rounds against the dealer, banked rounds, bonus wagers."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.cards import Card, parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.games.supreme_pai_gow.bonus import Category
from feltrig.engine.games.supreme_pai_gow.settlement import (
    NO_BONUS,
    SURRENDERED,
    BonusSettlement,
    Judgement,
    judge,
    settle_bank,
    settle_bonuses,
    settle_seat,
)
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.commission import BankSettlement, Stake
from feltrig.engine.table.result import Outcome
from feltrig.engine.table.setting import Hands

WIN, LOSE, PUSH = Outcome.WIN, Outcome.LOSE, Outcome.PUSH
WON = Judgement(WIN, ("34.12(h)",))


def cards(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


def hands(high: str, low: str) -> Hands:
    return Hands(cards(high), cards(low))


DEALER = hands("Kc Ks", "8c Kh")


@pytest.mark.clause("supreme_pai_gow", "34.1 Push")
@pytest.mark.clause("supreme_pai_gow", "34.3(b)", "34.3(d)", "34.12(g)1", "34.12(g)2", "34.12(g)3", "34.12(h)")
@pytest.mark.parametrize(
    ("high", "low", "result", "rules"),
    [
        ("As Ad", "9c Kd", WIN, ("34.12(h)",)),
        ("As Ad", "7c Kd", PUSH, ("34.12(h)",)),
        ("Qs Qd", "9c Jd", PUSH, ("34.12(h)",)),
        ("Qs Qd", "7c Jd", LOSE, ("34.12(g)1",)),
        ("Kd Ad", "9d Qd", LOSE, ("34.12(g)2",)),
        ("Kd Ad Ac", "9d", LOSE, ("34.12(g)3",)),
        ("As Ad", "8d Ks", PUSH, ("34.12(h)", "34.3(b)")),
        ("As Ad", "8d Qd", PUSH, ("34.12(h)", "34.3(b)")),
        ("As Ad", "Td Qd", PUSH, ("34.12(h)", "34.3(d)")),
        ("Kd Kh", "8d Qd", LOSE, ("34.12(g)1", "34.3(b)")),
    ],
)
def test_34_12_g_and_h_both_hands_decide(high: str, low: str, result: Outcome, rules: tuple[str, ...]) -> None:
    judged = judge(hands(high, low), DEALER)
    assert judged == Judgement(result, rules)
    assert judge(hands(high, low), DEALER).outcome is result


@pytest.mark.clause("supreme_pai_gow", "34.3(d)")
def test_34_3_d_zero_points_lose_even_to_a_lower_zero() -> None:
    dealer = hands("Kc Ks", "9c As")
    assert judge(hands("As Ad", "Td Qd"), dealer).outcome is PUSH


@pytest.mark.clause("supreme_pai_gow", "34.12(a)", "34.12(g)2")
def test_34_12_a_equal_hands_are_legal_unless_the_licensee_reads_otherwise() -> None:
    """SPG-02."""
    sevens = hands("7c 7d", "7h 7s")
    weak = hands("6c 6d", "Kh 9s")
    assert judge(sevens, weak).outcome is WIN
    assert judge(sevens, weak, equal_is_legal=False) == Judgement(LOSE, ("34.12(g)2",))


@pytest.mark.clause("supreme_pai_gow", "34.12(h)", "34.12(i)")
def test_34_12_i_a_win_pays_even_money_less_five_percent() -> None:
    settled = settle_seat(3, judge(hands("As Ad", "9c Kd"), DEALER), 10_000)
    assert (settled.seat, settled.outcome, settled.main_net, settled.vigorish) == (3, WIN, 9500, 500)
    assert settled.rules == ("34.12(h)", "34.12(i)")
    assert (settled.bonus_category, settled.bonus_net) == (None, 0)


@pytest.mark.clause("supreme_pai_gow", "34.12(h)", "34.12(i)")
@pytest.mark.parametrize(
    ("rounding", "net", "taken"),
    [("exact", Fraction(1995, 2), Fraction(105, 2)), ("round_up_to_25_cents", 975, 75)],
)
def test_34_12_i_odd_cents_stay_exact_or_go_up(rounding: str, net: int | Fraction, taken: int | Fraction) -> None:
    settled = settle_seat(1, WON, 1050, rounding)
    assert (settled.main_net, settled.vigorish) == (net, taken)


@pytest.mark.clause("supreme_pai_gow", "34.12(g)1", "34.12(h)", "34.16(d)")
@pytest.mark.parametrize(
    ("judgement", "net"),
    [
        (Judgement(LOSE, ("34.12(g)1",)), -2500),
        (Judgement(PUSH, ("34.12(h)",)), 0),
        (Judgement(Outcome.VOID, ("34.16(d)",)), 0),
        (SURRENDERED, -2500),
    ],
)
def test_what_does_not_win_pays_no_vigorish(judgement: Judgement, net: int) -> None:
    settled = settle_seat(2, judgement, 2500)
    assert (settled.main_net, settled.vigorish, settled.rules) == (net, 0, judgement.rules)


@pytest.mark.clause("supreme_pai_gow", "34.3(c)6", "34.12(e)", "34.12(e)1", "34.12(e)2", "34.14(a)")
def test_34_12_e_surrender_loses_all_of_the_main_wager_and_keeps_the_bonus() -> None:
    bonuses = settle_bonuses({4: cards("As Ad Ah Ks")}, {4: 500}, 100)
    settled = settle_seat(4, SURRENDERED, 2500, bonus=bonuses[4])
    assert (settled.main_net, settled.bonus_category, settled.bonus_net) == (-2500, Category.THREE_OF_A_KIND, 5000)
    assert settled.rules == ("34.12(e)1", "34.12(e)2", "34.3(c)6", "34.14(a)")


@pytest.mark.clause("supreme_pai_gow", "34.7(d)", "34.12(h)", "34.1 Bonus wager")
def test_34_7_d_the_bonus_has_no_bearing_on_the_main_wager() -> None:
    lost = BonusSettlement(None, -500, ("34.12(h)",))
    with_bonus, without = (settle_seat(1, WON, 10_000, bonus=bonus) for bonus in (lost, NO_BONUS))
    assert (with_bonus.main_net, with_bonus.vigorish) == (without.main_net, without.vigorish)
    assert with_bonus.bonus_net == -500


@pytest.mark.clause("supreme_pai_gow", "34.12(h)", "34.13(o)")
def test_34_13_o_a_seat_that_beats_the_bank_has_the_same_net_by_another_rule() -> None:
    against_bank, against_dealer = (settle_seat(1, WON, 4000, banked=banked) for banked in (True, False))
    assert against_bank.main_net == against_dealer.main_net == 3800
    assert "34.13(o)" in against_bank.rules
    assert "34.13(o)" not in against_dealer.rules


def everyone(settled: BankSettlement) -> int | Fraction:
    """What all parties gained together, the house by its vigorish, its share and its wager."""
    house = settled.vigorish + (settled.house_share_net or 0) + (settled.dealer_wager_net or 0)
    return sum(settled.players_net.values()) + settled.bank_net + house


@pytest.mark.clause("supreme_pai_gow", "34.12(i)", "34.13(l)", "34.13(o)")
def test_34_13_l_a_surplus_goes_to_the_bank_less_five_percent() -> None:
    settled = settle_bank({1: Stake(10_000, LOSE), 2: Stake(4000, WIN), 3: Stake(2000, PUSH)})
    assert settled.players_net == {1: -10_000, 2: 3800, 3: 0}
    assert settled.player_vigorish == {2: 200}
    assert (settled.surplus, settled.shortfall, settled.bank_vigorish, settled.bank_net) == (6000, 0, 300, 5700)
    assert (settled.dealer_wager_net, settled.house_share_net) == (None, None)
    assert settled.rules == ("34.13(l)", "34.13(o)", "34.12(i)")
    assert everyone(settled) == 0


@pytest.mark.clause("supreme_pai_gow", "34.13(l)", "34.1 Bank")
def test_34_13_l_a_shortfall_is_the_banks_to_pay_without_vigorish() -> None:
    settled = settle_bank({1: Stake(10_000, WIN), 2: Stake(4000, LOSE)})
    assert (settled.surplus, settled.shortfall, settled.bank_vigorish, settled.bank_net) == (0, 6000, 0, -6000)
    assert settled.players_net == {1: 9500, 2: -4000}
    assert everyone(settled) == 0


@pytest.mark.clause("supreme_pai_gow", "34.12(i)", "34.13(k)", "34.13(l)", "34.13(n)")
@pytest.mark.parametrize(
    ("result", "dealer_net", "bank_net", "rules"),
    [
        (WIN, 3000, 1900, ("34.13(k)", "34.13(l)", "34.13(n)", "34.12(i)")),
        (LOSE, -3000, 7600, ("34.13(k)", "34.13(l)", "34.12(i)")),
        (PUSH, 0, 4750, ("34.13(k)", "34.13(l)", "34.12(i)")),
    ],
)
def test_34_13_k_to_n_the_dealers_wager_passes_the_centre_without_vigorish(
    result: Outcome, dealer_net: int, bank_net: int, rules: tuple[str, ...]
) -> None:
    """SPG-18 and SPG-19."""
    settled = settle_bank({5: Stake(5000, LOSE)}, Stake(3000, result))
    assert (settled.dealer_wager_net, settled.bank_net, settled.player_vigorish) == (dealer_net, bank_net, {})
    assert settled.rules == rules
    assert everyone(settled) == 0


@pytest.mark.clause("supreme_pai_gow", "34.13(k)")
def test_34_13_k_the_bank_wins_copies_of_the_dealer() -> None:
    """SPG-18: against the bank the dealer is judged as a player."""
    assert judge(hands("Kc Kd", "9c Qd"), hands("Kh Ks", "9h Qs")).outcome is LOSE
    assert judge(hands("Ac Ad", "Tc Qd"), hands("Kh Ks", "Ah 9s")).outcome is PUSH


@pytest.mark.clause("supreme_pai_gow", "34.12(i)", "34.13(m)", "34.13(o)")
def test_34_13_m_a_co_bank_shares_the_surplus_and_pays_five_percent_of_its_half() -> None:
    settled = settle_bank({1: Stake(10_000, LOSE), 2: Stake(4000, WIN)}, co_bank=True)
    assert (settled.surplus, settled.house_share_net) == (6000, 3000)
    assert (settled.bank_vigorish, settled.bank_net) == (150, 2850)
    assert settled.rules == ("34.13(m)", "34.13(o)", "34.12(i)")
    assert everyone(settled) == 0


@pytest.mark.clause("supreme_pai_gow", "34.13(m)", "34.1 Co-banking")
def test_34_13_m_a_co_bank_pays_half_of_a_shortfall() -> None:
    settled = settle_bank({1: Stake(10_000, WIN), 2: Stake(4000, LOSE)}, co_bank=True)
    assert (settled.shortfall, settled.bank_net, settled.house_share_net) == (6000, -3000, -3000)
    assert (settled.bank_vigorish, settled.odd_cent) == (0, 0)
    assert everyone(settled) == 0


@pytest.mark.clause("supreme_pai_gow", "34.13(m)")
def test_34_13_m_the_halves_of_an_odd_cent_stay_exact() -> None:
    """SPG-23."""
    settled = settle_bank({1: Stake(6001, LOSE)}, co_bank=True)
    assert settled.odd_cent == 1
    assert settled.house_share_net == Fraction(6001, 2)
    assert settled.bank_vigorish == Fraction(6001, 40)
    assert settled.bank_net == Fraction(6001, 2) - Fraction(6001, 40)
    assert everyone(settled) == 0


@pytest.mark.clause("supreme_pai_gow", "34.13(e)")
def test_34_13_e_the_dealer_may_not_wager_against_a_co_bank() -> None:
    with pytest.raises(Illegal) as refused:
        settle_bank({1: Stake(1000, LOSE)}, Stake(500, WIN), co_bank=True)
    assert refused.value.rules == ("34.13(e)",)


@pytest.mark.clause("supreme_pai_gow", "34.12(e)1")
def test_34_12_e_1_a_surrendered_wager_goes_to_the_centre() -> None:
    settled = settle_bank({1: Stake(1000, Outcome.SURRENDER), 2: Stake(700, Outcome.VOID)})
    assert (settled.surplus, settled.players_net) == (1000, {1: -1000, 2: 0})


STAKES = st.builds(Stake, st.integers(1, 10**7), st.sampled_from(Outcome))


@pytest.mark.clause("supreme_pai_gow", "34.13(a)")
@given(
    st.dictionaries(st.integers(1, 6), STAKES),
    st.none() | STAKES,
    st.booleans(),
    st.sampled_from(["exact", "round_up_to_25_cents"]),
)
def test_34_13_a_banked_round_only_moves_money(
    stakes: dict[int, Stake], dealer: Stake | None, co_bank: bool, rounding: str
) -> None:
    settled = settle_bank(stakes, None if co_bank else dealer, co_bank=co_bank, rounding=rounding)
    assert everyone(settled) == 0
    assert set(settled.rules) <= GAMES["supreme_pai_gow"].clauses.keys()
    for seat, stake in stakes.items():
        alone = settle_seat(seat, Judgement(stake.outcome, ()), stake.wager, rounding, banked=True)
        assert alone.main_net == settled.players_net[seat]


@pytest.mark.clause("supreme_pai_gow", "34.3(c)2", "34.3(c)11", "34.12(h)", "34.14(a)", "34.14(b)", "34.1 Bonus wager")
def test_34_14_bonuses_of_a_round_are_settled_seat_by_seat() -> None:
    dealt = {1: cards("Ac Kc Qc Jc"), 2: cards("2c 5d 9h Ks"), 3: cards("As Ad Ah 4s"), 5: cards("9c 9d 2h 5s")}
    settled = settle_bonuses(dealt, {1: 100, 2: 500, 3: 0, 5: 300}, 100)
    assert settled == {
        1: BonusSettlement(Category.ROYAL_FLUSH, 50_000, ("34.3(c)2", "34.14(a)")),
        2: BonusSettlement(None, -500, ("34.12(h)",)),
        5: BonusSettlement(Category.ANY_OTHER_PAIR, 300, ("34.3(c)11", "34.14(a)")),
    }


@pytest.mark.clause("supreme_pai_gow", "34.14(b)")
def test_34_14_b_royals_of_one_round_share_the_limit_and_others_have_their_own() -> None:
    dealt = {1: cards("Ac Kc Qc Jc"), 4: cards("Ah Kh Qh Jh"), 6: cards("7s 7d 7h 7c")}
    settled = settle_bonuses(dealt, {1: 10_000, 4: 30_000, 6: 60_000}, 500)
    assert {seat: bonus.net for seat, bonus in settled.items()} == {1: 1_250_000, 4: 3_750_000, 6: 5_000_000}
    assert all(bonus.rules[-1] == "34.14(b)" for bonus in settled.values())


@pytest.mark.clause("supreme_pai_gow", "34.14(b)")
def test_34_14_b_royals_within_the_limit_do_not_cite_it() -> None:
    dealt = {1: cards("Ac Kc Qc Jc"), 4: cards("Ah Kh Qh Jh")}
    settled = settle_bonuses(dealt, {1: 100, 4: 200}, 100)
    assert {seat: bonus.net for seat, bonus in settled.items()} == {1: 50_000, 4: 100_000}
    assert all("34.14(b)" not in bonus.rules for bonus in settled.values())
