"""Every scaling draws, and knows which outputs give a draw."""

import numpy as np
import pytest

from feltrig.harness.predictability.scalings import SCALINGS

SPAN = 1 << 10


@pytest.mark.parametrize("bound", [2, 6, 7, 8, 52])
@pytest.mark.parametrize("scaling", SCALINGS, ids=lambda scaling: scaling.name)
def test_a_draw_is_below_its_bound_and_known_from_its_output(scaling, bound):
    outputs = np.arange(SPAN, dtype=np.uint32)
    drawn = np.array([_first(scaling, output, bound) for output in range(SPAN)])
    for draw in range(bound):
        seen = scaling.see(outputs, draw, bound, SPAN)
        assert np.array_equal(seen.match, drawn == draw)
        giving = scaling.giving(draw, bound, SPAN)
        numbers = giving.first + giving.step * np.arange(giving.many)
        if scaling.rejects and giving.step == 1:
            assert set(numbers) <= set(np.flatnonzero(seen.match))
        else:
            assert np.array_equal(numbers, np.flatnonzero(seen.match))
        if seen.again is not None:
            assert np.array_equal(seen.again, drawn == -1)
    assert set(drawn) - {-1} == set(range(bound))


@pytest.mark.parametrize("bound", [2, 6, 8, 52])
@pytest.mark.parametrize("scaling", SCALINGS, ids=lambda scaling: scaling.name)
def test_the_bits_that_a_draw_tells_are_those_of_every_output_that_gives_it(scaling, bound):
    for output in range(SPAN):
        draw = _first(scaling, output, bound)
        for place, bit in scaling.bits(draw, bound, SPAN) if draw >= 0 else ():
            assert output >> (9 - place if place >= 0 else -1 - place) & 1 == bit


def _first(scaling, output, bound):
    """What an output gives, -1 if the next one is drawn."""
    try:
        return scaling.draw(iter([output]), bound, SPAN)
    except (StopIteration, RuntimeError):
        return -1
