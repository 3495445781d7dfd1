"""A dice shaker with a lid."""

from feltrig.protocols.vocabulary import Command, EventType, Field, Kind, Type

SHAKER = Kind(
    "shaker",
    2,
    "shakes three dice under a lid",
    (
        Command("shake", 0x10, "shake", args=(Field("times", Type.U8, "how often"),), acts=True),
        Command("uncover", 0x11, "lift the lid and read the dice", acts=True),
        Command("cover", 0x12, "close the lid", acts=True),
    ),
    (
        EventType("shaken", 0x10, "shaken under a closed lid", (Field("times", Type.U8, "shakes counted"),)),
        EventType("uncovered", 0x11, "the lid came off", (Field("commanded", Type.BOOL, "by command, or by a hand"),)),
        EventType("covered", 0x12, "the lid was closed"),
        EventType(
            "rolled",
            0x13,
            "the dice as they lie",
            (
                Field("dice", Type.BYTES, "faces of the dice inside the shaker"),
                Field("flat", Type.BYTES, "1 for each die that lies flat, else 0, in the same order"),
            ),
        ),
    ),
)
