"""What a plan demands beyond every run: its statistics and times, judged from the journal, also after a break."""

import asyncio
import random
from dataclasses import asdict, replace

import pytest
from rigs import nobody, rng_rig_text

from feltrig.errors import RunError
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.schema import from_plain
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.judge.outcome import Outcome, outcome
from feltrig.harness.judge.planned import samples
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import Limit, NamedTest, plan, plans
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import resume, run

CHANCE = "its results are random"
MOST = 40
ANSWER = Limit("answers a request", "answer", "s", 1.0, 0.8)
SELECT = Limit("selects a number", "select", "s", 10.0, 0.8)


def small(**changes):
    chosen = plan("rng-nj")
    sampling = replace(chosen.sampling, most=MOST, batch=16)
    return replace(chosen, rounds=1, sampling=sampling, limits=(ANSWER, SELECT), **changes)


def begin(log, sequential=False, of=None):
    record = {"plan": asdict(of or small()), "device": "rng", "sequential": sequential}
    log.run("rng", plan=record)
    log.device("rng")
    return log


def number(log, value, device="rng"):
    return log.add("sample", device=device, number=1, seen={"number": value})


def fair(log, count=MOST):
    rng = random.Random(1)
    return [number(log, rng.randint(1, 7)) for _ in range(count)]


def found(log, check):
    return next(f for f in judge(log.evidence).findings if f.check == check)


def test_a_run_without_a_plan_demands_nothing_of_it(log):
    log.run("rng")
    assert judge(log.evidence).planned is None
    assert judge(log.evidence).decision is None
    assert judge(log.evidence).timings == ()


def test_the_plan_of_a_run_is_read_from_its_first_record(log):
    chosen = judge(begin(log, sequential=True).evidence).planned
    assert (chosen.plan, chosen.device, chosen.sequential) == (small(), "rng", True)


def test_the_samples_are_those_of_the_device_under_test(log):
    begin(log)
    mine = number(log, 3)
    number(log, 4, device="other")
    assert samples(log.evidence, "rng") == [(mine, {"number": 3})]


@pytest.mark.parametrize("sequential", [False, True])
def test_all_samples_without_evidence_are_a_pass_under_the_clause(log, sequential):
    seen = fair(begin(log, sequential))
    finding = found(log, CHANCE)
    assert (finding.verdict, finding.clause, finding.device) == (Verdict.PASS, "19:47-34.4(a)2", "rng")
    assert finding.evidence == tuple(seen[-10:])
    assert f"{MOST} draws" in finding.detail
    assert "one number" in finding.detail, "what the sample would have shown is not said"
    assert "with power 0.9" in finding.detail or not sequential


@pytest.mark.check(CHANCE)
@pytest.mark.parametrize("sequential", [False, True])
def test_a_number_that_always_comes_is_a_failure(log, sequential):
    begin(log, sequential)
    for _ in range(MOST):
        number(log, 5)
    finding = found(log, CHANCE)
    assert finding.verdict is Verdict.FAIL
    assert " draws: a number that " in finding.detail
    assert outcome(log.evidence, [finding]) is Outcome.REFUSED


@pytest.mark.parametrize("sequential", [False, True])
def test_too_few_samples_are_no_pass(log, sequential):
    fair(begin(log, sequential), MOST - 1)
    finding = found(log, CHANCE)
    assert (finding.verdict, finding.required) == (Verdict.NOT_TESTED, True)
    assert finding.detail == f"{MOST - 1} numbers of {MOST}"


def test_a_test_that_the_profile_names_and_the_sample_cannot_bear_leaves_no_pass(log):
    named = (NamedTest("runs", ("low and high",)), NamedTest("rhythm", ("rhythms",)))
    chosen = replace(small(), sampling=replace(small().sampling, tests=named))
    fair(begin(log, of=chosen))
    finding = found(log, CHANCE)
    assert (finding.verdict, finding.required) == (Verdict.NOT_TESTED, False)  # of a rehearsal nothing more is asked
    assert finding.detail == "the sample is too small for rhythm"


def test_no_sample_at_all_is_not_tested(log):
    finding = found(begin(log), CHANCE)
    assert (finding.verdict, finding.detail) == (Verdict.NOT_TESTED, "no sample that could be judged")


def test_a_plan_without_statistics_has_no_such_finding(log):
    begin(log, of=small_shoe())
    assert CHANCE not in {f.check for f in judge(log.evidence).findings}


def small_shoe():
    return replace(plan("shoe-nj"), limits=())


def timed(log, *steps):
    """Records of the generator at these moments."""
    for moment, kind, data in steps:
        log.put(moment, from_plain(kind, {"device": "rng", **data}))


SELECTING = {"command": "select", "values": {}}
SELECTED = {"event": "selected", "number": 2, "values": {"number": 4}}
DONE = {"command": "select", "error": "ok", "values": {}}


def test_answers_and_operations_are_timed_from_their_call(log):
    begin(log)
    timed(log, (10.0, "call", SELECTING), (10.25, "reply", DONE), (14.0, "event", SELECTED))
    timed(log, (20.0, "call", SELECTING), (20.5, "reply", DONE), (21.0, "event", SELECTED))
    answer, select = judge(log.evidence).timings
    assert (answer.limit, answer.seconds, answer.longest, answer.median) == (ANSWER, (0.25, 0.5), 0.5, 0.375)
    assert (select.limit, select.seconds, select.longest) == (SELECT, (4.0, 1.0), 4.0)
    assert select.evidence == (5, 8)


def test_an_answer_to_a_question_for_events_counts_too(log):
    begin(log)
    timed(log, (10.0, "call", SELECTING), (10.25, "reply", DONE), (11.0, "slowest", {"seconds": 1.5}))
    answer, _ = judge(log.evidence).timings
    assert answer.longest == 1.5


def test_an_event_that_nobody_asked_for_is_not_timed(log):
    begin(log)
    timed(
        log, (10.0, "event", SELECTED), (11.0, "call", SELECTING), (12.0, "event", SELECTED), (90.0, "event", SELECTED)
    )
    _, select = judge(log.evidence).timings
    assert select.seconds == (1.0,)


@pytest.mark.parametrize(
    ("seconds", "verdict", "marginal"),
    [(7.9, Verdict.PASS, False), (8.5, Verdict.PASS, True), (10.0, Verdict.PASS, True), (10.5, Verdict.FAIL, False)],
)
def test_a_time_is_judged_by_its_limit_and_margin(log, seconds, verdict, marginal):
    begin(log)
    timed(log, (0.0, "call", SELECTING), (0.1, "reply", DONE), (seconds, "event", SELECTED))
    finding = found(log, "selects a number within 10 s")
    assert finding.verdict is verdict
    assert ("marginal" in finding.detail) == marginal
    assert finding.evidence == (5,)


def late(log, moment, seconds):
    log.put(moment, from_plain("late", {"seconds": seconds}))


@pytest.mark.parametrize(
    ("taken", "was_late", "verdict", "says"),
    [
        (1.07, [(10.9, 0.4)], Verdict.NOT_TESTED, "did not occur in this run; once the rig's own computer was late"),
        (1.07, [(10.5, 0.04), (11.0, 0.04)], Verdict.NOT_TESTED, "once the rig's own computer was late"),
        (1.07, [(9.9, 5.0)], Verdict.FAIL, "1.07 s at most"),
        (1.07, [(10.2, 0.05)], Verdict.FAIL, "1.02 s at most"),
        (3.0, [(10.9, 0.4)], Verdict.FAIL, "2.6 s at most"),
        (0.9, [(10.8, 0.4)], Verdict.PASS, "0.5 s at most"),
    ],
)
def test_an_answer_that_may_be_late_by_the_rigs_own_computer_is_not_held_against_the_device(
    log, taken, was_late, verdict, says
):
    begin(log)
    timed(log, (10.0, "call", SELECTING))
    for moment, seconds in was_late:
        late(log, moment, seconds)
    timed(log, (10.0 + taken, "reply", DONE))
    finding = found(log, "answers a request within 1 s")
    assert (finding.verdict, finding.required) == (verdict, True)
    assert says in finding.detail


def test_the_answers_that_were_measured_well_decide_about_the_others(log):
    begin(log)
    timed(log, (0.0, "call", SELECTING), (0.25, "reply", DONE), (10.0, "call", SELECTING))
    late(log, 11.0, 0.5)
    timed(log, (11.2, "reply", DONE))
    finding = found(log, "answers a request within 1 s")
    assert finding.verdict is Verdict.PASS
    assert finding.detail == "0.25 s at most, 1 s allowed; once the rig's own computer was late"


def test_a_late_answer_on_a_wire_that_the_rig_disturbs_is_nobodys_fault(log):
    begin(log)
    log.add("noise", device="rng", where="", unseen=False, disturbances=[])
    timed(log, (0.0, "call", SELECTING), (0.1, "reply", DONE), (10.5, "event", SELECTED))
    finding = found(log, "selects a number within 10 s")
    assert (finding.verdict, finding.required) == (Verdict.NOT_TESTED, True)
    assert finding.detail == "10.5 s at most, 10 s allowed, but the rig disturbs its wire"


def test_what_was_never_timed_is_not_tested(log):
    assert found(begin(log), "selects a number within 10 s").verdict is Verdict.NOT_TESTED


@pytest.fixture(scope="module", params=[False, True], ids=["fixed", "sequential"])
def whole(request, tmp_path_factory):
    """A whole run of a small plan."""
    folder = tmp_path_factory.mktemp("plan")
    (folder / "rig.toml").write_text(rng_rig_text())
    rig = rigfile.load(folder / "rig.toml")
    order = PlanOrder(small(), "rng", request.param)
    return asyncio.run(run(rig, 1, 5, folder / "runs", lambda _: None, nobody, plan=order))


def sum_of(finished):
    """What must be the same however often the run was broken off: times are another matter."""
    kept = [f.record() | {"evidence": None} for f in finished.findings if " within " not in f.check]
    return finished.verdict["verdict"], finished.verdict["statistics"], kept


@pytest.fixture
def shipped(monkeypatch):
    monkeypatch.setattr("feltrig.harness.judge.planned.plans", lambda: {**plans(), small().name: small()})


def test_a_good_generator_rehearses_a_short_plan(whole):
    assert whole.verdict["verdict"] == "rehearsed"
    assert whole.verdict["plan"]["digest"] == small().digest
    assert whole.verdict["statistics"]["sample"] == MOST


@pytest.mark.parametrize("sample", [1, 16, 17, 33, MOST])
async def test_a_run_cut_off_among_its_samples_comes_to_the_same(tmp_path, whole, shipped, sample):
    lines = (whole.folder / runs.JOURNAL).read_bytes().splitlines(keepends=True)
    records = journals.read(whole.folder / runs.JOURNAL).records
    cut = next(r.seq for r in records if r.kind == "sample" and r.data["number"] == sample)
    (tmp_path / runs.JOURNAL).write_bytes(b"".join(lines[:cut]))
    finished = await resume(tmp_path, lambda _: None, nobody)
    assert sum_of(finished) == sum_of(whole)
    done = [r.data["name"] for r in journals.read(tmp_path / runs.JOURNAL).records if r.kind == "checkpoint"]
    assert done == [r.data["name"] for r in records if r.kind == "checkpoint"]


async def test_a_run_is_not_taken_up_under_another_plan(tmp_path, whole):
    data = (whole.folder / runs.JOURNAL).read_bytes()
    (tmp_path / runs.JOURNAL).write_bytes(data[: len(data) // 2])
    with pytest.raises(RunError, match="plan rng-nj has changed since the run began"):
        await resume(tmp_path, lambda _: None, nobody)
    assert (tmp_path / runs.JOURNAL).read_bytes() == data[: len(data) // 2]


async def test_a_weaker_plan_by_the_name_of_a_known_one_is_not_signed(tmp_path, laboratory):
    (tmp_path / "rig.toml").write_text(rng_rig_text())
    rig, order = rigfile.load(tmp_path / "rig.toml"), PlanOrder(small(), "rng", False)
    with pytest.raises(RunError, match="cannot be signed: plan rng-nj has changed"):
        await run(rig, 1, 5, tmp_path / "runs", lambda _: None, nobody, plan=order, laboratory=laboratory)
    (folder,) = (tmp_path / "runs").iterdir()
    assert [path.name for path in folder.iterdir()] == [runs.JOURNAL]
