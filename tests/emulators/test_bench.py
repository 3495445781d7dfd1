"""Cards on the emulated bench lie, move and are counted; none is lost."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.emulators.bench import Bench, Card, CardsLost


def codes(bench: Bench, place: str) -> list[int]:
    return [card.code for card in bench.peek(place)]


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.put_new_deck("deck.red", "red", range(6))
    return bench


def test_a_new_deck_lies_face_down_in_order_with_unique_serials(bench: Bench) -> None:
    assert bench.peek("deck.red") == tuple(Card(code, "red", face_up=False, serial=code + 1) for code in range(6))


def test_a_second_deck_goes_on_top_and_differs_in_every_card(bench: Bench) -> None:
    bench.put_new_deck("deck.red", "blue", range(2))
    assert codes(bench, "deck.red") == [0, 1, 0, 1, 2, 3, 4, 5]
    assert len({card.serial for card in bench.cards()}) == 8


def test_a_block_keeps_its_order_when_it_moves_from_the_top(bench: Bench) -> None:
    moved = bench.move("deck.red", "felt.1", 2)
    assert [card.code for card in moved] == [0, 1]
    bench.move("deck.red", "felt.1", 2)
    assert codes(bench, "felt.1") == [2, 3, 0, 1]
    assert codes(bench, "deck.red") == [4, 5]


def test_a_block_can_come_from_the_bottom_and_go_below(bench: Bench) -> None:
    bench.move("deck.red", "discard", 1)
    bench.move("deck.red", "discard", 2, from_top=False, to_bottom=True)
    assert codes(bench, "discard") == [0, 4, 5]


def test_a_pile_is_cut_by_moving_its_top_to_its_own_bottom(bench: Bench) -> None:
    bench.move("deck.red", "deck.red", 4, to_bottom=True)
    assert codes(bench, "deck.red") == [4, 5, 0, 1, 2, 3]


def test_moving_all_of_nothing_moves_nothing(bench: Bench) -> None:
    assert bench.move_all("felt.5", "discard") == ()
    assert bench.places() == ("deck.red",)


@pytest.mark.parametrize("count", [7, -1])
def test_moving_more_cards_than_there_are_names_places_and_counts(bench: Bench, count: int) -> None:
    with pytest.raises(ValueError, match=rf"cannot move {count} cards from deck\.red to felt\.1: 6 are there"):
        bench.move("deck.red", "felt.1", count)
    assert bench.count("deck.red") == 6


def test_a_turned_card_is_the_same_card(bench: Bench) -> None:
    before = bench.peek("deck.red")[3]
    after = bench.turn("deck.red", 3)
    assert (after.serial, after.face_up) == (before.serial, True)
    assert bench.peek("deck.red")[3] == after
    assert bench.turn("deck.red", 3) == before


def test_a_card_taken_out_is_on_record(bench: Bench) -> None:
    card = bench.take_out("deck.red", 2)
    assert codes(bench, "deck.red") == [0, 1, 3, 4, 5]
    assert bench.taken_out == (card,)
    assert len(bench.cards()) == 5


@pytest.mark.parametrize("index", [6, -1])
def test_there_is_no_card_beyond_a_pile(bench: Bench, index: int) -> None:
    with pytest.raises(ValueError, match=rf"deck\.red: no card at index {index} of 6 cards"):
        bench.take_out("deck.red", index)


def test_only_the_cards_of_one_deck_are_removed(bench: Bench) -> None:
    bench.put_new_deck("discard", "blue", [50])
    bench.move("deck.red", "discard", 2)
    assert [card.code for card in bench.remove("discard", "red")] == [0, 1]
    assert codes(bench, "discard") == [50]


def test_gathered_cards_lie_face_down_and_others_stay(bench: Bench) -> None:
    bench.put_new_deck("felt.1", "blue", [50])
    bench.move("deck.red", "felt.1", 2)
    bench.turn("felt.1", 0)
    bench.turn("deck.red", 0)
    for place in bench.places():
        bench.pick(place, "red", "deck.red")
    assert codes(bench, "felt.1") == [50]
    assert sorted(codes(bench, "deck.red")) == [0, 1, 2, 3, 4, 5]
    assert not any(card.face_up for card in bench.cards())


def test_a_foreign_card_goes_where_it_is_put(bench: Bench) -> None:
    card = bench.put_new_card("deck.red", "red", 3, index=1)
    assert codes(bench, "deck.red") == [0, 3, 1, 2, 3, 4, 5]
    assert card.serial == 7


def test_what_is_no_card_is_not_put_down(bench: Bench) -> None:
    with pytest.raises(ValueError, match="128 is not a card code: expected 0 to 127"):
        bench.put_new_deck("deck.blue", "blue", [1, 128])
    with pytest.raises(ValueError, match="no index 7 among 6 cards"):
        bench.put_new_card("deck.red", "red", 1, index=7)
    assert len(bench.cards()) == 6


def test_only_an_order_of_all_its_cards_arranges_a_pile(bench: Bench) -> None:
    bench.arrange("deck.red", [5, 0, 4, 1, 3, 2])
    assert codes(bench, "deck.red") == [5, 0, 4, 1, 3, 2]
    with pytest.raises(ValueError, match="not an order of 6 cards"):
        bench.arrange("deck.red", [0, 0, 1, 2, 3, 4])


def test_a_sensor_sees_every_change_once_the_cards_lie(bench: Bench) -> None:
    seen: list[tuple[int, int, int]] = []
    bench.watch("shoe.well", lambda before, after: seen.append((before, after, len(bench.cards()))))
    bench.move("deck.red", "shoe.well", 4)
    bench.move("shoe.well", "shoe.exit", 3)
    bench.shuffle("shoe.well", random.Random(1))
    bench.move_all("shoe.well", "discard")
    assert seen == [(0, 4, 6), (4, 1, 6), (1, 0, 6)]


def test_clearing_a_machine_takes_its_cards_and_obstacles_and_no_others(bench: Bench) -> None:
    bench.move("deck.red", "shoe.well", 2)
    bench.move("deck.red", "shoe.exit", 1)
    bench.move("deck.red", "shoe2.well", 1)
    bench.obstruct("shoe.exit")
    bench.obstruct("shoe2.exit")
    assert sorted(card.code for card in bench.clear("shoe")) == [0, 1, 2]
    assert bench.count("table") == 3
    assert bench.count("shoe2.well") == 1
    assert not bench.obstructed("shoe.exit")
    assert bench.obstructed("shoe2.exit")


def test_the_census_notices_a_card_that_vanished(bench: Bench) -> None:
    bench._piles["deck.red"].pop()
    with pytest.raises(CardsLost, match="6 cards came, 0 left, 5 are there"):
        bench.cards()


PLACES = st.sampled_from(["shuffler.in.1", "shoe.well", "felt.0", "discard"])


@given(st.data())
def test_no_card_is_lost_whatever_hands_do(data: st.DataObject) -> None:
    bench = Bench()
    bench.put_new_deck("discard", "red", range(54))
    bench.put_new_deck("felt.0", "blue", range(54))
    brought = 108

    def any_count(place: str) -> int:
        return data.draw(st.integers(0, bench.count(place)))

    for _ in range(data.draw(st.integers(1, 12))):
        source, target = data.draw(PLACES), data.draw(PLACES)
        match data.draw(st.integers(0, 6)):
            case 0:
                bench.move(source, target, any_count(source), from_top=data.draw(st.booleans()))
            case 1:
                bench.move_all(source, target, to_bottom=data.draw(st.booleans()))
            case 2:
                bench.pick(source, data.draw(st.sampled_from(["red", "blue"])), target)
            case 3:
                bench.shuffle(source, random.Random(1))
            case 4 if bench.count(source):
                bench.turn(source, data.draw(st.integers(0, bench.count(source) - 1)))
            case 5 if bench.count(source):
                bench.take_out(source)
            case 6:
                bench.put_new_card(source, "red", 0)
                brought += 1
        census: tuple[Any, ...] = bench.cards() + bench.taken_out
        assert sorted(card.serial for card in census) == list(range(1, brought + 1))
