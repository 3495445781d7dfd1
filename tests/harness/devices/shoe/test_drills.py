"""The drills of a shoe: each on records of a good machine, and on some in which one thing is wrong."""

import pytest
from check_steps import call, event, read, reply
from drill_steps import AFTER, BEFORE, Wrong, fault, faulted, names, power_back

JAM = "reports a jam of its stacks, and works again"
SHORT = "reports a well that runs short, and works again"
SIZES = "deals every size of stack, and numbers them from 1 for each load"
STOPPED = "reports that the button stopped its stack, and works again"
CUT = "gives up its stack when its power is cut, and works again"

DECK = list(range(12))
STACK = "stack of the drill"


def asked(size):
    return call("dispense", size=size)


def stack(number, cards, said=None, face_up=()):
    return (
        asked(said or len(cards)),
        event("dispensed", stack=number, size=said or len(cards)),
        read(STACK, cards, face_up),
    )


whole, again = read(BEFORE, DECK), read(AFTER, DECK)
works = (again, *stack(1, DECK[:4]))
short_well = (
    read(BEFORE, DECK[:3]),
    asked(7),
    reply("dispense"),
    event("faulted", fault=3),
    read(STACK, DECK[:3]),
    call("reset"),
    event("cleared"),
    asked(7),
)

GOOD = {
    JAM: (whole, asked(4), *faulted(1), *works),
    SHORT: (*short_well, reply("dispense", "empty"), *works),
    SIZES: (whole, *stack(1, DECK[:2]), *stack(2, DECK[2:7]), *works),
    STOPPED: (whole, asked(4), *faulted(2), *works),
    CUT: (whole, asked(4), *power_back, call("unlock"), *works),
}

WRONG = (
    Wrong(JAM, (whole, asked(4), *works), "a card blocked its path, but no fault was reported"),
    Wrong(
        JAM,
        (whole, asked(4), *faulted(1), read(AFTER, DECK[1:]), *stack(1, DECK[1:5])),
        "DEV-79: 12 cards went in, 11 came out, or others than those",
    ),
    Wrong(
        SHORT,
        (read(BEFORE, DECK[:3]), asked(7), *works),
        "the well held too few cards for the stack, but no fault was reported",
    ),
    Wrong(
        SHORT,
        (*short_well, reply("dispense", "ok"), *works),
        "DEV-86: dispensing from an empty well was answered ok, expected empty",
    ),
    Wrong(
        SHORT,
        (*short_well[:4], read(STACK, DECK[:2]), *short_well[5:], reply("dispense", "empty"), *works),
        "DEV-87: 3 cards were in the well, and 2 of them came out",
    ),
    Wrong(SIZES, (whole, *stack(1, DECK[:2]), *stack(1, DECK[2:7])), "DEV-88: stack 1 was reported, expected 2"),
    Wrong(SIZES, (whole, *stack(1, DECK[:3], said=4)), "DEV-89: a stack of 3 came out, asked for 4"),
    Wrong(SIZES, (whole, *stack(1, DECK[1:5])), "DEV-90: a stack was not the next cards of the deck"),
    Wrong(SIZES, (whole, *stack(1, DECK[:4], face_up=[2])), "DEV-90: a card came out face up"),
    Wrong(
        STOPPED,
        (whole, asked(4), *faulted(1), *works),
        "DEV-50: its stop button was pressed: fault 1, expected 2 stopped",
    ),
    Wrong(STOPPED, (whole, asked(4), *faulted(2), again), "it did not work again afterwards"),
    Wrong(
        CUT,
        (whole, asked(4), *power_back, event("dispensed", stack=1, size=4)),
        "DEV-21: dispensed came after a start, of what was under way before it",
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
    assert set(GOOD) == {wrong.drill for wrong in WRONG} == names("shoe")
