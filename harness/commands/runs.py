"""`feltrig runs`: what runs there are."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from feltrig.harness.commands.parameters import Json
from feltrig.harness.display import COLOURS
from feltrig.harness.listing import listed

Folder = Annotated[Path, typer.Argument(metavar="[DIR]", help="Folder of runs, as given to --out.")]


def runs(folder: Folder = Path("runs"), as_json: Json = False) -> None:
    """List the runs in a folder, the oldest first. `feltrig verify` says whether one can be believed."""
    found = listed(folder)
    if as_json:
        print(json.dumps([asdict(run) for run in found], indent=2))
        return
    name = Column("run", no_wrap=True)  # it begins with the time
    table = Table(name, "game", "plan", "device", "rounds", "state", "verdict", "signed", box=None, pad_edge=False)
    for run in found:
        verdict = Text(run.verdict or "", style=COLOURS.get(run.verdict or "", ""))
        rounds = "" if run.rounds is None else str(run.rounds)
        cells = (run.game or "", run.plan or "", run.device or "", rounds, run.state)
        table.add_row(Path(run.folder).name, *map(Text, cells), verdict, "yes" if run.signed else "no")
    Console().print(table)
