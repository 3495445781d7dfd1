"""Roulette: what a table chooses, and what it must announce."""

import pytest

from feltrig.engine.games.roulette.layout import Wheel
from feltrig.engine.games.roulette.options import Options
from feltrig.engine.games.roulette.settlement import ZeroOption
from feltrig.engine.rulings import Illegal

DOUBLE, SINGLE, AS_SINGLE = Wheel.DOUBLE_ZERO, Wheel.SINGLE_ZERO, Wheel.DOUBLE_ZERO_USED_AS_SINGLE


def test_a_single_zero_table_needs_no_choice() -> None:
    options = Options()
    assert (options.wheel, options.zero, options.notice) == (SINGLE, None, False)
    assert not options.seven_numbers
    assert not options.five_adjacent_numbers


@pytest.mark.clause("roulette", "19:47-5.2(b)", "19:47-5.2(d)1")
@pytest.mark.parametrize(
    ("wheel", "zero", "notice", "why", "rules"),
    [
        (
            DOUBLE,
            None,
            True,
            "a double zero wheel needs a choice of what zero takes, half or entire",
            ("19:47-5.2(b)",),
        ),
        (DOUBLE, ZeroOption.HALF, False, "no notice of what zero takes", ("19:47-5.2(b)",)),
        (
            SINGLE,
            ZeroOption.ENTIRE,
            True,
            "what zero takes is a choice on a double zero wheel only",
            ("19:47-5.2(c)", "19:47-5.2(d)3"),
        ),
        (
            AS_SINGLE,
            ZeroOption.HALF,
            True,
            "what zero takes is a choice on a double zero wheel only",
            ("19:47-5.2(c)", "19:47-5.2(d)3"),
        ),
        (AS_SINGLE, None, False, "no notice that the wheel is used as a single zero wheel", ("19:47-5.2(d)1",)),
    ],
)
def test_5_2_zero_is_chosen_and_announced(
    wheel: Wheel, zero: ZeroOption | None, notice: bool, why: str, rules: tuple[str, ...]
) -> None:
    with pytest.raises(Illegal) as refused:
        Options(wheel, zero, notice)
    assert refused.value.why == why
    assert refused.value.rules == rules


@pytest.mark.clause("roulette", "19:47-5.2(b)", "19:47-5.2(d)1")
def test_5_2_zero_chosen_and_announced_is_accepted() -> None:
    for zero in ZeroOption:
        assert Options(DOUBLE, zero, notice=True).zero is zero
    assert Options(AS_SINGLE, notice=True).zero is None
