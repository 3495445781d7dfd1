"""A card shuffler."""

from feltrig.protocols.vocabulary import Command, EventType, Field, Kind, Type

SHUFFLER = Kind(
    "shuffler",
    3,
    "shuffles a deck, counts it, and may feed a shoe",
    (Command("shuffle", 0x10, "shuffle a deck", args=(Field("deck", Type.U8, "compartment, 1 or 2"),), acts=True),),
    (
        EventType("shuffling", 0x10, "a shuffle began", (Field("deck", Type.U8, "compartment"),)),
        EventType("shuffled", 0x11, "the shuffle is complete", (Field("deck", Type.U8, "compartment"),)),
        EventType(
            "counted",
            0x12,
            "cards counted after the shuffle",
            (
                Field("deck", Type.U8, "compartment"),
                Field("count", Type.U16, "cards counted"),
                Field("correct", Type.BOOL, "whether this is the number that it was set up for"),
            ),
        ),
    ),
)
