"""A round from the first card to the winning hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, parse_all
from feltrig.engine.games.minibaccarat.coup import Coup, Hand, Result, TooFewCards, deal, next_card
from feltrig.engine.games.minibaccarat.drawing import BANKER_DRAWS, point_count

SHOE = st.lists(st.sampled_from(deck()), min_size=6, max_size=8)


def cards(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


@pytest.mark.clause("minibaccarat", "19:47-7.7(a)", "19:47-7.7(c)", "19:47-7.8(c)", "19:47-7.8(d)")
@pytest.mark.parametrize(
    ("shoe", "player", "banker", "totals", "result"),
    [
        ("9s Kd Kh 8c 2c 2d", "9s Kh", "Kd 8c", (9, 8), Result.PLAYER),
        ("9s Kd Kh 9c", "9s Kh", "Kd 9c", (9, 9), Result.TIE),
        ("2s Kd Kh 8c 7c", "2s Kh", "Kd 8c", (2, 8), Result.BANKER),
        # the Player's Hand stays on 6 and 7: the Banker's Hand draws on 5, stays on 6
        ("6s 2d Kh 3c 4s 9c", "6s Kh", "2d 3c 4s", (6, 9), Result.BANKER),
        ("7s 2d Kh 4c 4s 9c", "7s Kh", "2d 4c", (7, 6), Result.PLAYER),
        ("7s 2d Kh 5c 4s", "7s Kh", "2d 5c", (7, 7), Result.TIE),
        # the Player's Hand draws: the Banker's Hand by what it drew
        ("2s Kd 3h 3c 8c 9c", "2s 3h 8c", "Kd 3c", (3, 3), Result.TIE),
        ("2s Kd 3h 3c 9c 9d", "2s 3h 9c", "Kd 3c 9d", (4, 2), Result.PLAYER),
        ("As Kd Kh 6c 6d As", "As Kh 6d", "Kd 6c As", (7, 7), Result.TIE),
        ("As Kd Kh 6c 5d As", "As Kh 5d", "Kd 6c", (6, 6), Result.TIE),
        ("As Kd Kh 7c 7d As", "As Kh 7d", "Kd 7c", (8, 7), Result.PLAYER),
        ("Ks Kd Kh Kc Ts Td", "Ks Kh Ts", "Kd Kc Td", (0, 0), Result.TIE),
    ],
)
def test_a_round_deals_what_the_drawing_rules_say(
    shoe: str, player: str, banker: str, totals: tuple[int, int], result: Result
) -> None:
    coup = deal(cards(shoe))
    assert coup == Coup(cards(player), cards(banker))
    assert (coup.player_total, coup.banker_total) == totals
    assert coup.result is result
    assert coup.cards_used == len((player + " " + banker).split())


@pytest.mark.clause("minibaccarat", "19:47-7.9(a)", "19:47-7.9(b)", "19:47-7.8(b)")
def test_a_round_cites_the_rules_that_decided_it() -> None:
    natural, played = deal(cards("9s Kd Kh 8c")), deal(cards("7s 2d Kh 5c"))
    assert natural.natural
    assert natural.rules == ("19:47-7.7(c)", "19:47-7.9(a)")
    assert not played.natural
    assert played.rules == ("19:47-7.7(c)", "19:47-7.8(b)", "19:47-7.8(c)", "19:47-7.9(b)")
    assert not deal(cards("4s 2d Kh 3c 4d Ac")).natural  # an eight of three cards is none


@pytest.mark.clause("minibaccarat", "19:47-7.7(c)", "19:47-7.8(c)")
def test_7_7_c_cards_alternate_and_7_8_c_the_player_draws_first() -> None:
    shoe = cards("As Kd Kh 6c 6d As 2c")
    expected = [Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER, None]
    assert [next_card(shoe[:dealt]) for dealt in range(7)] == expected


@pytest.mark.clause("minibaccarat", "19:47-7.8(d)")
def test_7_8_d_the_bankers_only_third_card_ends_the_round() -> None:
    shoe = cards("6s 2d Kh 2c As As")  # the Player's Hand stays, the Banker's Hand still counts 5 after its third
    assert next_card(shoe[:4]) is Hand.BANKER
    assert next_card(shoe[:5]) is None


@pytest.mark.parametrize(
    ("shoe", "error"),
    [
        ("", "0 cards, and the next one goes to the Player's Hand"),
        ("As", "1 cards, and the next one goes to the Banker's Hand"),
        ("As Kd Kh", "3 cards, and the next one goes to the Banker's Hand"),
        ("As Kd Kh 7c", "4 cards, and the next one goes to the Player's Hand"),
        ("6s 2d Kh 3c", "4 cards, and the next one goes to the Banker's Hand"),
        ("As Kd Kh 6c 6d", "5 cards, and the next one goes to the Banker's Hand"),
    ],
)
def test_cards_that_end_before_the_round_does_are_refused(shoe: str, error: str) -> None:
    with pytest.raises(TooFewCards) as refused:
        deal(cards(shoe))
    assert str(refused.value) == error


def test_a_round_follows_the_bankers_table_that_it_is_given() -> None:
    never = dict.fromkeys(BANKER_DRAWS, ())
    assert deal(cards("As Kd Kh 6c 6d As"), never).banker == cards("Kd 6c")
    assert next_card(cards("6s 2d Kh 3c"), never) is None


@pytest.mark.clause("minibaccarat", "19:47-7.8(d)")
@settings(derandomize=True, deadline=None)
@given(SHOE)
def test_every_round_ends_within_six_cards_and_leaves_the_rest(shoe: list[Card]) -> None:
    coup = deal(shoe)
    assert 4 <= coup.cards_used <= 6
    assert coup.player == (shoe[0], shoe[2], *shoe[4:5])[: len(coup.player)]
    assert sorted((*coup.player, *coup.banker)) == sorted(shoe[: coup.cards_used])
    assert deal(shoe[: coup.cards_used]) == coup
    assert (len(coup.player) == 3) == (not coup.natural and point_count(coup.player[:2]) <= 5)
