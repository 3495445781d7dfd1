"""A random number generator with a display."""

from feltrig.protocols.vocabulary import Command, EventType, Field, Kind, Type

RNG = Kind(
    "rng",
    1,
    "selects a number from 1 to 7 and displays it",
    (
        Command("select", 0x10, "select a number and display it", acts=True),
        Command("display", 0x11, "what the display shows", reply=(Field("number", Type.U8, "0 when blank"),)),
        Command("blank", 0x12, "clear the display", acts=True),
    ),
    (EventType("selected", 0x10, "a number was selected", (Field("number", Type.U8, "the number selected"),)),),
)
