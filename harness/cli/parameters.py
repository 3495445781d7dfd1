"""What several commands take, said once."""

from pathlib import Path
from typing import Annotated

import typer

RigFile = Annotated[Path | None, typer.Argument(metavar="[RIG]", help="Rig file. Without it the embedded rig is used.")]
Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the run. The same seed repeats the same rounds.")]
DeviceSeed = Annotated[int | None, typer.Option(min=0, help="Seed of the emulated devices.")]
Rounds = Annotated[
    int | None, typer.Option(min=1, max=1_000_000, help="Rounds to play. Default: the number in the rig file.")
]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of the run.")]
Out = Annotated[Path, typer.Option(metavar="DIR", help="The run gets a folder of its own inside DIR.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Game = Annotated[
    str | None, typer.Option(metavar="GAME", help="Game that the embedded rig plays. See `feltrig games`.")
]
Checklist = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The inspector's answers. `feltrig checklist --save` writes them.")
]
PlanName = Annotated[str | None, typer.Option("--plan", metavar="PLAN", help="Run this plan. See `feltrig plan list`.")]
DeviceName = Annotated[
    str | None,
    typer.Option("--device", metavar="NAME", help="Device that the plan judges. Default: the only one of its kind."),
]
Sequential = Annotated[
    bool | None,
    typer.Option("--sequential/--fixed", help="Stop sampling once the evidence is strong enough. Default on hardware."),
]
Report = Annotated[
    bool | None,
    typer.Option("--report/--no-report", help="Write report.html, report.pdf and junit.xml. Default with a plan."),
]
KeyFile = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="Sign the certificate with this private key. See `feltrig keys`."),
]


def group(about: str) -> typer.Typer:
    """A command that has commands of its own."""
    return typer.Typer(help=about, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
