"""What is found of a device: its wire, and each check of its kind."""

import pytest
from found import found_at

from feltrig.engine.games import GAMES
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.judge.outcome import Outcome, outcome

GAME = "supreme_pai_gow"
PASS, FAIL, NOT_TESTED = Verdict.PASS, Verdict.FAIL, Verdict.NOT_TESTED


def test_without_what_a_required_check_looks_for_its_device_is_open_and_only_that(played):
    drilled = next(r.seq for r in played if r.kind == "drill")
    without = [r for r in played if r.seq > drilled or not (r.kind == "event" and r.data["event"] == "selected")]
    evidence = Evidence(without)
    found = judge(evidence).findings
    missing = {f.check for f in found if f.verdict is NOT_TESTED and f.required}
    assert "selects a number from 1 to 7" in missing
    outcomes = {name: outcome(evidence, found, name) for name in evidence.devices}
    assert [name for name, o in outcomes.items() if o is not Outcome.NO_FAILURE] == ["rng"]
    assert (outcomes["rng"], outcome(evidence, found)) == (Outcome.INCONCLUSIVE, Outcome.INCONCLUSIVE)


# wires


@pytest.mark.parametrize("what", ["no answer", "line lost", "garbage"])
def test_trouble_on_the_wire_is_not_tested_and_nobodys_failure(rig, what):
    rig.reply("box", "dispense")
    seq = rig.add("trouble", device="box", what=what, detail="box: silent for 2 s")
    rig.add("end", reason="wire", rounds=0)
    (wire,) = found_at(rig, "answers on its wire", "box")
    assert (wire.verdict, wire.detail, wire.evidence) == (NOT_TESTED, "box: silent for 2 s", (seq,))
    found = judge(rig.evidence).findings
    assert not any(f.verdict is FAIL for f in found)
    assert outcome(rig.evidence, found, "box") is Outcome.INCONCLUSIVE


def test_an_answer_that_came_whole_and_is_wrong_is_the_devices_failure(rig):
    rig.reply("box", "dispense")
    seq = rig.add("trouble", device="box", what="wrong answer", detail="box: status: 2 bytes too many")
    rig.add("end", reason="wire", rounds=0)
    (wire,) = found_at(rig, "answers on its wire", "box")
    assert (wire.verdict, wire.detail, wire.evidence) == (FAIL, "box: status: 2 bytes too many", (seq,))
    assert outcome(rig.evidence, judge(rig.evidence).findings, "box") is Outcome.REFUSED


def test_a_wrong_answer_on_a_wire_that_the_rig_disturbs_is_nobodys_failure(rig):
    rig.add("noise", device="box", where="/dev/pts/1", unseen=False, disturbances=[])
    rig.add("trouble", device="box", what="wrong answer", detail="box: status: 2 bytes too many")
    (wire,) = found_at(rig, "answers on its wire", "box")
    assert (wire.verdict, wire.detail) == (NOT_TESTED, "box: status: 2 bytes too many")


def test_a_wire_that_answered_passes_and_one_that_was_never_used_is_not_tested(rig):
    seqs = [rig.reply("box", "dispense") for _ in range(12)]
    (box,), (cup,) = (found_at(rig, "answers on its wire", name) for name in ("box", "cup"))
    assert (box.verdict, box.detail, list(box.evidence)) == (PASS, "12 requests answered", seqs[:10])
    assert (cup.verdict, cup.detail) == (NOT_TESTED, "no command was sent to it")


# checks


def test_a_check_that_failed_says_so_once_with_all_its_evidence(rig):
    seqs = [rig.event("cup", "rolled", dice=[1, 2, 3, 4], flat=[1, 1, 1, 1]) for _ in range(3)]
    rig.event("cup", "rolled", dice=[1, 2, 4], flat=[1, 1, 1])
    (dice,) = found_at(rig, "holds three dice")
    assert (dice.verdict, dice.detail) == (FAIL, "4 dice in the shaker (and 2 more)")
    assert (dice.evidence, dice.clause) == (tuple(seqs), GAMES[GAME].cite("34.4(a)1i", "NJ"))


def test_a_check_that_had_no_occasion_is_not_tested(rig):
    (dice,) = found_at(rig, "holds three dice")
    assert (dice.verdict, dice.detail) == (NOT_TESTED, "did not occur in this run")
    assert not dice.required, "the game has no use for the shaker"
    (size,) = found_at(rig, "dispenses no card face up")
    assert (size.verdict, size.required) == (NOT_TESTED, True)


def test_a_check_is_made_of_its_own_kind_of_device_only(rig):
    assert [f.device for f in found_at(rig, "holds three dice")] == ["cup"]
    assert [f.device for f in found_at(rig, "is the device that was submitted")] == ["box", "cup"]
    assert found_at(rig, "turns no card over") == []
