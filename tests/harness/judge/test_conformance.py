"""What conformance finds of a device: one finding for each area, by the requirements that its messages test."""

from dataclasses import asdict, replace

import pytest

from feltrig.harness.devices.cases import OK
from feltrig.harness.judge.conformance import WHOLE, area_check
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.plan.plan import plan

PASS, FAIL, NOT_TESTED = Verdict.PASS, Verdict.FAIL, Verdict.NOT_TESTED
TOKENS, EVENTS = area_check("tokens"), area_check("events")


@pytest.fixture
def shoe(log):
    """A shoe that is judged by its plan, on which these ids are tested."""

    def begin(*ids, profile=None):
        log.run("shoe", plan={"plan": asdict(plan("shoe-nj")), "device": "shoe", "sequential": False})
        log.device("shoe")
        log.records[-1] = replace(
            log.records[-1], body=replace(log.records[-1].body, requirements=ids, profile=profile)
        )
        return log

    return begin


def probe(log, *ids, fault=None, untested="", note="", command="reset"):
    said = {"command": command, "expected": OK, "fault": fault, "untested": untested, "note": note}
    return log.add("probe", device="shoe", state="a scene", requirements=ids, **said)


def found(log):
    return {f.check: f for f in judge(log.evidence).findings if f.check.startswith("conformance: ")}


def test_there_is_one_finding_for_each_area_with_the_ids_that_were_tested(shoe):
    log = shoe()
    seen = [probe(log, "DEV-2", "DEV-9"), probe(log, "DEV-1"), probe(log, "DEV-9")]
    areas = found(log)
    assert list(areas) == [TOKENS, EVENTS]
    tokens, events = areas.values()
    assert (tokens.verdict, tokens.detail, tokens.evidence) == (PASS, "2 messages", tuple(seen[:2]))
    assert (tokens.requirements, events.requirements) == (("DEV-1", "DEV-2"), ("DEV-9",))
    assert tokens.record()["requirements"] == ["DEV-1", "DEV-2"]


def test_a_failure_names_the_ids_first_and_fails_one_area_only(shoe):
    log = shoe()
    probe(log, "DEV-1")
    wrong = probe(log, "DEV-2", "DEV-9", fault="acted twice")
    probe(log, "DEV-3", fault="forgotten")
    tokens, events = found(log).values()
    assert (tokens.verdict, events.verdict) == (FAIL, PASS)
    assert tokens.detail == "DEV-2, DEV-9: a scene: reset: acted twice (and 1 more)"
    assert tokens.requirements == ("DEV-2", "DEV-3", "DEV-9")
    assert tokens.evidence[0] == wrong


def test_a_mandatory_requirement_that_nothing_was_tried_for_leaves_its_area_open(shoe):
    log = shoe("DEV-1", "DEV-3", "DEV-9")
    probe(log, "DEV-1")
    tokens, events = found(log).values()
    assert (tokens.verdict, tokens.detail) == (NOT_TESTED, "nothing was tried for DEV-3")
    assert (events.verdict, events.detail) == (NOT_TESTED, "nothing was tried for DEV-9")
    assert tokens.required


def test_an_optional_requirement_leaves_nothing_open(shoe):
    log = shoe("DEV-1", "DEV-82")
    probe(log, "DEV-1")
    areas = found(log)
    assert areas[TOKENS].verdict is PASS
    assert areas[area_check("cards")].verdict is PASS


def test_what_could_not_be_tried_leaves_its_area_open_and_says_why(shoe):
    log = shoe()
    probe(log, "DEV-18", untested="its power cannot be cut")
    probe(log, "DEV-82", untested="it does not count")
    power, cards = found(log).values()
    assert (power.verdict, power.detail) == (NOT_TESTED, "DEV-18: a scene: reset: its power cannot be cut")
    assert cards.verdict is PASS


def test_what_a_reader_of_a_pass_must_know_stands_in_it_once(shoe):
    log = shoe()
    for _ in range(3):
        probe(log, "DEV-27", note="it was never caught at work")
    (states,) = found(log).values()
    assert states.detail == "3 messages; it was never caught at work"


def test_on_a_disturbed_wire_nothing_passes(shoe):
    log = shoe()
    log.add("noise", device="shoe", where="", unseen=False, disturbances=[])
    probe(log, "DEV-1")
    assert found(log)[TOKENS].verdict is NOT_TESTED


def test_a_device_with_a_profile_has_no_areas(shoe):
    log = shoe(profile={"name": "own", "lacks": []})
    probe(log, "DEV-1", fault="acted twice")
    assert found(log) == {}


def test_a_message_without_an_id_fails_in_the_finding_about_all(shoe):
    log = shoe()
    probe(log, fault="is wrong")
    probe(log, "DEV-1")
    whole = next(f for f in judge(log.evidence).findings if f.check == WHOLE)
    assert (whole.verdict, whole.detail) == (FAIL, "a scene: reset: is wrong")


def test_an_id_that_is_no_more_is_passed_over(shoe):
    log = shoe()
    probe(log, "DEV-1", "DEV-1000", fault="is wrong")
    assert found(log)[TOKENS].requirements == ("DEV-1",)
