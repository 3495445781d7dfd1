"""`feltrig replay`: a recorded run, served as the devices that took part in it."""

import asyncio
import sys
from typing import Annotated

import typer

from feltrig.errors import RigError
from feltrig.harness.cli.announcement import announce
from feltrig.harness.cli.interruption import until_interrupted
from feltrig.harness.cli.parameters import Json, RunFolder
from feltrig.harness.wires import WIRES, recording
from feltrig.harness.wires.recording import RecordedDevice
from feltrig.harness.wires.replaying import ReplayedRig, replay_wire

MOST_LINES = 20
"""Deviations that the summary shows."""


def replay(
    run: RunFolder,
    device: Annotated[str | None, typer.Option(metavar="NAME", help="Serve only this device.")] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Replay the bytes undecoded. Only on serial lines and TCP.")
    ] = False,
    speed: Annotated[
        float, typer.Option(min=0, max=1000, help="Factor on all recorded times. 0 is as fast as possible.")
    ] = 1.0,
    as_json: Json = False,
) -> None:
    """Serve the devices of a recorded run. Each answers as it did then.

    Exit status: 0 interrupted, 2 bad input.
    """
    loaded = recording.load(run)
    devices = recording.chosen(loaded, device)
    if raw and device is not None and not replay_wire(devices[0].wire).byte_exact:
        others = ", ".join(name for name in WIRES if replay_wire(name).byte_exact)
        raise RigError(f"--raw: {device} is on {devices[0].wire}: expected a device on {others}")
    for line in loaded.warnings:
        _report(line)
    until_interrupted(_serve(devices, raw, speed, as_json))


async def _serve(devices: list[RecordedDevice], raw: bool, speed: float, as_json: bool) -> None:
    served = ReplayedRig(devices, _report, raw=raw, speed=speed)
    async with served:
        broker = f"{served.broker.host}:{served.broker.port}" if served.broker else None
        announce(served.endpoints.values(), broker, "serving", as_json)
        try:
            await asyncio.Event().wait()
        finally:
            for line in _summary(served, raw):
                _report(line)


def _summary(served: ReplayedRig, raw: bool) -> list[str]:
    """How the sessions compare with the recording, in a few lines. Of raw bytes nobody can say so."""
    so_far = ", as far as it went" if served.left else ""
    lines = served.deviations[:MOST_LINES] or ([] if raw else [f"the driver kept to the recording{so_far}"])
    if len(served.deviations) > MOST_LINES:
        lines.append(f"and {len(served.deviations) - MOST_LINES} times more")
    lines += [f"{name}: {left} recorded commands were not sent" for name, left in served.left.items()]
    return lines


def _report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
