"""The JUnit file of a run: its form, and text that XML cannot hold."""

from xml.etree import ElementTree

import pytest

from feltrig.harness.reports.junit import Case, Suite, junit


@pytest.mark.parametrize("result", ["failure", "error", "skipped"])
def test_junit_keeps_reason_and_detail_and_replaces_what_xml_cannot_hold(result):
    case = Case("a.b", "name\x00<", result, "why\x1b", "detail \ud800 & more")
    root = ElementTree.fromstring(junit("n", [Suite("s", [case], {"k": "\x01"}, "2026-01-01T00:00:00")]))
    (found,) = root.iter(result)
    assert found.get("message") == "why�"
    assert (found.text or "") == ("" if result == "skipped" else "detail � & more")
    assert root.get({"failure": "failures", "error": "errors"}.get(result, result)) == "1"
