"""What several commands take, said once."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from feltrig.harness.plan.plan import STEPS


class Hands(Enum):
    """Who has hands at the table."""

    TERMINAL = "terminal"
    JSONL = "jsonl"


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
PlanName = Annotated[
    str | None,
    typer.Option(
        "--plan",
        metavar="PLAN",
        help="Run this plan: a name of `feltrig plan list`, or a .toml file of yours. Without a plan, a rig "
        "file, a game and a number of rounds, the embedded shuffler is certified.",
    ),
]
Samples = Annotated[
    int | None, typer.Option("--samples", metavar="N", help="Take only N samples. This makes the plan a rehearsal.")
]
Steps = Annotated[
    str | None,
    typer.Option(
        "--steps",
        metavar="STEPS",
        help=f"Only these steps, with commas between: {', '.join(STEPS)}. This makes the plan a rehearsal.",
    ),
]
DeviceName = Annotated[
    str | None,
    typer.Option("--device", metavar="NAME", help="Device that the plan judges. Default: the only one of its kind."),
]
Sequential = Annotated[
    bool | None,
    typer.Option("--sequential/--fixed", help="Stop sampling once the evidence is strong enough. Default on hardware."),
]
OperatorName = Annotated[
    Hands | None,
    typer.Option(
        "--operator",
        help="Who is asked to move cards and to switch machines: the technician at the terminal, or a program that "
        "reads and writes JSON. See docs/operator.md.",
    ),
]
Report = Annotated[
    bool | None,
    typer.Option("--report/--no-report", help="Write report.html, report.pdf and junit.xml. Default with a plan."),
]
KeyFile = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="Sign the certificate with this private key. See `feltrig keys`."),
]
RegisterFile = Annotated[
    Path | None,
    typer.Option(
        "--register", metavar="FILE", help="The laboratory's register of runs. Default: register.jsonl beside the key."
    ),
]
SignerCommand = Annotated[
    str | None,
    typer.Option(
        "--signer",
        metavar="COMMAND",
        help="Instead of --key: the command that starts the signing process, such as one by another user.",
    ),
]


def group(about: str) -> typer.Typer:
    """A command that has commands of its own."""
    return typer.Typer(help=about, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
