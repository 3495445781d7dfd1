"""The kinds of device that a rig can have: one record each, in a file of its own."""

from collections.abc import Mapping

from feltrig.harness.devices.device import DeviceKind
from feltrig.harness.devices.hands import Driver, Tray
from feltrig.harness.journal.writer import Journal
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


def tray(devices: Mapping[str, Driver], journal: Journal) -> Tray:
    """The tray of the device that reads cards, among those of a rig by their kinds."""
    looks = ((driver, DEVICES[kind].read) for kind, driver in devices.items())
    return Tray(tuple((driver, look) for driver, look in looks if look is not None), journal)
