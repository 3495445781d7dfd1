"""The emulated dice shaker."""

from typing import Any

import pytest

from feltrig.emulators.models.device import Device
from feltrig.emulators.models.faults import Fault
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.shaker import ShakerMechanism, shaker
from feltrig.protocols.messages import Request
from feltrig.protocols.vocabulary import Error, FaultCode, State


def shake(device: Device[ShakerMechanism], times: int = 3) -> Error:
    return device.handle(Request("shake", {"times": times}), 0.0).error


def events(device: Device[ShakerMechanism], now: float = 0.0) -> list[tuple[str, Any]]:
    return [(event.name, dict(event.values)) for event in device.events(1, now, 5000).events]


def fixed(_: object) -> tuple[int, int, int]:
    return (6, 3, 1)


def roll(device: Device[ShakerMechanism]) -> Any:
    """Cover, shake, uncover at speed 0; the values of the last roll."""
    device.handle(Request("cover"), 0.0)
    assert shake(device) is Error.OK
    device.handle(Request("uncover"), 0.0)
    name, values = events(device)[-1]
    assert name == "rolled"
    return values


def test_shaking_takes_half_a_second_each_and_counts() -> None:
    device = shaker(Setup("shaker", 1, speed=1.0, mechanics=fixed))
    device.handle(Request("shake", {"times": 3}), 0.0)
    assert device.due() == 1.5
    assert device.status(1.4).state is State.BUSY
    assert events(device, 1.5) == [("shaken", {"times": 3})]
    device.handle(Request("uncover"), 2.0)
    assert events(device, 2.9) == [("shaken", {"times": 3})]
    assert events(device, 3.0)[1:] == [
        ("uncovered", {"commanded": True}),
        ("rolled", {"dice": (6, 3, 1), "flat": (1, 1, 1)}),
    ]
    assert device.status(3.0).state is State.READY


def test_shaking_needs_a_closed_lid_and_at_least_one_shake() -> None:
    device = shaker(Setup("shaker", 1))
    assert shake(device, 0) is Error.BAD_ARGUMENT
    device.handle(Request("uncover"), 0.0)
    assert shake(device) is Error.WRONG_STATE
    device.handle(Request("cover"), 0.0)
    assert device.status(0.0).state is State.IDLE
    assert shake(device) is Error.OK


def test_an_open_shaker_told_to_uncover_reads_the_same_dice_again() -> None:
    device = shaker(Setup("shaker", 1))
    first = roll(device)
    device.handle(Request("uncover"), 0.0)
    assert events(device)[-2:] == [("rolled", first), ("rolled", first)]


def test_a_closed_shaker_told_to_cover_says_that_it_is_covered() -> None:
    device = shaker(Setup("shaker", 1))
    assert device.handle(Request("cover"), 0.0).error is Error.OK
    assert events(device) == [("covered", {})]


def test_a_hand_that_lifts_the_lid_is_told_from_a_command() -> None:
    device = shaker(Setup("shaker", 1, mechanics=fixed))
    shake(device)
    device.mechanism.lift_lid(0.0)
    device.mechanism.lift_lid(0.0)
    assert events(device)[1:] == [
        ("uncovered", {"commanded": False}),
        ("rolled", {"dice": (6, 3, 1), "flat": (1, 1, 1)}),
    ]


def test_a_shake_interrupted_by_a_hand_does_not_count() -> None:
    device = shaker(Setup("shaker", 1, speed=1.0))
    device.handle(Request("shake", {"times": 3}), 0.0)
    device.mechanism.lift_lid(1.0)
    assert [name for name, _ in events(device, 9.0)] == ["uncovered", "rolled"]
    assert device.status(9.0).state is State.READY


def test_a_shake_that_ended_before_the_hand_came_counts() -> None:
    device = shaker(Setup("shaker", 1, speed=1.0))
    device.handle(Request("shake", {"times": 3}), 0.0)
    device.mechanism.lift_lid(2.0)
    assert [name for name, _ in events(device, 9.0)] == ["shaken", "uncovered", "rolled"]


def test_a_cocked_die_is_still_inside_but_not_flat() -> None:
    device = shaker(Setup("shaker", 1, mechanics=fixed, faults=[Fault("cocked_die", at=2)]))
    assert roll(device)["flat"] == (1, 1, 1)
    values = roll(device)
    assert values["dice"] == (6, 3, 1)
    assert sorted(values["flat"]) == [0, 1, 1]
    assert roll(device)["flat"] == (1, 1, 1)


@pytest.mark.parametrize(
    ("fault", "times", "inside"),
    [("die_out", 2, [2, 2, 3, 3]), ("die_missing", 1, [2] * 4), ("die_missing", 0, [2, 1, 0, 0])],
)
def test_a_die_that_fell_out_comes_back_and_one_that_is_gone_does_not(
    fault: str, times: int, inside: list[int]
) -> None:
    device = shaker(Setup("shaker", 1, mechanics=fixed, faults=[Fault(fault, times=times)]))
    rolls = [roll(device) for _ in range(4)]
    assert [len(values["dice"]) for values in rolls] == inside
    assert [len(values["flat"]) for values in rolls] == inside
    assert all(set(values["dice"]) <= {6, 3, 1} for values in rolls)


def test_dice_that_stick_lie_as_they_lay_before_the_shake() -> None:
    good, bad = shaker(Setup("shaker", 5)), shaker(Setup("shaker", 5, faults=[Fault("dice_stuck", at=2, times=2)]))
    rolls = [(roll(good)["dice"], roll(bad)["dice"]) for _ in range(4)]
    assert rolls[0][0] == rolls[0][1] == rolls[1][1] == rolls[2][1] != rolls[1][0]
    assert rolls[3][0] == rolls[3][1]


def test_a_dead_sensor_hides_the_lid_but_not_the_dice() -> None:
    device = shaker(Setup("shaker", 1, faults=[Fault("lid_sensor_dead")]))
    shake(device)
    device.handle(Request("uncover"), 0.0)
    assert [name for name, _ in events(device)] == ["shaken", "rolled"]
    assert not device.mechanism.covered


def test_a_lid_that_jams_stays_on() -> None:
    device = shaker(Setup("shaker", 1, faults=[Fault("lid_jam")]))
    shake(device)
    device.handle(Request("uncover"), 0.0)
    assert events(device)[-1] == ("faulted", {"fault": FaultCode.JAM})
    assert device.mechanism.covered
    device.handle(Request("reset"), 0.0)
    assert [len(roll(device)["dice"])] == [3]


def test_a_shaker_that_stops_counts_no_shake() -> None:
    device = shaker(Setup("shaker", 1, speed=1.0, faults=[Fault("stop")]))
    device.handle(Request("shake", {"times": 4}), 0.0)
    assert device.due() == 1.0
    assert events(device, 9.0) == [("faulted", {"fault": FaultCode.STOPPED})]


def test_a_lifted_lid_follows_the_shake_at_once() -> None:
    device = shaker(Setup("shaker", 1, faults=[Fault("lid_lifted")]))
    shake(device)
    assert [name for name, _ in events(device)] == ["shaken", "uncovered", "rolled"]
    assert events(device)[1][1] == {"commanded": False}
    assert shake(device) is Error.WRONG_STATE


@pytest.mark.parametrize(("fault", "reported"), [("few_shakes", 2), ("few_shakes_unreported", 3)])
def test_few_shakes_take_less_time_and_are_counted_as_the_fault_says(fault: str, reported: int) -> None:
    device = shaker(Setup("shaker", 1, speed=1.0, faults=[Fault(fault)]))
    device.handle(Request("shake", {"times": 3}), 0.0)
    assert device.due() == 1.0
    assert events(device, 1.0) == [("shaken", {"times": reported})]


def test_a_wrong_number_of_dice_goes_to_the_wire_as_it_is() -> None:
    device = shaker(Setup("shaker", 1, mechanics=lambda _: (1, 2, 3, 9)))  # type: ignore[arg-type, return-value]  # a defect
    assert roll(device) == {"dice": (1, 2, 3, 9), "flat": (1, 1, 1, 1)}


def test_the_same_seed_rolls_the_same_dice() -> None:
    first, again = shaker(Setup("shaker", 5)), shaker(Setup("shaker", 5))
    rolls = [roll(first) for _ in range(20)]
    assert [roll(again) for _ in range(20)] == rolls
    assert len({values["dice"] for values in rolls}) > 5
