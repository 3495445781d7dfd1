"""`feltrig certify` and `feltrig play`: rounds on the devices of a rig, with a judgement or without."""

import json
import sys
from pathlib import Path
from typing import NoReturn

import typer

from feltrig.errors import RigError
from feltrig.harness.cli import display, parameters
from feltrig.harness.cli.console import Console
from feltrig.harness.cli.interruption import until_interrupted
from feltrig.harness.cli.progress import progress
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal.folder import CERTIFICATE
from feltrig.harness.judge.certificate import unsigned
from feltrig.harness.plan import planfile
from feltrig.harness.plan.order import plan_order
from feltrig.harness.plan.plan import Plan, plans
from feltrig.harness.plan.rehearsal import rehearsal
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import Rig
from feltrig.harness.table.jsonl import JsonLines
from feltrig.harness.table.prompts import Prompter
from feltrig.harness.wires.connecting import attended
from feltrig.runs import PATIENCE, Run
from feltrig.runs import certify as certify_rig
from feltrig.runs import report as write_report

STATUS = {"certified": 0, "rehearsed": 0, "no failure seen": 0, "refused": 1, "inconclusive": 3}
"""Of exit, by the verdict."""


def certify(
    rig: parameters.RigFile = None,
    game: parameters.Game = None,
    seed: parameters.Seed = None,
    rounds: parameters.Rounds = None,
    plan: parameters.PlanName = None,
    samples: parameters.Samples = None,
    steps: parameters.Steps = None,
    device: parameters.DeviceName = None,
    sequential: parameters.Sequential = None,
    checklist: parameters.Checklist = None,
    key: parameters.KeyFile = None,
    register: parameters.RegisterFile = None,
    signer: parameters.SignerCommand = None,
    report: parameters.Report = None,
    out: parameters.Out = Path("runs"),
    operator: parameters.OperatorName = None,
    as_json: parameters.Json = False,
) -> None:
    """Certify a device by a plan, or play rounds and judge them, clause by clause.

    Without any argument the embedded shuffler is certified by its whole plan. Only a whole plan certifies; a plan with
    fewer samples or steps is a rehearsal, and of rounds without a plan it is said at best that no failure was seen.

    Exit status: 0 certified, rehearsed or no failure seen, 1 refused, 2 bad input, 3 inconclusive.
    """
    chosen = _plan(plan, device, demonstration=(rig, game, rounds) == (None, None, None))
    loaded = _load(rig, game, chosen)
    if chosen is None and (device, sequential, samples, steps) != (None, None, None, None):
        raise RigError("--device, --samples, --steps, --sequential and --fixed: need --plan")
    if chosen is not None and rounds is not None:
        raise RigError("--rounds: not with --plan, which sets the number of rounds")
    if chosen is not None:
        chosen = rehearsal(chosen, samples, None if steps is None else [step for step in steps.split(",") if step])
        plan_order(loaded, chosen, device, sequential)
    with progress(Console(stderr=True, quiet=as_json), by_hand=attended(loaded)) as shown:
        certified = certify_rig(
            loaded,
            plan=chosen,
            device=device,
            sequential=sequential,
            rounds=rounds,
            seed=seed,
            out=out,
            checklist=checklist,
            key=key,
            register=register,
            signer=signer,
            prompt=prompter(operator),
            on_progress=shown.rounds,
            on_sample=shown.samples,
            on_step=shown.steps,
        )
        finished = until_interrupted(certified)
    conclude(finished, report, as_json, signed=(key or signer) is not None, aside=operator is parameters.Hands.JSONL)


def _plan(name: str | None, device: str | None, *, demonstration: bool) -> Plan | None:
    """The plan of a name or a file. A demonstration is by the first of the list that is for the embedded device, or by
    the first of all, for the embedded shuffler."""
    if name is not None:
        return planfile.plan(name)
    if not demonstration:
        return None
    embedded = rigfile.embedded().devices
    kind = embedded[device].kind if device is not None and device in embedded else None
    return next((plan for plan in plans().values() if kind in (None, plan.kind)), None)


def prompter(operator: parameters.Hands | None) -> Prompter | None:
    """Who is asked to do what hands must do; None for whoever is at the terminal."""
    return JsonLines(PATIENCE) if operator is parameters.Hands.JSONL else None


def conclude(
    finished: Run | None, report: bool | None, as_json: bool, *, signed: bool = False, aside: bool = False
) -> NoReturn:
    """Show the verdict, write the report if it is wanted, and exit with the verdict's status. There is no run when it
    was interrupted before it had a journal, or while it was judged. With `signed`, say so if nothing was signed;
    with `aside`, leave standard output to the prompts."""
    if finished is None:
        raise typer.Exit(STATUS["inconclusive"])
    if as_json:
        print(json.dumps(finished.verdict, indent=2), file=sys.stderr if aside else sys.stdout)
    else:
        display.show_verdict(Console(stderr=aside), finished)
    if signed and not (finished.folder / CERTIFICATE).exists():
        print(f"not signed: {unsigned(finished.verdict)}", file=sys.stderr)
    usual = finished.verdict["plan"] is not None and finished.verdict["ended"] != "interrupted"
    usual = usual or any((finished.folder / name).exists() for name in runs.REPORTS)  # which a resumed run has outlived
    if usual if report is None else report:
        _report(finished.folder, as_json, aside)
    raise typer.Exit(STATUS[finished.verdict["verdict"]])


def _report(folder: Path, quiet: bool, aside: bool) -> None:
    with Console(stderr=True, quiet=quiet).status("writing the report"):
        files = write_report(folder)
    if not quiet:
        print(f"report: {files[0]}", file=sys.stderr if aside else sys.stdout)


def play(
    rig: parameters.RigFile = None,
    game: parameters.Game = None,
    seed: parameters.Seed = None,
    rounds: parameters.Rounds = None,
    out: parameters.Out = Path("runs"),
    as_json: parameters.Json = False,
) -> None:
    """Play full rounds on the devices of a rig, without a judgement.

    Exit status: 0 played, 2 bad input, 3 the rounds could not be played to the end.
    """
    loaded = _load(rig, game)
    with progress(Console(stderr=True, quiet=as_json), by_hand=attended(loaded)) as shown:
        playing = certify_rig(
            loaded,
            rounds=rounds,
            seed=seed,
            out=out,
            drills=False,
            on_progress=shown.rounds,
            on_step=shown.steps,
        )
        finished = until_interrupted(playing)
    if finished is None:
        raise typer.Exit(STATUS["inconclusive"])
    if as_json:
        print(json.dumps(finished.verdict, indent=2))
    else:
        display.show_played(Console(), finished)
    raise typer.Exit(0 if finished.verdict["ended"] == "finished" else STATUS["inconclusive"])


def _load(rig: Path | None, game: str | None, plan: Plan | None = None) -> Rig:
    """The rig of the file, or the embedded one, which plays by the rules that a plan asks for."""
    if rig is None:
        return rigfile.embedded(game, plan.jurisdiction if plan else None)
    if game is not None:
        raise RigError("--game: only for the embedded rig; a rig file names its own game")
    return rigfile.load(rig)
