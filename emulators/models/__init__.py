"""The models of the devices: pure, with the time passed in. One file has all of one kind of device."""

from collections.abc import Mapping

from feltrig.emulators.models.faults import FaultTypes
from feltrig.emulators.models.model import Model
from feltrig.registry import Registry

MODELS = Registry(
    "feltrig.models",
    {
        "rng": "feltrig.emulators.models.rng:MODEL",
        "shaker": "feltrig.emulators.models.shaker:MODEL",
        "shuffler": "feltrig.emulators.models.shuffler:MODEL",
        "shoe": "feltrig.emulators.models.shoe:MODEL",
        "reader": "feltrig.emulators.models.reader:MODEL",
    },
    Model,
)
"""The emulated kinds of device, by name."""


def fault_types() -> Mapping[str, FaultTypes]:
    """The faults that emulated devices can have, by kind of device and by name."""
    return {kind: model.faults for kind, model in MODELS.items()}
