"""The order and the names of the searches."""

import random

from feltrig.harness.predictability.generators import CONGRUENCES, LONG_CONGRUENCES, XORSHIFTS
from feltrig.harness.predictability.linear import LINEAR
from feltrig.harness.predictability.scalings import SCALINGS
from feltrig.harness.predictability.seeded import SEEDED
from feltrig.harness.predictability.targets import deck_targets
from feltrig.harness.predictability.trials import trials

TARGETS = list(deck_targets([tuple(random.Random(seed).sample(range(52), 52)) for seed in range(3)]))


def test_every_row_of_every_table_is_tried_against_every_program():
    tried = {(trial.family, trial.target.program) for trial in trials(TARGETS)}
    tables = (*CONGRUENCES, *LONG_CONGRUENCES, *XORSHIFTS, *LINEAR, *SEEDED)
    assert tried == {(row.name, target.program) for row in tables for target in TARGETS}
    assert {trial.scaling for trial in trials(TARGETS)} == {scaling.name for scaling in SCALINGS}


def test_no_search_is_made_twice():
    every = [(t.family, t.searched, t.scaling, t.target.program) for t in trials(TARGETS)]
    assert len(set(every)) == len(every)


def test_the_likely_ones_come_first():
    places = [(t.family, t.scaling, t.target.program, t.searched) for t in trials(TARGETS)]
    likely = places.index(("MSVC rand", "modulo", "Fisher-Yates down", "all states"))
    assert likely < len(places) / 20
    assert likely < places.index(("ZX81", "modulo", "insertion, inverse from the bottom", "all states"))


def test_seeds_by_the_clock_are_tried_if_a_time_is_given():
    day = range(1_700_000_000, 1_700_086_400)
    words = "seeds by the clock, 1700000000 to 1700086399"
    assert words not in {trial.searched for trial in trials(TARGETS)}
    assert {t.family for t in trials(TARGETS, [day]) if t.searched == words} == {row.name for row in SEEDED}
