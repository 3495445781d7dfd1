"""The checks of a dice shaker: each on a journal of a few records where it passes, and on one where it fails."""

import pytest
from check_steps import (
    Bad,
    call,
    dice,
    event,
    failures,
    passes,
    sightings,
)

from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.check import Sighting

GOOD = {
    "holds three dice": (dice(1, 6, 3),),
    "shows faces from 1 to 6": (dice(1, 6, 3),),
    "lets the dice lie flat": (dice(1, 6, 3),),
    "shakes as often as told, at least three times": (call("shake", times=3), event("shaken", times=4)),
    "keeps its lid on until told": (event("uncovered", commanded=True),),
    "says when its lid is off": (
        event("shaken", times=3),
        event("uncovered", commanded=True),
        dice(1, 6, 3),
        dice(1, 6, 3),
        event("covered"),
        event("uncovered", commanded=False),
        dice(1, 6, 3),
    ),
    "does not roll the same again and again": (dice(1, 2, 3), dice(1, 2, 3), dice(4, 2, 3)),
}
"""Steps after which the check has seen something, and all of it was good."""

BAD = (
    Bad("holds three dice", (dice(1, 6),) * 3, (1, 2, 3), "a die was not inside 3 times in 3"),
    Bad("holds three dice", (dice(1, 6, 3, 3),), (1,), "4 dice in the shaker"),
    Bad("shows faces from 1 to 6", (dice(1, 7, 0),), (1,), "a die shows [7, 0]"),
    Bad(
        "lets the dice lie flat", (dice(1, 6, 3, flat=(1, 0, 1)),) * 3, (1, 2, 3), "a die did not lie flat 3 times in 3"
    ),
    Bad("lets the dice lie flat", (dice(1, 6, 3, flat=(1, 1)),), (1,), "3 dice, and `flat` tells of 2"),
    Bad(
        "shakes as often as told, at least three times",
        (call("shake", times=3), event("shaken", times=2)),
        (1, 2),
        "shaken 2 times, told 3",
    ),
    Bad(
        "keeps its lid on until told",
        (event("uncovered", commanded=False),) * 3,
        (1, 2, 3),
        "the lid was lifted by hand 3 times in 3",
    ),
    Bad(
        "says when its lid is off",
        (event("shaken", times=3), event("uncovered", commanded=True), dice(1, 6, 3), event("covered"), dice(1, 6, 3)),
        (5,),
        "dice were read, but no event said that the lid was off",
    ),
    Bad(
        "does not roll the same again and again",
        (dice(6, 6, 6), *(dice(1, 2, 3),) * 4),
        (2, 3, 4, 5),
        "(1, 2, 3) 4 times in a row",
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
    assert set(GOOD) == {bad.check for bad in BAD} == {check.name for check in DEVICES["shaker"].checks}


def test_a_short_run_is_not_stuck_because_the_whole_run_is_long(log):
    """Three equal rolls of three dice are one in 46,656, but among a hundred rolls nothing strange."""
    rolls = [dice(1 + n % 6, 1 + n % 5, 1 + n % 4) for n in range(100)]
    (seen,) = sightings(log, "does not roll the same again and again", (*rolls, *(dice(6, 6, 6),) * 3))
    assert (seen.good, seen.evidence) == (True, (101, 102, 103))
