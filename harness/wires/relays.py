"""The noise of a rig file, in front of the devices that it is for."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from feltrig.emulators.relays.noise import NOISES, STREAM, Noise
from feltrig.harness.rig.model import DeviceConfig
from feltrig.harness.wires import wire_of

if TYPE_CHECKING:
    from feltrig.emulators.relays.relay import Relay
    from feltrig.harness.wires.emulated_rig import EmulatedRig


def alters(device: DeviceConfig) -> bool:
    """Whether the noise of a device lets other bytes arrive than were sent, or not in their order."""
    return any(NOISES[disturbance.what].alters for disturbance in device.noise)


def relay_for(device: DeviceConfig, address: str, seed: int) -> "Relay":
    """What disturbs the wire of a device: in front of its port or `host:port`, or of the broker."""
    wire = wire_of(device)
    return wire.relay(device.wire, address, Noise(device.noise, f"{seed} {device.name}", stream=STREAM in wire.media))


@asynccontextmanager
async def disturbed(emulated: "EmulatedRig", seed: int) -> AsyncIterator[Mapping[str, str]]:
    """Stand in front of every emulated device that has noise; by its name, where a program meets that."""
    async with AsyncExitStack() as stack:
        met: dict[str, str] = {}
        for name in emulated.endpoints:
            device = emulated.rig.devices[name]
            if device.noise:
                relay = relay_for(device, emulated.address(device), seed)
                stack.push_async_callback(relay.stop)
                met[name] = await relay.start()
        yield met
