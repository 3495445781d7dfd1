"""Patterns in a journal that the checks of several kinds look for."""

import pytest

from feltrig.harness.devices.patterns import deck_in_play, no_long_run, pairs, seldom


@pytest.mark.parametrize(("equal", "good"), [(9, True), (10, False)])
def test_a_run_of_equal_outcomes_is_stuck_when_chance_brings_it_less_than_once_in_a_million(log, equal, good):
    for _ in range(equal):
        log.event("rng", "selected", number=4)
    (seen,) = no_long_run(log.records, [4] * equal, 7)
    assert (seen.good, len(seen.evidence)) == (good, equal)
    assert list(no_long_run([], [], 7)) == []


def test_an_event_goes_with_the_next_look_at_the_same_thing(log):
    log.event("box", "dispensed", size=4)
    later = log.event("box", "dispensed", size=5)
    read = log.read("stack", [0, 1])
    log.read("stack", [2])
    found = [(event.seq, seen.seq) for event, seen in pairs(log.evidence, "box", "dispensed", "stack")]
    assert found == [(later, read)]


def test_the_deck_in_play_is_the_one_that_was_shuffled(log):
    assert deck_in_play([]) is None
    log.tell("Shuffled", deck="blue")
    assert deck_in_play(log.records) == "blue"


@pytest.mark.parametrize(
    ("rolls", "bad", "good"),
    [(1, 1, True), (60, 1, True), (60, 5, True), (60, 8, False), (8192, 200, True), (8192, 230, False)],
)
def test_a_no_roll_now_and_then_is_no_failure_and_many_are(log, rolls, bad, good):
    for _ in range(rolls):
        log.event("cup", "rolled")
    (seen,) = seldom(log.records, log.records[:bad], "a die did not lie flat")
    assert seen.good is good
    assert list(seldom([], [], "")) == []
