"""The journal of a run, arranged: who was there, what belongs to which round, and what was only a drill."""

import pytest

from feltrig.errors import JournalError
from feltrig.harness.journal.records import EventSeen, RunEnded, Trouble
from feltrig.harness.judge.evidence import Evidence


def test_a_journal_that_never_began_has_nothing():
    evidence = Evidence([])
    assert (evidence.begun, evidence.devices, evidence.rounds, evidence.end) == (None, {}, [], None)
    with pytest.raises(JournalError, match="does not begin with a run"):
        _ = evidence.run


def test_the_run_its_devices_and_its_end_are_found(log):
    log.run("shoe")
    log.device("box", "shoe")
    log.device("cup", "shaker")
    log.add("end", reason="finished", rounds=0)
    evidence = log.evidence
    assert evidence.run.rig == "test"
    assert list(evidence.devices) == ["box", "cup"]
    assert evidence.end == RunEnded("finished", 0)
    assert (evidence.name_of("shaker"), evidence.name_of("rng")) == ("cup", None)


def test_a_round_holds_its_records_up_to_its_result_and_knows_its_session(log):
    log.add("session", start="dice")
    log.add("round", number=1)
    log.tell("NoMoreBets")
    log.add("result", result={"void": False})
    log.add("call", device="shuffler")
    log.add("session", start="rng")
    log.add("round", number=2)
    first, second = log.evidence.rounds
    assert [record.seq for record in first.records] == [2, 3, 4]
    assert (first.number, first.session, first.result.seq) == (1, 0, 4)
    assert [record.seq for record in second.records] == [7]
    assert (second.number, second.session, second.result) == (2, 1, None)


def test_records_are_found_by_kind_and_by_device(log):
    log.event("cup", "shaken", times=3)
    log.event("box", "dispensed", size=4)
    log.event("cup", "rolled", dice=[1, 2, 3])
    log.reply("cup", "shake")
    evidence = log.evidence
    assert [record.seq for record in evidence.of(EventSeen)] == [1, 2, 3]
    assert [record.seq for record in evidence.of(EventSeen, "cup")] == [1, 3]
    assert [record.seq for record in evidence.events("cup")] == [1, 3]
    assert [record.seq for record in evidence.events("cup", "rolled", "covered")] == [3]


def test_what_was_told_is_found_by_its_class(log):
    log.tell("NoMoreBets", number=1)
    log.tell("ShoeLoaded", deck="red")
    log.tell("NoMoreBets", number=3)
    assert [tell["number"] for tell in log.evidence.tells("NoMoreBets", "DeckCut")] == [1, 3]


def test_what_happened_in_a_drill_is_kept_apart(log):
    log.event("mixer", "shuffled")
    log.add("drill", name="a jam", device="mixer")
    log.event("mixer", "faulted", fault=1)
    log.add("drilled", name="a jam", device="mixer")
    log.event("mixer", "shuffled")
    evidence = log.evidence
    assert [record.seq for record in evidence.records] == [1, 5]
    assert [[record.seq for record in drill.records] for drill in evidence.drills] == [[2, 3, 4]]
    assert [record.seq for record in evidence.every] == [1, 2, 3, 4, 5]


def test_a_drill_that_is_broken_off_ends_with_the_run(log):
    log.add("drill", name="a jam", device="mixer")
    log.add("trouble", device="mixer", what="unfit", detail="no more")
    log.add("end", reason="unfit", rounds=1)
    evidence = log.evidence
    assert [[record.seq for record in drill.records] for drill in evidence.drills] == [[1, 2, 3]]
    assert evidence.end.reason == "unfit"
    assert list(evidence.of(Trouble)) == []
