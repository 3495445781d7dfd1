"""The test cases of a run: one for each finding."""

from xml.etree import ElementTree

from report_parts import source_of

from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.reports.cases import suites
from feltrig.harness.reports.junit import junit


def test_junit_has_a_case_for_every_finding_and_counts_them(played):
    source = source_of(played)
    root = ElementTree.fromstring(junit("run", suites(source)))
    cases = root.findall(".//testcase")
    own = [f for f in source.judgement.findings if f.basis is Basis.PLAYED and f.verdict is Verdict.PASS]
    assert len(cases) == len(source.judgement.findings) - len(own) + 2 == int(root.get("tests"))
    assert [c.get("name") for c in cases if c.get("classname") == "played by the rig"] == [
        f"{len(own)} clauses of the game"
    ]
    skipped = [f for f in source.judgement.findings if f.verdict.value == "not tested"]
    assert int(root.get("skipped")) == len(root.findall(".//skipped")) == len(skipped)
    assert root.get("failures") == root.get("errors") == "0"
    assert {s.get("name") for s in root} == {
        "run",
        "shuffler",
        "shoe",
        "shaker",
        "rng",
        "reader",
        "table",
        "played by the rig",
    }
