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
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal.folder import CERTIFICATE
from feltrig.harness.plan import plan as plans
from feltrig.harness.plan.order import plan_order
from feltrig.harness.plan.plan import Plan
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import Rig
from feltrig.harness.wires.connecting import attended
from feltrig.runs import Run
from feltrig.runs import certify as certify_rig
from feltrig.runs import report as write_report

STATUS = {"certified": 0, "refused": 1, "inconclusive": 3}


def certify(
    rig: parameters.RigFile = None,
    game: parameters.Game = None,
    seed: parameters.Seed = None,
    rounds: parameters.Rounds = None,
    plan: parameters.PlanName = None,
    device: parameters.DeviceName = None,
    sequential: parameters.Sequential = None,
    checklist: parameters.Checklist = None,
    key: parameters.KeyFile = None,
    report: parameters.Report = None,
    out: parameters.Out = Path("runs"),
    as_json: parameters.Json = False,
) -> None:
    """Play full rounds on the devices of a rig and judge them, clause by clause.

    Exit status: 0 certified, 1 refused, 2 bad input, 3 inconclusive.
    """
    chosen = None if plan is None else plans.plan(plan)
    loaded = _load(rig, game, chosen)
    if chosen is None and (device is not None or sequential is not None):
        raise RigError("--device, --sequential and --fixed: need --plan")
    if chosen is not None and rounds is not None:
        raise RigError("--rounds: not with --plan, which sets the number of rounds")
    order = None if chosen is None else plan_order(loaded, chosen, device, sequential)
    total = order.rounds(loaded) if order else rounds or loaded.game.rounds
    progress = display.progress(Console(stderr=True, quiet=as_json), total, by_hand=attended(loaded))
    with progress as (on_round, on_sample):
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
            on_progress=on_round,
            on_sample=on_sample,
        )
        finished = until_interrupted(certified)
    conclude(finished, report, as_json, signed=key is not None)


def conclude(finished: Run | None, report: bool | None, as_json: bool, *, signed: bool = False) -> NoReturn:
    """Show the verdict, write the report if it is wanted, and exit with the verdict's status. There is no run when it
    was interrupted before it had a journal, or while it was judged. With `signed`, say so if nothing was signed."""
    if finished is None:
        raise typer.Exit(STATUS["inconclusive"])
    if as_json:
        print(json.dumps(finished.verdict, indent=2))
    else:
        display.show_verdict(Console(), finished)
    if signed and not (finished.folder / CERTIFICATE).exists():
        print("not signed: the device never said who it is", file=sys.stderr)
    usual = finished.verdict["plan"] is not None and finished.verdict["ended"] != "interrupted"
    usual = usual or any((finished.folder / name).exists() for name in runs.REPORTS)  # which a resumed run has outlived
    if usual if report is None else report:
        _report(finished.folder, as_json)
    raise typer.Exit(STATUS[finished.verdict["verdict"]])


def _report(folder: Path, quiet: bool) -> None:
    with Console(stderr=True, quiet=quiet).status("writing the report"):
        files = write_report(folder)
    if not quiet:
        print(f"report: {', '.join(file.name for file in files)}")


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
    total = rounds or loaded.game.rounds
    with display.progress(Console(stderr=True, quiet=as_json), total, by_hand=attended(loaded)) as (on_round, _):
        playing = certify_rig(loaded, rounds=total, seed=seed, out=out, drills=False, on_progress=on_round)
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
