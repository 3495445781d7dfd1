import inspect

from feltrig.harness.devices.hands import Operator
from feltrig.harness.table.replayed_operator import ReplayedOperator

POSITIONS = {str | None: None, int: 3, str: "red", bool: True}
SEEN = {"button", "spin", "hole_card", "sensors", "meter"}
"""What an operator looks at, and answers."""


async def test_it_does_all_that_an_operator_does_without_hands() -> None:
    operator: Operator = ReplayedOperator()
    for name, method in inspect.getmembers(Operator, inspect.isfunction):
        if not name.startswith("_") and name not in SEEN:
            hints = [hint for key, hint in inspect.get_annotations(method).items() if key != "return"]
            assert await getattr(operator, name)(*(POSITIONS[hint] for hint in hints)) is None


async def test_the_button_lies_where_it_was_seen_and_after_the_recording_where_it_was_put() -> None:
    operator = ReplayedOperator(buttons=(4, 2))
    await operator.place_button(6)
    assert [await operator.button() for _ in range(3)] == [4, 2, 6]


async def test_the_wheel_rests_where_it_did() -> None:
    operator = ReplayedOperator(spins=[("17", 5)])
    assert [await operator.spin(("0", "17"), 4) for _ in range(2)] == [("17", 5), ("0", 4)]


async def test_instruments_show_what_they_should() -> None:
    assert await ReplayedOperator().hole_card(True) is True
    assert await ReplayedOperator().sensors("bonus", [2, 5]) == (2, 5)
    assert await ReplayedOperator().meter(12_300) == 12_300
