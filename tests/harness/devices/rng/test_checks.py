"""The checks of a number generator: each on a journal of a few records where it passes, and on one where it fails."""

import pytest
from check_steps import (
    Bad,
    call,
    failures,
    passes,
    reply,
    selected,
    sightings,
)

from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.check import Sighting

GOOD = {
    "selects a number from 1 to 7": (selected(1), selected(7)),
    "displays the number selected": (
        selected(5),
        reply("display", device="other", number=1),
        reply("display", number=5),
    ),
    "selects once for each trigger": (call("select"), selected(3), call("select"), selected(3)),
    "does not select the same again and again": tuple(selected(n) for n in (3, 3, 3, 3, 3, 3, 4)),
}
"""Steps after which the check has seen something, and all of it was good."""

BAD = (
    Bad("selects a number from 1 to 7", (selected(8),), (1,), "selected 8"),
    Bad("selects a number from 1 to 7", (selected(0),), (1,), "selected 0"),
    Bad(
        "displays the number selected",
        (selected(5), reply("display", number=6)),
        (1, 2),
        "selected 5, displays 6",
    ),
    Bad(
        "selects once for each trigger",
        (call("select"), selected(3), selected(4)),
        (3,),
        "a number was selected without a trigger",
    ),
    Bad(
        "does not select the same again and again",
        (selected(1), *(selected(4),) * 10),
        tuple(range(2, 12)),
        "4 10 times in a row",
    ),
)


@pytest.mark.parametrize("check", GOOD)
def test_a_machine_that_keeps_to_it_passes(log, check):
    assert passes(log, check, GOOD[check])


@pytest.mark.check(*(bad.check for bad in BAD))
@pytest.mark.parametrize("bad", BAD, ids=lambda bad: f"{bad.check}: {bad.detail}")
def test_a_machine_that_does_not_is_found_with_the_words_and_the_evidence(log, bad):
    assert failures(log, bad) == [Sighting(False, bad.at, bad.detail)]


def test_every_check_passes_here_and_fails_here():
    assert set(GOOD) == {bad.check for bad in BAD} == {check.name for check in DEVICES["rng"].checks}


@pytest.mark.parametrize(("times", "good"), [(1, True), (9, True), (10, False)])
def test_equal_numbers_are_called_stuck_when_chance_brings_them_less_than_once_in_a_million(log, times, good):
    """Nine in nine come once in 640,533 such runs, ten in ten once in 4,035,361."""
    (seen,) = sightings(log, "does not select the same again and again", (selected(4),) * times)
    assert seen.good is good
