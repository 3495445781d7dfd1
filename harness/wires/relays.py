"""The noise of a rig file, in front of the devices that it is for."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from feltrig.emulators.relays.noise import STREAMS, Noise
from feltrig.emulators.relays.relay import Relay, SerialRelay, TcpRelay
from feltrig.harness.rig.model import DeviceConfig, ModbusRtu, Mqtt, Rig, Serial
from feltrig.harness.wires.emulated_rig import EmulatedRig


def relay_for(device: DeviceConfig, address: str, seed: int) -> Relay:
    """What disturbs the wire of a device: in front of its port or `host:port`, or of the broker."""
    noise = Noise(device.noise, f"{seed} {device.name}", stream=device.wire.name in STREAMS)
    if isinstance(device.wire, Serial | ModbusRtu):
        return SerialRelay(address, noise, device.wire.baud)
    host, _, port = address.rpartition(":")
    return TcpRelay(host, int(port), noise)


@asynccontextmanager
async def disturbed(rig: Rig, emulated: EmulatedRig, seed: int) -> AsyncIterator[Mapping[str, str]]:
    """Stand in front of every emulated device that has noise; by its name, where a program meets that."""
    async with AsyncExitStack() as stack:
        met: dict[str, str] = {}
        for place in emulated.endpoints.values():
            device = rig.devices[place.name]
            if not device.noise:
                continue
            address, broker = place.where, emulated.broker
            if isinstance(device.wire, Mqtt) and broker is not None:
                address = f"{broker.host}:{broker.port}"
            relay = relay_for(device, address, seed)
            stack.push_async_callback(relay.stop)
            met[device.name] = await relay.start()
        yield met
