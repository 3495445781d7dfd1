"""What several commands take, said once."""

from pathlib import Path
from typing import Annotated

import typer

RigFile = Annotated[Path | None, typer.Argument(metavar="[RIG]", help="Rig file; without it, the embedded rig.")]
Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the run; the same seed plays the same rounds again.")]
Rounds = Annotated[int | None, typer.Option(min=1, max=1_000_000, help="Rounds to play; else the rig file's number.")]
Out = Annotated[Path, typer.Option(metavar="DIR", help="Folder in which the run gets a folder of its own.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Game = Annotated[
    str | None, typer.Option(metavar="GAME", help="Game of the embedded rig, instead of supreme_pai_gow; see `games`.")
]
Checklist = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The inspector's answers, written by `feltrig checklist --save`."),
]
PlanName = Annotated[str | None, typer.Option("--plan", metavar="PLAN", help="Run this plan; see `feltrig plan list`.")]
DeviceName = Annotated[
    str | None, typer.Option("--device", metavar="NAME", help="The device that the plan judges; else the only one.")
]
Sequential = Annotated[
    bool | None,
    typer.Option("--sequential/--fixed", help="Stop sampling when the evidence suffices, as is usual on hardware."),
]
Report = Annotated[
    bool | None,
    typer.Option("--report/--no-report", help="Write report.html, report.pdf and junit.xml; the default with a plan."),
]
KeyFile = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="Private key to sign the certificate; see `feltrig keys`."),
]
