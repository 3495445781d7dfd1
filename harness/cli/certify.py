"""`feltrig certify` and `feltrig play`: rounds on the devices of a rig, with a judgement or without."""

import json
import sys
from pathlib import Path
from typing import NoReturn

import typer

from feltrig.errors import RigError
from feltrig.harness.cli import display
from feltrig.harness.cli.console import Console
from feltrig.harness.cli.interruption import until_interrupted
from feltrig.harness.cli.parameters import (
    Checklist,
    DeviceName,
    Game,
    Json,
    KeyFile,
    Out,
    PlanName,
    Report,
    RigFile,
    Rounds,
    Seed,
    Sequential,
)
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal.folder import CERTIFICATE
from feltrig.harness.judge import checklist as checklists
from feltrig.harness.judge import keys
from feltrig.harness.plan import plan as plans
from feltrig.harness.plan.order import PlanOrder, plan_order
from feltrig.harness.plan.plan import Plan
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import Rig
from feltrig.harness.run import Finished, run
from feltrig.harness.table.technician import terminal
from feltrig.harness.wires.connecting import attended

STATUS = {"certified": 0, "refused": 1, "inconclusive": 3}
TECHNICIANS_PATIENCE = 1800.0
"""Seconds that a prompt waits for an answer."""


def certify(
    rig: RigFile = None,
    game: Game = None,
    seed: Seed = None,
    rounds: Rounds = None,
    plan: PlanName = None,
    device: DeviceName = None,
    sequential: Sequential = None,
    checklist: Checklist = None,
    key: KeyFile = None,
    report: Report = None,
    out: Out = Path("runs"),
    as_json: Json = False,
) -> None:
    """Play full rounds on the devices of a rig and judge them, clause by clause.

    Exit status: 0 certified, 1 refused, 2 bad input, 3 inconclusive.
    """
    chosen = None if plan is None else plans.plan(plan)
    loaded = _load(rig, game, chosen)
    order = _planned(loaded, chosen, device, sequential)
    if order is not None and rounds is not None:
        raise RigError("--rounds: the plan says how many")
    finished = _run(loaded, seed, rounds, out, as_json, checklist=checklist, plan=order, key=key)
    conclude(finished, report, as_json, signed=key is not None)


def conclude(finished: Finished, report: bool | None, as_json: bool, *, signed: bool = False) -> NoReturn:
    """Show the verdict, write the report if it is wanted, and exit with the verdict's status. With `signed`, say so if
    there was nothing to sign."""
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
    """The reports, beside the journal."""
    from feltrig.harness.reports.writing import write  # noqa: PLC0415 - the libraries that draw take a while to load

    with Console(stderr=True, quiet=quiet).status("writing the report"):
        files = write(folder, folder)
    if not quiet:
        print(f"report: {', '.join(file.name for file in files)}")


def play(
    rig: RigFile = None,
    game: Game = None,
    seed: Seed = None,
    rounds: Rounds = None,
    out: Out = Path("runs"),
    as_json: Json = False,
) -> None:
    """Play full rounds on the devices of a rig, without a judgement.

    Exit status: 0 played, 2 bad input, 3 the rounds could not be played to the end.
    """
    finished = _run(_load(rig, game), seed, rounds, out, as_json, drills=False)
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
        raise RigError("--game: is for the embedded rig; a rig file names its own game")
    return rigfile.load(rig)


def _planned(rig: Rig, plan: Plan | None, device: str | None, sequential: bool | None) -> PlanOrder | None:
    """The plan that was asked for, and the device that it judges."""
    if plan is None:
        if device is not None or sequential is not None:
            raise RigError("--device, --sequential and --fixed: go with --plan")
        return None
    return plan_order(rig, plan, device, sequential)


def _run(
    loaded: Rig,
    seed: int | None,
    rounds: int | None,
    out: Path,
    as_json: bool,
    *,
    drills: bool = True,
    checklist: Path | None = None,
    plan: PlanOrder | None = None,
    key: Path | None = None,
) -> Finished:
    signing = None if key is None else keys.private(key)  # before the run, not after six hours of it
    inspection = None if checklist is None else checklists.read(checklist, loaded.game.name)
    chosen_seed = loaded.choose_seed(seed)
    total = plan.rounds(loaded) if plan else rounds or loaded.game.rounds
    console = Console(stderr=True, quiet=as_json)
    with display.progress(console, total, by_hand=attended(loaded)) as (on_progress, on_sample):
        ask = terminal(TECHNICIANS_PATIENCE)
        finished = until_interrupted(
            run(
                loaded,
                total,
                chosen_seed,
                out,
                on_progress,
                ask,
                drills=drills,
                inspection=inspection,
                plan=plan,
                on_sample=on_sample,
                key=signing,
            )
        )
    if finished is None:  # interrupted before there was a journal, or while it was judged
        raise typer.Exit(STATUS["inconclusive"])
    return finished
