"""`feltrig emulate`: the emulated devices of a rig, for any program."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from feltrig.harness.cli.announcement import announce
from feltrig.harness.cli.interruption import until_interrupted
from feltrig.harness.cli.parameters import DeviceSeed, Json
from feltrig.harness.rig.loading import load
from feltrig.harness.rig.model import Rig
from feltrig.harness.wires.serving import serving

Control = Annotated[
    int | None,
    typer.Option(
        min=0, max=65535, metavar="PORT", help="Serve the control interface at this TCP port. 0 takes any free port."
    ),
]


def emulate(
    rig: Annotated[Path, typer.Argument(metavar="RIG", help="Rig file.")],
    seed: DeviceSeed = None,
    as_json: Json = False,
    control: Control = None,
) -> None:
    """Serve the emulated devices of a rig to any program, until interrupted."""
    until_interrupted(serve(load(rig, to_play=False), seed, as_json, control))


async def serve(rig: Rig, seed: int | None, as_json: bool, control: int | None = None) -> None:
    """Serve a rig until cancelled, and say where."""
    try:
        async with serving(rig, rig.choose_seed(seed), control=control) as served:
            places = served.endpoints.values()
            announce(places, served.broker, "serving", as_json, ca=served.ca, control=served.control)
            await asyncio.Event().wait()
    except asyncio.CancelledError:
        return
