"""A run, judged once. Verdict, certificate, reports and comparisons all take the same judgement."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from feltrig.harness.judge.conformance import conformance_findings
from feltrig.harness.judge.device_findings import (
    device_findings,
    drill_findings,
    statistical_findings,
    timing_findings,
    wire_findings,
)
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Finding, Verdict
from feltrig.harness.judge.limits import limits
from feltrig.harness.judge.need_findings import least_findings, need_findings
from feltrig.harness.judge.outcome import Outcome, device_verdict, not_judged, outcome, took_part
from feltrig.harness.judge.planned import Planned, Timed, decision, planned, timings
from feltrig.harness.judge.profile_findings import profile_findings
from feltrig.harness.judge.table_findings import attested_findings, ruling_findings, table_findings, untouched
from feltrig.harness.plan.plan import CONFORMANCE, IRREGULARITIES, ROUNDS, STATISTICS
from feltrig.harness.plan.shortened import shortened
from feltrig.harness.statistics.core.results import Decision

FindingKey = tuple[str | None, str, str]
"""What tells a finding from others: its clause, its device and its check."""


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
        *_in_step(STATISTICS, chosen, statistical_findings(evidence, chosen, decided)),
        *_in_step(ROUNDS, chosen, timing_findings(evidence, chosen, timed)),
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
                **({} if device.profile is None else {"profile": device.profile["name"]}),
                "verdict": device_verdict(evidence, found, name),
            }
            for name, device in evidence.devices.items()
        },
        "rounds": {
            "asked": run.rounds,
            "played": sum(result is not None for result in results),
            "void": sum(result is not None and result.body.result["void"] for result in results),
        },
        "plan": None if chosen is None else _planned(evidence, chosen),
        "statistics": None if decided is None else decided.as_json(),
        "limits": limits(evidence, found),
        "findings": [finding.record() for finding in found],
        "journal": {"records": evidence.all[-1].seq, "hash": evidence.all[-1].hash},
    }


def _planned(evidence: Evidence, chosen: Planned) -> dict[str, Any]:
    return {
        **chosen.record(),
        "shortened": list(shortened(chosen.plan)),
        "took_part": took_part(evidence, chosen.device),
    }


def _before_statistics(evidence: Evidence) -> Iterator[Finding]:
    """The findings that rest on the records alone, in the order in which a verdict lists them."""
    chosen = planned(evidence)
    yield from wire_findings(evidence)
    yield from _in_step(ROUNDS, chosen, device_findings(evidence))
    yield from _in_step(IRREGULARITIES, chosen, drill_findings(evidence))
    yield from ruling_findings(evidence)
    yield from _in_step(ROUNDS, chosen, table_findings(evidence))
    yield from attested_findings(evidence)
    yield from _in_step(CONFORMANCE, chosen, conformance_findings(evidence))
    yield from _in_step(CONFORMANCE, chosen, profile_findings(evidence))
    yield from _in_step(ROUNDS, chosen, least_findings(evidence, chosen))
    rehearsed = chosen is not None and shortened(chosen.plan)
    yield from (replace(f, required=False) if rehearsed else f for f in need_findings(evidence, chosen))


def _in_step(step: str, chosen: Planned | None, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of a step of the plan. If it was left out, nothing in it is required."""
    for finding in found:
        left_out = chosen is not None and step not in chosen.plan.steps and finding.verdict is Verdict.NOT_TESTED
        yield replace(finding, required=False, detail=f"the rehearsal leaves out: {step}") if left_out else finding


def _with_earlier_failures(evidence: Evidence, found: list[Finding]) -> list[Finding]:
    """A failure before an interruption stays a failure: repeating a segment does not undo it. Statistics are left out:
    they judge whole batches, and a sample that was taken twice counts once. What was done again by hand proves nothing
    where it had failed: nobody can tell whether that was the machine or the hand."""
    found = _with_earlier(found, _failures(evidence.broken_off()), _earlier)
    return _with_earlier(found, _failures(evidence.redone()), _redone)


def _failures(before: Iterable[Evidence]) -> dict[FindingKey, Finding]:
    """What had failed at each of these moments."""
    failed: dict[FindingKey, Finding] = {}
    for evidence in before:
        chosen = planned(evidence)
        timed = timing_findings(evidence, chosen, timings(evidence, chosen))
        for finding in (*_before_statistics(evidence), *timed):
            if finding.verdict is Verdict.FAIL:
                failed.setdefault(_key(finding), finding)
    return failed


def _with_earlier(
    found: Iterable[Finding], failed: dict[FindingKey, Finding], said: Callable[[Finding], Finding]
) -> list[Finding]:
    """The findings, with those that had failed earlier in place of what they are now."""
    kept = []
    for finding in found:
        earlier = failed.pop(_key(finding), None)
        kept.append(finding if earlier is None or finding.verdict is Verdict.FAIL else said(earlier))
    return [*kept, *map(said, failed.values())]


def _key(finding: Finding) -> FindingKey:
    return finding.clause, finding.device, finding.check


def _earlier(finding: Finding) -> Finding:
    return replace(finding, detail=f"{finding.detail}; this was before the run was interrupted and resumed")


def _redone(finding: Finding) -> Finding:
    detail = f"{finding.detail}; this was before it was done again by hand, so it proves nothing"
    return replace(finding, verdict=Verdict.NOT_TESTED, required=True, detail=detail)
