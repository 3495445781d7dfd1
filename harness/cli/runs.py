"""`feltrig runs`: what runs there are."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from feltrig.harness.cli.console import show_table, table, whole
from feltrig.harness.cli.display import COLOURS
from feltrig.harness.cli.parameters import Json
from feltrig.harness.journal.listing import listed

Folder = Annotated[Path, typer.Argument(metavar="[DIR]", help="Folder of runs, as given to --out.")]


def runs(folder: Folder = Path("runs"), as_json: Json = False) -> None:
    """List the runs in a folder, oldest first. They are not verified: see `feltrig verify`."""
    found = listed(folder)
    rows = []
    for run in found:  # the name begins with the time
        what = f"{run.plan} on {run.device}" if run.plan else run.game or ""
        verdict = Text(run.verdict or "", style=COLOURS.get(run.verdict or "", ""))
        verdict.append(", signed" if run.signed else "", style="default")
        rounds = "" if run.rounds is None else str(run.rounds)
        rows.append((Path(run.folder).name, Text(what, overflow="fold"), rounds, run.state, verdict))
    columns = (whole("run"), "what", "rounds", whole("state"), whole("verdict"))
    show_table(table(columns, rows), [asdict(run) for run in found], as_json)
