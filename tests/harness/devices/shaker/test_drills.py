"""The drills of a shaker: each on records of a good machine, and on some in which one thing is wrong."""

import pytest
from check_steps import call, dice, event
from drill_steps import Wrong, fault, faulted, names, power_back

TILTED = "says which die does not lie flat, and reads the same dice again"
OUT = "does not count a die that is not inside"
LIFTED = "says that a hand lifted its lid"
LIFTED_AT_WORK = "ends a shake when a hand lifts its lid"
HELD = "reports a lid that does not move, and works again"
STOPPED = "reports that the button stopped its shake, and works again"
CUT = "gives up its shake when its power is cut, and works again"

three = dice(1, 2, 3)
two = dice(1, 2, flat=(1, 1))
tilted = dice(1, 2, 3, flat=(1, 0, 1))
by_hand, by_command = event("uncovered", commanded=False), event("uncovered", commanded=True)
shaken, covered = event("shaken", times=3), event("covered")
roll = (call("shake"), shaken, by_command, three)

GOOD = {
    TILTED: (three, three, tilted, three),
    OUT: (three, two, three),
    LIFTED: (shaken, by_hand, three, covered),
    LIFTED_AT_WORK: (shaken, by_hand, three, covered, by_hand, three, covered),
    HELD: (call("uncover"), *faulted(1), *roll),
    STOPPED: (call("shake"), *faulted(2), *roll),
    CUT: (call("shake"), *power_back, *roll),
}

WRONG = (
    Wrong(TILTED, (three, dice(1, 2, 4), tilted, three), "DEV-68: [1, 2, 3] was read again as [1, 2, 4]"),
    Wrong(TILTED, (three, three, three, three), "DEV-73: one die does not lie flat, and `flat` is [1, 1, 1]"),
    Wrong(TILTED, (three, three, tilted, tilted), "DEV-73: all dice lie flat, and `flat` is [1, 0, 1]"),
    Wrong(TILTED, (by_command, three, by_command, three), "DEV-68: `uncovered` came with the lid off already"),
    Wrong(OUT, (three, three, three), "DEV-72: one die of 3 is not inside, and 3 are in `rolled`"),
    Wrong(OUT, (three, two, two), "DEV-72: all 3 dice are inside, and 2 are in `rolled`"),
    Wrong(LIFTED, (shaken, three), "DEV-70: a hand lifted the lid, and no `uncovered` said so"),
    Wrong(LIFTED, (shaken, by_command, three), "DEV-70: a hand lifted the lid, and `commanded` is true"),
    Wrong(LIFTED, (shaken, by_hand, covered), "DEV-70: `rolled` did not follow"),
    Wrong(LIFTED_AT_WORK, (by_hand, three, shaken, covered), "DEV-71: the shake went on to `shaken`"),
    Wrong(HELD, roll, "its lid was held, but no fault was reported"),
    Wrong(HELD, (event("faulted", fault=1), by_command), "DEV-46: uncovered came after the fault"),
    Wrong(STOPPED, (*faulted(1), *roll), "DEV-50: its stop button was pressed: fault 1, expected 2 stopped"),
    Wrong(STOPPED, faulted(2), "it did not work again afterwards"),
    Wrong(CUT, (*power_back, shaken), "DEV-21: shaken came after a start, of what was under way before it"),
    Wrong(CUT, (*power_back[:2], *roll), "DEV-18: its power came back, but no event `started` said so"),
)  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_a_good_machine_passes(log, name):
    assert fault(log, name, GOOD[name]) is None


@pytest.mark.check(*(wrong.drill for wrong in WRONG))
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_is_wrong_in_a_drill_is_said(log, wrong):
    assert fault(log, wrong.drill, wrong.steps) == wrong.detail


def test_every_drill_passes_here_and_fails_here():
    assert set(GOOD) == {wrong.drill for wrong in WRONG} == names("shaker")
