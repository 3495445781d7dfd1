"""The emulated shuffler, and the physical cards that go through it."""

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.emulators.bench import Bench
from feltrig.emulators.models.device import Device
from feltrig.emulators.models.faults import Fault
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.shoe import shoe
from feltrig.emulators.models.shuffler import FAULTS, ShufflerMechanism, shuffler
from feltrig.protocols.messages import Request
from feltrig.protocols.vocabulary import Error, FaultCode, State


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.put_new_deck("shuffler.in.1", "red", range(54))
    return bench


def shuffle(device: Device[ShufflerMechanism], deck: int = 1, now: float = 0.0) -> Error:
    return device.handle(Request("shuffle", {"deck": deck}), now).error


def events(device: Device[ShufflerMechanism], now: float = 0.0) -> list[tuple[str, Any]]:
    return [(event.name, dict(event.values)) for event in device.events(1, now, 5000).events]


def codes(bench: Bench, place: str) -> list[int]:
    return [card.code for card in bench.peek(place)]


def lie(bench: Bench) -> list[int]:
    """How many cards are at the way in, inside, and at the way out."""
    return [bench.count(f"shuffler.{place}") for place in ("in.1", "inside", "out.1")]


def counted(count: int, correct: bool, deck: int = 1) -> tuple[str, Any]:
    return ("counted", {"deck": deck, "count": count, "correct": correct})


def test_a_deck_is_shuffled_and_counted(bench: Bench) -> None:
    before = bench.peek("shuffler.in.1")
    device = shuffler(Setup("shuffler", 1, bench=bench))
    assert shuffle(device) is Error.OK
    assert events(device) == [("shuffling", {"deck": 1}), ("shuffled", {"deck": 1}), counted(54, True)]
    after = bench.peek("shuffler.out.1")
    assert set(after) == set(before)
    assert after != before
    assert device.status(0.0).state is State.READY


def test_a_shuffle_takes_half_a_minute_and_the_cards_are_where_they_would_be(bench: Bench) -> None:
    device = shuffler(Setup("shuffler", 1, speed=1.0, bench=bench))
    shuffle(device, now=100.0)
    journey = []
    for now in (100.0, 112.0, 124.0, 125.0, 126.0):
        device.advance(now)
        journey.append((lie(bench), device.status(now).state, len(events(device, now))))
    assert journey == [
        ([54, 0, 0], State.BUSY, 1),
        ([27, 27, 0], State.BUSY, 1),
        ([0, 27, 27], State.BUSY, 1),
        ([0, 0, 54], State.BUSY, 2),
        ([0, 0, 54], State.READY, 3),
    ]


def test_the_order_is_the_same_at_any_speed(bench: Bench) -> None:
    other = Bench()
    other.put_new_deck("shuffler.in.1", "red", range(54))
    shuffle(shuffler(Setup("shuffler", 9, bench=bench)))
    slow = shuffler(Setup("shuffler", 9, speed=1.0, bench=other))
    shuffle(slow)
    slow.advance(60.0)
    assert codes(bench, "shuffler.out.1") == codes(other, "shuffler.out.1")


def test_an_empty_compartment_is_refused_and_so_is_one_that_it_has_not(bench: Bench) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench, decks=2))
    assert shuffle(device, 2) is Error.EMPTY
    assert shuffle(device, 3) is Error.BAD_ARGUMENT
    assert shuffle(device, 0) is Error.BAD_ARGUMENT
    assert shuffle(shuffler(Setup("shuffler", 1, bench=bench)), 2) is Error.BAD_ARGUMENT
    with pytest.raises(ValueError, match="3 decks: a shuffler has 1 or 2 compartments"):
        shuffler(Setup("shuffler", 1, decks=3))


def test_a_blocked_way_out_is_refused_so_that_decks_never_mix(bench: Bench) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench))
    shuffle(device)
    bench.put_new_deck("shuffler.in.1", "blue", range(54))
    assert shuffle(device) is Error.WRONG_STATE
    bench.move_all("shuffler.out.1", "deck.red")
    assert shuffle(device) is Error.OK
    assert {card.deck for card in bench.peek("shuffler.out.1")} == {"blue"}


def test_two_compartments_keep_two_decks_apart(bench: Bench) -> None:
    bench.put_new_deck("shuffler.in.2", "blue", range(54))
    device = shuffler(Setup("shuffler", 1, bench=bench, decks=2))
    shuffle(device, 1)
    shuffle(device, 2)
    assert {card.deck for card in bench.peek("shuffler.out.1")} == {"red"}
    assert {card.deck for card in bench.peek("shuffler.out.2")} == {"blue"}
    assert events(device)[-1] == counted(54, True, deck=2)


def test_a_shoe_is_fed_and_a_deck_waits_when_cards_lie_there(bench: Bench) -> None:
    feeder = shuffler(Setup("shuffler", 1, bench=bench, decks=2, settings={"feeds": "shoe"}))
    dealer = shoe(Setup("shoe", 1, bench=bench))
    shuffle(feeder)
    assert lie(bench) == [0, 0, 0]
    assert dealer.handle(Request("dispense", {"size": 4}), 0.0).error is Error.OK
    assert bench.count("shoe.well") == 50
    bench.put_new_deck("shuffler.in.2", "blue", range(54))
    shuffle(feeder, 2)
    assert bench.count("shoe.well") == 50
    assert bench.count("shuffler.out.2") == 54


def test_a_shuffler_that_does_not_count_says_nothing_of_it(bench: Bench) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench, settings={"counts": False}))
    shuffle(device)
    assert [name for name, _ in events(device)] == ["shuffling", "shuffled"]
    assert device.status(0.0).state is State.READY


def test_the_count_is_correct_only_if_it_is_what_was_expected(bench: Bench) -> None:
    bench.take_out("shuffler.in.1")
    device = shuffler(Setup("shuffler", 1, bench=bench))
    shuffle(device)
    assert events(device)[-1] == counted(53, False)


def test_a_users_mechanics_orders_the_very_cards_that_went_in(bench: Bench) -> None:
    before = {card.code: card.serial for card in bench.peek("shuffler.in.1")}
    shuffle(shuffler(Setup("shuffler", 1, bench=bench, mechanics=lambda cards, _: cards[::-1])))
    assert codes(bench, "shuffler.out.1") == list(range(53, -1, -1))
    assert {card.code: card.serial for card in bench.peek("shuffler.out.1")} == before


def test_a_users_mechanics_sees_the_cards_from_the_top(bench: Bench) -> None:
    seen: list[list[int]] = []

    def look(cards: list[int], _: random.Random) -> list[int]:
        seen.append(cards)
        return cards

    shuffle(shuffler(Setup("shuffler", 1, bench=bench, mechanics=look)))
    assert seen == [list(range(54))]


def test_cards_that_a_users_mechanics_drops_stay_inside_and_those_it_invents_are_foreign(bench: Bench) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench, mechanics=lambda cards, _: [7, 99, *cards[3:]]))
    shuffle(device)
    out = bench.peek("shuffler.out.1")
    assert [card.code for card in out] == [7, 99, *range(3, 54)]
    assert codes(bench, "shuffler.inside") == [0, 1, 2]
    assert [card.code for card in out if card.serial > 54] == [99, 7]
    assert events(device)[-1] == counted(53, False)
    assert len(bench.cards()) == 56


@pytest.mark.parametrize(
    ("fault", "code", "where"),
    [
        ("jam_in", FaultCode.JAM, [54, 0, 0]),
        ("jam", FaultCode.JAM, [27, 27, 0]),
        ("jam_out", FaultCode.JAM, [0, 54, 0]),
        ("stop", FaultCode.STOPPED, [27, 27, 0]),
        ("incomplete", FaultCode.INCOMPLETE, [0, 27, 27]),
    ],
)
def test_a_shuffle_that_breaks_off_is_cleared_by_hand_and_reset(
    bench: Bench, fault: str, code: FaultCode, where: list[int]
) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench, faults=[Fault(fault)]))
    shuffle(device)
    assert events(device) == [("shuffling", {"deck": 1}), ("faulted", {"fault": code})]
    assert lie(bench) == where
    assert shuffle(device) is Error.WRONG_STATE
    bench.clear("shuffler")
    device.handle(Request("reset"), 0.0)
    bench.move_all("table", "shuffler.in.1")
    assert shuffle(device) is Error.OK
    assert events(device)[-1] == counted(54, True)


@pytest.mark.parametrize(
    ("fault", "out", "reported", "kept"),
    [
        ("wrong_count", 54, 53, 0),
        ("double_feed", 54, 53, 0),
        ("missing_card", 53, 53, 1),
        ("missing_card_unnoticed", 53, 54, 1),
        ("extra_card", 55, 55, 0),
        ("duplicate_card", 54, 54, 1),
        ("face_up_card", 54, 54, 0),
    ],
)
def test_what_comes_out_and_what_is_reported(bench: Bench, fault: str, out: int, reported: int, kept: int) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench, faults=[Fault(fault, at=2)]))
    shuffle(device)
    assert events(device)[-1] == counted(54, True)
    bench.move_all("shuffler.out.1", "shuffler.in.1")
    shuffle(device)
    assert lie(bench) == [0, kept, out]
    assert events(device)[-1] == counted(reported, reported == 54)


def reshuffle(device: Device[ShufflerMechanism], bench: Bench) -> list[int]:
    """One more shuffle of the deck; the codes as they come out."""
    bench.move_all("shuffler.out.1", "shuffler.in.1")
    assert shuffle(device) is Error.OK
    return codes(bench, "shuffler.out.1")


def test_a_double_feed_keeps_two_neighbours_together(bench: Bench) -> None:
    other = Bench()
    other.put_new_deck("shuffler.in.1", "red", range(54))
    shuffle(shuffler(Setup("shuffler", 5, bench=other)))
    shuffle(shuffler(Setup("shuffler", 5, bench=bench, faults=[Fault("double_feed")])))
    good, bad = codes(other, "shuffler.out.1"), codes(bench, "shuffler.out.1")
    pairs = [pair for pair in pairwise(bad) if pair[1] == pair[0] + 1 and pair not in set(pairwise(good))]
    assert len(pairs) == 1
    assert [code for code in bad if code != pairs[0][1]] == [code for code in good if code != pairs[0][1]]


def test_every_third_deck_is_left_as_it_went_in_and_the_others_are_shuffled_as_ever(bench: Bench) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench, faults=[Fault("unshuffled", at=3, every=3)]))
    decks = [codes(bench, "shuffler.in.1"), *(reshuffle(device, bench) for _ in range(9))]
    assert [n for n, (before, after) in enumerate(pairwise(decks), 1) if before == after] == [3, 6, 9]
    assert events(device)[-1] == counted(54, True)


def test_sort_mode_gives_a_new_deck(bench: Bench) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench, faults=[Fault("sort_mode", at=2)]))
    assert reshuffle(device, bench) != list(range(54))
    assert reshuffle(device, bench) == list(range(54))


def test_the_lower_half_stays_as_it_was(bench: Bench) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench, faults=[Fault("half_shuffled")]))
    out = reshuffle(device, bench)
    assert out[27:] == list(range(27, 54))
    assert out[:27] != sorted(out[:27]) == list(range(27))


def test_a_repeated_shuffle_moves_the_cards_as_the_one_before(bench: Bench) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench, faults=[Fault("repeated_shuffle", at=2)]))
    first = reshuffle(device, bench)
    assert reshuffle(device, bench) == [first[code] for code in first]
    third = reshuffle(device, bench)
    assert third != [first[first[code]] for code in first]


def test_without_a_count_the_shuffle_ends_as_if_it_never_counted(bench: Bench) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench, faults=[Fault("no_count")]))
    shuffle(device)
    assert [name for name, _ in events(device)] == ["shuffling", "shuffled"]
    assert device.status(0.0).state is State.READY


def test_an_extra_card_is_a_copy_of_one_of_the_deck(bench: Bench) -> None:
    shuffle(shuffler(Setup("shuffler", 1, bench=bench, faults=[Fault("extra_card")])))
    cards = bench.peek("shuffler.out.1")
    assert {card.code for card in cards} == set(range(54))
    assert [card.deck for card in cards if card.serial > 54] == ["red"]


def test_a_duplicate_card_takes_the_place_of_another(bench: Bench) -> None:
    shuffle(shuffler(Setup("shuffler", 1, bench=bench, faults=[Fault("duplicate_card")])))
    out = codes(bench, "shuffler.out.1")
    assert len(set(out)) == 53
    assert set(range(54)) - set(out) == set(codes(bench, "shuffler.inside"))


def test_one_card_is_turned_face_up(bench: Bench) -> None:
    shuffle(shuffler(Setup("shuffler", 1, bench=bench, faults=[Fault("face_up_card")])))
    assert sum(card.face_up for card in bench.peek("shuffler.out.1")) == 1


def test_a_card_kept_inside_stays_there_through_later_shuffles(bench: Bench) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench, faults=[Fault("missing_card")]))
    shuffle(device)
    kept = bench.peek("shuffler.inside")
    bench.move_all("shuffler.out.1", "shuffler.in.1")
    shuffle(device)
    assert bench.peek("shuffler.inside") == kept
    assert events(device)[-1] == counted(53, False)


def test_a_fault_changes_nothing_but_what_it_strikes(bench: Bench) -> None:
    other = Bench()
    other.put_new_deck("shuffler.in.1", "red", range(54))
    shuffle(shuffler(Setup("shuffler", 3, bench=bench)))
    shuffle(shuffler(Setup("shuffler", 3, bench=other, faults=[Fault("missing_card")])))
    missing = codes(other, "shuffler.inside")[0]
    expected = [code for code in codes(bench, "shuffler.out.1") if code != missing]
    assert codes(other, "shuffler.out.1") == expected


@pytest.mark.parametrize(("place", "where"), [("in.1", [54, 0, 0]), ("inside", [27, 27, 0]), ("out.1", [0, 54, 0])])
def test_an_obstacle_jams_the_shuffler_where_it_lies(bench: Bench, place: str, where: list[int]) -> None:
    device = shuffler(Setup("shuffler", 1, bench=bench))
    bench.obstruct(f"shuffler.{place}")
    shuffle(device)
    assert device.status(0.0).fault is FaultCode.JAM
    assert lie(bench) == where
    bench.unobstruct(f"shuffler.{place}")
    device.handle(Request("reset"), 0.0)
    bench.clear("shuffler")
    bench.move_all("table", "shuffler.in.1")
    shuffle(device)
    assert events(device)[-1] == counted(54, True)


def test_a_deck_taken_out_by_hand_in_mid_shuffle_stops_the_shuffler(bench: Bench) -> None:
    device = shuffler(Setup("shuffler", 1, speed=1.0, bench=bench))
    shuffle(device)
    device.advance(12.0)
    bench.clear("shuffler")
    assert device.status(60.0).fault is FaultCode.INCOMPLETE


@given(
    faults=st.lists(st.builds(Fault, st.sampled_from(sorted(FAULTS)), st.integers(1, 4), st.integers(0, 2))),
    seed=st.integers(0, 99),
    size=st.integers(1, 54),
)
def test_no_physical_card_is_lost_in_any_shuffle(faults: list[Fault], seed: int, size: int) -> None:
    """Whatever strikes: the cards brought are all on the bench, and a true count is a count of what came out."""
    bench = Bench()
    brought = {card.serial for card in bench.put_new_deck("shuffler.in.1", "red", range(size))}
    device = shuffler(Setup("shuffler", seed, bench=bench, faults=faults))
    for _ in range(4):
        if shuffle(device) is Error.OK and device.status(0.0).state is State.FAULT:
            device.handle(Request("reset"), 0.0)
        for place in ("shuffler.inside", "shuffler.out.1"):
            bench.move_all(place, "shuffler.in.1")
        assert brought <= {card.serial for card in bench.cards()}
        assert bench.count("shuffler.in.1") == len(bench.cards())
