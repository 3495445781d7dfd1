"""What a drum can be told and can say."""

from feltrig.protocols.vocabulary import Command, EventType, Field, Kind, Type

DRUM = Kind(
    "drum",
    200,
    "draws a ball from 1 to 10",
    (Command("draw", 0x10, "draw a ball", acts=True),),
    (EventType("drawn", 0x10, "a ball was drawn", (Field("ball", Type.U8, "its number"),)),),
)
