"""What a register tells of runs: their state, their verdict, how often a device was tried."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import (
    BytesPassed,
    Checkpoint,
    HostLate,
    Resumed,
    RunBegun,
    RunEnded,
    SegmentBegun,
    Trouble,
)
from feltrig.harness.laboratory import history
from feltrig.harness.laboratory.register import BEGUN, BROKEN_OFF, CHECKPOINT, DEVICE, ENDED, JUDGED, RESUMED, Register


@pytest.fixture
def register(tmp_path):
    made = Register(tmp_path / "register.jsonl", Ed25519PrivateKey.generate())
    made.open("1.0")
    return made


def at(run, records):
    return {"run": run, "records": records, "journal": f"hash {records}"}


def begin(register, run, plan="shoe-nj", serial="1"):
    named = {"folder": run, "rig": "r", "rig_digest": "", "plan": plan, "plan_digest": "", "device": "shoe"}
    register.append(BEGUN, at(run, 1) | named)
    register.append(DEVICE, at(run, 2) | {"identity": {"serial": serial}, "emulated": False})


def journal(*bodies):
    return [Record(seq, "", 0.0, body, "", f"hash {seq}") for seq, body in enumerate(bodies, 1)]


BEGUN_BODY = RunBegun("", "", "", "", None, 1, 1, "", "", 52, (), ())
SEGMENT, DONE = SegmentBegun("a", ""), Checkpoint("a", {})


def test_a_run_that_never_ended_is_told_from_one_that_did(register):
    begin(register, "a")
    begin(register, "b")
    register.append(ENDED, at("b", 3) | {"reason": "finished"})
    register.append(JUDGED, at("b", 3) | {"verdict": "refused", "digest": "", "failed": 1})
    found = history.runs(register.entries)
    assert {run.id: (run.state, run.verdict) for run in found.values()} == {
        "a": ("never ended", None),
        "b": ("finished", "refused"),
    }
    register.append(RESUMED, at("b", 4))
    again = history.runs(register.entries)["b"]
    assert (again.state, again.verdict) == ("never ended", None)


def test_attempts_are_counted_by_device_and_plan(register):
    for run, plan, serial in [("a", "p", "1"), ("b", "p", "2"), ("c", "p", "1"), ("d", "", "1"), ("e", "q", "1")]:
        begin(register, run, plan, serial)
    found = history.runs(register.entries).values()
    assert [(run.attempt, run.attempts) for run in found] == [(1, 2), (1, 1), (2, 2), (1, 1), (1, 1)]


@pytest.mark.parametrize(
    ("records", "words"),
    [
        (journal(BEGUN_BODY), "the register knows 2 records of it, and the journal has 1: it was cut"),
        (journal(BEGUN_BODY, SEGMENT, BEGUN_BODY), "the journal has a second run in it"),
        ([*journal(BEGUN_BODY), Record(2, "", 0.0, SEGMENT, "", "another")], "record 2 is not the one that"),
        (journal(BEGUN_BODY, SEGMENT, DONE), None),
    ],
)
def test_a_journal_is_the_one_that_the_register_knows_or_not(register, records, words):
    begin(register, "a")
    found = [*history.strange(history.runs(register.entries)["a"], records)]
    assert (found == []) if words is None else found[0].startswith(words)
    assert next(history.strange(None, records)).startswith("this laboratory's register does not know the run")


def test_only_what_is_done_again_may_follow_the_last_entry_of_a_run_that_goes_on(register):
    begin(register, "a")
    run = history.runs(register.entries)["a"]
    assert [*history.not_resumable(run, journal(BEGUN_BODY, SEGMENT, Trouble("x", "y", "z")))] == []
    (why,) = history.not_resumable(run, journal(BEGUN_BODY, SEGMENT, Trouble("x", "y", "z"), DONE))
    assert why == "record 4 (checkpoint) was written without the laboratory's key"
    register.append(BROKEN_OFF, at("a", 4))
    (why,) = history.not_resumable(history.runs(register.entries)["a"], journal(BEGUN_BODY, SEGMENT, SEGMENT, DONE))
    assert why.startswith("record 4 (checkpoint)"), "what was read from the disk afterwards vouches for nothing"


def test_only_closing_wires_may_follow_the_end_of_a_run_that_is_signed(register):
    begin(register, "a")
    register.append(CHECKPOINT, at("a", 3) | {"name": "a"})
    ended = journal(BEGUN_BODY, SEGMENT, DONE, RunEnded("finished"), BytesPassed("x", False, "00"), HostLate(1.0))
    assert (
        next(history.not_signable(history.runs(register.entries)["a"], ended)) == "the register does not know its end"
    )
    register.append(ENDED, at("a", 4) | {"reason": "finished"})
    run = history.runs(register.entries)["a"]
    assert [*history.not_signable(run, ended)] == []
    (why,) = history.not_signable(run, [*ended, *journal(*[SEGMENT] * 7)[6:]])
    assert why == "record 7 (segment) was written without the laboratory's key"


def test_a_run_is_over_when_it_ended_for_good():
    assert history.over(journal(BEGUN_BODY, RunEnded("finished")))
    assert not history.over(journal(BEGUN_BODY, RunEnded("interrupted")))
    assert not history.over(journal(BEGUN_BODY, RunEnded("finished"), Resumed("")))
    assert not history.over(journal(BEGUN_BODY))
