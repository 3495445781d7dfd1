"""`feltrig resume`: go on with a run that was broken off."""

from pathlib import Path
from typing import Annotated

import typer

from feltrig.harness.cli import display
from feltrig.harness.cli.certify import STATUS, TECHNICIANS_PATIENCE, conclude
from feltrig.harness.cli.console import Console
from feltrig.harness.cli.interruption import until_interrupted
from feltrig.harness.cli.parameters import Json, KeyFile, Report
from feltrig.harness.judge import keys
from feltrig.harness.run import by_hand
from feltrig.harness.run import resume as resume_run
from feltrig.harness.table.technician import terminal

Run = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of the run.")]


def resume(run: Run, key: KeyFile = None, report: Report = None, as_json: Json = False) -> None:
    """Continue a run that was killed or interrupted, and judge it.

    Nothing that was recorded is lost or counted twice. Refused when the rig file, the plan, the program or a device
    changed in between.
    """
    signing = None if key is None else keys.private(key)
    console = Console(stderr=True, quiet=as_json)
    with display.progress(console, None, by_hand=by_hand(run)) as (on_progress, on_sample):
        finished = until_interrupted(resume_run(run, on_progress, terminal(TECHNICIANS_PATIENCE), on_sample, signing))
    if finished is None:
        raise typer.Exit(STATUS["inconclusive"])
    conclude(finished, report, as_json, signed=key is not None)
