"""The drills of a shuffler, as a judge finds them in a journal."""

import pytest
from check_steps import call, counted, event, read
from drill_steps import AFTER, BEFORE, WHOLE, Wrong, fault, faulted, names, power_back
from found import found

from feltrig.harness.judge.finding import Verdict

COUNTS = {
    "reports a missing card": -1,
    "reports two missing cards": -2,
    "reports ten missing cards": -10,
    "reports an extra card": 1,
    "reports two extra cards": 2,
}
SWAPPED = "counts a wrong deck of the right number"
JAM = "reports a jam, and works again"
STOPPED = "reports that its button stopped it, and works again"
CUT = "gives up its shuffle when its power is cut, and works again"
EMPTIED = "reports that cards were taken away while it worked"


def cards(more):
    """A deck with so many cards too many or too few."""
    return list(range(WHOLE + more)) if more <= 0 else [*range(WHOLE), *range(more)]


def passed(more):
    return read(BEFORE, cards(more)), counted(WHOLE + more, more == 0), read(AFTER, cards(more))


WITH_A_DOUBLE = [0, *range(WHOLE - 1)]
shuffle, shuffled = call("shuffle", deck=1), event("shuffled", deck=1)
works = (read(AFTER, cards(0)), shuffle, shuffled)
came_out = read("cards that came out", cards(-5))

GOOD = {
    **{name: passed(more) for name, more in COUNTS.items()},
    SWAPPED: (read(BEFORE, WITH_A_DOUBLE), counted(WHOLE, True), read(AFTER, WITH_A_DOUBLE)),
    JAM: (read(BEFORE, cards(0)), shuffle, *faulted(1), *works),
    STOPPED: (read(BEFORE, cards(0)), shuffle, *faulted(2), *works),
    CUT: (read(BEFORE, cards(0)), shuffle, *power_back, *works),
    EMPTIED: (read(BEFORE, cards(0)), shuffle, counted(WHOLE - 5, False), came_out),
}

WRONG = (
    *(
        Wrong(name, (read(BEFORE, cards(more)), counted(54, True)), f"54 cards reported where there were {54 + more}")
        for name, more in COUNTS.items()
    ),
    Wrong(SWAPPED, (read(BEFORE, WITH_A_DOUBLE), counted(53, False)), "53 cards reported where there were 54"),
    Wrong(JAM, (shuffle, shuffled), "a card blocked its path, but no fault was reported (deck 1)"),
    Wrong(STOPPED, (shuffle, *faulted(2)), "it did not work again afterwards (deck 1)"),
    Wrong(STOPPED, (shuffle, shuffled), "its stop button was pressed, but no fault was reported (deck 1)"),
    Wrong(
        CUT,
        (shuffle, *power_back, shuffled),
        "DEV-21: shuffled came after a start, of what was under way before it (deck 1)",
    ),
    Wrong(EMPTIED, (shuffle, counted(49, True), came_out), "DEV-83: 49 cards were reported as a complete deck"),
    Wrong(EMPTIED, (shuffle, counted(54, True), came_out), "DEV-82: 54 cards reported where 49 came out"),
)


@pytest.mark.parametrize("name", GOOD)
def test_a_good_machine_passes(log, name):
    assert fault(log, name, GOOD[name]) is None


@pytest.mark.check(*(wrong.drill for wrong in WRONG))
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_is_wrong_in_a_drill_is_said(log, wrong):
    assert fault(log, wrong.drill, wrong.steps) == wrong.detail


def test_every_drill_passes_here_and_fails_here():
    assert set(GOOD) == {wrong.drill for wrong in WRONG} == names("shuffler")


@pytest.mark.check("reports a missing card")
@pytest.mark.parametrize(
    ("count", "correct", "verdict", "detail"),
    [
        (53, False, Verdict.PASS, "provoked once"),
        (53, True, Verdict.FAIL, "53 cards were reported as a complete deck"),
        (54, True, Verdict.FAIL, "54 cards reported where there were 53"),
    ],
)
def test_a_drill_is_judged_by_what_the_machine_reported(drill, count, correct, verdict, detail):
    seq = drill.event("mixer", "counted", deck=1, count=count, correct=correct)
    drill.add("drilled", name="reports a missing card", device="mixer")
    finding = found(drill, "reports a missing card")
    assert (finding.device, finding.verdict, finding.detail) == ("mixer", verdict, detail)
    assert finding.evidence == (3, seq, seq + 1)


@pytest.mark.check("reports a jam, and works again")
def test_a_machine_that_does_not_work_again_after_its_jam_fails_the_drill(drill):
    jam = "reports a jam, and works again"
    drill.add("drilled", name="reports a missing card", device="mixer")
    drill.add("drill", name=jam, device="mixer")
    drill.add("call", device="mixer", command="shuffle", values={"deck": 1})
    drill.event("mixer", "shuffled")
    drill.event("mixer", "faulted", fault=1)
    drill.add("drilled", name=jam, device="mixer")
    assert found(drill, jam).verdict is Verdict.FAIL
    assert found(drill, jam).detail == "it did not work again afterwards (deck 1)"


def loaded(drill, cards, after=None):
    drill.read("deck before the drill", cards)
    drill.event("mixer", "counted", deck=1, count=len(cards), correct=len(cards) == 54)
    drill.read("deck after the drill", cards if after is None else after)
    drill.add("drilled", name="reports a missing card", device="mixer")
    return found(drill, "reports a missing card")


def test_a_machine_that_loses_a_card_in_a_drill_fails_it(drill):
    lost = loaded(drill, list(range(53)), list(range(52)))
    assert (lost.verdict, lost.requirements) == (Verdict.FAIL, ("DEV-79",))


def test_a_deck_from_which_no_card_was_taken_shows_nothing(drill):
    whole = loaded(drill, list(range(54)))
    assert (whole.verdict, whole.detail) == (Verdict.NOT_TESTED, "54 cards were loaded, which is a whole deck")


def test_a_machine_that_stops_at_a_wrong_number_of_cards_has_reported_it(drill):
    drill.read("deck before the drill", list(range(53)))
    drill.event("mixer", "faulted", fault=4)
    drill.add("drilled", name="reports a missing card", device="mixer")
    assert found(drill, "reports a missing card").verdict is Verdict.PASS


@pytest.mark.parametrize(("required", "name"), [
    (True, "reports a missing card"),
    (True, "reports that its button stopped it, and works again"),
    (False, "reports that cards were taken away while it worked"),
])  # fmt: skip
def test_what_hands_cannot_do_is_not_tested_and_no_failure(drill, required, name):
    drill.add("drilled", name="reports a missing card", device="mixer")
    drill.add("drill", name=name, device="mixer")
    drill.add("impossible", device="mixer", what="stop_at_work", why="stop at work cannot be done with this shuffler")
    drill.add("drilled", name=name, device="mixer")
    finding = found(drill, name)
    assert (finding.verdict, finding.required) == (Verdict.NOT_TESTED, required)
    assert finding.detail == "stop at work cannot be done with this shuffler"
