"""The checks of a dealing shoe: each on a journal of a few records where it passes, and on one where it fails."""

import pytest
from check_steps import (
    AFTER,
    IN,
    OUT,
    Bad,
    call,
    event,
    failures,
    note,
    passes,
    read,
    tell,
)

from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.check import Sighting

GOOD = {
    "dispenses stacks of the size asked for": (call("dispense", size=4), read("stack", IN)),
    "reports the size it dispensed": (event("dispensed", size=4), read("stack", IN)),
    "dispenses only when told, after no more bets": (
        note("round", number=1),
        tell("NoMoreBets"),
        call("dispense", size=4),
        event("dispensed", size=4),
    ),
    "dispenses the deck from its top": (
        note("round", number=1),
        read(AFTER, [5, 6], deck="blue"),
        read(AFTER, OUT),
        tell("Shuffled", deck="red"),
        read("stack", OUT[:2]),
        read("stack", OUT[2:]),
    ),
    "dispenses no card face up": (read(AFTER, OUT, [3]), read("stack", OUT, [3])),
}
"""Steps after which the check has seen something, and all of it was good."""

BAD = (
    Bad(
        "dispenses stacks of the size asked for",
        (call("dispense", size=4), read("stack", IN[:3])),
        (1, 2),
        "a stack of 3 where 4 were asked for",
    ),
    Bad(
        "reports the size it dispensed",
        (event("dispensed", size=4), read("stack", [*IN, 5])),
        (1, 2),
        "reported 4 cards, dispensed 5",
    ),
    Bad(
        "dispenses only when told, after no more bets",
        (note("round", number=1), tell("NoMoreBets"), event("dispensed", size=4)),
        (3,),
        "a stack came out without a command",
    ),
    Bad(
        "dispenses only when told, after no more bets",
        (tell("NoMoreBets"), note("round", number=2), call("dispense", size=4), event("dispensed", size=4)),
        (4,),
        "a stack came out before the betting was closed",
    ),
    Bad(
        "dispenses the deck from its top",
        (note("round", number=1), tell("Shuffled", deck="red"), read(AFTER, OUT), read("stack", OUT[2:])),
        (4,),
        "a stack was not the next cards of the deck",
    ),
    Bad("dispenses no card face up", (read(AFTER, OUT), read("stack", IN, [1])), (2,), "3c came out face up"),
)


@pytest.mark.parametrize("check", GOOD)
def test_a_machine_that_keeps_to_it_passes(log, check):
    assert passes(log, check, GOOD[check])


@pytest.mark.check(*(bad.check for bad in BAD))
@pytest.mark.parametrize("bad", BAD, ids=lambda bad: f"{bad.check}: {bad.detail}")
def test_a_machine_that_does_not_is_found_with_the_words_and_the_evidence(log, bad):
    assert failures(log, bad) == [Sighting(False, bad.at, bad.detail)]


def test_every_check_passes_here_and_fails_here():
    assert set(GOOD) == {bad.check for bad in BAD} == {check.name for check in DEVICES["shoe"].checks}
