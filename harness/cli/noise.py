"""`feltrig noise`: a noisy wire in front of any device, for any program."""

import asyncio
import json
import re
import secrets
import signal
import tomllib
from typing import Annotated

import typer

from feltrig.emulators.relays.noise import BROKER, LINE, NOISES, STREAM, Disturbance, Noise
from feltrig.emulators.relays.relay import Relay, SerialRelay, TcpRelay
from feltrig.errors import RigError
from feltrig.harness.cli.parameters import Json
from feltrig.harness.rig.shapes import TCP_PORT
from feltrig.harness.wires.serial_port import BAUD
from feltrig.protocols.errors import LineLost
from feltrig.protocols.schema import Mismatch, shown, table_of


def noise(
    where: Annotated[str, typer.Argument(metavar="WHERE", help="The device: a serial port, or host:port.")],
    disturb: Annotated[
        list[str],
        typer.Option(metavar="TABLE", help="As in a rig file, such as 'what=\"drop\", probability=0.1, times=0'."),
    ],
    seed: Annotated[int | None, typer.Option(help="Seed of the noise. Default: a new one.")] = None,
    baud: Annotated[int, typer.Option(help="Bits per second of a serial port.")] = 115200,
    as_json: Json = False,
) -> None:
    """Disturb the wire of a device until interrupted, then show how often.

    Exit status: 0 interrupted, 2 bad input.
    """
    is_stream = re.fullmatch(r"[^/]+:[0-9]{1,18}", where) is not None
    host, _, port = where.rpartition(":")
    try:
        BAUD.read(baud, "--baud", {})
        if is_stream:
            TCP_PORT.read(int(port), f"{where}: port", {})
    except Mismatch as error:
        raise RigError(str(error)) from error
    disturbances = [_disturbance(text, (STREAM, BROKER) if is_stream else (LINE,)) for text in disturb]
    chosen = secrets.randbits(32) if seed is None else seed
    source = Noise(disturbances, chosen, stream=is_stream)
    relay: Relay = TcpRelay(host, int(port), source) if is_stream else SerialRelay(where, source, baud)
    asyncio.run(_serve(relay, chosen, as_json))


def _disturbance(text: str, media: tuple[str, ...]) -> Disturbance:
    try:
        table = tomllib.loads(f"noise = {{ {text} }}")["noise"]
        disturbance = table_of(Disturbance).read(table, "", {})
    except tomllib.TOMLDecodeError as error:
        raise RigError(f"--disturb: {shown(text)} is not TOML: {error}") from error
    except Mismatch as error:
        raise RigError(f"--disturb: {error}") from error
    assert isinstance(disturbance, Disturbance)
    if set(NOISES[disturbance.what].media).isdisjoint(media):
        medium = "a serial line" if LINE in media else "TCP"
        raise RigError(f"--disturb: what: {shown(disturbance.what)} is not for {medium}")
    return disturbance


async def _serve(relay: Relay, seed: int, as_json: bool) -> None:
    loop = asyncio.get_running_loop()
    interrupted = asyncio.Event()
    try:
        place = await relay.start()
    except LineLost as error:
        raise RigError(str(error)) from error
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupted.set)
    try:
        told = json.dumps({"where": place, "seed": seed}) if as_json else f"{place} (seed {seed}), until interrupted"
        print(told, flush=True)
        await interrupted.wait()
    finally:
        await relay.stop()
        struck = dict(relay.struck)
        counted = ", ".join(f"{what} {times}" for what, times in struck.items()) or "never"
        print(json.dumps({"struck": struck}) if as_json else f"struck: {counted}", flush=True)
