"""An automated dealing shoe."""

from feltrig.protocols.vocabulary import Command, EventType, Field, Kind, Type

STACK_SIZES = (2, 3, 4, 5, 7)

SHOE = Kind(
    "shoe",
    4,
    "dispenses cards in stacks",
    (
        Command(
            "dispense", 0x10, "dispense a stack", args=(Field("size", Type.U8, "2, 3, 4, 5 or 7 cards"),), acts=True
        ),
        Command("unlock", 0x11, "allow dispensing", acts=True),
        Command("lock", 0x12, "forbid dispensing", acts=True),
    ),
    (
        EventType(
            "dispensed",
            0x10,
            "a stack lies in the exit",
            (
                Field("stack", Type.U16, "1 for the first stack since the shoe was last loaded"),
                Field("size", Type.U8, "cards in it, as counted by the shoe"),
            ),
        ),
    ),
)
