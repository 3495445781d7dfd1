"""The drills of a number generator: each on records of a good machine, and on some in which one thing is wrong."""

import pytest
from check_steps import call, reply, selected
from drill_steps import Wrong, fault, faulted, names, power_back

KEEPS = "keeps its number on the display until the next"
STOPPED = "reports that the button stopped its selection, and works again"
CUT = "gives up its selection when its power is cut, and works again"

select = (reply("select"), selected(3), reply("display", number=3))

GOOD = {
    KEEPS: (*select, reply("display", number=3)),
    STOPPED: (call("select"), *faulted(2), *select),
    CUT: (call("select"), *power_back, reply("display", number=0), call("select"), *select),
}

WRONG = (
    Wrong(KEEPS, (*select, reply("display", number=4)), "DEV-56: 4 is displayed, expected 3"),
    Wrong(KEEPS, (*select, selected(5)), "DEV-31: a second number was selected without a trigger"),
    Wrong(STOPPED, select, "its stop button was pressed, but no fault was reported"),
    Wrong(STOPPED, (*faulted(1), *select), "DEV-50: its stop button was pressed: fault 1, expected 2 stopped"),
    Wrong(STOPPED, faulted(2), "it did not work again afterwards"),
    Wrong(
        CUT,
        (call("select"), *power_back, selected(3)),
        "DEV-21: selected came after a start, of what was under way before it",
    ),
    Wrong(
        CUT, (*power_back, reply("display", number=3), call("select"), *select), "DEV-58: 3 is displayed, expected 0"
    ),
)


@pytest.mark.parametrize("name", GOOD)
def test_a_good_machine_passes(log, name):
    assert fault(log, name, GOOD[name]) is None


@pytest.mark.check(*(wrong.drill for wrong in WRONG))
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_is_wrong_in_a_drill_is_said(log, wrong):
    assert fault(log, wrong.drill, wrong.steps) == wrong.detail


def test_every_drill_passes_here_and_fails_here():
    assert set(GOOD) == {wrong.drill for wrong in WRONG} == names("rng")
