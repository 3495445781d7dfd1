"""One run of a rig, from its folder to its verdict. What was observed is in the journal, whatever happens."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from feltrig.errors import RigError, RunError
from feltrig.harness import resuming
from feltrig.harness.devices.failures import Faulted, Stalled
from feltrig.harness.devices.hands import Operator
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import RESUMABLE, RunBegun, RunEnded, Trouble
from feltrig.harness.journal.writer import Journal
from feltrig.harness.judge.certificate import envelope, statement, subjects
from feltrig.harness.judge.checklist import Inspection
from feltrig.harness.judge.evidence import ClockJump, Evidence
from feltrig.harness.judge.finding import Finding
from feltrig.harness.judge.judgement import Judgement, Outcome, judge
from feltrig.harness.judge.planned import planned
from feltrig.harness.plan.checkpoints import Changed
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import Rig
from feltrig.harness.table.rounds import OnProgress
from feltrig.harness.table.runner import OnSample, Runner, run_record
from feltrig.harness.table.technician import Ask
from feltrig.harness.wires.connecting import attended, wire
from feltrig.harness.wires.usercode import Breakdown
from feltrig.protocols.errors import Refused, WireError


@dataclass(frozen=True, slots=True)
class Run:
    """A run that was judged, and the folder that holds its journal."""

    folder: Path
    judgement: Judgement
    clock_jumps: tuple[ClockJump, ...] = ()
    """Where the computer's clock was set during the run."""

    @property
    def certified(self) -> bool:
        """Whether nothing failed, and nothing that a certificate needs is missing."""
        return self.judgement.outcome() is Outcome.CERTIFIED

    @property
    def verdict(self) -> Mapping[str, Any]:
        """The contents of `verdict.json`."""
        return self.judgement.verdict

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings."""
        return self.judgement.findings


@dataclass(frozen=True, slots=True)
class Order:
    """What a run is to do. The first record of the journal says so, and a resumed run does the same."""

    rounds: int
    seed: int
    drills: bool = True
    plan: PlanOrder | None = None


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
    plan: PlanOrder | None = None,
    on_sample: OnSample = lambda _: None,
    key: Ed25519PrivateKey | None = None,
) -> Run:
    """Play the rounds, hold the drills, take the samples of a plan, and judge what was seen. A run that is cancelled
    is inconclusive at best."""
    folder = runs.create(out, rig.name)
    order = Order(plan.rounds(rig) if plan else rounds, seed, drills, plan)
    with Journal(folder / runs.JOURNAL) as journal:
        journal.append(run_record(rig, version("feltrig"), seed, order.rounds, judged=drills, plan=plan))
        for attested in inspection.records() if inspection else ():
            journal.append(attested)
        try:
            await _play(rig, order, journal, on_progress, on_sample, ask, operator)
        except RigError:
            runs.discard(folder)
            raise
        journal.sync()
    return certify(folder, key)


async def resume(
    folder: Path,
    on_progress: OnProgress,
    ask: Ask,
    on_sample: OnSample = lambda _: None,
    key: Ed25519PrivateKey | None = None,
) -> Run:
    """Go on with an interrupted run, at the segment where it stopped. Raises RunError if that is impossible."""
    path = runs.journal_path(folder)
    evidence = Evidence(journals.read(path).records)
    resuming.refuse(folder, resuming.other_program_or_journal(folder, evidence))
    if evidence.end is not None and evidence.end.reason not in RESUMABLE:
        return certify(folder, key)  # killed after its end, before its verdict was written
    if key is None and (folder / runs.CERTIFICATE).exists():
        raise RunError(f"{folder}: this run is signed, and resuming changes it; give --key to sign it again")
    begun = evidence.run
    rig = rigfile.reopen(begun.source, begun.game, begun.jurisdiction)
    resuming.refuse(folder, (*resuming.other_rig(rig, evidence), *resuming.other_plan(begun)))
    chosen = planned(evidence)
    plan = None if chosen is None else PlanOrder(chosen.plan, chosen.device, chosen.sequential)
    with Journal(path, resume=True) as journal:
        try:
            order = Order(begun.rounds, begun.seed, begun.judged, plan)
            await _play(rig, order, journal, on_progress, on_sample, ask, None, evidence)
        except Changed as error:
            raise RunError(f"{folder}: cannot be resumed: {error}") from error
        journal.sync()
    return certify(folder, key)


def by_hand(folder: Path) -> bool:
    """Whether a technician's hands move the cards of an interrupted run."""
    path = folder / runs.JOURNAL
    first = next(journals.scan(path), None) if path.is_file() else None
    begun = first.body if isinstance(first, Record) else None
    return isinstance(begun, RunBegun) and attended(rigfile.reopen(begun.source, begun.game, begun.jurisdiction))


def certify(folder: Path, key: Ed25519PrivateKey | None = None) -> Run:
    """The verdict of a run's journal, written beside it, and with a key the certificate. Raises RunError rather than
    sign for a plan that goes by the name of another."""
    evidence = Evidence(journals.read(folder / runs.JOURNAL).records)
    if key is not None:
        resuming.refuse(folder, resuming.other_plan(evidence.run), "signed")
    judgement = judge(evidence)
    written = judgement.verdict
    runs.write_verdict(folder / runs.VERDICT, written)
    if key is not None and subjects(written):  # a statement about nothing is none
        stated = statement(written, runs.verdict_bytes(written))
        runs.write_whole(folder / runs.CERTIFICATE, envelope(stated, key))
    return Run(folder, judgement, tuple(evidence.clock_jumps()))


async def _play(
    rig: Rig,
    order: Order,
    journal: Journal,
    on_progress: OnProgress,
    on_sample: OnSample,
    ask: Ask,
    operator: Operator | None,
    before: Evidence | None = None,
) -> None:
    try:
        async with wire(rig, journal, order.seed, ask, operator=operator) as wired:
            if before is not None:
                resuming.require_same_devices(wired, before, journal)
            runner = Runner(rig, wired, journal, order.seed, on_progress)
            plan = order.plan
            steps = runner.plan_steps(plan, on_sample) if plan else runner.steps(order.rounds, order.drills)
            await runner.go(steps, before.segments if before else ())
    except WireError:
        journal.append(RunEnded("wire"))  # a device did not even say who it is
    except (Refused, Faulted, Stalled) as failure:
        journal.append(Trouble(failure.device, "unidentified", str(failure)))
        journal.append(RunEnded("unfit"))
    except Breakdown as failure:
        journal.append(Trouble(failure.device, "breakdown", str(failure)))
        journal.append(RunEnded("breakdown"))
    except asyncio.CancelledError:
        journal.append(RunEnded("interrupted"))
