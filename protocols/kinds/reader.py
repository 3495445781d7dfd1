"""The card reader: the rig's own instrument."""

from feltrig.protocols.vocabulary import Command, EventType, Field, Kind, Type

READER = Kind(
    "reader",
    5,
    "reads the faces of the cards on its tray, for the rig",
    (
        Command("scan", 0x10, "read the cards on the tray", acts=True),
        Command(
            "faces",
            0x11,
            "the cards read by the last scan, top card first",
            args=(Field("offset", Type.U16, "cards to skip"), Field("limit", Type.U8, "cards at most")),
            reply=(Field("cards", Type.BYTES, "card codes"),),
        ),
    ),
    (EventType("scanned", 0x10, "the tray was read", (Field("count", Type.U16, "cards seen"),)),),
)
