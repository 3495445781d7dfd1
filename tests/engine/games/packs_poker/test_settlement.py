"""The pack's bet and the bonus wagers without a meter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.games.packs_poker.hands import compare, five_card_hands, seven_card_hands
from feltrig.engine.games.packs_poker.paytables import (
    FIVE_CARD,
    FIVE_CARD_PROGRESSIVE,
    PAY_TABLES,
    SEVEN_CARD,
    SEVEN_CARD_PROGRESSIVE,
    Award,
    Basis,
    PayTables,
)
from feltrig.engine.games.packs_poker.readings import Kickers, Multiples, Readings, SinglePayout, TopHand
from feltrig.engine.games.packs_poker.settlement import (
    NO_BONUS,
    PacksBetSettlement,
    gain,
    settle_bonus,
    settle_packs_bet,
)
from feltrig.engine.ranking.poker import Category, category, strength
from feltrig.engine.table.result import Outcome


def hand(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


def bet(player: str, dealer: str, pack: str, elected: bool = False, **readings: Kickers) -> PacksBetSettlement:
    return settle_packs_bet(hand(player), hand(dealer), hand(pack), 1000, elected, Readings(**readings))


LOSES = ("13:69F-43.10(d)", "13:69F-43.10(e)")
PUSHES = ("13:69F-43.10(d)", "13:69F-43.10(f)")
WINS = ("13:69F-43.10(d)", "13:69F-43.10(e)", "13:69F-43.11(a)")

HIGH = "As Kd 9h 7c 2s"
LOWER = "Qs Jd 8h 6c 3s"
DRY = "4d Th"


@pytest.mark.clause("packs_poker", "13:69F-43.10(d)", "13:69F-43.10(e)", "13:69F-43.11(a)", "13:69F-43.1[packs-wager]")
def test_a_higher_hand_of_a_pair_or_better_is_paid_even_money() -> None:
    assert bet("As Ad 9h 7c 2s", LOWER, DRY) == PacksBetSettlement(
        Category.PAIR, Category.HIGH_CARD, Outcome.WIN, 1000, WINS
    )
    assert bet("2h 2d 9h 7c 5s", LOWER, DRY).outcome is Outcome.WIN


@pytest.mark.clause("packs_poker", "13:69F-43.1[hand]", "13:69F-43.1[pack]", "13:69F-43.10(d)")
def test_both_make_the_best_five_of_seven_with_the_same_pack() -> None:
    settled = bet("As Kd 9h 7c 2s", "Qs Jd 8h 6c 3s", "2d 2h")
    assert (settled.player, settled.dealer) == (Category.THREE_OF_A_KIND, Category.PAIR)
    assert settled.net == 1000
    settled = bet("As Kd 9h 7c 2s", "Qs Jd 8h 6c 2c", "Qd Qh")
    assert (settled.player, settled.dealer) == (Category.PAIR, Category.THREE_OF_A_KIND)
    assert settled == PacksBetSettlement(Category.PAIR, Category.THREE_OF_A_KIND, Outcome.LOSE, -1000, LOSES)


@pytest.mark.clause("packs_poker", "13:69F-43.10(e)")
def test_without_a_pair_the_higher_hand_loses_too() -> None:
    assert bet(HIGH, LOWER, DRY) == PacksBetSettlement(
        Category.HIGH_CARD, Category.HIGH_CARD, Outcome.LOSE, -1000, LOSES
    )


@pytest.mark.clause("packs_poker", "13:69F-43.10(f)")
def test_the_licensee_may_elect_that_the_higher_hand_without_a_pair_pushes() -> None:
    assert bet(HIGH, LOWER, DRY, elected=True) == PacksBetSettlement(
        Category.HIGH_CARD, Category.HIGH_CARD, Outcome.PUSH, 0, PUSHES
    )


@pytest.mark.clause("packs_poker", "13:69F-43.10(e)", "13:69F-43.10(f)")
@pytest.mark.parametrize("elected", [False, True])
def test_a_lower_hand_loses_with_and_without_the_election(elected: bool) -> None:
    assert bet(LOWER, HIGH, DRY, elected) == PacksBetSettlement(
        Category.HIGH_CARD, Category.HIGH_CARD, Outcome.LOSE, -1000, LOSES
    )
    assert bet("Ks Kd 9h 7c 2s", "As Ad 8h 6c 3s", DRY, elected).outcome is Outcome.LOSE


@pytest.mark.clause("packs_poker", "13:69F-43.10(f)", "13:69F-43.1[tie-hand]")
@pytest.mark.parametrize("elected", [False, True])
def test_a_tie_pushes_with_a_pair_and_loses_without_one(elected: bool) -> None:
    paired = bet("As Ad 9h 7c 2s", "Ah Ac 9d 7d 3s", "Th Jc", elected)
    assert paired == PacksBetSettlement(Category.PAIR, Category.PAIR, Outcome.PUSH, 0, PUSHES)
    unpaired = bet("As Kd 9h 7c 2s", "Ad Ks 9c 7d 3s", "Jd Th", elected)
    assert unpaired == PacksBetSettlement(Category.HIGH_CARD, Category.HIGH_CARD, Outcome.LOSE, -1000, LOSES)


@pytest.mark.clause("packs_poker", "13:69F-43.1[tie-hand]")
def test_sixth_and_seventh_cards_break_no_tie() -> None:
    assert bet("As Ad 9h 7c 6s", "Ah Ac 9d 7d 2s", "Th Jc").outcome is Outcome.PUSH
    assert bet("As Ad 9h 7c 2s", "Ah Ac 8d 7d 3s", "Th Jc").outcome is Outcome.WIN


@pytest.mark.clause("packs_poker", "13:69F-43.10(f)")
def test_the_fifth_card_by_one_rank_is_enough_to_be_higher() -> None:
    cards = ("As Kd 9h 3c 2s", "Ad Ks 8h 3d 2h", "Qc Jh")
    assert bet(*cards, elected=True).outcome is Outcome.PUSH
    assert settle_packs_bet(*map(hand, cards), 1000).outcome is Outcome.LOSE


def test_read_without_kickers_equal_pairs_push() -> None:
    assert bet("As Ad 9h 7c 2s", "Kh Kc 8d 7d 3s", "Th Jc", kickers=Kickers.NONE).outcome is Outcome.WIN
    cards = ("As Ad 9h 7c 2s", "Ah Ac 8d 7d 3s", "Th Jc")
    assert bet(*cards).outcome is Outcome.WIN
    assert bet(*cards, kickers=Kickers.NONE).outcome is Outcome.PUSH


@given(st.permutations(deck()), st.booleans())
def test_win_lose_and_push_are_what_the_comparison_and_the_pair_say(cards: list[Card], elected: bool) -> None:
    player, dealer, pack = cards[:5], cards[5:10], cards[10:12]
    mine, theirs = strength((*player, *pack)), strength((*dealer, *pack))
    paired = category(mine) is not Category.HIGH_CARD
    net = settle_packs_bet(player, dealer, pack, 700, elected).net
    if mine > theirs:
        assert net == (700 if paired else 0 if elected else -700)
    else:
        assert net == (0 if compare(mine, theirs) == 0 and paired else -700)


def bonus(cards: str, tables: PayTables, letter: str, wager: int, **readings: SinglePayout) -> tuple[str | None, int]:
    cards_held = hand(cards)
    named = five_card_hands(cards_held) if len(cards_held) == 5 else seven_card_hands(cards_held)
    settled = settle_bonus(named, tables, letter, wager, Readings(**readings))
    return settled.paid_as, settled.net


@pytest.mark.clause("packs_poker", "13:69F-43.10(g)", "13:69F-43.11(b)1", "13:69F-43.1[five-card-bonus-wager]")
def test_the_five_card_bonus_pays_the_players_own_cards_by_the_selected_table() -> None:
    assert bonus("Ac Ad Ah 2s 2c", FIVE_CARD, "A", 500) == ("full_house", 25_000)
    assert bonus("Ac Ad Ah 2s 2c", FIVE_CARD, "C", 500) == ("full_house", 15_000)
    assert bonus("2c 2d Ah Ks Qc", FIVE_CARD, "A", 500) == (None, -500)
    assert bonus("2c 2d Ah Ks Qc", FIVE_CARD, "D", 500) == (None, -500)
    assert bonus("2c 2d Ah Ks Qc", FIVE_CARD, "E", 500) == ("pair_2_to_10", 0)
    assert bonus("Ac Kd Qh Js 9c", FIVE_CARD, "E", 500) == (None, -500)


@pytest.mark.clause("packs_poker", "13:69F-43.5(c)")
def test_a_diamond_royal_is_a_royal_flush_like_others_without_a_meter() -> None:
    assert bonus("Ad Kd Qd Jd Td", FIVE_CARD, "A", 500) == ("royal_flush", 500_000)


@pytest.mark.clause("packs_poker", "13:69F-43.10(g)", "13:69F-43.11(c)1", "13:69F-43.5(d)")
def test_the_seven_card_bonus_recognises_two_pair_only_where_the_table_does() -> None:
    two_pair = "9c 9d 8h 8s 7c 7d 2h"
    assert bonus(two_pair, SEVEN_CARD, "A", 500) == ("two_pair", 0)
    assert bonus(two_pair, SEVEN_CARD, "B", 500) == (None, -500)
    assert bonus(two_pair, SEVEN_CARD, "D", 500) == ("two_pair", 0)
    assert bonus(two_pair, SEVEN_CARD, "G", 500) == (None, -500)
    assert bonus("9c 9d 9h As Kc 2d 3h", SEVEN_CARD, "T", 500) == ("three_of_a_kind", 1500)
    assert bonus("9c 9d 9h As Kc 2d 3h", SEVEN_CARD, "I", 500) == (None, -500)


SIX_CARD_ROYAL = "As Ks Qs Js Ts 9s 2h"
SEVEN_CARD_ROYAL = "As Ks Qs Js Ts 9s 8s"
SEVEN_CARD_RUN = "Ks Qs Js Ts 9s 8s 7s"


@pytest.mark.clause("packs_poker", "13:69F-43.11(c)1", "13:69F-43.5(d)2")
@pytest.mark.parametrize(
    ("letter", "threshold", "award", "odds"), [("A", 1000, 5000, 500), ("H", 625, 2500, 400), ("K", 2000, 5000, 250)]
)
def test_the_six_card_royal_is_paid_dollars_until_the_royal_odds_are_more(
    letter: str, threshold: int, award: int, odds: int
) -> None:
    assert bonus(SIX_CARD_ROYAL, SEVEN_CARD, letter, 1) == ("six_card_royal_flush", award * 100)
    assert bonus(SIX_CARD_ROYAL, SEVEN_CARD, letter, threshold) == ("six_card_royal_flush", award * 100)
    assert bonus(SIX_CARD_ROYAL, SEVEN_CARD, letter, threshold + 1) == ("royal_flush", odds * (threshold + 1))


@pytest.mark.clause("packs_poker", "13:69F-43.11(c)1", "13:69F-43.5(d)1")
@pytest.mark.parametrize(
    ("letter", "threshold", "award", "odds"),
    [("I", 4000, 10_000, 250), ("C", 5000, 10_000, 200), ("F", 10_000, 10_000, 100)],
)
def test_seven_suited_cards_in_a_row_are_paid_dollars_until_the_odds_are_more(
    letter: str, threshold: int, award: int, odds: int
) -> None:
    assert bonus(SEVEN_CARD_RUN, SEVEN_CARD, letter, threshold) == ("seven_card_straight_flush", award * 100)
    assert bonus(SEVEN_CARD_RUN, SEVEN_CARD, letter, threshold + 1) == ("straight_flush", odds * (threshold + 1))


def test_the_seven_card_royal_is_paid_dollars_until_the_royal_odds_are_more() -> None:
    assert bonus(SEVEN_CARD_ROYAL, SEVEN_CARD, "A", 10_000) == ("seven_card_straight_flush", 5_000_000)
    assert bonus(SEVEN_CARD_ROYAL, SEVEN_CARD, "A", 10_001) == ("royal_flush", 5_000_500)


def test_read_by_rank_the_highest_hand_is_paid_whatever_it_pays() -> None:
    by_rank = SinglePayout.HIGHEST_HAND
    assert bonus(SIX_CARD_ROYAL, SEVEN_CARD, "A", 5000, single_payout=by_rank) == ("six_card_royal_flush", 500_000)
    assert bonus(SIX_CARD_ROYAL, SEVEN_CARD, "A", 5000) == ("royal_flush", 2_500_000)
    assert bonus("9c 9d Ah Ks 2c 3d 4h", SEVEN_CARD, "A", 5000, single_payout=by_rank) == (None, -5000)


def test_read_as_defined_a_seven_card_run_below_the_ace_is_a_straight_flush() -> None:
    named = seven_card_hands(hand(SEVEN_CARD_RUN), TopHand.ROYAL)
    assert settle_bonus(named, SEVEN_CARD, "A", 100).net == 20_000


def test_no_wager_is_not_paid() -> None:
    assert settle_bonus(("seven_card_straight_flush", "straight_flush"), SEVEN_CARD, "A", 0) is NO_BONUS
    assert (NO_BONUS.paid_as, NO_BONUS.net, NO_BONUS.rules, NO_BONUS.from_meter) == (None, 0, (), 0)


def test_a_bonus_names_the_rules_that_settled_it() -> None:
    assert settle_bonus(("flush",), SEVEN_CARD, "A", 100).rules == (
        "13:69F-43.10(g)",
        "13:69F-43.5(b)5",
        "13:69F-43.11(c)1",
    )
    assert settle_bonus(("pair",), SEVEN_CARD, "A", 100).rules == ("13:69F-43.10(g)", "13:69F-43.11(c)1")
    assert set(WINS + PUSHES + LOSES) <= set(GAMES["packs_poker"].clauses)


@pytest.mark.clause("packs_poker", "13:69F-43.11(b)2", "13:69F-43.11(c)2")
def test_progressive_figures_are_multiples_that_include_the_stake() -> None:
    assert bonus("Ac Ad Ah 2s 2c", FIVE_CARD_PROGRESSIVE, "A", 500) == ("full_house", 24_500)
    assert bonus("2c 2d Ah Ks Qc", FIVE_CARD_PROGRESSIVE, "E", 500) == ("pair_2_to_10", 0)
    assert bonus("9c 9d 8h 8s 7c 7d 2h", SEVEN_CARD_PROGRESSIVE, "A", 500) == ("two_pair", 0)
    assert bonus("9c 9d 8h 8s 7c 7d 2h", SEVEN_CARD_PROGRESSIVE, "B", 500) == (None, -500)


def test_read_to_1_the_stake_comes_back_with_a_progressive_payout() -> None:
    to_1 = Readings(multiples=Multiples.TO_1)
    assert settle_bonus(("full_house",), FIVE_CARD_PROGRESSIVE, "A", 500, to_1).net == 25_000
    assert settle_bonus(("two_pair",), SEVEN_CARD_PROGRESSIVE, "A", 500, to_1).net == 500
    assert settle_bonus(("pair_2_to_10",), FIVE_CARD_PROGRESSIVE, "E", 500, to_1).net == 0


@pytest.mark.clause("packs_poker", *(tables.clause for tables in PAY_TABLES.values()))
@pytest.mark.parametrize("wager", PAY_TABLES)
def test_every_fixed_cell_of_every_table_is_paid(wager: str) -> None:
    tables = PAY_TABLES[wager]
    cells = [(letter, hand, award) for letter, table in tables.tables.items() for hand, award in table.items()]
    for letter, name, award in cells:
        expected = {
            Basis.TO_1: (name, award.amount * 300),
            Basis.MULTIPLE: (name, award.amount * 300 - 300),
            Basis.DOLLARS: (name, award.amount * 100),
            Basis.PUSH: (name, 0),
            Basis.METER_PERCENT: (None, -300),
        }
        settled = settle_bonus((name,), tables, letter, 300)
        assert (settled.paid_as, settled.net) == expected[award.basis]


def test_a_share_of_the_meter_is_no_fixed_award() -> None:
    with pytest.raises(ValueError, match=r"^a share of the meter is not a fixed award$"):
        gain(Award(Basis.METER_PERCENT, 10), 100)
