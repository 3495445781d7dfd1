"""The emulated random number generator."""

import pytest

from feltrig.emulators.models.device import Device
from feltrig.emulators.models.faults import Fault
from feltrig.emulators.models.rng import RngMechanism, rng
from feltrig.emulators.models.setup import Setup
from feltrig.protocols.messages import Request
from feltrig.protocols.vocabulary import Error, FaultCode, State


def select(device: Device[RngMechanism]) -> tuple[int, int]:
    """One selection at speed 0: the number reported and the number displayed."""
    assert device.handle(Request("select"), 0.0).error is Error.OK
    reported = device.events(0, 0.0, 5000).events[-1].values["number"]
    displayed = device.handle(Request("display"), 0.0).values["number"]
    assert isinstance(reported, int)
    assert isinstance(displayed, int)
    return reported, displayed


def test_a_selection_takes_its_time_and_is_displayed() -> None:
    device = rng(Setup("rng", 1, speed=1.0, mechanics=lambda _: 5))
    device.handle(Request("select"), 0.0)
    assert device.handle(Request("display"), 10.0).values == {"number": 5}
    device.handle(Request("select"), 10.0)
    assert device.status(11.9).state is State.BUSY
    assert device.handle(Request("display"), 11.9).values == {"number": 0}
    assert device.handle(Request("select"), 11.9).error is Error.WRONG_STATE
    assert device.status(12.0).state is State.READY
    assert device.handle(Request("display"), 12.0).values == {"number": 5}
    assert [(event.name, event.values) for event in device.events(2, 12.0, 9).events] == [("selected", {"number": 5})]


def test_at_speed_0_the_number_is_there_with_the_reply() -> None:
    reported, displayed = select(rng(Setup("rng", 1)))
    assert reported == displayed
    assert reported in range(1, 8)


def test_blanking_clears_the_display() -> None:
    device = rng(Setup("rng", 1))
    select(device)
    device.handle(Request("blank"), 0.0)
    assert device.handle(Request("display"), 0.0).values == {"number": 0}
    assert device.status(0.0).state is State.IDLE


def test_the_same_seed_gives_the_same_numbers_and_another_does_not() -> None:
    first, again, other = rng(Setup("rng", 1)), rng(Setup("rng", 1)), rng(Setup("rng", 2))
    numbers = [select(first) for _ in range(40)]
    assert [select(again) for _ in range(40)] == numbers
    assert [select(other) for _ in range(40)] != numbers


def test_a_users_number_goes_to_the_wire_as_it_is() -> None:
    assert select(rng(Setup("rng", 1, mechanics=lambda _: 9))) == (9, 9)


def test_out_of_range_strikes_only_the_selection_named() -> None:
    good, bad = rng(Setup("rng", 1)), rng(Setup("rng", 1, faults=[Fault("out_of_range", at=3)]))
    pairs = [(select(good), select(bad)) for _ in range(6)]
    assert pairs[2][1][0] in (0, 8)
    assert pairs[2][1][0] == pairs[2][1][1]
    assert all(a == b for n, (a, b) in enumerate(pairs) if n != 2)


def test_stuck_for_ever_repeats_the_number_before() -> None:
    device = rng(Setup("rng", 1, faults=[Fault("stuck", at=4, times=0)]))
    numbers = [select(device)[0] for _ in range(30)]
    assert set(numbers[2:]) == {numbers[2]}
    assert len(set(numbers[:3])) > 1


def test_a_stale_display_shows_what_it_showed_before_and_is_stuck_while_that_lasts() -> None:
    good, bad = rng(Setup("rng", 1)), rng(Setup("rng", 1, faults=[Fault("display_stale", at=3, times=3)]))
    pairs = [(select(good), select(bad)) for _ in range(7)]
    assert [reported for _, (reported, _) in pairs] == [reported for (reported, _), _ in pairs]
    shown = [displayed for _, (_, displayed) in pairs]
    assert shown[2:5] == [shown[1]] * 3
    assert shown[5:] == [reported for _, (reported, _) in pairs[5:]]
    assert len({reported for _, (reported, _) in pairs[1:5]}) > 1


def test_a_stale_display_is_not_blank_while_the_next_number_is_selected() -> None:
    device = rng(Setup("rng", 1, speed=1.0, mechanics=lambda _: 5, faults=[Fault("display_stale", at=2)]))
    device.handle(Request("select"), 0.0)
    device.handle(Request("select"), 10.0)
    assert device.handle(Request("display"), 11.0).values == {"number": 5}


def test_a_second_selection_comes_by_itself_and_is_displayed() -> None:
    numbers = iter((3, 6, 4))
    device = rng(Setup("rng", 1, mechanics=lambda _: next(numbers), faults=[Fault("selects_twice")]))
    assert select(device) == (6, 6)
    assert [event.values["number"] for event in device.events(1, 0.0, 9).events] == [3, 6]
    assert select(device) == (4, 4)


def test_a_generator_that_stops_selects_and_displays_nothing() -> None:
    device = rng(Setup("rng", 1, faults=[Fault("stop")]))
    assert device.handle(Request("select"), 0.0).error is Error.OK
    assert [(event.name, event.values) for event in device.events(1, 0.0, 9).events] == [
        ("faulted", {"fault": FaultCode.STOPPED})
    ]
    assert device.handle(Request("display"), 0.0).error is Error.WRONG_STATE
    device.handle(Request("reset"), 0.0)
    assert device.handle(Request("display"), 0.0).values == {"number": 0}


@pytest.mark.parametrize("seed", range(8))
def test_a_display_that_differs_shows_another_number_in_range(seed: int) -> None:
    reported, displayed = select(rng(Setup("rng", seed, faults=[Fault("display_differs")])))
    assert reported != displayed
    assert displayed in range(1, 8)
