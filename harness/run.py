"""One run of a rig, from its folder to its verdict. What was observed is in the journal, whatever happens."""

import asyncio
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from feltrig.harness import journal as journals
from feltrig.harness import runs
from feltrig.harness.checklist import Inspection
from feltrig.harness.driver import Faulted, Stalled
from feltrig.harness.evidence import Evidence
from feltrig.harness.findings import Finding
from feltrig.harness.journal import Journal
from feltrig.harness.operator import Operator
from feltrig.harness.rigconfig import Rig
from feltrig.harness.rigfile import RigError
from feltrig.harness.runner import OnProgress, Runner, run_record
from feltrig.harness.technician import Ask
from feltrig.harness.usercode import Breakdown
from feltrig.harness.verdict import verdict
from feltrig.harness.wiring import wire
from feltrig.protocols.errors import Refused, WireError


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that came to a verdict."""

    folder: Path
    verdict: dict[str, Any]
    findings: list[Finding]


async def run(
    rig: Rig,
    rounds: int,
    seed: int,
    out: Path,
    on_progress: OnProgress,
    ask: Ask,
    *,
    drills: bool = True,
    operator: Operator | None = None,
    inspection: Inspection | None = None,
) -> Finished:
    """Play the rounds, hold the drills, and judge what was seen. A run that is cancelled is inconclusive at best."""
    folder = runs.create(out, rig.name)
    with Journal(folder / "journal.jsonl") as journal:
        journal.append("run", run_record(rig, version("feltrig"), seed, rounds))
        for attested in inspection.records() if inspection else ():
            journal.append("attested", attested)
        try:
            await _play(rig, rounds, seed, journal, on_progress, ask, drills, operator)
        except RigError:
            runs.discard(folder)
            raise
        journal.sync()
    evidence = Evidence(journals.read(folder / "journal.jsonl").records)
    written, found = verdict(evidence)
    runs.write_verdict(folder / "verdict.json", written)
    return Finished(folder, written, found)


async def _play(
    rig: Rig,
    rounds: int,
    seed: int,
    journal: Journal,
    on_progress: OnProgress,
    ask: Ask,
    drills: bool,
    operator: Operator | None,
) -> None:
    try:
        async with wire(rig, journal, seed, ask, operator=operator) as wired:
            await Runner(rig, wired, journal, seed, on_progress).play(rounds, drills=drills)
    except WireError:
        journal.append("end", {"reason": "wire"})  # a device did not even say who it is
    except (Refused, Faulted, Stalled) as failure:
        journal.append("trouble", {"device": failure.device, "what": "unidentified", "detail": str(failure)})
        journal.append("end", {"reason": "unfit"})
    except Breakdown as failure:
        journal.append("trouble", {"device": failure.device, "what": "breakdown", "detail": str(failure)})
        journal.append("end", {"reason": "breakdown"})
    except asyncio.CancelledError:
        journal.append("end", {"reason": "interrupted"})
