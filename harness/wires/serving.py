"""`feltrig emulate`: serves the emulated devices of a rig until it is interrupted, and says where."""

import asyncio
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from feltrig.emulators.control.http_server import LOOPBACK, HttpServer
from feltrig.emulators.control.table import Control, Served
from feltrig.engine.games import GAMES
from feltrig.harness.rig.loading import RigError
from feltrig.harness.rig.model import DeviceConfig, Mqtt, Rig
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.wires.endpoints import Endpoint, announce, authority_file
from feltrig.harness.wires.relays import disturbed


async def serve(rig: Rig, seed: int, as_json: bool, control: int | None = None) -> None:
    """Serve until cancelled; a rig with nothing to serve is a RigError. `control` is the TCP port of the control
    interface: 0 any free one, None for no such."""
    if not any(device.emulator is not None or _on_own_broker(rig, device) for device in rig.devices.values()):
        raise RigError(f"{rig.source}: devices: there is nothing to serve; expected an emulator in one at least")
    try:
        async with EmulatedRig(rig, seed) as emulated, disturbed(rig, emulated, seed) as met:
            endpoints = [_met(place, met) for place in emulated.endpoints.values()]
            server = HttpServer(control_of(emulated, GAMES[rig.game.name].cards, endpoints).answer, control or 0)
            try:
                url = None if control is None else await _start(server, rig, control)
                broker = f"{emulated.broker.host}:{emulated.broker.port}" if emulated.broker else None
                with authority_file(emulated.made_up) as ca:
                    announce(endpoints, broker, "serving", as_json, ca=ca, control=url)
                    await asyncio.Event().wait()
            finally:
                await server.stop()
    except asyncio.CancelledError:
        return


def _on_own_broker(rig: Rig, device: DeviceConfig) -> bool:
    """Whether a device, which may be real, needs the broker that the rig brings along."""
    return isinstance(device.wire, Mqtt) and rig.broker is not None and rig.broker.embedded is not None


async def _start(server: HttpServer, rig: Rig, port: int) -> str:
    try:
        return await server.start()
    except OSError as error:
        # asyncio's own words repeat the address as a tuple
        why = f"{LOOPBACK}:{port}: {os.strerror(error.errno or 0)}"
        raise RigError(f"{rig.source}: the control interface cannot be served: {why}") from error


def _met(place: Endpoint, met: Mapping[str, str]) -> Endpoint:
    """Where a program finds the device: behind its noise, if it has any."""
    noise = met.get(place.name)
    if noise is None:
        return place
    return replace(place, broker=noise) if place.wire == "mqtt" else replace(place, where=noise)


def control_of(emulated: EmulatedRig, deck: Sequence[int], endpoints: Iterable[Endpoint]) -> Control:
    """What hands can do at an emulated rig; `deck` has the codes of a new deck."""
    devices = {
        place.name: Served(emulated.machines[place.name], emulated.served[place.name], place.plain())
        for place in endpoints
    }
    return Control(emulated.bench, devices, deck, time.monotonic)
