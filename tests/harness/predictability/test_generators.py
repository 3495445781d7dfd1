"""The generators give what their libraries document."""

from itertools import islice

import numpy as np
import pytest

from feltrig.harness.predictability.generators import CONGRUENCES, LONG_CONGRUENCES, XORSHIFTS

ROWS = {row.name: row for row in (*CONGRUENCES, *LONG_CONGRUENCES)}


@pytest.mark.parametrize(
    ("name", "state", "outputs"),
    [
        ("MSVC rand", 1, [41, 18467, 6334]),
        ("ANSI C and Watcom rand", 1, [16838, 5758, 10113]),
        ("java.util.Random and drand48", 42 ^ 0x5DEECE66D, [1562431130, 117392763]),
    ],
)
def test_a_library_begins_as_it_is_known_to(name, state, outputs):
    assert list(islice(ROWS[name].generator().outputs(state), len(outputs))) == outputs


@pytest.mark.parametrize(("name", "number"), [("MINSTD 16807", 1043618065), ("MINSTD 48271", 399268537)])
def test_the_ten_thousandth_number_of_minstd_is_that_of_the_standard(name, number):
    assert next(islice(ROWS[name].generator().outputs(1), 9999, None)) == number


def test_xorshift_begins_as_in_its_paper():
    assert next(XORSHIFTS[0].outputs(2463534242)) == 723471715


@pytest.mark.parametrize("row", [*CONGRUENCES, *LONG_CONGRUENCES], ids=lambda row: row.name)
def test_many_states_step_as_one_does(row):
    generator = row.generator()
    states = np.array([1, 77, 123456, generator.states - 2], dtype=generator.kind)
    shown = generator.output(generator.step(states))
    assert [int(output) for output in shown] == [next(generator.outputs(int(state))) for state in states]


def test_no_congruence_is_listed_twice():
    assert len({(row.a, row.c, row.m, row.shift, row.span) for row in ROWS.values()}) == len(ROWS)
