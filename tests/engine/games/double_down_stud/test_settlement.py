"""Double Down Stud: what becomes of the wager and of the double down wager."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.games.double_down_stud.paytables import WAGER
from feltrig.engine.games.double_down_stud.settlement import (
    DoubleDownAmount,
    LimitApplies,
    Settlement,
    check_double_down,
    settle,
)
from feltrig.engine.ranking.poker import Category
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.result import Outcome

GAME = "double_down_stud"

HANDS = [
    ("As Ks Qs Js Ts", Category.ROYAL_FLUSH, 1000, "19:47-17.5(b)1"),
    ("As 2s 3s 4s 5s", Category.STRAIGHT_FLUSH, 100, "19:47-17.5(b)2"),
    ("7c 7d 7h 7s 2c", Category.FOUR_OF_A_KIND, 25, "19:47-17.5(b)3"),
    ("7c 7d 7h 2s 2c", Category.FULL_HOUSE, 10, "19:47-17.5(b)4"),
    ("As Ks Qs Js 9s", Category.FLUSH, 8, "19:47-17.5(b)5"),
    ("Ad 2s 3s 4s 5s", Category.STRAIGHT, 5, "19:47-17.5(b)6"),
    ("2c 2d 2h 3s 4c", Category.THREE_OF_A_KIND, 3, "19:47-17.5(b)7"),
    ("3c 3d 2h 2s 4c", Category.TWO_PAIR, 2, "19:47-17.5(b)8"),
    ("Ac Ad 2h 3s 4c", Category.PAIR, 1, "19:47-17.5(b)9"),
    ("Jc Jd 2h 3s 4c", Category.PAIR, 1, "19:47-17.5(b)9"),
    ("Tc Td Ah Ks Qc", Category.PAIR, 0, "19:47-17.5(b)9"),
    ("6c 6d 2h 3s 4c", Category.PAIR, 0, "19:47-17.5(b)9"),
    ("5c 5d Ah Ks Qc", Category.PAIR, None, "19:47-17.5(b)9"),
    ("2c 2d Ah Ks Qc", Category.PAIR, None, "19:47-17.5(b)9"),
    ("Ac Kd Qh Js 9c", Category.HIGH_CARD, None, "19:47-17.5(b)"),
]

five_cards = st.lists(st.sampled_from(deck()), min_size=5, max_size=5, unique=True)


def cards(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


ROYAL = cards("As Ks Qs Js Ts")


@pytest.mark.clause(
    GAME,
    "19:47-17.9(a)",
    "19:47-17.9(b)",
    "19:47-17.9(c)",
    "19:47-17.10(b)",
    *(f"19:47-17.5(b){line}" for line in range(1, 10)),
)
@pytest.mark.parametrize(("hand", "held", "odds", "defined"), HANDS)
@pytest.mark.parametrize("double_down", [0, 300, 1000])
def test_17_10_b_wager_and_double_down_are_paid_the_odds_pushed_or_lost(
    hand: str, held: Category, odds: int | None, defined: str, double_down: int
) -> None:
    staked = 1000 + double_down
    outcome, paid, net, decided = {
        None: (Outcome.LOSE, None, -staked, "19:47-17.9(a)"),
        0: (Outcome.PUSH, None, 0, "19:47-17.9(b)"),
    }.get(odds, (Outcome.WIN, odds, (odds or 0) * staked, "19:47-17.9(c)"))
    doubled = ("19:47-17.8(c)",) if double_down else ()
    assert settle(cards(hand), 1000, double_down) == Settlement(
        held, outcome, paid, net, ("19:47-17.8(b)", defined, *doubled, decided, "19:47-17.10(b)")
    )


@pytest.mark.clause(GAME, "19:47-17.10(c)")
@pytest.mark.parametrize(
    ("wager", "double_down", "aggregate", "per_wager"),
    [
        (10_000, 0, 10_000_000, 10_000_000),
        (10_001, 0, 10_000_000, 10_000_000),
        (5_000, 5_000, 10_000_000, 10_000_000),
        (5_000, 4_999, 9_999_000, 9_999_000),
        (5_001, 5_000, 10_000_000, 10_001_000),
        (10_000, 10_000, 10_000_000, 20_000_000),
        (20_000, 20_000, 10_000_000, 20_000_000),
        (20_000, 100, 10_000_000, 10_100_000),
    ],
)
def test_17_10_c_no_hand_is_paid_more_than_a_hundred_thousand_dollars(
    wager: int, double_down: int, aggregate: int, per_wager: int
) -> None:
    """DDS-02."""
    for applies, net in ((LimitApplies.AGGREGATE, aggregate), (LimitApplies.PER_WAGER, per_wager)):
        settled = settle(ROYAL, wager, double_down, limit_applies=applies)
        assert (settled.outcome, settled.odds, settled.net) == (Outcome.WIN, 1000, net)
        cut = net < 1000 * (wager + double_down)
        assert settled.rules[-1] == ("19:47-17.10(c)" if cut else "19:47-17.10(b)")
        assert "19:47-17.10(b)" in settled.rules
    assert settle(ROYAL, wager, double_down).net == aggregate


@pytest.mark.clause(GAME, "19:47-17.10(c)")
def test_17_10_c_the_limit_holds_for_every_hand_and_spares_the_loser_nothing() -> None:
    assert settle(cards("Jc Jd 2h 3s 4c"), 9_000_000, 9_000_000).net == 10_000_000
    assert settle(cards("5c 5d 2h 3s 4c"), 9_000_000, 9_000_000).net == -18_000_000


@pytest.mark.clause(GAME, "19:47-17.8(c)")
@pytest.mark.parametrize("double_down", [1001, 2000, -1])
def test_17_8_c_a_double_down_above_the_wager_is_refused(double_down: int) -> None:
    """DDS-01."""
    with pytest.raises(Illegal, match="at most as much") as refused:
        settle(ROYAL, 1000, double_down)
    assert refused.value.rules == ("19:47-17.8(c)",)


def test_dds_01_the_other_reading_takes_a_double_down_of_exactly_the_wager() -> None:
    for double_down in (0, 1000):
        check_double_down(1000, double_down, DoubleDownAmount.EXACTLY_EQUAL)
    for double_down in (1, 999):
        check_double_down(1000, double_down)
        with pytest.raises(Illegal) as refused:
            settle(ROYAL, 1000, double_down, DoubleDownAmount.EXACTLY_EQUAL)
        assert refused.value.why == f"double down wager of {double_down} on a wager of 1000: expected exactly as much"
        assert refused.value.rules == ("19:47-17.8(c)",)


@pytest.mark.clause(GAME, "19:47-17.8(c)")
def test_17_8_c_nobody_has_to_double_down() -> None:
    assert settle(ROYAL, 1000).net == 1_000_000


@pytest.mark.clause(GAME, "19:47-17.10(b)")
def test_17_10_b_posted_odds_are_paid() -> None:
    posted = settle(cards("As Ks Qs Js 9s"), 500, 500, odds={**WAGER, "flush": 9})
    assert (posted.odds, posted.net) == (9, 9_000)


@given(five_cards, st.integers(1, 10_000), st.data())
def test_a_settlement_cites_known_clauses_and_never_loses_more_than_was_staked(
    hand: list[Card], wager: int, data: st.DataObject
) -> None:
    double_down = data.draw(st.integers(0, wager))
    settled = settle(hand, wager, double_down)
    assert -(wager + double_down) <= settled.net <= 10_000_000
    assert (settled.net > 0, settled.net == 0, settled.net < 0) == (
        settled.outcome is Outcome.WIN,
        settled.outcome is Outcome.PUSH,
        settled.outcome is Outcome.LOSE,
    )
    assert all(rule in GAMES[GAME].clauses for rule in settled.rules)
