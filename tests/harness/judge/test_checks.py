"""Every check on a journal of a few records where it passes, and on one where it fails. A step is one record, so the
evidence that a failure must name is the places of its steps, 1 first."""

from dataclasses import dataclass

import pytest

from feltrig.engine.games import GAMES
from feltrig.engine.games.supreme_pai_gow.game import ROLES
from feltrig.harness.judge.check import Sighting
from feltrig.harness.judge.checks import all_checks
from feltrig.protocols.kinds import KINDS

M = "machine"
IN, OUT = [0, 1, 2, 3], [2, 0, 3, 1]
DECK = list(range(40, 23, -1))
BEFORE, AFTER = "deck before the shuffle", "deck after the shuffle"


def event(name, device=M, **values):
    return lambda log: log.event(device, name, **values)


def call(command, device=M, **values):
    return lambda log: log.call(device, command, **values)


def reply(command, error="ok", device=M, **values):
    return lambda log: log.reply(device, command, error, **values)


def read(what, cards, face_up=(), deck="red"):
    return lambda log: log.read(what, cards, face_up, deck)


def tell(name, **data):
    return lambda log: log.tell(name, **data)


def note(kind, **data):
    return lambda log: log.add(kind, **data)


def device(submitted, **identity):
    return lambda log: log.device(M, "shoe", submitted, **identity)


def challenged(proof, expected, error="ok"):
    return note("challenge", device=M, image="00", nonce="01", error=error, proof=proof, expected=expected)


def run(log):
    return log.run()


def counted(count, correct):
    return event("counted", deck=1, count=count, correct=correct)


def dice(*faces, flat=(1, 1, 1)):
    return event("rolled", dice=list(faces), flat=list(flat))


def selected(number, device=M):
    return event("selected", device, number=number)


def session(*decks):
    return note("session", decks=list(decks))


def trouble(what, device=M):
    return note("trouble", device=device, what=what, detail="said why")


def round_of(deck, number=1):
    return (note("round", number=number, wagers={}), tell("Shuffled", deck=deck), note("result", result={}))


GOOD = {
    "is the device that was submitted": (device({"serial": "7", "firmware": "1.0"}),),
    "proves its firmware with a salted challenge": (challenged("aa", "aa"),),
    "numbers its events without a gap": (event("started"), note("gap", device="other", seen=1, next=3)),
    "stays on": (event("covered"), event("started", "other")),
    "does what it is told": (reply("dispense"), reply("dispense", "empty", "other"), trouble("no answer")),
    "completes its shuffle cycle": (event("shuffling"), event("shuffled"), event("shuffling"), event("shuffled")),
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


@dataclass(frozen=True)
class Bad:
    """Steps of which exactly one thing is wrong: where it shows, and in which words."""

    check: str
    steps: tuple
    at: tuple[int, ...]
    detail: str


BAD = (
    Bad("is the device that was submitted", (device({}, kind="rng"),), (1,), "kind is 'rng', submitted 'shoe'"),
    Bad(
        "is the device that was submitted",
        (device({"serial": "8", "model": "N"}),),
        (1,),
        "serial is '7', submitted '8'; model is 'M', submitted 'N'",
    ),
    Bad(
        "proves its firmware with a salted challenge",
        (challenged("aa", "aa"), challenged("bb", "aa")),
        (2,),
        "the proof bb is not that of the image submitted",
    ),
    Bad(
        "proves its firmware with a salted challenge",
        (challenged(None, "aa", "unknown_command"),),
        (1,),
        "answered unknown_command",
    ),
    Bad(
        "numbers its events without a gap",
        (event("started"), note("gap", device=M, seen=1, next=3), event("covered")),
        (2,),
        "event 3 follows event 1",
    ),
    Bad(
        "numbers its events without a gap",
        (event("started"), note("restart", device=M, seen=9, latest=1)),
        (2,),
        "the device restarted during the run",
    ),
    Bad(
        "stays on",
        (event("covered"), event("started")),
        (2,),
        "the device restarted during the run",
    ),
    Bad("does what it is told", (reply("shake"), reply("shake", "wrong_state")), (2,), "shake: wrong_state"),
    Bad("does what it is told", (reply("shake"), event("faulted", fault=1)), (2,), "stopped with a fault"),
    Bad("does what it is told", (reply("shake"), trouble("stalled")), (2,), "said why"),
    Bad("does what it is told", (reply("shake"), trouble("unfit")), (2,), "said why"),
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
    Bad("holds three dice", (dice(1, 6),), (1,), "2 dice in the shaker"),
    Bad("shows faces from 1 to 6", (dice(1, 7, 0),), (1,), "a die shows [7, 0]"),
    Bad("lets the dice lie flat", (dice(1, 6, 3, flat=(1, 0, 1)),), (1,), "a die does not lie flat"),
    Bad(
        "shakes as often as told, at least three times",
        (call("shake", times=3), event("shaken", times=2)),
        (1, 2),
        "shaken 2 times, told 3",
    ),
    Bad("keeps its lid on until told", (event("uncovered", commanded=False),), (1,), "the lid was lifted by hand"),
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

CHECKS = [check for _, check in all_checks()]
LOOK = {check.name: check.look for check in CHECKS}


def sightings(log, check, steps) -> list[Sighting]:
    for step in steps:
        step(log)
    return list(LOOK[check](log.evidence, M))


@pytest.mark.parametrize("check", GOOD)
def test_a_machine_that_keeps_to_it_passes(log, check):
    seen = sightings(log, check, GOOD[check])
    assert seen
    assert all(sighting.good for sighting in seen)
    assert all(set(sighting.evidence) <= {record.seq for record in log.records} for sighting in seen)


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: f"{bad.check}: {bad.detail}")
def test_a_machine_that_does_not_is_found_with_the_words_and_the_evidence(log, bad):
    broken = [sighting for sighting in sightings(log, bad.check, bad.steps) if not sighting.good]
    assert broken == [Sighting(False, bad.at, bad.detail)]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_a_run_in_which_nothing_happened_shows_nothing(log, check):
    log.run()
    assert list(check.look(log.evidence, M)) == []


def test_every_check_passes_here_and_fails_here():
    assert set(GOOD) == {bad.check for bad in BAD} == set(LOOK)
    assert len(LOOK) == len(CHECKS)


def test_every_rule_of_a_check_is_in_the_register_and_concerns_that_kind_of_device():
    clauses = GAMES["supreme_pai_gow"].clauses
    for kind, check in all_checks():
        assert kind is None or kind in KINDS
        if check.role is not None:
            rule = ROLES[check.role]
            assert rule in clauses
            assert GAMES["supreme_pai_gow"].cite(rule, "NJ") == f"19:47-{rule}"
            assert GAMES["supreme_pai_gow"].cite(rule, "MA").startswith("MA SPG ")


def test_a_count_without_its_shuffle_being_read_is_not_compared(log):
    assert sightings(log, "reports the count that came out", (counted(5, True), read("stack", IN))) == []


@pytest.mark.parametrize(("times", "good"), [(1, True), (9, True), (10, False)])
def test_equal_numbers_are_called_stuck_when_chance_brings_them_less_than_once_in_a_million(log, times, good):
    """Nine in nine come once in 640,533 such runs, ten in ten once in 4,035,361."""
    (seen,) = sightings(log, "does not select the same again and again", (selected(4),) * times)
    assert seen.good is good


def test_a_short_run_is_not_stuck_because_the_whole_run_is_long(log):
    """Three equal rolls of three dice are one in 46,656, but among a hundred rolls nothing strange."""
    rolls = [dice(1 + n % 6, 1 + n % 5, 1 + n % 4) for n in range(100)]
    (seen,) = sightings(log, "does not roll the same again and again", (*rolls, *(dice(6, 6, 6),) * 3))
    assert (seen.good, seen.evidence) == (True, (101, 102, 103))
