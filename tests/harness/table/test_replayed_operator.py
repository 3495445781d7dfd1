import inspect

import pytest

from feltrig.harness.devices.failures import CannotBeDone
from feltrig.harness.devices.hands import Operator
from feltrig.harness.table.replayed_operator import ReplayedOperator

POSITIONS = {str | None: None, int: 3, str: "red", bool: True}


class NoPower:
    """The power of devices that are not there: what was done with it."""

    def __init__(self) -> None:
        self.done: list[tuple[str, str]] = []

    def power_off(self, kind: str) -> None:
        self.done.append(("off", kind))

    def cut_power_at_work(self, kind: str) -> None:
        self.done.append(("cut", kind))

    def power_on(self, kind: str) -> None:
        self.done.append(("on", kind))


SEEN = {"begin", "button", "spin", "hole_card", "sensors", "meter", "read_off", "go_on"}
SEEN |= {"reaction", "has_stop_button", "pressed_in_time"}
"""What an operator is told, or looks at and answers."""


async def test_it_does_all_that_an_operator_does_without_hands() -> None:
    operator: Operator = ReplayedOperator(NoPower())
    for name, method in inspect.getmembers(Operator, inspect.isfunction):
        if not name.startswith("_") and name not in SEEN:
            hints = [hint for key, hint in inspect.get_annotations(method).items() if key != "return"]
            assert await getattr(operator, name)(*(POSITIONS[hint] for hint in hints)) is None


async def test_a_replayed_device_is_switched_off_and_on() -> None:
    power = NoPower()
    operator = ReplayedOperator(power)
    await operator.power_off("rng")
    await operator.power_on("rng")
    await operator.cut_power_at_work("shoe")
    await operator.power_on("shoe")
    assert power.done == [("off", "rng"), ("on", "rng"), ("cut", "shoe"), ("on", "shoe")]


async def test_the_button_lies_where_it_was_seen_and_after_the_recording_where_it_was_put() -> None:
    operator = ReplayedOperator(NoPower(), buttons=(4, 2))
    await operator.place_button(6)
    assert [await operator.button() for _ in range(3)] == [4, 2, 6]


async def test_the_wheel_rests_where_it_did() -> None:
    operator = ReplayedOperator(NoPower(), spins=[("17", 5)])
    assert [await operator.spin(("0", "17"), 4) for _ in range(2)] == [("17", 5), ("0", 4)]


async def test_samples_go_on_as_far_as_the_recording_does() -> None:
    operator = ReplayedOperator(NoPower())
    operator.begin("samples 1 to 2", 3)
    assert await operator.go_on("53 cards came out.") is True


async def test_instruments_show_what_they_should() -> None:
    assert await ReplayedOperator(NoPower()).hole_card(True) is True
    assert await ReplayedOperator(NoPower()).sensors("bonus", [2, 5]) == (2, 5)
    assert await ReplayedOperator(NoPower()).meter(12_300) == 12_300


async def test_nobody_can_look_at_a_machine_that_is_not_there() -> None:
    with pytest.raises(CannotBeDone, match="the run is replayed"):
        await ReplayedOperator(NoPower()).read_off("rng", "display")


async def test_what_hands_could_not_do_cannot_be_done_again() -> None:
    refused = {("rng", "stop_at_work"), ("shoe", "cut_power_at_work")}
    operator: Operator = ReplayedOperator(NoPower(), refused=refused)
    assert [await operator.has_stop_button(kind) for kind in ("rng", "shoe")] == [False, True]
    with pytest.raises(CannotBeDone):
        await operator.cut_power_at_work("shoe")
    await operator.cut_power_at_work("rng")
    assert operator.reaction("rng") == 0
    assert await operator.pressed_in_time("shoe")
