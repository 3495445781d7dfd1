"""What a plan needs besides what the rig tests: what is missing is named, and a physical machine is not certified."""

from dataclasses import replace

import pytest

from feltrig.engine.games import GAMES
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.judge.need_findings import least_findings, need_findings
from feltrig.harness.judge.planned import planned
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import plan

PASS, FAIL, NOT_TESTED = Verdict.PASS, Verdict.FAIL, Verdict.NOT_TESTED
ITEMS = GAMES["supreme_pai_gow"].checklist_of("NJ")
WHOLE = {"serial": "7", "firmware": "1.0"}


@pytest.fixture
def begin(log):
    def begun(kind="rng", submitted=WHOLE, emulated=False, chosen=None):
        log.run(kind, plan=PlanOrder(chosen or plan(f"{kind}-nj"), "box", False).record())
        log.device("box", kind, submitted)
        if emulated:
            log.records[-1] = replace(log.records[-1], body=replace(log.records[-1].body, emulated=True))
        return log

    return begun


def needed(log):
    found = need_findings(log.evidence, planned(log.evidence))
    return {finding.check: (finding.verdict, finding.detail) for finding in found}


def test_an_emulated_device_needs_nothing_of_it(begin):
    assert needed(begin(submitted={}, emulated=True)) == {}


@pytest.mark.parametrize(
    ("submitted", "verdict", "words"),
    [
        ({}, NOT_TESTED, "nothing was submitted: give digest, or serial and firmware in [devices.box.identity]"),
        ({"serial": "7"}, NOT_TESTED, "only serial was submitted: give digest, or serial and firmware"),
        ({"vendor": "Acme", "firmware": "1.0"}, NOT_TESTED, "only vendor, firmware was submitted"),
        ({"digest": "00"}, PASS, "submitted: digest"),
        (WHOLE, PASS, "submitted: serial, firmware"),
    ],
)
def test_an_identity_was_submitted_or_it_says_what_to_give(begin, submitted, verdict, words):
    said, detail = needed(begin(submitted=submitted))["its identity was submitted"]
    assert said is verdict
    assert detail.startswith(words)


def attest(log, items, answer="yes"):
    for item in items:
        log.add("attested", inspector="A. Person", item=item, question="?", answer=answer, note="")


def test_the_checklist_is_missing_in_part_denied_or_complete(begin):
    log, check = begin(), "the inspector's checklist is complete"
    assert needed(log)[check][0] is NOT_TESTED
    assert needed(log)[check][1].startswith("there is none: `feltrig checklist --save` asks")
    first, *rest = ITEMS
    attest(log, [first])
    assert needed(log)[check][1].startswith(f"{len(rest)} of {len(ITEMS)} items are not answered")
    attest(log, rest)
    assert needed(log)[check] == (PASS, f"{len(ITEMS)} items")
    attest(log, [first], "no")
    assert needed(log)[check] == (FAIL, f"answered with no: {first}")


@pytest.mark.check("a person reads off its display what it says", "a person reads off its dice what it says")
@pytest.mark.parametrize(
    ("kind", "what"),
    [("rng", "display"), ("shaker", "dice")],
)
def test_a_person_must_have_looked_as_often_as_the_plan_says(begin, kind, what):
    log, check = begin(kind), f"a person reads off its {what} what it says"
    assert needed(log)[check] == (NOT_TESTED, f"nobody looked at the {what}")
    for number in range(1, 8):
        log.add("look", device="box", what=what, shown=str(number), claimed=str(number))
    assert needed(log)[check] == (NOT_TESTED, "7 times of 8")
    log.add("look", device="box", what=what, shown="1", claimed="1")
    assert needed(log)[check] == (PASS, "8 times")
    wrong = log.add("look", device="box", what=what, shown="3", claimed="5")
    assert needed(log)[check] == (FAIL, "a person saw 3, the device said 5")
    (found,) = [f for f in judge(log.evidence).findings if f.check == check]
    assert (found.evidence, found.required, found.clause is None) == ((wrong,), True, False)


def test_who_could_not_look_has_seen_nothing(begin):
    log = begin()
    log.add("look", device="box", what="display", shown=None, claimed="3")
    assert needed(log)["a person reads off its display what it says"][1] == "nobody looked at the display"


def test_a_machine_without_anything_to_read_off_needs_no_eye(begin):
    assert list(needed(begin("shoe"))) == ["its identity was submitted", "the inspector's checklist is complete"]


@pytest.mark.parametrize("short", [False, True])
def test_what_is_missing_stands_in_the_way_of_a_certificate_and_not_of_a_rehearsal(begin, short):
    chosen = replace(plan("rng-nj"), name="short", rounds=1) if short else None
    log = begin(submitted={}, chosen=chosen)
    checks = {"its identity was submitted", "the inspector's checklist is complete"}
    required = {f.required for f in judge(log.evidence).findings if f.check in checks}
    assert required == {not short}


def test_the_rounds_must_show_as_many_stacks_as_the_plan_says(begin):
    log = begin("shoe")
    log.add("round", number=1, wagers={})
    for number in range(23):
        log.event("box", "dispensed", stack=number + 1, size=7)
    (found,) = least_findings(log.evidence, planned(log.evidence))
    assert (found.check, found.verdict) == ("dispensed at least 24 times in the rounds", NOT_TESTED)
    assert (found.detail, found.required) == ("23 times", True)
    log.event("box", "dispensed", stack=24, size=7)
    log.event("other", "dispensed", stack=25, size=7)
    (found,) = least_findings(log.evidence, planned(log.evidence))
    assert (found.verdict, found.detail) == (PASS, "24 times")
