"""What is found of the table and its rules: rulings, results, and clauses that nothing touched."""

from collections import Counter
from dataclasses import replace

import pytest
from found import found_at

from feltrig.engine.games import GAMES
from feltrig.engine.jurisdictions import JURISDICTIONS
from feltrig.engine.rulings import Order
from feltrig.harness.journal.records import Asked, RoundEnded
from feltrig.harness.journal.schema import from_plain
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.judge.outcome import Outcome, outcome
from feltrig.harness.judge.table_findings import CONDUCT, PLAYERS_DOING, REASONS, table_findings

GAME = "supreme_pai_gow"
PASS, FAIL, NOT_TESTED = Verdict.PASS, Verdict.FAIL, Verdict.NOT_TESTED


def test_that_the_rig_keeps_a_clause_that_binds_people_is_no_pass(played):
    binding = {
        GAMES[GAME].cite(key, "NJ"): clause for key, clause in GAMES[GAME].clauses.items() if clause.kind in CONDUCT
    }
    table = [f for f in judge(Evidence(played)).findings if f.device == "table" and f.clause in binding]
    assert GAMES[GAME].cite("34.11(b)4", "NJ") in {f.clause for f in table if "the rig did so" in f.detail}
    assert {(f.verdict, f.required) for f in table} == {(NOT_TESTED, False)}


def test_the_house_way_that_the_hands_were_set_by_is_named(played):
    clause = GAMES[GAME].cite("34.12(d)", "NJ")
    (finding,) = (f for f in table_findings(Evidence(played)) if f.clause == clause)
    assert finding.verdict is Verdict.NOT_TESTED
    assert finding.detail.endswith(", by the house way balanced 1 (the rig's own: no licensee's submission)")


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
    assert outcome(evidence, [failed]) is Outcome.INCONCLUSIVE  # the rig's own mistake, and no machine's


def test_the_rules_that_the_rounds_were_played_by_pass_with_the_records_that_cite_them(played):
    evidence = Evidence(played)
    asked = [r.seq for r in evidence.of(Asked) if "34.10(d)" in r.data["rules"]]
    (dealt,) = [
        f for f in judge(evidence).findings if f.device == "table" and f.clause == GAMES[GAME].cite("34.10(d)", "NJ")
    ]
    assert (dealt.verdict, dealt.detail) == (PASS, f"{len(asked)} times")
    assert list(dealt.evidence) == asked[:10]


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
        ("yes", Verdict.ATTESTED, Outcome.NO_FAILURE),
        ("n/a", NOT_TESTED, Outcome.NO_FAILURE),
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
