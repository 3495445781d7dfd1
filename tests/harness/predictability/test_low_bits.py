"""java.util.Random from one deck: the low bits first."""

import pytest
from weak_machines import down, inside_out, java, modulo, next_int

from feltrig.harness.predictability.generators import LONG_CONGRUENCES
from feltrig.harness.predictability.low_bits import states_by_low_bits
from feltrig.harness.predictability.scalings import JAVA, MODULO
from feltrig.harness.predictability.targets import deck_targets
from feltrig.harness.predictability.whole_search import Draws, OutOfTime

ROW = LONG_CONGRUENCES[0]
STATE = 0x9A7B55AA1234


def state_after(count):
    state = STATE
    for _ in range(count):
        state = (state * ROW.a + ROW.c) % ROW.m
    return state


@pytest.mark.parametrize(
    ("deal", "below", "scaling", "name"),
    [(down, next_int, JAVA, "Fisher-Yates down"), (inside_out, modulo, MODULO, "inside out")],
)
def test_the_state_of_48_bits_is_found_from_one_deck(deal, below, scaling, name):
    target = next(t for t in deck_targets([deal(below(java(STATE)))]) if t.program == name)
    found = next(states_by_low_bits(ROW, scaling, target.units[0], target.start))
    assert found == state_after(target.start + 1)


def test_bounds_that_are_odd_tell_no_low_bits():
    assert list(states_by_low_bits(ROW, MODULO, Draws([1] * 40, [7] * 40), 0)) == []


def test_it_ends_when_the_time_is_used_up():
    target = next(deck_targets([down(next_int(java(STATE)))]))
    with pytest.raises(OutOfTime):
        next(states_by_low_bits(ROW, JAVA, target.units[0], 0, lambda: False))
