"""The kinds of device: one file has the commands and events of one kind."""

from feltrig.protocols.vocabulary import Kind
from feltrig.registry import Registry

KINDS = Registry(
    "feltrig.kinds",
    {
        "rng": "feltrig.protocols.kinds.rng:RNG",
        "shaker": "feltrig.protocols.kinds.shaker:SHAKER",
        "shuffler": "feltrig.protocols.kinds.shuffler:SHUFFLER",
        "shoe": "feltrig.protocols.kinds.shoe:SHOE",
        "reader": "feltrig.protocols.kinds.reader:READER",
    },
    Kind,
)
"""Every kind of device, by name."""
