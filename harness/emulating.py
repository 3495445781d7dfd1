"""`feltrig emulate`: serves the emulated devices of a rig until it is interrupted, and says where."""

import asyncio
import json
import os
import time

from feltrig.emulators.control import Control, Served
from feltrig.emulators.http_server import LOOPBACK, HttpServer
from feltrig.engine.cards import deck
from feltrig.harness.emulation import EmulatedRig
from feltrig.harness.rigconfig import Rig
from feltrig.harness.rigfile import RigError


async def serve(rig: Rig, seed: int, as_json: bool, control: int | None = None) -> None:
    """Serve until cancelled. `control` is the TCP port of the control interface: 0 any free one, None for no such."""
    try:
        async with EmulatedRig(rig, seed) as emulated:
            server = HttpServer(control_of(emulated).answer, control or 0)
            try:
                url = None if control is None else await _start(server, rig, control)
                _announce(emulated, url, as_json)
                await asyncio.Event().wait()
            finally:
                await server.stop()
    except asyncio.CancelledError:
        return


async def _start(server: HttpServer, rig: Rig, port: int) -> str:
    try:
        return await server.start()
    except OSError as error:
        # asyncio's own words repeat the address as a tuple
        why = f"{LOOPBACK}:{port}: {os.strerror(error.errno or 0)}"
        raise RigError(f"{rig.source}: the control interface cannot be served: {why}") from error


def control_of(emulated: EmulatedRig) -> Control:
    """What hands can do at an emulated rig."""
    devices = {
        place.name: Served(emulated.machines[place.name], emulated.served[place.name], place.wire, place.where)
        for place in emulated.places.values()
    }
    return Control(emulated.bench, devices, deck(jokers=2), time.monotonic)


def _announce(emulated: EmulatedRig, control: str | None, as_json: bool) -> None:
    broker = f"{emulated.broker.host}:{emulated.broker.port}" if emulated.broker else None
    places = emulated.places.values()
    if as_json:
        devices = {p.name: {"kind": p.kind, "wire": p.wire, "where": p.where} for p in places}
        said = {"devices": devices, "broker": broker} | ({"control": control} if control else {})
        print(json.dumps(said), flush=True)
        return
    rows = [("device", "kind", "wire", "where"), *((p.name, p.kind, p.wire, p.where) for p in places)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    if broker:
        print(f"MQTT broker at {broker}")
    if control:
        print(f"control interface at {control}")
    print("serving until interrupted (Ctrl-C)", flush=True)
