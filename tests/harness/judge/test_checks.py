"""The checks of every device, each where it passes and where it fails, and what is so of all checks.

A step is one record, so the evidence that a failure must name is the places of its steps, 1 first."""

import pytest
from check_steps import (
    Bad,
    M,
    challenged,
    device,
    event,
    failures,
    note,
    passes,
    reply,
    trouble,
)

from feltrig.engine.games import GAMES
from feltrig.engine.games.supreme_pai_gow.game import ROLES
from feltrig.harness.judge.checks import CHECKS, all_checks
from feltrig.protocols.kinds import KINDS


def checked(log):
    """A device with a profile whose messages have a check."""
    log.add("device", name=M, kind="shoe", wire="serial", profile={"name": "own", "lacks": [], "checked": True})


def unread(why):
    return note("unread", device=M, why=why, shown="'N5'")


GOOD = {
    "is the device that was submitted": (device({"serial": "7", "firmware": "1.0"}),),
    "proves its firmware with a salted challenge": (challenged("aa", "aa"),),
    "numbers its events without a gap": (event("started"), note("gap", device="other", seen=1, next=3)),
    "does not restart during the run": (event("covered"), event("started", "other")),
    "sends its messages with a right check": (checked, event("covered"), unread("bytes that make no frame")),
    "carries out its commands": (reply("dispense"), reply("dispense", "empty", "other"), trouble("no answer")),
}
"""Steps after which the check has seen something, and all of it was good."""

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
        "event 1 is the latest, but event 9 was there before",
    ),
    Bad(
        "does not restart during the run",
        (event("covered"), event("started")),
        (2,),
        "the device restarted during the run",
    ),
    Bad(
        "sends its messages with a right check",
        (checked, event("covered"), unread("a message with a wrong check")),
        (3,),
        "a wrong check on 'N5'",
    ),
    Bad("carries out its commands", (reply("shake"), reply("shake", "wrong_state")), (2,), "shake: wrong_state"),
    Bad("carries out its commands", (reply("shake"), event("faulted", fault=1)), (2,), "stopped with a fault"),
    Bad("carries out its commands", (reply("shake"), trouble("stalled")), (2,), "said why"),
    Bad("carries out its commands", (reply("shake"), trouble("unfit")), (2,), "said why"),
)

EVERY = [check for _, check in all_checks()]


@pytest.mark.parametrize("check", GOOD)
def test_a_machine_that_keeps_to_it_passes(log, check):
    assert passes(log, check, GOOD[check])


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: f"{bad.check}: {bad.detail}")
def test_a_machine_that_does_not_is_found_with_the_words_and_the_evidence(log, bad):
    found = [(sighting.good, sighting.evidence, sighting.detail) for sighting in failures(log, bad)]
    assert found == [(False, bad.at, bad.detail)]


def test_every_check_passes_here_and_fails_here():
    assert set(GOOD) == {bad.check for bad in BAD} == {check.name for check in CHECKS.values()}


@pytest.mark.parametrize("check", EVERY, ids=lambda check: check.name)
def test_a_run_in_which_nothing_happened_shows_nothing(log, check):
    log.run()
    assert list(check.look(log.evidence, M)) == []


def test_no_two_checks_have_one_name():
    assert len({check.name for check in EVERY}) == len(EVERY)


def test_every_rule_of_a_check_is_in_the_register_and_concerns_that_kind_of_device():
    clauses = GAMES["supreme_pai_gow"].clauses
    for kind, check in all_checks():
        assert kind is None or kind in KINDS
        if check.role is not None:
            rule = ROLES[check.role]
            assert rule in clauses
            assert GAMES["supreme_pai_gow"].cite(rule, "NJ") == f"19:47-{rule}"
            assert GAMES["supreme_pai_gow"].cite(rule, "MA").startswith("MA SPG ")
