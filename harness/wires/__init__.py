"""The wires between a rig and its devices: one record each, and the rooms that use them for any wire."""

from typing import Any

from feltrig.harness.rig.model import DeviceConfig
from feltrig.harness.wires.wire import Wire
from feltrig.registry import Registry

WIRES: Registry[Wire[Any]] = Registry(
    "feltrig.wires",
    {
        "serial": "feltrig.harness.wires.serial:WIRE",
        "modbus-rtu": "feltrig.harness.wires.modbus:RTU",
        "modbus-tcp": "feltrig.harness.wires.modbus:TCP",
        "modbus-tls": "feltrig.harness.wires.modbus:TLS",
        "mqtt": "feltrig.harness.wires.mqtt:WIRE",
    },
    Wire,
)
"""The wires that a rig file can name. A record is light: what drives, serves or reads its wire is imported in use."""

PLAINEST = "serial"
"""The wire that needs nothing else: no port of the computer, no broker, no certificate."""


def wire_of(device: DeviceConfig) -> Wire[Any]:
    return WIRES[device.wire.name]
