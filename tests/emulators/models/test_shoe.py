"""The emulated dealing shoe."""

from typing import Any

import pytest

from feltrig.emulators.bench import Bench
from feltrig.emulators.models.device import Device
from feltrig.emulators.models.faults import Fault
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.shoe import ShoeMechanism, shoe
from feltrig.protocols.kinds.shoe import STACK_SIZES
from feltrig.protocols.messages import Request
from feltrig.protocols.vocabulary import Error, FaultCode, State


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.put_new_deck("deck.red", "red", range(54))
    return bench


def loaded(bench: Bench, *, locked: bool = False, **options: Any) -> Device[ShoeMechanism]:
    device = shoe(Setup("shoe", 1, bench=bench, **options))
    if locked:
        device.handle(Request("lock"), 0.0)
    bench.move_all("deck.red", "shoe.well")
    return device


def dispense(device: Device[ShoeMechanism], size: int = 4, now: float = 0.0) -> Error:
    return device.handle(Request("dispense", {"size": size}), now).error


def events(device: Device[ShoeMechanism], now: float = 0.0) -> list[tuple[str, Any]]:
    return [(event.name, dict(event.values)) for event in device.events(1, now, 5000).events]


@pytest.mark.parametrize("size", STACK_SIZES)
def test_a_stack_comes_from_the_top_of_the_well(bench: Bench, size: int) -> None:
    device = loaded(bench)
    assert dispense(device, size) is Error.OK
    assert events(device) == [("dispensed", {"stack": 1, "size": size})]
    assert [card.code for card in bench.peek("shoe.exit")] == list(range(size))
    assert device.status(0.0).state is State.READY


def test_dispensing_takes_a_second(bench: Bench) -> None:
    device = loaded(bench, speed=1.0)
    dispense(device, now=5.0)
    assert device.status(5.9).state is State.BUSY
    assert bench.count("shoe.exit") == 0
    assert device.status(6.0).state is State.READY
    assert bench.count("shoe.exit") == 4


@pytest.mark.parametrize("size", [0, 1, 6, 8])
def test_other_sizes_are_refused(bench: Bench, size: int) -> None:
    assert dispense(loaded(bench), size) is Error.BAD_ARGUMENT


@pytest.mark.parametrize("size", STACK_SIZES)
def test_a_shoe_of_few_sizes_refuses_the_others(bench: Bench, size: int) -> None:
    device = loaded(bench, stack_sizes=(4, 7))
    assert dispense(device, size) is (Error.OK if size in (4, 7) else Error.BAD_ARGUMENT)


def test_an_empty_shoe_refuses() -> None:
    assert dispense(shoe(Setup("shoe", 1))) is Error.EMPTY


def test_too_few_cards_in_the_well_come_out_and_the_shoe_stops(bench: Bench) -> None:
    device = shoe(Setup("shoe", 1, bench=bench))
    bench.move("deck.red", "shoe.well", 3)
    assert dispense(device) is Error.OK
    assert events(device) == [("faulted", {"fault": FaultCode.INCOMPLETE})]
    assert (bench.count("shoe.well"), bench.count("shoe.exit")) == (0, 3)


def test_a_locked_shoe_dispenses_nothing_until_unlocked(bench: Bench) -> None:
    device = loaded(bench, locked=True)
    assert dispense(device) is Error.WRONG_STATE
    device.handle(Request("unlock"), 0.0)
    assert dispense(device) is Error.OK
    device.handle(Request("unlock"), 0.0)
    assert device.status(0.0).state is State.READY
    device.handle(Request("lock"), 0.0)
    device.handle(Request("lock"), 0.0)
    assert dispense(device) is Error.WRONG_STATE
    assert bench.count("shoe.exit") == 4


def test_stacks_are_numbered_anew_when_an_empty_well_is_loaded(bench: Bench) -> None:
    device = loaded(bench)
    dispense(device)
    dispense(device)
    bench.move_all("shoe.well", "discard")
    bench.move_all("discard", "shoe.well")
    dispense(device)
    assert [values["stack"] for _, values in events(device)] == [1, 2, 1]


def test_a_jam_leaves_half_a_stack_out_and_a_card_inside(bench: Bench) -> None:
    device = loaded(bench, faults=[Fault("jam", at=2)])
    dispense(device)
    dispense(device)
    assert events(device)[1:] == [("faulted", {"fault": FaultCode.JAM})]
    assert [bench.count(f"shoe.{place}") for place in ("well", "inside", "exit")] == [47, 1, 6]
    assert dispense(device) is Error.WRONG_STATE
    bench.clear("shoe")
    device.handle(Request("reset"), 0.0)
    bench.move_all("table", "shoe.well")
    assert dispense(device) is Error.OK
    assert events(device)[-2:] == [("cleared", {}), ("dispensed", {"stack": 1, "size": 4})]


def test_a_stop_leaves_half_a_stack_out(bench: Bench) -> None:
    device = loaded(bench, faults=[Fault("stop")])
    dispense(device)
    assert events(device) == [("faulted", {"fault": FaultCode.STOPPED})]
    assert [bench.count(f"shoe.{place}") for place in ("well", "inside", "exit")] == [52, 0, 2]


@pytest.mark.parametrize(
    ("fault", "out", "reported"),
    [("short_stack", 3, 3), ("long_stack", 5, 5), ("misfeed", 3, 4), ("double_feed", 5, 4)],
)
def test_a_wrong_stack_is_reported_as_the_fault_says(bench: Bench, fault: str, out: int, reported: int) -> None:
    device = loaded(bench, faults=[Fault(fault)])
    dispense(device)
    assert bench.count("shoe.exit") == out
    assert events(device) == [("dispensed", {"stack": 1, "size": reported})]
    dispense(device)
    assert bench.count("shoe.exit") == out + 4


def test_a_face_up_card_lies_in_the_stack_struck(bench: Bench) -> None:
    device = loaded(bench, faults=[Fault("face_up_card", at=2)])
    dispense(device)
    assert not any(card.face_up for card in bench.peek("shoe.exit"))
    dispense(device)
    stack = bench.peek("shoe.exit")[:4]
    assert sum(card.face_up for card in stack) == 1


@pytest.mark.parametrize(("locked", "state"), [(False, State.IDLE), (True, State.LOCKED)])
def test_an_early_stack_comes_by_itself_when_the_shoe_is_loaded(bench: Bench, locked: bool, state: State) -> None:
    device = loaded(bench, locked=locked, faults=[Fault("early_dispense")])
    assert events(device) == [("dispensed", {"stack": 1, "size": 4})]
    assert bench.count("shoe.exit") == 4
    assert device.status(0.0).state is state


def test_an_early_stack_takes_its_time_too(bench: Bench) -> None:
    device = shoe(Setup("shoe", 1, speed=1.0, bench=bench, faults=[Fault("early_dispense", at=2)]))
    bench.move("deck.red", "shoe.well", 20)
    bench.move_all("shoe.well", "discard")
    device.advance(10.0)
    bench.move("deck.red", "shoe.well", 20)
    assert device.due() == 11.0
    assert events(device, 11.0) == [("dispensed", {"stack": 1, "size": 4})]


def test_a_bottom_card_lies_below_the_cards_from_the_top(bench: Bench) -> None:
    device = loaded(bench, faults=[Fault("bottom_card")])
    dispense(device)
    assert [card.code for card in bench.peek("shoe.exit")] == [0, 1, 2, 53]
    assert events(device) == [("dispensed", {"stack": 1, "size": 4})]


PLACES = [("well", "jam_well", [54, 0, 0]), ("inside", "jam", [51, 1, 2]), ("exit", "jam_exit", [50, 4, 0])]


@pytest.mark.parametrize(("place", "fault", "where"), PLACES)
def test_a_fault_jams_the_shoe_as_an_obstacle_in_that_place_does(
    bench: Bench, place: str, fault: str, where: list[int]
) -> None:
    blocked, faulty = Bench(), loaded(bench, faults=[Fault(fault)])
    blocked.put_new_deck("deck.red", "red", range(54))
    good = loaded(blocked)
    blocked.obstruct(f"shoe.{place}")
    for device, cards in ((good, blocked), (faulty, bench)):
        dispense(device)
        assert events(device) == [("faulted", {"fault": FaultCode.JAM})]
        assert [cards.count(f"shoe.{part}") for part in ("well", "inside", "exit")] == where


@pytest.mark.parametrize(("fault", "stack"), [("power_loss", 4), ("power_loss_forgetful", 1)])
def test_stacks_are_numbered_on_after_a_power_loss_and_anew_without_memory(
    bench: Bench, fault: str, stack: int
) -> None:
    device = loaded(bench, faults=[Fault(fault, event=4, seconds=1.0)])
    for _ in range(3):
        dispense(device)
    assert bench.count("shoe.exit") == 12
    dispense(device, now=5.0)
    assert events(device, 5.0)[-1] == ("dispensed", {"stack": stack, "size": 4})


@pytest.mark.parametrize("place", ["well", "inside", "exit"])
def test_an_obstructed_shoe_jams_until_the_obstacle_is_removed(bench: Bench, place: str) -> None:
    device = loaded(bench)
    bench.obstruct(f"shoe.{place}")
    for _ in range(2):
        dispense(device)
        assert device.status(0.0).fault is FaultCode.JAM
        device.handle(Request("reset"), 0.0)
    bench.unobstruct(f"shoe.{place}")
    assert dispense(device) is Error.OK
    assert events(device)[-1][0] == "dispensed"


def test_a_well_emptied_by_hand_in_mid_dispense_stops_the_shoe(bench: Bench) -> None:
    device = loaded(bench, speed=1.0)
    dispense(device)
    bench.move_all("shoe.well", "discard")
    assert device.status(1.0).fault is FaultCode.INCOMPLETE
