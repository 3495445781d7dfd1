"""One run of a rig, from its folder to its verdict. What was observed is in the journal, whatever happens."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from feltrig.errors import RigError, RunError
from feltrig.harness import resuming
from feltrig.harness.devices.failures import Faulted, Stalled
from feltrig.harness.devices.hands import Operator
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import RESUMABLE, RunBegun, RunEnded, Trouble
from feltrig.harness.journal.writer import Journal
from feltrig.harness.judge.checklist import Inspection
from feltrig.harness.judge.evidence import ClockJump, Evidence
from feltrig.harness.judge.finding import Finding
from feltrig.harness.judge.judgement import Judgement, judge
from feltrig.harness.judge.outcome import Outcome
from feltrig.harness.judge.planned import other_plan, planned
from feltrig.harness.laboratory.signing import NOBODY, Laboratory, NoLaboratory, Signing
from feltrig.harness.plan.checkpoints import Changed, OnStep
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import Rig
from feltrig.harness.table.prompts import Prompter
from feltrig.harness.table.rounds import OnProgress
from feltrig.harness.table.runner import OnSample, Runner, run_record
from feltrig.harness.table.terminal import Ask
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


@dataclass(frozen=True, slots=True)
class Listeners:
    """Who is told how far a run has come."""

    rounds: OnProgress
    samples: OnSample
    steps: OnStep


async def run(
    rig: Rig,
    rounds: int,
    seed: int,
    out: Path,
    on_progress: OnProgress,
    ask: Ask | Prompter,
    *,
    drills: bool = True,
    operator: Operator | None = None,
    inspection: Inspection | None = None,
    plan: PlanOrder | None = None,
    on_sample: OnSample = lambda _: None,
    on_step: OnStep = lambda _: None,
    laboratory: Laboratory | None = None,
) -> Run:
    """Play the rounds, hold the drills, take the samples of a plan, and judge what was seen. A run that is cancelled
    is inconclusive at best. A laboratory registers the run, and signs what can be signed."""
    with _signing(laboratory) as signing:
        folder = runs.create(out, rig.name)
        order = Order(plan.rounds(rig) if plan else rounds, seed, drills, plan)
        under_test = None if plan is None else plan.device
        with Journal(folder / runs.JOURNAL, written=signing.written) as journal:
            journal.append(run_record(rig, version("feltrig"), seed, order.rounds, judged=drills, plan=plan))
            for attested in inspection.records() if inspection else ():
                journal.append(attested)
            try:
                signing.begin(journal, under_test)
                await _play(rig, order, journal, Listeners(on_progress, on_sample, on_step), ask, operator)
            except RigError:
                signing.discard(journal)
                runs.discard(folder)
                raise
            journal.sync()
        return certify(folder, signing)


async def resume(
    folder: Path,
    on_progress: OnProgress,
    ask: Ask | Prompter,
    on_sample: OnSample = lambda _: None,
    laboratory: Laboratory | None = None,
    on_step: OnStep = lambda _: None,
) -> Run:
    """Go on with an interrupted run, at the segment where it stopped. Raises RunError if that is impossible, or if the
    laboratory's register does not know this journal."""
    path = runs.journal_path(folder)
    evidence = Evidence(journals.read(path).records)
    resuming.refuse(folder, resuming.other_program_or_journal(folder, evidence))
    over = evidence.end is not None and evidence.end.reason not in RESUMABLE
    if laboratory is None and not over and (folder / runs.CERTIFICATE).exists():
        raise RunError(f"{folder}: this run is signed, and resuming changes it; give --key to sign it again")
    begun, chosen = evidence.run, planned(evidence)
    plan = None if chosen is None else PlanOrder(chosen.plan, chosen.device, chosen.sequential)
    under_test = None if plan is None else plan.device
    with _signing(laboratory) as signing:
        if over:  # killed after its end, before its verdict was written
            signing.resume(folder, under_test)
            return certify(folder, signing)
        rig = rigfile.reopen(begun.source, begun.game, begun.jurisdiction)
        resuming.refuse(folder, (*resuming.other_rig(rig, evidence), *other_plan(begun)))
        signing.resume(folder, under_test)
        with Journal(path, resume=True, written=signing.written) as journal:
            try:
                order = Order(begun.rounds, begun.seed, begun.judged, plan)
                await _play(rig, order, journal, Listeners(on_progress, on_sample, on_step), ask, None, evidence)
            except Changed as error:
                raise RunError(f"{folder}: cannot be resumed: {error}") from error
            journal.sync()
        return certify(folder, signing)


def _signing(laboratory: Laboratory | None) -> Signing | NoLaboratory:
    """The process that registers and signs, if there is a laboratory. It holds the key; this process never does."""
    return NOBODY if laboratory is None else Signing(laboratory)


def by_hand(folder: Path) -> bool:
    """Whether a technician's hands move the cards of an interrupted run."""
    path = folder / runs.JOURNAL
    first = next(journals.scan(path), None) if path.is_file() else None
    begun = first.body if isinstance(first, Record) else None
    return isinstance(begun, RunBegun) and attended(rigfile.reopen(begun.source, begun.game, begun.jurisdiction))


def certify(folder: Path, signing: Signing | NoLaboratory = NOBODY) -> Run:
    """The verdict of a run's journal, written beside it, and the certificate of the laboratory. Raises RunError rather
    than sign for a journal that its register does not know, or for a plan that goes by the name of another."""
    evidence = Evidence(journals.read(folder / runs.JOURNAL).records)
    if signing is not NOBODY:
        resuming.refuse(folder, other_plan(evidence.run), "signed")
    judgement = judge(evidence)
    runs.write_verdict(folder / runs.VERDICT, judgement.verdict)
    sealed, _ = signing.judge(folder)
    if sealed is not None:
        runs.write_whole(folder / runs.CERTIFICATE, sealed)
    return Run(folder, judgement, tuple(evidence.clock_jumps()))


async def _play(
    rig: Rig,
    order: Order,
    journal: Journal,
    listeners: Listeners,
    ask: Ask | Prompter,
    operator: Operator | None,
    before: Evidence | None = None,
) -> None:
    try:
        under_test = None if order.plan is None else rig.devices[order.plan.device]
        async with wire(rig, journal, order.seed, ask, operator=operator, under_test=under_test) as wired:
            if before is not None:
                resuming.require_same_devices(wired, before, journal)
            runner = Runner(rig, wired, journal, order.seed, listeners.rounds, listeners.steps)
            plan = order.plan
            steps = runner.plan_steps(plan, listeners.samples) if plan else runner.steps(order.rounds, order.drills)
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
