"""`feltrig emulate`: the emulated devices of a rig, for any program."""

from pathlib import Path
from typing import Annotated

import typer

from feltrig.harness.cli.interruption import until_interrupted
from feltrig.harness.cli.parameters import Json, Seed
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.wires.serving import serve

Control = Annotated[
    int | None,
    typer.Option(
        min=0, max=65535, metavar="PORT", help="Serve the control interface at this TCP port. 0 takes any free port."
    ),
]


def emulate(
    rig: Annotated[Path, typer.Argument(metavar="RIG", help="Rig file.")],
    seed: Seed = None,
    as_json: Json = False,
    control: Control = None,
) -> None:
    """Serve the emulated devices of a rig to any program, until interrupted."""
    loaded = rigfile.load(rig, to_play=False)
    until_interrupted(serve(loaded, loaded.choose_seed(seed), as_json, control))
