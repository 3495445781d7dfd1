"""What a report says: all that a laboratory must state, and all of it from the journal."""

import platform
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from report_parts import section, source_of

from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import plan
from feltrig.harness.reports.blocks import Facts, Mark, Paragraph, Table
from feltrig.harness.reports.cases import suites
from feltrig.harness.reports.contents import report, report_number
from feltrig.harness.reports.html import html
from feltrig.harness.reports.junit import junit
from feltrig.harness.reports.pdf import pdf


def test_what_a_laboratory_must_state_is_there(contents, played):
    page = html(contents)
    number = report_number(Evidence(played))
    for words in (
        number,
        "The results relate only to the items tested",
        "shall not be reproduced except in full",
        "Decision rule",
        "Risk of false refusal" if "p-value" in page else "No statistical decision was taken",
        "Risk of false acceptance",
        "Emulated in this run, not physical",
        "The run has no inspector&#x27;s checklist",
        "nothing was submitted: only its kind was compared",
        platform.python_version(),
        f"End of report {number}",
        played[-1].hash,
    ):
        assert words in page
    assert page.index("End of report") > page.index("journal excerpts")


def test_every_result_says_whether_it_is_of_a_real_machine(contents, log):
    (matrix,) = (block for block in section(contents, "Results") if isinstance(block, Table))
    assert {row[3] for row in matrix.rows} == {"emulated"}
    log.run("shoe")
    log.device("box", "shoe")
    log.add("end", reason="finished", rounds=0)
    physical = report(source_of(log.records))
    (matrix,) = (block for block in section(physical, "Results") if isinstance(block, Table))
    assert {row[3] for row in matrix.rows} == {"physical"}
    assert not any("Emulated" in notice for notice in physical.notices)


@pytest.mark.parametrize("emulated", [False, True])
def test_report_and_junit_never_confuse_a_physical_and_an_emulated_device(log, emulated):
    """Two devices, one of each sort, in both arrangements, by a plan that judges the shoe."""
    sort = {True: "emulated", False: "physical"}
    expected = {"box": sort[emulated], "spinner": sort[not emulated]}
    log.run("shoe", "rng", plan=PlanOrder(plan("shoe-nj"), "box", False).record())
    for name, kind in (("box", "shoe"), ("spinner", "rng")):
        log.device(name, kind)
        log.records[-1] = replace(
            log.records[-1], body=replace(log.records[-1].body, emulated=expected[name] == "emulated")
        )
        log.add("call", device=name, command="status")
        log.add("reply", device=name, command="status", error="ok")
    log.add("end", reason="finished", rounds=0)
    source = source_of(log.records)
    contents = report(source)

    assert f"{'an emulated' if emulated else 'a physical'} shoe" in contents.subject
    assert f"{'an emulated' if emulated else 'a physical'} shoe" in contents.statement
    (notice,) = (notice for notice in contents.notices if notice.startswith("Emulated in this run"))
    assert {name: name in notice for name in expected} == {name: it == "emulated" for name, it in expected.items()}
    shown = set()
    for title in ("Items under test", "Results", "Timings"):
        for table in (block for block in section(contents, title) if isinstance(block, Table)):
            heads = list(table.columns)
            if "hardware" in heads:
                rows = [(row[heads.index("device")], row[heads.index("hardware")]) for row in table.rows]
                only = {"box"} if title == "Results" else set(expected)  # of a neighbour there are no results
                assert {name: it for name, it in rows if name in expected} == {name: expected[name] for name in only}
                assert len({row for row in rows if row[0] in expected}) == len(only)
                shown.add(title)
    assert shown == {"Items under test", "Results", "Timings"}
    identities = [dict(block.rows) for block in section(contents, "Items under test") if isinstance(block, Facts)]
    for name, it in expected.items():
        assert any(facts.get(name, "").endswith(f", {it}") for facts in identities)

    root = ElementTree.fromstring(junit("run", suites(source)))
    told = {
        suite.get("name"): [each.get("value") for each in suite.iterfind(".//property[@name='hardware']")]
        for suite in root.iterfind("testsuite")
    }
    assert told == {"run": [], "table": [], "played by the rig": []} | {name: [it] for name, it in expected.items()}


def test_what_failed_in_a_neighbour_of_the_device_under_test_is_told_and_does_not_count(failed):
    chosen = PlanOrder(plan("shoe-nj"), "shoe", False).record()
    records = [replace(r, body=replace(r.body, plan=chosen)) if r.kind == "run" else r for r in failed]
    source = source_of(records)
    decided = section(report(source), "What failed and what is missing")
    assert not any(row[1] == "rng" for block in decided if isinstance(block, Table) for row in block.rows)
    told = "Devices that are not under test failed requirements: rng."
    assert any(block.text.startswith(told) for block in decided if isinstance(block, Paragraph))
    root = ElementTree.fromstring(junit("run", suites(source)))
    assert root.get("failures") == "0"
    reasons = [skipped.get("message") for skipped in root.findall(".//skipped")]
    assert any(reason.startswith("not under test, and failed: ") for reason in reasons)


def test_a_failure_is_shown_before_the_matrix_with_its_reason(failed):
    contents = report(source_of(failed))
    assert contents.verdict == "refused"
    reasons = next(b for b in section(contents, "What failed and what is missing") if isinstance(b, Table))
    assert ("rng", "selects a number from 1 to 7", Mark("fail")) in {row[1:4] for row in reasons.rows}


def test_a_run_that_was_cut_off_says_so(played):
    half = played[: len(played) // 2]
    contents = report(source_of(half, torn=True))
    (table,) = section(contents, "Deviations and incidents")
    assert [row[3] for row in table.rows][-2:] == ["cut off", "torn"]
    assert contents.verdict == "inconclusive"


def test_a_run_in_which_no_device_spoke_has_a_report_too(log):
    log.run("shoe")
    log.add("trouble", device="box", what="no answer", detail="box: identify: no answer within 2 s")
    log.add("end", reason="wire", rounds=0)
    contents = report(source_of(log.records))
    assert "no answer within 2 s" in html(contents)
    assert pdf(contents).startswith(b"%PDF")
