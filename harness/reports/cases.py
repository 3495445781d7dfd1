"""A run as JUnit cases: what passed, what failed, and what was not tested, for each device."""

from collections import defaultdict
from collections.abc import Iterator

from feltrig.harness.journal.folder import JUNIT
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.finding import Finding, Verdict, under_test
from feltrig.harness.judge.outcome import Outcome
from feltrig.harness.reports.contents import Source, report_number
from feltrig.harness.reports.format import ReportFormat
from feltrig.harness.reports.junit import Case, Suite, junit
from feltrig.harness.reports.results import origin

PLAYED = "What the rig's own dealer, players and engine did. It says nothing of a device."
RESULTS = {Verdict.PASS: "passed", Verdict.ATTESTED: "passed", Verdict.FAIL: "failure", Verdict.NOT_TESTED: "skipped"}
OF_RUN = {
    Outcome.CERTIFIED: "passed",
    Outcome.REHEARSED: "passed",
    Outcome.NO_FAILURE: "passed",
    Outcome.REFUSED: "failure",
    Outcome.INCONCLUSIVE: "error",
}


def suites(source: Source) -> Iterator[Suite]:
    """The run itself, each device, the table, and in one case what the rig played: it passes for no device."""
    evidence, written, found = source.judgement.evidence, source.judgement.verdict, source.judgement.findings
    when = evidence.all[0].t[:19]
    by_device: dict[str, list[Finding]] = defaultdict(list)
    own = [f for f in found if f.basis is Basis.PLAYED and f.verdict is Verdict.PASS]
    for finding in found:
        if finding not in own:
            by_device[finding.device].append(finding)
    about = {
        "report": report_number(evidence),
        "feltrig": written["version"],
        "game": written["game"],
        "jurisdiction": written["jurisdiction"],
        "seed": str(written["seed"]),
        "plan": written["plan"]["name"] if written["plan"] else "none",
        "journal": written["journal"]["hash"],
    }
    word = written["verdict"]
    played = Case(Basis.PLAYED.words, f"{len(own)} clauses of the game", "passed", detail=PLAYED)
    whole = Case(written["rig"], "verdict", OF_RUN[Outcome(word)], f"{word}; the run {written['ended']}", word)
    yield Suite("run", [whole], about, when)
    for name in [*written["devices"], *(name for name in by_device if name not in written["devices"])]:
        device = written["devices"].get(name)
        identity = {}
        if device is not None:
            identity = {**device["identity"], "wire": device["wire"], "hardware": origin(device["emulated"])}
        yield Suite(name, [_case(each, under_test(written, each)) for each in by_device[name]], identity, when)
    yield Suite(Basis.PLAYED.words, [played], {}, when)


def _case(finding: Finding, counts: bool) -> Case:
    """A passing case keeps what it rests on too. What failed in a device that is not under test fails nobody's run."""
    seen = ", ".join(map(str, finding.evidence))
    detail = f"{finding.detail}\njournal records: {seen}" if seen else finding.detail
    detail = f"{finding.basis.words}: {detail}"
    name = f"{finding.clause or 'rig'} {finding.check}"
    result, why = RESULTS[finding.verdict], finding.detail
    if result == "failure" and finding.basis is Basis.PLAYED:
        result = "error"  # the rig's own mistake
    elif result == "failure" and not counts:
        result, why = "skipped", f"not under test, and failed: {why}"
    return Case(f"{finding.game}.{finding.device}", name, result, why, detail)


FORMAT = ReportFormat(JUNIT, lambda source, _: junit(f"feltrig {source.judgement.evidence.run.rig}", suites(source)))
