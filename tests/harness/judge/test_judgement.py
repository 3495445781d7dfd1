"""From the journal to findings, and from findings to an outcome."""

from collections import Counter
from dataclasses import replace

import pytest

from feltrig.engine.games import GAMES
from feltrig.engine.jurisdictions import JURISDICTIONS
from feltrig.engine.rulings import Order
from feltrig.harness.journal.records import Asked, Resumed, RoundEnded
from feltrig.harness.journal.schema import from_plain
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Finding, Verdict
from feltrig.harness.judge.judgement import Outcome, judge, outcome
from feltrig.harness.judge.table_findings import CONDUCT, PLAYERS_DOING, REASONS
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import plan

GAME = "supreme_pai_gow"
PASS, FAIL, NOT_TESTED = Verdict.PASS, Verdict.FAIL, Verdict.NOT_TESTED


def finding(verdict, device="box", required=True):
    return Finding(GAME, None, device, "is tested", verdict, "", (), required)


def found_at(log, check, device=None):
    return [f for f in judge(log.evidence).findings if f.check == check and device in (None, f.device)]


@pytest.fixture
def rig(log):
    """A run of a shoe and a shaker, of which the game has no use for the shaker."""
    log.run("shoe")
    log.device("box", "shoe")
    log.device("cup", "shaker")
    return log


# outcomes


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([finding(PASS)], Outcome.CERTIFIED),
        ([finding(PASS), finding(NOT_TESTED, required=False)], Outcome.CERTIFIED),
        ([finding(PASS), finding(NOT_TESTED)], Outcome.INCONCLUSIVE),
        ([finding(PASS), finding(FAIL)], Outcome.REFUSED),
        ([finding(NOT_TESTED), finding(FAIL)], Outcome.REFUSED),
    ],
)
def test_a_failure_refuses_and_what_is_missing_leaves_open(rig, verdicts, expected):
    rig.add("end", reason="finished", rounds=1)
    assert outcome(rig.evidence, verdicts) is expected
    assert outcome(rig.evidence, verdicts, "box") is expected


@pytest.mark.parametrize("reason", ["unfit", "wire", "interrupted", None])
def test_a_run_that_did_not_finish_is_open_unless_something_failed(rig, reason):
    if reason is not None:
        rig.add("end", reason=reason)
    for device in (None, "box"):
        assert outcome(rig.evidence, [finding(PASS)], device) is Outcome.INCONCLUSIVE
        assert outcome(rig.evidence, [finding(PASS), finding(FAIL)], device) is Outcome.REFUSED


def test_rounds_that_were_only_played_are_not_certified(rig):
    rig.add("end", reason="finished", rounds=1)
    rig.records[0] = replace(rig.records[0], body=replace(rig.records[0].body, judged=False))
    assert outcome(rig.evidence, [finding(PASS)]) is Outcome.INCONCLUSIVE


def test_one_devices_failure_is_not_anothers(rig):
    rig.add("end", reason="finished", rounds=1)
    found = [finding(PASS, "box"), finding(FAIL, "table")]
    assert outcome(rig.evidence, found, "box") is Outcome.CERTIFIED
    assert outcome(rig.evidence, found) is Outcome.REFUSED


@pytest.mark.parametrize("verdict", Verdict)
def test_a_device_that_the_game_has_no_use_for_is_not_judged_and_holds_up_nobody(rig, verdict):
    rig.add("end", reason="finished", rounds=1)
    found = [finding(PASS, "box"), finding(verdict, "cup")]
    assert outcome(rig.evidence, found, "cup") is Outcome.INCONCLUSIVE
    assert outcome(rig.evidence, found) is Outcome.CERTIFIED


# a whole run


def test_good_devices_are_certified_and_nothing_fails(played):
    evidence = Evidence(played)
    found = judge(evidence).findings
    assert [f for f in found if f.verdict is FAIL] == []
    assert [f for f in found if f.verdict is NOT_TESTED and f.required] == []
    assert outcome(evidence, found) is Outcome.CERTIFIED
    assert {outcome(evidence, found, name) for name in evidence.devices} == {Outcome.CERTIFIED}


def test_that_the_rig_keeps_a_clause_that_binds_people_is_no_pass(played):
    binding = {
        GAMES[GAME].cite(key, "NJ"): clause for key, clause in GAMES[GAME].clauses.items() if clause.kind in CONDUCT
    }
    table = [f for f in judge(Evidence(played)).findings if f.device == "table" and f.clause in binding]
    assert GAMES[GAME].cite("34.11(b)4", "NJ") in {f.clause for f in table if "the rig itself did so" in f.detail}
    assert {(f.verdict, f.required) for f in table} == {(NOT_TESTED, False)}


def test_without_what_a_required_check_looks_for_its_device_is_open_and_only_that(played):
    without = [r for r in played if not (r.kind == "event" and r.data["event"] == "selected")]
    evidence = Evidence(without)
    found = judge(evidence).findings
    missing = {f.check for f in found if f.verdict is NOT_TESTED and f.required}
    assert "selects a number from 1 to 7" in missing
    outcomes = {name: outcome(evidence, found, name) for name in evidence.devices}
    assert [name for name, o in outcomes.items() if o is not Outcome.CERTIFIED] == ["rng"]
    assert (outcomes["rng"], outcome(evidence, found)) == (Outcome.INCONCLUSIVE, Outcome.INCONCLUSIVE)


def test_a_result_that_does_not_follow_from_the_cards_fails_the_table_and_no_device(played):
    result = next(r for r in played if r.kind == "result")
    forged = replace(result, body=RoundEnded(result.body.result | {"void": True}))
    evidence = Evidence([forged if r is result else r for r in played])
    (failed,) = [f for f in judge(evidence).findings if f.verdict is FAIL]
    assert (failed.device, failed.clause, failed.evidence) == (
        "table",
        GAMES[GAME].cite("34.12(h)", "NJ"),
        (result.seq,),
    )
    assert outcome(evidence, [failed]) is Outcome.REFUSED


def test_the_rules_that_the_rounds_were_played_by_pass_with_the_records_that_cite_them(played):
    evidence = Evidence(played)
    asked = [r.seq for r in evidence.of(Asked) if "34.10(d)" in r.data["rules"]]
    (dealt,) = [
        f for f in judge(evidence).findings if f.device == "table" and f.clause == GAMES[GAME].cite("34.10(d)", "NJ")
    ]
    assert (dealt.verdict, dealt.detail) == (PASS, f"{len(asked)} times")
    assert list(dealt.evidence) == asked[:10]


@pytest.mark.parametrize("ended", ["interrupted", "wire", None])
def test_what_failed_before_a_run_was_broken_off_stays_a_failure(log, ended):
    log.run("rng")
    log.device("display", "rng")
    log.add("segment", name="rounds 1", digest="ff")
    wrong = log.event("display", "selected", number=9)
    if ended:
        log.add("end", reason=ended)
    log.add("resumed", torn="")
    log.device("display", "rng")
    log.add("segment", name="rounds 1", digest="ff")
    log.event("display", "selected", number=3)
    log.add("checkpoint", name="rounds 1", memory={})
    log.add("end", reason="finished")
    (found,) = found_at(log, "selects a number from 1 to 7")
    assert (found.verdict, found.evidence) == (FAIL, (wrong,))
    assert found.detail.endswith("so before the run was broken off and taken up again")
    assert outcome(log.evidence, judge(log.evidence).findings) is Outcome.REFUSED


def test_a_ruling_before_a_run_was_broken_off_stays_too(log):
    log.run("shuffler")
    log.device("shuffler")
    log.add("segment", name="rounds 1", digest="ff")
    jammed = log.add("ruling", device="shuffler", rules=["34.16(m)"], why="jam", order="reshuffle")
    log.add("resumed", torn="")
    log.device("shuffler")
    log.add("end", reason="finished")
    (found,) = found_at(log, "no irregularity")
    assert (found.verdict, found.device, found.evidence) == (FAIL, "shuffler", (jammed,))


def test_a_run_of_good_devices_that_was_broken_off_anywhere_has_not_failed(played):
    for place in range(2, len(played), len(played) // 25):
        resumed = replace(played[place], body=Resumed(""))
        assert [f for f in judge(Evidence([*played[:place], resumed])).findings if f.verdict is FAIL] == []


def test_a_journal_that_never_began_has_no_findings():
    assert judge(Evidence([])).findings == ()


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


def test_a_wire_that_answered_passes_and_one_that_was_never_used_is_not_tested(rig):
    seqs = [rig.reply("box", "dispense") for _ in range(12)]
    (box,), (cup,) = (found_at(rig, "answers on its wire", name) for name in ("box", "cup"))
    assert (box.verdict, box.detail, list(box.evidence)) == (PASS, "12 requests answered", seqs[:10])
    assert (cup.verdict, cup.detail) == (NOT_TESTED, "no command was sent to it")


# checks


def test_a_check_that_failed_says_so_once_with_all_its_evidence(rig):
    seqs = [rig.event("cup", "rolled", dice=[1, 2], flat=[1, 1]) for _ in range(3)]
    rig.event("cup", "rolled", dice=[1, 2, 4], flat=[1, 1, 1])
    (dice,) = found_at(rig, "holds three dice")
    assert (dice.verdict, dice.detail) == (FAIL, "2 dice in the shaker (and 2 more)")
    assert (dice.evidence, dice.clause) == (tuple(seqs), GAMES[GAME].cite("34.4(a)1i", "NJ"))


def test_a_check_that_had_no_occasion_is_not_tested(rig):
    (dice,) = found_at(rig, "holds three dice")
    assert (dice.verdict, dice.detail) == (NOT_TESTED, "did not occur in this run")
    assert not dice.required, "the game has no use for the shaker"
    (size,) = found_at(rig, "dispenses no card face up")
    assert (size.verdict, size.required) == (NOT_TESTED, True)


def test_a_plan_judges_one_device_and_no_other(log):
    log.run("shoe", "shaker", plan=PlanOrder(plan("shoe-nj"), "box", sequential=False).record())
    log.device("box", "shoe")
    log.device("cup", "shaker")
    log.add("end", reason="finished", rounds=1)
    needed = {f.device for f in judge(log.evidence).findings if f.required}
    assert needed == {"box", "table"}
    failed = [finding(PASS), finding(FAIL, "cup")]
    assert outcome(log.evidence, failed) is Outcome.CERTIFIED
    assert outcome(log.evidence, failed, "cup") is Outcome.INCONCLUSIVE


def test_a_check_is_made_of_its_own_kind_of_device_only(rig):
    assert [f.device for f in found_at(rig, "holds three dice")] == ["cup"]
    assert [f.device for f in found_at(rig, "is the device that was submitted")] == ["box", "cup"]
    assert found_at(rig, "turns no card over") == []


@pytest.mark.parametrize(("dice", "shown"), [([1, 2, 3], 10), ([1, 2], 100)])
def test_a_finding_names_a_handful_of_what_passed_and_more_of_what_failed(rig, dice, shown):
    for _ in range(120):
        rig.event("cup", "rolled", dice=dice, flat=[1] * len(dice))
    (three,) = found_at(rig, "holds three dice")
    assert len(three.evidence) == shown


# rulings


def ruling(log, order=Order.NO_ROLL, device=None, rule="34.16(a)"):
    data = {"order": order.value, "rules": [rule], "why": "a die leans", "device": device, "position": None}
    return log.add("ruling", **data, policy=False)


def test_a_ruling_against_a_machine_fails_it_under_the_clause_that_orders_it(rig):
    seqs = (ruling(rig, device="shoe"), ruling(rig, device="shoe"))
    (irregular,) = found_at(rig, "no irregularity")
    assert (irregular.device, irregular.verdict, irregular.evidence) == ("box", FAIL, seqs)
    assert irregular.clause == GAMES[GAME].cite("34.16(a)", "NJ")
    assert irregular.detail == "a die leans: no roll: shake again (2 times)"


@pytest.mark.parametrize(("told", "device"), [("DiceRolled", "cup"), ("StackDispensed", "box")])
def test_a_ruling_that_names_nobody_is_the_fault_of_the_machine_that_was_seen(rig, told, device):
    rig.tell(told)
    ruling(rig)
    (irregular,) = found_at(rig, "no irregularity")
    assert (irregular.device, irregular.verdict) == (device, FAIL)


@pytest.mark.parametrize("device", [None, "rng"])
def test_a_ruling_that_no_machine_of_the_rig_caused_leaves_the_run_open(rig, device):
    rig.tell("ButtonSeen")
    ruling(rig, Order.MOVE_BUTTON, device)
    rig.add("end", reason="finished", rounds=1)
    (irregular,) = found_at(rig, "no irregularity")
    assert (irregular.device, irregular.verdict, irregular.required) == ("table", NOT_TESTED, True)
    assert outcome(rig.evidence, [irregular]) is Outcome.INCONCLUSIVE


@pytest.mark.parametrize("order", [order for order in Order if order.value in PLAYERS_DOING])
def test_what_people_do_is_no_irregularity_of_a_machine(rig, order):
    rig.tell("DiceRolled")
    ruling(rig, order)
    assert found_at(rig, "no irregularity") == []


# clauses


@pytest.mark.parametrize("jurisdiction", JURISDICTIONS)
def test_every_clause_that_the_jurisdiction_prints_is_in_the_findings(log, jurisdiction):
    log.run("shoe", jurisdiction=jurisdiction)
    log.device("box", "shoe")
    printed = [GAMES[GAME].cite(key, jurisdiction) for key in GAMES[GAME].clauses]
    count = Counter(f.clause for f in judge(log.evidence).findings)
    assert [clause for clause in printed if clause is not None and count[clause] == 0] == []
    assert set(count) - {None} <= set(printed)


@pytest.mark.parametrize("jurisdiction", JURISDICTIONS)
def test_every_clause_is_in_the_findings_of_a_run_that_was_played(played, jurisdiction):
    sited = [
        replace(r, body=from_plain(r.kind, {**r.data, "jurisdiction": jurisdiction}))
        if r.kind in ("run", "session")
        else r
        for r in played
    ]
    clauses = {f.clause for f in judge(Evidence(sited)).findings}
    assert {GAMES[GAME].cite(key, jurisdiction) for key in GAMES[GAME].clauses} - {None} <= clauses


def test_a_clause_that_nothing_touched_is_not_tested_for_a_reason_and_not_required(log):
    log.run("shoe")
    by_clause = {f.clause: f for f in judge(log.evidence).findings}
    for key, clause in GAMES[GAME].clauses.items():
        untouched = by_clause[GAMES[GAME].cite(key, "NJ")]
        if untouched.check == clause.summary.rstrip("."):
            assert (untouched.verdict, untouched.required) == (NOT_TESTED, False)
            assert untouched.detail == REASONS[clause.kind]


def test_there_is_a_reason_for_every_kind_of_clause():
    assert {clause.kind for clause in GAMES[GAME].clauses.values()} <= set(REASONS)
    assert all(REASONS.values())


def test_a_finding_is_written_in_plain_values():
    written = Finding(GAME, "19:47-34.2(a)", "box", "is whole", FAIL, "it is not", (3, 4)).record()
    assert written == {
        "game": GAME,
        "clause": "19:47-34.2(a)",
        "device": "box",
        "check": "is whole",
        "verdict": "fail",
        "detail": "it is not",
        "evidence": [3, 4],
    }


# what the inspector says

ITEM, CLAUSE = next(
    (items[0], key)
    for key, clause in GAMES[GAME].clauses.items()
    if clause.coverage == "attested" and GAMES[GAME].cite(key, "NJ")
    for items in [[name.removeprefix("item:") for name in clause.covered_by if name.startswith("item:")]]
    if len(items) == 1
)


@pytest.mark.parametrize(
    ("answer", "verdict", "comes_to"),
    [
        ("yes", Verdict.ATTESTED, Outcome.CERTIFIED),
        ("n/a", NOT_TESTED, Outcome.CERTIFIED),
        ("no", FAIL, Outcome.REFUSED),
    ],
)
def test_an_item_is_attested_by_a_yes_only(log, answer, verdict, comes_to):
    log.run()
    log.add("attested", inspector="A. Person", item=ITEM, question="?", answer=answer, note="so")
    log.add("end", reason="finished")
    (found,) = [f for f in judge(log.evidence).findings if f.clause == GAMES[GAME].cite(CLAUSE, "NJ")]
    assert (found.verdict, found.detail, found.evidence) == (verdict, f"A. Person: {answer} so", (2,))
    assert outcome(log.evidence, [found]) is comes_to
