"""Patterns in a journal that the checks of several kinds look for."""

import pytest

from feltrig.harness.devices.patterns import deck_in_play, no_long_run, pairs, works_again


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
    ("events", "fault"),
    [
        (("shuffled",), "a card blocked its path, but no fault was reported"),
        (("shuffled", "faulted"), "it did not work again after the jam was cleared"),
        (("faulted", "shuffled"), None),
    ],
)
def test_a_machine_that_was_jammed_reports_it_and_works_again(log, events, fault):
    for name in events:
        log.event("mixer", name)
    assert works_again("shuffled")(log.records, 54) == fault
