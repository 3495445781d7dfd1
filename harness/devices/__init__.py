"""The kinds of device that a rig can have: one record each, in a file of its own."""

from feltrig.harness.devices.device import DeviceKind
from feltrig.registry import Registry

DEVICES: Registry[DeviceKind] = Registry(
    "feltrig.devices",
    {
        "shuffler": "feltrig.harness.devices.shuffler:DEVICE",
        "shoe": "feltrig.harness.devices.shoe:DEVICE",
        "shaker": "feltrig.harness.devices.shaker:DEVICE",
        "rng": "feltrig.harness.devices.rng:DEVICE",
        "reader": "feltrig.harness.devices.reader:DEVICE",
    },
    DeviceKind,
)
