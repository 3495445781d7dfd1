"""JUnit XML of a run, for a CI server: a suite for each device, a case for each requirement."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case. `result` is passed, failure, error or skipped; `why` goes with all but the first."""

    group: str
    name: str
    result: str
    why: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """The cases of one device."""

    name: str
    cases: Sequence[Case]
    properties: Mapping[str, str]
    when: str
    """As a JUnit file has it: ISO 8601 without a zone."""


def junit(name: str, suites: Iterable[Suite]) -> bytes:
    """The file."""
    made = list(suites)
    root = ElementTree.Element("testsuites", {"name": _text(name), **_counts([c for s in made for c in s.cases])})
    for suite in made:
        about = {"name": _text(suite.name), **_counts(suite.cases), "timestamp": suite.when}
        element = ElementTree.SubElement(root, "testsuite", about)
        properties = ElementTree.SubElement(element, "properties")
        for key, value in suite.properties.items():
            ElementTree.SubElement(properties, "property", name=_text(key), value=_text(value))
        for case in suite.cases:
            _add(element, case)
    ElementTree.indent(root)
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _add(suite: ElementTree.Element, case: Case) -> None:
    element = ElementTree.SubElement(suite, "testcase", classname=_text(case.group), name=_text(case.name), time="0")
    if case.result == "passed":
        if case.detail:
            ElementTree.SubElement(element, "system-out").text = _text(case.detail)
        return
    outcome = ElementTree.SubElement(element, case.result, message=_text(case.why))
    if case.result != "skipped":
        outcome.set("type", case.result)
        outcome.text = _text(case.detail)


def _counts(cases: Sequence[Case]) -> dict[str, str]:
    kinds = [case.result for case in cases]
    counts = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    return {"tests": str(len(kinds)), **{key: str(kinds.count(kind)) for key, kind in counts.items()}, "time": "0"}


def _text(value: str) -> str:
    return NOT_XML.sub("�", value)
