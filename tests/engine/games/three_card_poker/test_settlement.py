"""Three Card Poker: what becomes of ante, play, ante bonus and pair plus."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.games.three_card_poker.settlement import (
    ContestSettlement,
    Draw,
    Outcome,
    PairPlusSettlement,
    TieBreak,
    fold,
    settle_contest,
    settle_pair_plus,
)

GAME = "three_card_poker"
PAID = "19:47-20.11(a)1"
BONUS = "19:47-20.11(a)3"

six_cards = st.lists(st.sampled_from(deck()), min_size=6, max_size=6, unique=True)


def cards(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


def b(*lines: int) -> tuple[str, ...]:
    return tuple(f"19:47-20.3(b){line}" for line in lines)


C = "19:47-20.3(c)"


@pytest.mark.clause(
    GAME,
    "19:47-20.1[Play wager]",
    "19:47-20.3(c)",
    "19:47-20.6(a)1",
    "19:47-20.11(a)1",
    "19:47-20.11(a)3",
)
@pytest.mark.parametrize(
    ("player", "dealer", "expected"),
    [
        ("Ac 9d 4h", "Kc 9h 4s", ContestSettlement(Outcome.WIN, 700, 700, 0, (C, PAID))),
        ("Kc 9h 4s", "Ac 9d 4h", ContestSettlement(Outcome.LOSE, -700, -700, 0, (C, PAID))),
        ("Kc 9h 4s", "Kd 9d 4h", ContestSettlement(Outcome.DRAW, 0, 0, 0, (C, PAID))),
        ("2c 2d 3h", "Qc 9h 4s", ContestSettlement(Outcome.WIN, 700, 700, 0, (*b(5), C, PAID))),
        ("Qc 9h 4s", "2c 2d 3h", ContestSettlement(Outcome.LOSE, -700, -700, 0, (C, *b(5), PAID))),
        ("3c 3d 2h", "2c 2d 3h", ContestSettlement(Outcome.WIN, 700, 700, 0, (*b(5), C, PAID))),
        ("9c 5c 2c", "Ac Ad Kh", ContestSettlement(Outcome.WIN, 700, 700, 0, (*b(4, 5), PAID))),
        # 20.11(a)1: a dealer without a queen pays the ante and returns the play wager, even to a lower hand (TCP-02)
        ("Tc 9d 7h", "Jc 3d 2h", ContestSettlement(Outcome.DEALER_NOT_QUALIFIED, 700, 0, 0, (C, PAID))),
        ("Jd 3h 2s", "Jc 3d 2h", ContestSettlement(Outcome.DEALER_NOT_QUALIFIED, 700, 0, 0, (C, PAID))),
        ("Ad Ah 2s", "Jc 3d 2h", ContestSettlement(Outcome.DEALER_NOT_QUALIFIED, 700, 0, 0, (*b(5), C, PAID))),
        # 20.11(a)3: the bonus is paid on the ante whatever the dealer holds (TCP-03)
        ("4c 3d 2h", "Qc 9h 4s", ContestSettlement(Outcome.WIN, 700, 700, 700, (*b(3), C, PAID, BONUS))),
        ("4c 4d 4h", "Qc 9h 4s", ContestSettlement(Outcome.WIN, 700, 700, 2800, (*b(2), C, PAID, BONUS))),
        ("4c 3c 2c", "Qc 9h 4s", ContestSettlement(Outcome.WIN, 700, 700, 3500, (*b(1), C, PAID, BONUS))),
        ("4c 3d 2h", "Jc 9h 4s", ContestSettlement(Outcome.DEALER_NOT_QUALIFIED, 700, 0, 700, (*b(3), C, PAID, BONUS))),
        ("4c 3d 2h", "5c 4d 3h", ContestSettlement(Outcome.LOSE, -700, -700, 700, (*b(3), C, PAID, BONUS))),
        ("4c 4d 4h", "4s 3s 2s", ContestSettlement(Outcome.LOSE, -700, -700, 2800, (*b(2, 1), PAID, BONUS))),
        ("As Ks Qs", "Ad Kd Qd", ContestSettlement(Outcome.DRAW, 0, 0, 3500, (*b(1), C, PAID, BONUS))),
    ],
)
def test_20_11_a_ante_play_and_bonus(player: str, dealer: str, expected: ContestSettlement) -> None:
    """TCP-01, TCP-02, TCP-03."""
    assert settle_contest(cards(player), cards(dealer), 700) == expected


@pytest.mark.clause(GAME, "19:47-20.10(b)")
def test_20_10_b_a_fold_forfeits_the_ante() -> None:
    assert fold(700) == ContestSettlement(Outcome.FOLD, -700, 0, 0, ("19:47-20.10(b)",))


@pytest.mark.clause(GAME, "19:47-20.11(a)2", "19:47-20.6(a)2", "19:47-20.1[Pair plus wager]")
@pytest.mark.parametrize(
    ("hand", "net", "defined"),
    [
        ("4c 3c 2c", 12_000, "19:47-20.3(b)1"),
        ("4c 4d 4h", 9_000, "19:47-20.3(b)2"),
        ("3c 2d Ah", 1_800, "19:47-20.3(b)3"),
        ("Ac Kc 2c", 1_200, "19:47-20.3(b)4"),
        ("2c 2d 3h", 300, "19:47-20.3(b)5"),
        ("Ac Kd Jh", -300, "19:47-20.3(c)"),
    ],
)
def test_20_11_a_2_pair_plus_is_paid_by_the_ledger_alone(hand: str, net: int, defined: str) -> None:
    assert settle_pair_plus(cards(hand), 300) == PairPlusSettlement(net, (defined, "19:47-20.11(a)2"))
    assert settle_pair_plus(cards(hand), 0) == PairPlusSettlement(0, ())


@pytest.mark.clause(GAME, "19:47-20.10(b)")
def test_20_10_b_a_fold_forfeits_the_pair_plus_too() -> None:
    """TCP-04."""
    assert settle_pair_plus(cards("4c 3c 2c"), 300, folded=True) == PairPlusSettlement(-300, ("19:47-20.10(b)",))
    assert settle_pair_plus(cards("4c 3c 2c"), 0, folded=True) == PairPlusSettlement(0, ())


def test_tcp_01_a_house_may_have_the_player_lose_a_draw() -> None:
    lost = settle_contest(cards("As Ks Qs"), cards("Ad Kd Qd"), 700, draw=Draw.LOSE)
    assert (lost.outcome, lost.ante_net, lost.play_net, lost.ante_bonus_net) == (Outcome.DRAW, -700, -700, 3500)
    won = settle_contest(cards("Ac 9d 4h"), cards("Kc 9h 4s"), 700, draw=Draw.LOSE)
    assert (won.outcome, won.ante_net) == (Outcome.WIN, 700)


def test_pgp_04_the_reading_of_ties_reaches_the_settlement() -> None:
    nines, tens = cards("9c 9d Ah"), cards("Tc Td 2h")
    assert settle_contest(nines, tens, 700).outcome is Outcome.LOSE
    assert settle_contest(nines, tens, 700, TieBreak.LITERAL).outcome is Outcome.WIN


@given(six_cards, st.integers(1, 10**6))
def test_ante_and_play_move_by_whole_stakes_and_known_clauses(dealt: list[Card], ante: int) -> None:
    settled = settle_contest(dealt[:3], dealt[3:], ante)
    assert (settled.ante_net // ante, settled.play_net // ante) == {
        Outcome.WIN: (1, 1),
        Outcome.LOSE: (-1, -1),
        Outcome.DRAW: (0, 0),
        Outcome.DEALER_NOT_QUALIFIED: (1, 0),
    }[settled.outcome]
    assert settled.ante_bonus_net in (0, ante, 4 * ante, 5 * ante)
    assert all(rule in GAMES[GAME].clauses for rule in settled.rules)
