"""The test cases of a run: one for each finding."""

from xml.etree import ElementTree

from report_parts import source_of

from feltrig.harness.reports.cases import suites
from feltrig.harness.reports.junit import junit


def test_junit_has_a_case_for_every_finding_and_counts_them(played):
    source = source_of(played)
    root = ElementTree.fromstring(junit("run", suites(source)))
    cases = root.findall(".//testcase")
    assert len(cases) == len(source.judgement.findings) + 1 == int(root.get("tests"))
    skipped = [f for f in source.judgement.findings if f.verdict.value == "not tested"]
    assert int(root.get("skipped")) == len(root.findall(".//skipped")) == len(skipped)
    assert root.get("failures") == root.get("errors") == "0"
    assert {s.get("name") for s in root} == {"run", "shuffler", "shoe", "shaker", "rng", "reader", "table"}
