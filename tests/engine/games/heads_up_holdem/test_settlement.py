"""Ante, raise, odds, trips plus and pocket bonus, settled."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, parse_all, suit
from feltrig.engine.games import GAMES
from feltrig.engine.games.heads_up_holdem.paytables import BAD_BEAT, ODDS, POCKET_BONUS, TRIPS_PLUS
from feltrig.engine.games.heads_up_holdem.readings import (
    PocketPairs,
    Readings,
    TieBreak,
    TripsPlusOnFold,
    UnqualifiedHigher,
)
from feltrig.engine.games.heads_up_holdem.settlement import (
    NO_BONUS,
    BonusSettlement,
    MainSettlement,
    Outcome,
    compare,
    fold,
    pocket_hand,
    qualifies,
    settle_main,
    settle_pocket_bonus,
    settle_trips_plus,
)
from feltrig.engine.ranking.poker import Category, category, strength


def hand(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


def of(text: str) -> int:
    return strength(hand(text))


def higher(first: str, second: str, tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST) -> int:
    found = compare(of(first), of(second), tie_break)
    return (found > 0) - (found < 0)


LADDER = {
    "13:69F-39.5(b)1": ("As Ks Qs Js Ts", "Ad Kd Qd Jd Td"),
    "13:69F-39.5(b)2": ("Kd Qd Jd Td 9d", "6s 5s 4s 3s 2s", "Ac 2c 3c 4c 5c"),
    "13:69F-39.5(b)3": ("Ac Ad Ah As 2c", "Kc Kd Kh Ks Ac", "2c 2d 2h 2s Ac"),
    "13:69F-39.5(b)4": ("Ac Ad Ah Ks Kc", "4c 4d 4h 2s 2c", "3c 3d 3h As Ac", "2c 2d 2h 3s 3c"),
    "13:69F-39.5(b)5": ("Ac Kc Qc Jc 9c", "Ac Kc Qc Jc 8c", "7d 5d 4d 3d 2d"),
    "13:69F-39.5(b)6": ("Ac Kd Qc Jc Tc", "6c 5d 4c 3c 2c", "Ac 2d 3c 4c 5c"),
    "13:69F-39.5(b)7": ("Ac Ad Ah 3s 2c", "Kc Kd Kh As Qc", "2c 2d 2h As Kc"),
    "13:69F-39.5(b)8": ("Ac Ad Kh Ks 2c", "Tc Td 2h 2s 3c", "9c 9d 8h 8s Ac", "3c 3d 2h 2s Ac"),
    "13:69F-39.5(b)9": ("Ac Ad 4h 3s 2c", "3c 3d Jh Ts 9c", "2c 2d Ah Ks Qc"),
    "none": ("Ac Kd Qh Js 9c", "Qc Kd Ac 2s 3c", "7c 5d 4h 3s 2c"),
}
"""From highest to lowest, by the clause that names the hand. The royal flushes are equal, the others are not."""


@pytest.mark.clause("heads_up_holdem", "13:69F-39.5(a)", "13:69F-39.5(b)", "13:69F-39.1[rank]", *list(LADDER)[:-1])
def test_hands_stand_in_the_order_of_the_text() -> None:
    order = [(clause, cards) for clause, held in LADDER.items() for cards in held]
    for (clause, first), (other, second) in combinations(order, 2):
        assert higher(first, second) == (0 if clause == other == "13:69F-39.5(b)1" else 1), (first, second)


@pytest.mark.clause("heads_up_holdem", "13:69F-39.5(b)", *list(LADDER)[:-1])
@pytest.mark.parametrize("place", range(10))
def test_each_hand_has_its_category(place: int) -> None:
    held = list(LADDER.values())[place]
    assert {category(of(cards)) for cards in held} == {Category.ROYAL_FLUSH - place}


@pytest.mark.clause("heads_up_holdem", "13:69F-39.5(c)")
def test_equal_groups_are_decided_by_the_highest_kicker_that_differs() -> None:
    assert higher("Ac Ad Kh Js 2c", "Ah As Kd Tc 9c") == 1
    assert higher("Ac Kd Qh Js 8c", "Ad Kc Qs Jh 9d") == -1
    assert higher("Ac Ad Kh Js 2c", "Ah As Kd Jc 2d") == 0


@pytest.mark.clause("heads_up_holdem", "13:69F-39.5(c)")
def test_read_by_the_letter_a_kicker_decides_before_the_pair() -> None:
    literal = TieBreak.LITERAL
    assert higher("3c 3d Jh Ts 9c", "2c 2d Ah Ks Qc", literal) == -1
    assert higher("4c 4d 4h 2s 2c", "3c 3d 3h As Ac", literal) == -1
    assert higher("Tc Td 2h 2s 3c", "9c 9d 8h 8s Ac", literal) == -1
    assert higher("2c 2d Ah Ks Qc", "Ac Kd Qh Js 9c", literal) == 1
    assert higher("Ac Ad Kh Js 2c", "Ah As Kd Jc 2d", literal) == 0


@pytest.mark.clause("heads_up_holdem", "13:69F-39.1[suit]")
@given(st.permutations(deck()), st.permutations(range(4)))
def test_no_suit_is_higher_than_another(cards: list[Card], suits: list[int]) -> None:
    player, dealer = cards[:7], cards[7:14]
    moved = [[Card(card % 13 + 13 * suits[suit(card)]) for card in held] for held in (player, dealer)]
    assert compare(*map(strength, (player, dealer))) == compare(*map(strength, moved))


@pytest.mark.clause("heads_up_holdem", "13:69F-39.11(b)(1)")
def test_the_dealer_qualifies_with_the_lowest_pair() -> None:
    assert qualifies(of("2c 2d 3h 4s 5c"))
    assert not qualifies(of("Ac Kd Qh Js 9c"))


B = [f"13:69F-39.11(b)({number})" for number in range(6)]
C, D, E, F = (f"13:69F-39.11({letter})" for letter in "cdef")
TIE_BREAK = "13:69F-39.5(c)"

STRAIGHT = "9c 8d 7h 6s 5c"
FLUSH = "Jc 9c 7c 5c 3c"
TRIPS = "8c 8d 8h As Kc"
PAIR = "8c 8d Ah Ks Qc"
LOW_PAIR = "7c 7d Ah Ks Qc"
ACE_HIGH = "Ac Kd Qh Js 9c"
KING_HIGH = "Kc Qd Jh 9s 8c"

CASES = {
    "player higher, qualified, straight or better": (STRAIGHT, TRIPS, Outcome.WIN, 100, 300, 100, (B[2], B[5])),
    "player higher, qualified, below a straight": (TRIPS, PAIR, Outcome.WIN, 100, 300, 0, (B[2], C)),
    "player higher, unqualified, straight": (STRAIGHT, ACE_HIGH, Outcome.WIN, 0, 300, 100, (B[1], B[5])),
    "player higher, unqualified, below": (PAIR, ACE_HIGH, Outcome.WIN, 0, 300, 0, (B[1], C)),
    "player higher, neither has a pair": (ACE_HIGH, KING_HIGH, Outcome.WIN, 0, 300, 0, (B[1], C, TIE_BREAK)),
    "equal, qualified": (PAIR, PAIR, Outcome.PUSH, 0, 0, 0, (B[4], D, TIE_BREAK)),
    "equal straights": (STRAIGHT, STRAIGHT, Outcome.PUSH, 0, 0, 0, (B[4], D, TIE_BREAK)),
    "equal, unqualified": (ACE_HIGH, ACE_HIGH, Outcome.PUSH, 0, 0, 0, (B[1], D, TIE_BREAK)),
    "dealer higher, straight or better": (STRAIGHT, FLUSH, Outcome.LOSE, -100, -300, 400, (B[3], F)),
    "dealer higher, below a straight": (TRIPS, STRAIGHT, Outcome.LOSE, -100, -300, -100, (B[3], E)),
    "dealer higher by a kicker": (LOW_PAIR, PAIR, Outcome.LOSE, -100, -300, -100, (B[3], E, TIE_BREAK)),
    "dealer higher, unqualified": (KING_HIGH, ACE_HIGH, Outcome.LOSE, 0, -300, -100, (B[1], E, TIE_BREAK)),
}


@pytest.mark.clause("heads_up_holdem", *B[1:], C, D, E, F, "13:69F-39.1[push]", "13:69F-39.6(c)")
@pytest.mark.parametrize("case", CASES)
def test_ante_raise_and_odds(case: str) -> None:
    player, dealer, *expected = CASES[case]
    assert settle_main(of(player), of(dealer), 100, 300) == MainSettlement(*expected)


@pytest.mark.clause("heads_up_holdem", B[2], TIE_BREAK)
def test_the_fifth_card_by_one_rank_wins_the_ante() -> None:
    settled = settle_main(of("As Ks Qs Js 9s"), of("As Ks Qs Js 8s"), 100, 300)
    assert settled == MainSettlement(Outcome.WIN, 100, 300, 150, (B[2], B[5], TIE_BREAK))


def test_read_the_other_way_an_unqualified_dealer_who_is_higher_takes_the_ante() -> None:
    lose = Readings(unqualified_higher=UnqualifiedHigher.LOSE)
    settled = settle_main(of(KING_HIGH), of(ACE_HIGH), 100, 300, lose)
    assert (settled.ante_net, settled.rules[0]) == (-100, B[3])
    for case in ("player higher, unqualified, below", "equal, unqualified"):
        player, dealer, *expected = CASES[case]
        assert settle_main(of(player), of(dealer), 100, 300, lose) == MainSettlement(*expected)


def test_read_by_the_letter_a_kicker_wins_the_round() -> None:
    literal = Readings(tie_break=TieBreak.LITERAL)
    settled = settle_main(of("2c 2d Ah Ks Qc"), of("3c 3d Jh Ts 9c"), 100, 100, literal)
    assert settled.outcome is Outcome.WIN
    assert settle_main(of("2c 2d Ah Ks Qc"), of("3c 3d Jh Ts 9c"), 100, 100).outcome is Outcome.LOSE


WINNERS = {
    "royal_flush": ("As Ks Qs Js Ts", "Kd Qd Jd Td 9d"),
    "straight_flush": ("Kd Qd Jd Td 9d", "Ac Ad Ah As 2c"),
    "four_of_a_kind": ("Ac Ad Ah As 2c", "Kc Kd Kh Ks Ac"),
    "full_house": ("Ac Ad Ah Ks Kc", "Kc Kd Kh As Ac"),
    "flush": ("Ac Kc Qc Jc 9c", "Ad Kd Qd Jd 8d"),
    "straight": ("Ac Kd Qc Jc Tc", "Kc Qd Jc Tc 9c"),
}


@pytest.mark.clause("heads_up_holdem", B[5])
@pytest.mark.parametrize("name", ODDS)
def test_a_winner_is_paid_by_the_odds_table(name: str) -> None:
    player, dealer = map(of, WINNERS[name])
    assert settle_main(player, dealer, 200, 200).odds_net == ODDS[name] * 200


def test_three_to_two_of_an_odd_cent_is_exact() -> None:
    player, dealer = map(of, WINNERS["flush"])
    assert settle_main(player, dealer, 1001, 1001).odds_net == Fraction(3003, 2)
    assert isinstance(settle_main(player, dealer, 1000, 1000).odds_net, int)


LOSERS = {
    "straight_flush": ("Qd Jd Td 9d 8d", "Ks Qs Js Ts 9s"),
    "four_of_a_kind": ("Kc Kd Kh Ks Ac", "Ac Ad Ah As 2c"),
    "full_house": ("Kc Kd Kh As Ac", "Ac Ad Ah Ks Kc"),
    "flush": ("Ad Kd Qd Jd 8d", "Ac Kc Qc Jc 9c"),
    "straight": ("Kc Qd Jc Tc 9c", "Ac Kd Qc Jc Tc"),
}


@pytest.mark.clause("heads_up_holdem", F)
@pytest.mark.parametrize("name", BAD_BEAT["example"])
def test_a_straight_or_better_that_loses_is_paid_by_the_bad_beat_table(name: str) -> None:
    player, dealer = map(of, LOSERS[name])
    settled = settle_main(player, dealer, 200, 600)
    assert (settled.outcome, settled.ante_net, settled.raise_net) == (Outcome.LOSE, -200, -600)
    assert settled.odds_net == BAD_BEAT["example"][name] * 200
    other = settle_main(player, dealer, 200, 600, bad_beat=BAD_BEAT["alternative"])
    assert other.odds_net == BAD_BEAT["alternative"][name] * 200


def test_the_odds_table_can_be_replaced() -> None:
    player, dealer = map(of, WINNERS["flush"])
    assert settle_main(player, dealer, 100, 100, odds={"flush": 2}).odds_net == 200


@given(st.permutations(deck()))
def test_a_royal_flush_never_needs_a_bad_beat_line(cards: list[Card]) -> None:
    settled = settle_main(of("As Ks Qs Js Ts"), strength(cards[:7]), 100, 100)
    assert settled.outcome is not Outcome.LOSE


@pytest.mark.clause("heads_up_holdem", "13:69F-39.1[fold]", "13:69F-39.10(h)")
def test_a_fold_loses_ante_and_odds() -> None:
    rules = ("13:69F-39.10(h)", "13:69F-39.1[fold]")
    assert fold(700) == MainSettlement(Outcome.FOLD, -700, 0, -700, rules)


TRIPS_PLUS_HANDS = {name: held for name, (held, _) in WINNERS.items()} | {"three_of_a_kind": TRIPS}


@pytest.mark.clause("heads_up_holdem", "13:69F-39.11(g)", "13:69F-39.1[trips-plus-wager]")
@pytest.mark.parametrize("table", TRIPS_PLUS)
@pytest.mark.parametrize("name", TRIPS_PLUS_HANDS)
def test_trips_plus_pays_three_of_a_kind_or_better_after_a_fold_too(name: str, table: int) -> None:
    expected = BonusSettlement(name, TRIPS_PLUS[table][name] * 300, ("13:69F-39.11(g)",))
    assert settle_trips_plus(of(TRIPS_PLUS_HANDS[name]), 300, table) == expected
    assert settle_trips_plus(of(TRIPS_PLUS_HANDS[name]), 300, table, folded=True) == expected


@pytest.mark.clause("heads_up_holdem", "13:69F-39.11(g)")
@pytest.mark.parametrize("cards", ["Ac Ad Kh Ks 2c", PAIR, ACE_HIGH])
def test_trips_plus_loses_below_three_of_a_kind(cards: str) -> None:
    assert settle_trips_plus(of(cards), 300) == BonusSettlement(None, -300, ("13:69F-39.11(g)",))


@pytest.mark.clause("heads_up_holdem", "13:69F-39.1[trips-plus-wager]", "13:69F-39.1[hand]")
def test_the_board_alone_may_make_the_hand() -> None:
    assert settle_trips_plus(of("2c 3d 9h 9s 9c Kd Qh"), 300).net == 900


def test_read_the_other_way_a_fold_forfeits_trips_plus() -> None:
    lose = Readings(trips_plus_on_fold=TripsPlusOnFold.LOSE)
    assert settle_trips_plus(of(TRIPS), 300, 1, True, lose) == BonusSettlement(None, -300, ("13:69F-39.10(h)",))
    assert settle_trips_plus(of(TRIPS), 300, readings=lose).net == 900


POCKETS = {
    "As Ad": "pair_of_aces",
    "Ks Kd": "pair_2_to_K",
    "2s 2d": "pair_2_to_K",
    "As Ks": "ace_face_suited",
    "Qd Ad": "ace_face_suited",
    "Jh Ah": "ace_face_suited",
    "As Kd": "ace_face_unsuited",
    "Qd Ac": "ace_face_unsuited",
    "Jh Ac": "ace_face_unsuited",
    "As Ts": None,
    "As 2s": None,
    "Ks Qs": None,
    "7s 2d": None,
}


@pytest.mark.clause("heads_up_holdem", "13:69F-39.11(i)", "13:69F-39.1[pocket-bonus-wager]", "13:69F-39.1[face-card]")
@pytest.mark.parametrize("cards", POCKETS)
@pytest.mark.parametrize("table", POCKET_BONUS)
def test_the_pocket_bonus_pays_a_pair_or_an_ace_with_a_face_card(cards: str, table: int) -> None:
    held = POCKETS[cards]
    net = -300 if held is None else POCKET_BONUS[table][held] * 300
    assert pocket_hand(hand(cards)) == held
    assert settle_pocket_bonus(hand(cards), 300, table) == BonusSettlement(held, net, ("13:69F-39.11(i)",))


def test_the_pocket_hands_among_all_pairs_of_cards() -> None:
    found = [pocket_hand(cards) for cards in combinations(deck(), 2)]
    counts = {name: found.count(name) for name in (*POCKET_BONUS[1], None)}
    assert counts == {
        "pair_of_aces": 6,
        "ace_face_suited": 12,
        "ace_face_unsuited": 36,
        "pair_2_to_K": 72,
        None: 1200,
    }


def test_read_by_the_letter_pairs_lose_the_pocket_bonus() -> None:
    lose = Readings(pocket_pairs=PocketPairs.LOSE)
    assert settle_pocket_bonus(hand("As Ad"), 300, 1, lose).net == -300
    assert settle_pocket_bonus(hand("2s 2d"), 300, 1, lose).net == -300
    assert settle_pocket_bonus(hand("As Kd"), 300, 1, lose).net == 3000


def test_the_first_table_is_the_default() -> None:
    assert settle_trips_plus(of("Ac Ad Ah Ks Kc"), 300).net == 2700
    assert settle_pocket_bonus(hand("As Ad"), 300).net == 9000
    assert settle_pocket_bonus(hand("As Ad"), 300, 2).net == 7500


def test_no_wager_is_not_paid() -> None:
    assert settle_pocket_bonus(hand("As Ad"), 0) is NO_BONUS
    assert settle_trips_plus(of(TRIPS), 0) is NO_BONUS
    assert (NO_BONUS.paid_as, NO_BONUS.net, NO_BONUS.rules) == (None, 0, ())


def test_every_rule_is_in_the_register() -> None:
    rules = {rule for case in CASES.values() for rule in case[-1]} | {"13:69F-39.11(g)", "13:69F-39.11(i)"}
    assert rules <= set(GAMES["heads_up_holdem"].clauses)
