"""Serves the emulated devices of a rig to any program, behind their noise."""

import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from feltrig.emulators.control.http_server import LOOPBACK, HttpServer
from feltrig.emulators.control.table import Control
from feltrig.emulators.control.table import Served as Handled
from feltrig.engine.games import GAMES
from feltrig.errors import RigError
from feltrig.harness.rig.model import Rig
from feltrig.harness.wires import wire_of
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.wires.endpoints import Endpoint, authority_file, endpoint
from feltrig.harness.wires.relays import disturbed
from feltrig.harness.wires.site import reason


@dataclass(frozen=True, slots=True)
class Served:
    """A rig that is being served."""

    endpoints: Mapping[str, Endpoint]
    """Where programs find the devices, by their names."""
    broker: str | None
    """`host:port` of the broker; None without one."""
    ca: str | None
    """A PEM file with the certificate by which the emulated ends of TLS are known; None without such ends."""
    control: str | None
    """The URL of the control interface; None when it was not asked for."""
    emulated: EmulatedRig
    """The machines themselves, and the bench with the cards."""


@asynccontextmanager
async def serving(rig: Rig, seed: int, *, control: int | None = None) -> AsyncIterator[Served]:
    """Serve all emulated devices while the context is open. `control` is the TCP port of the control interface, 0 for
    any free one, None for no such interface. Raises RigError when nothing can be served, Breakdown on leaving when a
    user's function failed."""
    own_broker = rig.broker is not None and rig.broker.embedded is not None
    if not any(d.emulator is not None or (own_broker and wire_of(d).on_broker) for d in rig.devices.values()):
        raise RigError(f"{rig.source}: devices: nothing to serve: no device has an emulator")
    async with AsyncExitStack() as stack:
        emulated = await stack.enter_async_context(EmulatedRig(rig, seed))
        noise = await stack.enter_async_context(disturbed(emulated, seed))
        endpoints = {
            name: endpoint(rig.devices[name], place.where, noise.get(name))
            for name, place in emulated.endpoints.items()
        }
        url = None
        if control is not None:
            server = HttpServer(control_of(emulated, GAMES[rig.game.name].cards, endpoints.values()).answer, control)
            stack.push_async_callback(server.stop)
            try:
                url = await server.start()
            except OSError as error:
                why = f"{LOOPBACK}:{control}: {reason(error)}"
                raise RigError(f"{rig.source}: the control interface cannot be served: {why}") from error
        ca = stack.enter_context(authority_file(emulated.site.made_up))
        yield Served(endpoints, emulated.site.broker_address, ca, url, emulated)


def control_of(emulated: EmulatedRig, deck: Sequence[int], endpoints: Iterable[Endpoint]) -> Control:
    """What hands can do at an emulated rig; `deck` has the codes of a new deck."""
    devices = {
        place.name: Handled(emulated.machines[place.name], emulated.served[place.name], place.plain())
        for place in endpoints
    }
    return Control(emulated.bench, devices, deck, time.monotonic)
