"""Burned cards, the two sides of a double shoe, and how the cards come back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, parse
from feltrig.engine.games.blackjack.options import Shoe
from feltrig.engine.games.blackjack.shoe import (
    Determined,
    Reconciled,
    Side,
    Use,
    burns,
    check_complete,
    check_side,
    determine,
    reconcile,
    recycles,
    reinsert,
)
from feltrig.engine.rulings import Illegal

LEFT, RIGHT = Side.LEFT, Side.RIGHT


@pytest.mark.clause("blackjack", "19:47-2.6(c)", "19:47-2.6(d)")
def test_2_6_c_a_fresh_shoe_and_a_new_dealer_burn_a_card() -> None:
    assert burns(Shoe.SINGLE, fresh=True, new_dealer=False)
    assert burns(Shoe.SINGLE, fresh=False, new_dealer=True)
    assert not burns(Shoe.SINGLE, fresh=False, new_dealer=False)
    for shoe in (Shoe.DOUBLE, Shoe.BART_CARTER):
        assert not burns(shoe, fresh=True, new_dealer=True)


@pytest.mark.clause("blackjack", "19:47-2.6(d)1", "19:47-2.6(d)2")
@pytest.mark.parametrize("suit", "cdhs")
@pytest.mark.parametrize("red", Side)
@pytest.mark.parametrize("drawn_from", Side)
def test_2_6_d_the_suit_of_the_determinant_picks_the_side(suit: str, red: Side, drawn_from: Side) -> None:
    black = RIGHT if red is LEFT else LEFT
    side = red if suit in "dh" else black
    use = Use.FIRST_CARD if side is drawn_from else Use.BURNED
    determined = determine(parse("9" + suit), drawn_from, red)
    assert determined == Determined(side, use, ("19:47-2.6(d)1", "19:47-2.6(d)2"))


def test_a_determinant_card_is_told_in_words() -> None:
    assert [side.value for side in Side] == ["left", "right"]
    assert [use.value for use in Use] == ["first card of the first player", "burned in the segregated area"]


@pytest.mark.clause("blackjack", "19:47-2.6(d)1")
def test_2_6_d_1_a_card_from_the_other_side_is_refused() -> None:
    determined = determine(parse("9h"), LEFT, red_suits=RIGHT)
    check_side(RIGHT, determined)
    with pytest.raises(Illegal) as refused:
        check_side(LEFT, determined)
    assert refused.value.rules == ("19:47-2.6(d)1",)
    assert refused.value.why == "card from the left side: this round is dealt from the other"


@pytest.mark.clause("blackjack", "19:47-2.6(l)2i", "19:47-2.6(l)2ii")
def test_2_6_l_2_what_is_left_and_what_was_played_make_up_the_decks() -> None:
    full = deck() * 6
    assert reconcile(6, full[:100], full[100:]) == Reconciled((), ())
    assert reconcile(6, full[:100], full[100:]).complete
    check_complete(6, full[:100], full[100:])
    short = reconcile(6, full[:-1])
    assert short == Reconciled((parse("As"),), ())
    assert not short.complete
    assert reconcile(6, full, [parse("2c"), parse("2d")]) == Reconciled((), (parse("2c"), parse("2d")))
    assert not reconcile(6, full, [parse("2c")]).complete


@pytest.mark.clause("blackjack", "19:47-2.6(l)2i", "19:47-2.6(l)2ii")
def test_2_6_l_2_a_wrong_set_is_not_shuffled() -> None:
    wrong = (*deck()[1:], parse("Ks"))
    for double_shoe, rule in ((False, "19:47-2.6(l)2i"), (True, "19:47-2.6(l)2ii")):
        with pytest.raises(Illegal) as refused:
            check_complete(1, wrong, double_shoe=double_shoe)
        assert refused.value.rules == (rule,)
        assert refused.value.why == "missing 2c; too many Ks"
    with pytest.raises(Illegal, match="missing 2c; too many none"):
        check_complete(1, deck()[1:])
    with pytest.raises(Illegal) as refused:
        check_complete(1, deck()[2:])
    assert str(refused.value) == "missing 2c 3c; too many none (19:47-2.6(l)2i)"


@pytest.mark.clause("blackjack", "19:47-2.6(m)")
def test_2_6_m_more_than_a_deck_of_discards_is_recycled() -> None:
    assert not recycles(52)
    assert recycles(53)


@pytest.mark.clause("blackjack", "19:47-2.6(m)")
def test_2_6_m_three_stacks_go_to_their_marks() -> None:
    shoe, discards = deck()[:6], deck()[20:28]
    a, b, c, d, e, f = shoe
    assert reinsert(shoe, discards, (1, 3, 5)) == (
        *(a, *discards[:3], b, c),
        *(*discards[3:6], d, e, *discards[6:], f),
    )
    assert reinsert(shoe, discards[:7], (0, 3, 6)) == (*discards[:3], a, b, c, *discards[3:5], d, e, f, *discards[5:7])
    assert reinsert(shoe, discards[:3], (0, 1, 2))[:5] == (discards[0], a, discards[1], b, discards[2])


@pytest.mark.clause("blackjack", "19:47-2.6(m)")
@pytest.mark.parametrize("marks", [(1, 2), (1, 2, 3, 4), (2, 1, 3), (1, 1, 2), (-1, 1, 2), (1, 2, 7)])
def test_2_6_m_there_are_three_marks_within_the_shoe(marks: tuple[int, ...]) -> None:
    with pytest.raises(Illegal) as refused:
        reinsert(deck()[:6], deck()[:9], marks)
    assert refused.value.rules == ("19:47-2.6(m)",)
    assert refused.value.why == f"marks {marks}: expected 3 places within 6 cards"


@pytest.mark.clause("blackjack", "19:47-2.6(m)")
@settings(derandomize=True, deadline=None)
@given(st.permutations(deck()), st.integers(2, 50), st.data())
def test_2_6_m_no_card_is_lost_and_the_order_within_is_kept(cards: list[Card], size: int, data: st.DataObject) -> None:
    shoe, discards = cards[:size], cards[size:]
    marks = sorted(data.draw(st.sets(st.integers(0, size), min_size=3, max_size=3)))
    after = reinsert(shoe, discards, marks)
    assert sorted(after) == sorted(cards)
    assert [card for card in after if card in shoe] == shoe
    assert [card for card in after if card in discards] == discards
