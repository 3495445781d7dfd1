"""The verdict of a run, from its journal alone: what `verdict.json` holds."""

from typing import Any

from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.findings import Finding, findings, outcome
from feltrig.harness.judge.planned import decision, planned


def verdict(evidence: Evidence) -> tuple[dict[str, Any], list[Finding]]:
    """The verdict as it is written, and the findings that it rests on."""
    found = findings(evidence)
    results = [round_.result for round_ in evidence.rounds]
    run = evidence.run
    written = {
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
        "plan": _plan(evidence),
        "statistics": _statistics(evidence),
        "findings": [finding.record() for finding in found],
        "journal": {"records": evidence.all[-1].seq, "hash": evidence.all[-1].hash},
    }
    return written, found


def _plan(evidence: Evidence) -> dict[str, Any] | None:
    chosen = planned(evidence)
    if chosen is None:
        return None
    plan = chosen.plan
    return {"name": plan.name, "digest": plan.digest, "device": chosen.device, "sequential": chosen.sequential}


def _statistics(evidence: Evidence) -> dict[str, Any] | None:
    """The decision about the device under test, with every test that it rests on."""
    decided = decision(evidence)
    return None if decided is None else decided.as_json()
