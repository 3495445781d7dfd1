"""The checks of a card shuffler: each on a journal of a few records where it passes, and on one where it fails."""

import pytest
from check_steps import (
    AFTER,
    BEFORE,
    DECK,
    IN,
    OUT,
    Bad,
    call,
    counted,
    event,
    failures,
    note,
    passes,
    read,
    round_of,
    run,
    session,
    sightings,
    tell,
)

from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.check import Sighting

GOOD = {
    "completes its shuffle cycle": (event("shuffling"), event("shuffled"), event("shuffling"), event("shuffled")),
    "names the compartment that it was told to use": (
        call("shuffle", deck=2),
        event("shuffling", deck=2),
        event("shuffled", deck=2),
    ),
    "counts the cards after each shuffle": (event("shuffled"), counted(54, True), note("end", reason="finished")),
    "reports the count that came out": (counted(4, True), read(AFTER, OUT)),
    "indicates whether the deck is complete": (run, counted(54, True), counted(53, False)),
    "gives out the cards that went in": (read(BEFORE, IN), read(AFTER, OUT)),
    "changes the order of the deck": (read(BEFORE, IN), read(AFTER, OUT)),
    "lets no cards stay together": (read(BEFORE, DECK), read(AFTER, [*DECK[10:17], *DECK[:7], *DECK[7:10][::-1]])),
    "does not sort the deck": (read(BEFORE, IN), read(AFTER, OUT)),
    "never shuffles twice alike": (read(BEFORE, IN), read(AFTER, OUT), read(BEFORE, IN), read(AFTER, [3, 2, 1, 0])),
    "turns no card over": (read(BEFORE, IN, [2]), read(AFTER, OUT, [2])),
    "alternates two decks": (session("red", "blue"), *round_of("red", 1), *round_of("blue", 2)),
    "shuffles the deck that is not in play": (
        session("red", "blue"),
        note("round", number=1),
        tell("ShuffleStarted", deck="red"),
        tell("Shuffled", deck="red"),
        tell("ShoeLoaded", deck="red"),
        tell("ShuffleStarted", deck="blue"),
    ),
}
"""Steps after which the check has seen something, and all of it was good."""

BAD = (
    Bad(
        "names the compartment that it was told to use",
        (call("shuffle", deck=2), event("shuffling", deck=2), event("shuffled", deck=1)),
        (3,),
        "shuffled says compartment 1, told was 2",
    ),
    Bad(
        "completes its shuffle cycle",
        (event("shuffling"), event("shuffling"), event("shuffled")),
        (1,),
        "a shuffle began and was never completed",
    ),
    Bad("completes its shuffle cycle", (event("shuffled"),), (1,), "a shuffle ended that never began"),
    Bad(
        "completes its shuffle cycle",
        (event("shuffling"), event("faulted"), event("shuffling"), event("shuffled")),
        (2,),
        "the shuffler stopped with a fault",
    ),
    Bad(
        "counts the cards after each shuffle",
        (event("shuffled"), event("shuffled"), counted(54, True)),
        (1,),
        "no count after a shuffle",
    ),
    Bad(
        "counts the cards after each shuffle",
        (event("shuffled"), note("end", reason="finished")),
        (1,),
        "no count after a shuffle",
    ),
    Bad(
        "counts the cards after each shuffle",
        (event("shuffled"), counted(54, True), counted(54, True)),
        (3,),
        "a count without a shuffle",
    ),
    Bad(
        "reports the count that came out",
        (counted(5, True), read(AFTER, OUT)),
        (1, 2),
        "reported 5 cards, 4 came out",
    ),
    Bad("indicates whether the deck is complete", (run, counted(53, True)), (2,), "called 53 cards correct"),
    Bad("indicates whether the deck is complete", (run, counted(54, False)), (2,), "called 54 cards incorrect"),
    Bad(
        "gives out the cards that went in",
        (read(BEFORE, IN), read(AFTER, [3, 2, 1])),
        (1, 2),
        "4 cards in, 3 out, but not the same deck: 2c missing",
    ),
    Bad(
        "gives out the cards that went in",
        (read(BEFORE, IN), read(AFTER, [*OUT, 2])),
        (1, 2),
        "4 cards in, 5 out, but not the same deck: 4c twice",
    ),
    Bad(
        "gives out the cards that went in",
        (read(BEFORE, [0, 1, 1, 2]), read(AFTER, [0, 1, 1, 1, 9, 9])),
        (1, 2),
        "4 cards in, 6 out, but not the same deck: 4c missing, 3c 3 times instead of 2, Jc was not loaded",
    ),
    Bad(
        "changes the order of the deck",
        (read(BEFORE, IN), read(AFTER, IN)),
        (1, 2),
        "the deck came out in the order in which it went in",
    ),
    Bad(
        "lets no cards stay together",
        (read(BEFORE, DECK), read(AFTER, [*DECK[9:17], *DECK[:9][::-1]])),
        (1, 2),
        "8 cards came out together as they went in",
    ),
    Bad(
        "does not sort the deck",
        (read(BEFORE, OUT), read(AFTER, IN), read(BEFORE, IN), read(AFTER, OUT)),
        (2,),
        "the deck came out in new-deck order",
    ),
    Bad(
        "does not sort the deck",
        (read(BEFORE, OUT), read(AFTER, IN[::-1])),
        (2,),
        "the deck came out in new-deck order",
    ),
    Bad(
        "never shuffles twice alike",
        (read(BEFORE, IN), read(AFTER, OUT), read(BEFORE, [9, 8, 7, 6]), read(AFTER, [7, 9, 6, 8])),
        (2, 4),
        "two shuffles moved the cards in the same way",
    ),
    Bad("turns no card over", (read(BEFORE, IN), read(AFTER, OUT, [3])), (1, 2), "5c came out face up"),
    Bad(
        "alternates two decks",
        (session("red", "blue"), *round_of("red", 1), *round_of("red", 2)),
        (5,),
        "the red deck was used twice in a row",
    ),
    Bad(
        "shuffles the deck that is not in play",
        (
            session("red", "blue"),
            note("round", number=1),
            tell("Shuffled", deck="red"),
            tell("ShoeLoaded", deck="red"),
            tell("ShuffleStarted", deck="red"),
        ),
        (5,),
        "the red deck was shuffled while it was in play",
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
    assert set(GOOD) == {bad.check for bad in BAD} == {check.name for check in DEVICES["shuffler"].checks}


def test_a_count_without_its_shuffle_being_read_is_not_compared(log):
    assert sightings(log, "reports the count that came out", (counted(5, True), read("stack", IN))) == []
