"""All findings of a run, and what they come to: functions of the journal."""

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum

from feltrig.harness.journal.records import NoiseBegun
from feltrig.harness.judge.device_findings import (
    conformance_findings,
    device_findings,
    drill_findings,
    statistical_findings,
    timing_findings,
    wire_findings,
)
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import TABLE, Finding, Verdict
from feltrig.harness.judge.planned import planned
from feltrig.harness.judge.table_findings import attested_findings, ruling_findings, table_findings, untouched

__all__ = ["MAKERS", "TABLE", "Finding", "Outcome", "Verdict", "findings", "not_judged", "outcome"]


MAKERS = (
    wire_findings,
    device_findings,
    drill_findings,
    ruling_findings,
    table_findings,
    attested_findings,
    conformance_findings,
    statistical_findings,
    timing_findings,
)
"""What looks at a journal, in the order in which a verdict lists the findings."""


class Outcome(Enum):
    """What a run, or a device in it, comes to."""

    CERTIFIED = "certified"
    REFUSED = "refused"
    INCONCLUSIVE = "inconclusive"


def findings(evidence: Evidence) -> list[Finding]:
    """All findings of a run: of each device, of the table, and of the clauses that nothing in the run touched."""
    if evidence.begun is None:
        return []
    found = [finding for make in MAKERS for finding in make(evidence)]
    beside = not_judged(evidence)
    found = [replace(finding, required=False) if finding.device in beside else finding for finding in found]
    found = _with_earlier_failures(evidence, found)
    return [*found, *untouched(evidence, found)]


def _with_earlier_failures(evidence: Evidence, found: list[Finding]) -> list[Finding]:
    """A failure stays a failure when the run is broken off and taken up again: repeating a segment does not undo it.
    The statistics are left out: they judge whole batches, and what was sampled twice is counted once."""
    makers = [make for make in MAKERS if make is not statistical_findings]
    failed: dict[tuple[str | None, str, str], Finding] = {}
    for before in evidence.broken_off():
        for finding in (finding for make in makers for finding in make(before)):
            if finding.verdict is Verdict.FAIL:
                failed.setdefault((finding.clause, finding.device, finding.check), finding)
    kept = []
    for finding in found:
        earlier = failed.pop((finding.clause, finding.device, finding.check), None)
        kept.append(finding if earlier is None or finding.verdict is Verdict.FAIL else _earlier(earlier))
    return [*kept, *map(_earlier, failed.values())]


def _earlier(finding: Finding) -> Finding:
    return replace(finding, detail=f"{finding.detail}; so before the run was broken off and taken up again")


def not_judged(evidence: Evidence) -> set[str]:
    """The devices on which the run passes no judgement: the game as chosen has no use for them, or a plan judges
    another one."""
    chosen = planned(evidence)
    return {
        name
        for name, device in evidence.devices.items()
        if device.kind not in evidence.run.uses or (chosen is not None and chosen.device != name)
    }


def outcome(evidence: Evidence, found: Iterable[Finding], device: str | None = None) -> Outcome:
    """What the findings come to, for one device or for the run. A failure outweighs an unfinished run. A device that
    is not judged does not hold up the others. Nothing is proved where noise on a wire may have changed bytes and
    nothing would show it."""
    beside = not_judged(evidence)
    if device in beside:
        return Outcome.INCONCLUSIVE
    if any(record.body.unseen for record in evidence.of(NoiseBegun)):
        return Outcome.INCONCLUSIVE
    relevant = [f for f in found if (f.device == device if device else f.device not in beside)]
    if any(f.verdict is Verdict.FAIL for f in relevant):
        return Outcome.REFUSED
    judged = evidence.run.judged  # rounds that were only played are no certification
    finished = judged and evidence.end is not None and evidence.end.reason == "finished"
    missing = any(f.verdict is Verdict.NOT_TESTED and f.required for f in relevant)
    return Outcome.CERTIFIED if finished and not missing else Outcome.INCONCLUSIVE
