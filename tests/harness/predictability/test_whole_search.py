"""All states of a generator against some draws."""

import pytest
from weak_machines import congruential

from feltrig.harness.predictability.generators import Congruence
from feltrig.harness.predictability.scalings import JAVA, SCALINGS
from feltrig.harness.predictability.whole_search import Draws, OutOfTime, whole_search

SMALL = Congruence("small", 1140671485, 12820163, 1 << 24, 8, 1 << 16)
BOUNDS = list(range(52, 32, -1))


def drawn(scaling, state):
    outputs = congruential(SMALL.a, SMALL.c, SMALL.m, state, 8, 0xFFFF)
    return Draws([scaling.draw(outputs, bound, SMALL.span) for bound in BOUNDS], BOUNDS)


@pytest.mark.parametrize("scaling", [s for s in SCALINGS if s is not JAVA], ids=lambda scaling: scaling.name)
def test_the_state_is_found_whatever_the_scaling(scaling):
    draws = drawn(scaling, 7654321)
    outputs = congruential(SMALL.a, SMALL.c, SMALL.m, 7654321)
    states = [next(outputs) for _ in range(6)]
    assert set(whole_search(SMALL.generator(), scaling, draws)) & set(states)


def test_other_draws_find_nothing():
    draws = drawn(SCALINGS[0], 7654321)
    assert list(whole_search(SMALL.generator(), SCALINGS[0], Draws(draws.values[::-1], BOUNDS))) == []


def test_a_search_ends_when_the_time_is_used_up():
    with pytest.raises(OutOfTime):
        list(whole_search(SMALL.generator(), SCALINGS[0], drawn(SCALINGS[0], 1), lambda: False))
