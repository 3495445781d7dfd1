"""A run, judged once. Verdict, certificate, reports and comparisons all take the same judgement."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

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
from feltrig.harness.judge.finding import Finding, Verdict
from feltrig.harness.judge.planned import Planned, Timed, decision, planned, timings
from feltrig.harness.judge.table_findings import attested_findings, ruling_findings, table_findings, untouched
from feltrig.harness.statistics.core.results import Decision


class Outcome(Enum):
    """The outcome of a run, or of one device in it."""

    CERTIFIED = "certified"
    REFUSED = "refused"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What follows from the evidence of a run."""

    evidence: Evidence
    planned: Planned | None
    """The plan and the device that it judges; None for a run without a plan."""
    decision: Decision | None
    """The statistical decision of the plan; None when there was nothing to decide by."""
    timings: tuple[Timed, ...]
    """The times that the plan limits."""
    findings: tuple[Finding, ...]
    verdict: Mapping[str, Any]
    """The contents of `verdict.json`; empty when the journal does not begin with a run."""

    def outcome(self, device: str | None = None) -> Outcome:
        """The outcome of the run, or of one device."""
        return outcome(self.evidence, self.findings, device)


def judge(evidence: Evidence) -> Judgement:
    """Judge a run. The same journal always gives the same judgement."""
    if evidence.begun is None:
        return Judgement(evidence, None, None, (), (), {})
    chosen = planned(evidence)
    decided = decision(evidence, chosen)
    timed = timings(evidence, chosen)
    idle = not_judged(evidence)
    found = [
        *_before_statistics(evidence),
        *statistical_findings(evidence, chosen, decided),
        *timing_findings(evidence, chosen, timed),
    ]
    found = [replace(finding, required=False) if finding.device in idle else finding for finding in found]
    found = _with_earlier_failures(evidence, found)
    whole = (*found, *untouched(evidence, found))
    return Judgement(evidence, chosen, decided, timed, whole, _verdict(evidence, chosen, decided, whole))


def _verdict(
    evidence: Evidence, chosen: Planned | None, decided: Decision | None, found: Sequence[Finding]
) -> dict[str, Any]:
    run = evidence.run
    results = [round_.result for round_ in evidence.rounds]
    return {
        "verdict": outcome(evidence, found).value,
        "ended": evidence.end.reason if evidence.end else "cut off",
        "rig": run.rig,
        "rig_digest": run.digest,
        "seed": run.seed,
        "version": run.version,
        "game": run.game,
        "jurisdiction": run.jurisdiction,
        "uses": list(run.uses),
        "devices": {
            name: {
                "kind": device.kind,
                "wire": device.wire,
                "where": device.where,
                "emulated": device.emulated,
                "identity": dict(device.identity),
                "verdict": outcome(evidence, found, name).value,
            }
            for name, device in evidence.devices.items()
        },
        "rounds": {
            "asked": run.rounds,
            "played": sum(result is not None for result in results),
            "void": sum(result is not None and result.body.result["void"] for result in results),
        },
        "plan": None if chosen is None else chosen.record(),
        "statistics": None if decided is None else decided.as_json(),
        "findings": [finding.record() for finding in found],
        "journal": {"records": evidence.all[-1].seq, "hash": evidence.all[-1].hash},
    }


def _before_statistics(evidence: Evidence) -> Iterator[Finding]:
    """The findings that rest on the records alone, in the order in which a verdict lists them."""
    yield from wire_findings(evidence)
    yield from device_findings(evidence)
    yield from drill_findings(evidence)
    yield from ruling_findings(evidence)
    yield from table_findings(evidence)
    yield from attested_findings(evidence)
    yield from conformance_findings(evidence)


def _with_earlier_failures(evidence: Evidence, found: list[Finding]) -> list[Finding]:
    """A failure before an interruption stays a failure: repeating a segment does not undo it. Statistics are left out:
    they judge whole batches, and a sample that was taken twice counts once."""
    failed: dict[tuple[str | None, str, str], Finding] = {}
    for before in evidence.broken_off():
        chosen = planned(before)
        timed = timing_findings(before, chosen, timings(before, chosen))
        for finding in (*_before_statistics(before), *timed):
            if finding.verdict is Verdict.FAIL:
                failed.setdefault((finding.clause, finding.device, finding.check), finding)
    kept = []
    for finding in found:
        earlier = failed.pop((finding.clause, finding.device, finding.check), None)
        kept.append(finding if earlier is None or finding.verdict is Verdict.FAIL else _earlier(earlier))
    return [*kept, *map(_earlier, failed.values())]


def _earlier(finding: Finding) -> Finding:
    return replace(finding, detail=f"{finding.detail}; this was before the run was interrupted and resumed")


def not_judged(evidence: Evidence) -> set[str]:
    """The devices that the run does not judge: those that the game does not use, or that a plan only needs as help."""
    chosen = planned(evidence)
    return {
        name
        for name, device in evidence.devices.items()
        if device.kind not in evidence.run.uses or (chosen is not None and chosen.device != name)
    }


def outcome(evidence: Evidence, found: Iterable[Finding], device: str | None = None) -> Outcome:
    """What the findings come to, for one device or for the run. A failure outweighs an unfinished run. A device that
    is not judged does not hold up the others. Where noise could have changed bytes unseen, nothing is proved."""
    idle = not_judged(evidence)
    if device in idle or any(record.body.unseen for record in evidence.of(NoiseBegun)):
        return Outcome.INCONCLUSIVE
    relevant = [f for f in found if (f.device == device if device else f.device not in idle)]
    if any(f.verdict is Verdict.FAIL for f in relevant):
        return Outcome.REFUSED
    judged = evidence.run.judged  # rounds that were only played certify nothing
    finished = judged and evidence.end is not None and evidence.end.reason == "finished"
    missing = any(f.verdict is Verdict.NOT_TESTED and f.required for f in relevant)
    return Outcome.CERTIFIED if finished and not missing else Outcome.INCONCLUSIVE
