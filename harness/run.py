"""One run of a rig, from its folder to its verdict. What was observed is in the journal, whatever happens."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from feltrig.errors import CertificateError, RigError, RunError
from feltrig.harness.devices.failures import Faulted, Stalled
from feltrig.harness.devices.hands import Operator
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import RESUMABLE, DeviceChanged, RunBegun, RunEnded, Trouble
from feltrig.harness.journal.writer import Journal
from feltrig.harness.judge.certificate import envelope, journal_of, opened, statement, subjects
from feltrig.harness.judge.checklist import Inspection
from feltrig.harness.judge.evidence import ClockJump, Evidence
from feltrig.harness.judge.finding import Finding
from feltrig.harness.judge.judgement import Judgement, Outcome, judge
from feltrig.harness.plan.checkpoints import Changed
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import from_record, plans
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import Rig
from feltrig.harness.table.driver import identity_record
from feltrig.harness.table.rounds import OnProgress
from feltrig.harness.table.runner import OnSample, Runner, run_record
from feltrig.harness.table.technician import Ask
from feltrig.harness.wires.connecting import WiredRig, attended, wire
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
    """What a run is to do: it stands in the first record of the journal, and a resumed run does the same."""

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
    """Go on with a run that was broken off, at the segment where it stopped. Raises RunError if that is impossible."""
    path = folder / runs.JOURNAL
    if not path.is_file():
        raise RunError(f"{folder}: is not the folder of a run: it has no {runs.JOURNAL}")
    evidence = Evidence(journals.read(path).records)
    if not evidence.begun:
        raise RunError(f"{folder}: cannot be resumed: nothing was recorded of it")
    _same_program(folder, evidence)
    _same_journal(folder, evidence)
    if evidence.end is not None and evidence.end.reason not in RESUMABLE:
        return certify(folder, key)  # killed after its end, before its verdict was written
    if key is None and (folder / runs.CERTIFICATE).exists():
        raise RunError(f"{folder}: was signed, and would no longer be what {runs.CERTIFICATE} states: --key is needed")
    rig = _same_rig(folder, evidence)
    order = Order(evidence.run.rounds, evidence.run.seed, evidence.run.judged, _same_plan(folder, evidence))
    with Journal(path, resume=True) as journal:
        try:
            await _play(rig, order, journal, on_progress, on_sample, ask, None, evidence)
        except Changed as error:
            raise RunError(f"{folder}: cannot be resumed: {error}") from error
        journal.sync()
    return certify(folder, key)


def by_hand(folder: Path) -> bool:
    """Whether a technician's hands move the cards of a run that was broken off."""
    path = folder / runs.JOURNAL
    first = next(journals.scan(path), None) if path.is_file() else None
    begun = first.body if isinstance(first, Record) else None
    return isinstance(begun, RunBegun) and attended(_reopened(begun))


def certify(folder: Path, key: Ed25519PrivateKey | None = None) -> Run:
    """The verdict of a run's journal, written beside it, and with a key the certificate. Raises RunError rather than
    sign for a plan that goes by the name of another."""
    evidence = Evidence(journals.read(folder / runs.JOURNAL).records)
    if key is not None:
        _same_plan(folder, evidence, "signed")
    judgement = judge(evidence)
    written = judgement.verdict
    runs.write_verdict(folder / runs.VERDICT, written)
    if key is not None and subjects(written):  # a statement about nothing is none
        stated = statement(written, runs.verdict_bytes(written))
        runs.write_whole(folder / runs.CERTIFICATE, envelope(stated, key))
    return Run(folder, judgement, tuple(evidence.clock_jumps()))


def _reopened(run: RunBegun) -> Rig:
    return rigfile.reopen(run.source, run.game, run.jurisdiction)


def _same_program(folder: Path, evidence: Evidence) -> None:
    """Another program may come to another verdict by the same journal, and must not put it in the first one's place."""
    begun, today = evidence.run.version, version("feltrig")
    if begun != today:
        raise RunError(f"{folder}: cannot be resumed by feltrig {today}: it was begun by {begun}")


def _same_journal(folder: Path, evidence: Evidence) -> None:
    """What was once judged or signed still stands in the journal: one that was cut behind a failure must not get a
    better verdict in the place of the first."""
    for name, number, last in _stated(folder):
        if number not in range(1, len(evidence.all) + 1) or evidence.all[number - 1].hash != last:
            raise RunError(
                f"{folder}: cannot be resumed: {runs.JOURNAL} lacks record {number}, to which {name} was written: "
                f"it was cut, or is another"
            )


def _stated(folder: Path) -> Iterator[tuple[str, int, str]]:
    """The files that speak of the journal, how many records they say it has, and the hash of the last."""
    name = runs.VERDICT
    try:
        if (folder / name).exists():
            journal = json.loads((folder / name).read_bytes())["journal"]
            yield name, journal["records"], journal["hash"]
        name = runs.CERTIFICATE
        if (folder / name).exists():
            yield name, *journal_of(opened((folder / name).read_bytes())[0])
    except (OSError, ValueError, KeyError, TypeError, CertificateError) as error:
        raise RunError(f"{folder}: cannot be resumed: {name} is not what a run writes: {error}") from error


def _same_rig(folder: Path, evidence: Evidence) -> Rig:
    """The rig of the run, unless it has changed since."""
    rig = _reopened(evidence.run)
    if rig.digest != evidence.run.digest:
        raise RunError(f"{folder}: cannot be resumed: {rig.source} has changed since the run began")
    for name, device in rig.devices.items():
        known = evidence.devices[name].profile if name in evidence.devices else None
        if known is not None and (device.profile is None or known["digest"] != device.profile.digest):
            raise RunError(f"{folder}: cannot be resumed: the profile of {name} has changed since the run began")
    return rig


def _same_plan(folder: Path, evidence: Evidence, done: str = "resumed") -> PlanOrder | None:
    """The plan of the run, unless the program knows another by that name, or none."""
    record = evidence.run.plan
    if record is None:
        return None
    begun, today = from_record(record["plan"]), plans().get(record["plan"]["name"])
    if today is None:
        raise RunError(f"{folder}: cannot be {done}: {begun.name} is not one of the plans in `feltrig plan list`")
    if today.digest != begun.digest:
        raise RunError(f"{folder}: cannot be {done}: plan {begun.name} has changed since the run began")
    return PlanOrder(begun, record["device"], record["sequential"])


def _same_devices(wired: WiredRig, before: Evidence, journal: Journal) -> None:
    """Go on only with the devices that were there when the run was broken off. Raises Changed."""
    for driver in wired.devices.values():
        known = before.devices.get(driver.name)
        if known is None or driver.identity is None:
            continue
        was, now = known.identity, identity_record(driver.identity)
        if was != now:
            journal.append(DeviceChanged(driver.name, was, now))
            differs = ", ".join(f"{key} {now[key]} instead of {was[key]}" for key in was if was[key] != now[key])
            raise Changed(f"{driver.name} is not the device that the run began with: {differs}")


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
                _same_devices(wired, before, journal)
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
