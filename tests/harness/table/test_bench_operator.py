"""The operator of an emulated bench: each of its movements takes the cards from where they are to where they belong."""

import inspect
import random

import pytest
from rigs import nobody

from feltrig.emulators.bench import Bench
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.setup import Setup
from feltrig.engine.cards import deck
from feltrig.harness.devices.hands import Operator
from feltrig.harness.table.bench_machines import BenchMachines, EmulatedMachine
from feltrig.harness.table.bench_operator import BenchOperator
from feltrig.harness.table.technician import Technician

CODES = deck(jokers=2)
MACHINES = {"shuffler": "mixer", "shoe": "box", "reader": "eye"}


@pytest.fixture
def bench():
    return Bench()


def hands(bench, feeds=False):
    feeding = {"shuffler": "shoe"} if feeds else {}
    return BenchOperator(machines_at(bench), CODES, feeding, random.Random(1), Technician(nobody))


def machines_at(bench):
    """The machines of this bench, none of which is served on a wire."""
    built = {kind: MODELS[kind].build(Setup(name, 1, bench=bench, decks=2)) for kind, name in MACHINES.items()}
    return BenchMachines(bench, {kind: EmulatedMachine(machine, machine) for kind, machine in built.items()})


@pytest.fixture
async def operator(bench):
    """An operator who has brought the red deck."""
    operator = hands(bench)
    await operator.bring_deck("red")
    return operator


def lying(bench):
    """How many cards lie where."""
    return {place: bench.count(place) for place in bench.places()}


def codes(bench, place):
    return tuple(card.code for card in bench.peek(place))


@pytest.mark.parametrize("kind", [BenchOperator, Technician])
def test_both_operators_can_do_all_that_hands_do(kind):
    wanted = {name: inspect.signature(method) for name, method in inspect.getmembers(Operator, inspect.isfunction)}
    wanted = {name: signature for name, signature in wanted.items() if not name.startswith("_")}
    assert {name: inspect.signature(getattr(kind, name)) for name in wanted} == wanted


async def test_a_new_deck_comes_in_order_and_face_down(operator, bench):
    assert codes(bench, "deck.red") == CODES
    assert not any(card.face_up for card in bench.peek("deck.red"))


async def test_a_deck_that_is_replaced_leaves_the_table_wherever_it_lies(operator, bench):
    await operator.bring_deck("blue")
    bench.move("deck.red", "felt.3", 4)
    bench.move("deck.red", "discard", 10)
    await operator.bring_deck("red")
    assert lying(bench) == {"deck.blue": 54, "deck.red": 54}
    assert codes(bench, "deck.red") == CODES
    assert len(bench.taken_out) == 54


async def test_the_reader_sees_the_deck_and_gives_it_back_in_order(operator, bench):
    await operator.show_deck("red")
    assert codes(bench, "eye.tray") == CODES
    await operator.from_reader("deck.red")
    assert codes(bench, "deck.red") == CODES


@pytest.mark.parametrize(("name", "compartment"), [("red", 1), ("blue", 2)])
async def test_each_deck_goes_into_its_own_compartment(operator, bench, name, compartment):
    await operator.bring_deck(name)
    await operator.load("shuffler", name)
    assert codes(bench, f"mixer.in.{compartment}") == CODES


@pytest.mark.parametrize(("name", "compartment"), [("red", 1), ("blue", 2)])
async def test_a_shuffled_deck_comes_out_of_its_own_compartment(bench, name, compartment):
    bench.put_new_deck(f"mixer.out.{compartment}", name, CODES)
    bench.put_new_deck(f"mixer.out.{3 - compartment}", "other", CODES)
    await hands(bench).unload("shuffler", name)
    assert lying(bench) == {f"mixer.out.{3 - compartment}": 54, f"deck.{name}": 54}


@pytest.mark.parametrize(("feeds", "left"), [(True, {"deck.red": 54}), (False, {"box.well": 54})])
async def test_a_deck_is_sought_in_the_shoe_only_when_the_shuffler_feeds_it(bench, feeds, left):
    bench.put_new_deck("box.well", "red", CODES)
    await hands(bench, feeds).unload("shuffler", "red")
    assert lying(bench) == left


async def test_a_shuffle_by_hand_changes_the_order_and_loses_nothing(operator, bench):
    await operator.shuffle_by_hand("red")
    assert codes(bench, "deck.red") != CODES
    assert sorted(codes(bench, "deck.red")) == list(CODES)


async def test_a_cut_moves_the_top_to_the_bottom(operator, bench):
    await operator.cut("red", 20)
    assert codes(bench, "deck.red") == (*CODES[20:], *CODES[:20])
    assert lying(bench) == {"deck.red": 54}


async def test_the_shoe_is_loaded_with_the_deck(operator, bench):
    await operator.load("shoe", "red")
    assert codes(bench, "box.well") == CODES


async def test_a_card_is_drawn_from_the_top(operator, bench):
    await operator.show_card("red")
    assert codes(bench, "eye.tray") == CODES[:1]
    assert codes(bench, "deck.red") == CODES[1:]


async def test_a_stack_is_taken_from_the_exit(bench):
    bench.put_new_deck("box.exit", "red", CODES[:4])
    await hands(bench).show_stack("shoe")
    assert codes(bench, "eye.tray") == CODES[:4]


@pytest.mark.parametrize(("machine", "source"), [("shoe", "box.well"), (None, "deck.red")])
async def test_the_stub_is_what_is_left_in_the_shoe_or_in_the_hand(bench, machine, source):
    bench.put_new_deck(source, "red", CODES[:26])
    await hands(bench).show_stub("red", machine)
    assert lying(bench) == {"eye.tray": 26}


async def test_cards_move_from_place_to_place(bench):
    bench.put_new_deck("stack.4", "red", CODES[:4])
    await hands(bench).move("stack.4", "felt.2")
    assert codes(bench, "felt.2") == CODES[:4]


async def test_gathering_finds_the_deck_wherever_hands_reach_and_no_other(operator, bench):
    await operator.bring_deck("blue")
    for place in ("felt.0", "discard", "stack.7", "mixer.in.1", "mixer.out.1", "box.well", "box.exit", "eye.tray"):
        bench.move("deck.red", place, 4)
    bench.move("deck.blue", "discard", 4)
    bench.turn("felt.0", 0)
    await operator.gather("red")
    assert lying(bench) == {"deck.red": 54, "deck.blue": 50, "discard": 4}
    assert not any(card.face_up for card in bench.peek("deck.red"))


async def test_gathering_does_not_reach_inside_a_machine_and_clearing_does(operator, bench):
    bench.move("deck.red", "mixer.inside", 20)
    bench.move("deck.red", "box.inside", 1)
    await operator.gather("red")
    assert lying(bench) == {"deck.red": 33, "mixer.inside": 20, "box.inside": 1}

    await operator.clear("shuffler")
    await operator.gather("red")
    assert lying(bench) == {"deck.red": 53, "box.inside": 1}


async def test_clearing_removes_what_blocks_that_machine_only(operator, bench):
    bench.obstruct("mixer.inside")
    bench.obstruct("box.inside")
    await operator.clear("shoe")
    assert (bench.obstructed("mixer.inside"), bench.obstructed("box.inside")) == (True, False)


async def test_the_button_lies_where_it_was_put(operator):
    assert await operator.button() == 0
    await operator.place_button(4)
    assert await operator.button() == 4


async def test_a_blocked_machine_is_obstructed_until_it_is_cleared(operator, bench):
    await operator.block("shuffler")
    assert bench.obstructed("mixer.inside")
    await operator.clear("shuffler")
    assert not bench.obstructed("mixer.inside")


@pytest.mark.parametrize("count", [1, 2, 10])
async def test_cards_that_are_taken_out_of_the_deck_can_be_put_back(operator, bench, count):
    await operator.take_cards("red", count)
    assert codes(bench, "deck.red") == CODES[count:]
    await operator.restore_deck("red")
    assert sorted(codes(bench, "deck.red")) == list(CODES)


@pytest.mark.parametrize("count", [1, 2, 10])
async def test_cards_of_another_deck_make_too_many_and_are_found_again(operator, bench, count):
    await operator.add_cards("red", count)
    assert bench.count("deck.red") == 54 + count
    await operator.shuffle_by_hand("red")
    await operator.restore_deck("red")
    assert sorted(codes(bench, "deck.red")) == list(CODES)


async def test_a_swapped_card_leaves_the_number_right_and_the_deck_wrong(operator, bench):
    await operator.swap_card("red")
    seen = codes(bench, "deck.red")
    assert len(seen) == 54
    assert len(set(seen)) == 53
    await operator.restore_deck("red")
    assert sorted(codes(bench, "deck.red")) == list(CODES)


async def test_a_deck_goes_from_the_reader_into_a_compartment_and_from_another_back_to_it(operator, bench):
    await operator.show_new_deck("red")
    assert codes(bench, "eye.tray") == CODES
    await operator.load_from_reader("shuffler", 2)
    assert lying(bench) == {"mixer.in.2": 54}
    bench.move_all("mixer.in.2", "mixer.out.2")
    await operator.unload_to_reader("shuffler", 2)
    assert codes(bench, "eye.tray") == CODES


async def test_a_deck_that_was_fed_to_the_shoe_comes_back_to_the_reader(bench):
    bench.put_new_deck("box.well", "red", CODES)
    await hands(bench, feeds=True).unload_to_reader("shuffler", 1)
    assert lying(bench) == {"eye.tray": 54}


async def test_hands_at_a_device_that_is_not_emulated_are_the_technicians(bench):
    heard = []

    async def person(prompt):
        heard.append(prompt)
        return ""

    operator = BenchOperator(machines_at(bench), CODES, {}, random.Random(1), Technician(person))
    operator.begin("power cycle", 1)
    await operator.power_off("rng")
    await operator.power_off("shoe")
    assert len(heard) == 1
    assert heard[0].startswith("[power cycle, step 1 of 1]\nSwitch the rng off, or pull its plug.")


async def test_nobody_goes_on_with_an_emulated_machine_that_has_failed(operator):
    assert await operator.go_on("53 cards came out.") is False
