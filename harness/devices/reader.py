"""The card reader: the rig's own instrument, which sees the cards that hands lay on its tray."""

from feltrig.engine.cards import Card
from feltrig.harness.devices.device import DeviceKind, Openings
from feltrig.harness.devices.hands import Driver, Seen
from feltrig.harness.devices.values import bytes_of, int_of
from feltrig.harness.journal.records import CardsRead
from feltrig.harness.journal.writer import Journal
from feltrig.protocols.vocabulary import FACE_UP

PAGE = 60
"""Cards asked of the reader at a time: what fits one frame of every wire."""


async def read_tray(reader: Driver, journal: Journal, what: str, deck: str) -> Seen:
    """Read the cards on the tray, page by page, and put them on record."""
    count = int_of((await reader.perform("scan", "scanned")).values["count"])
    codes: list[int] = []
    while len(codes) < count:
        page = bytes_of((await reader.call("faces", offset=len(codes), limit=PAGE))["cards"])
        if not page:
            raise reader.garbage(f"{len(codes)} faces for {count} cards")
        codes.extend(page)
    seen = tuple(Card(code & ~FACE_UP) for code in codes)
    if any(card >= 54 for card in seen):
        raise reader.garbage(f"{max(seen)} is not a card")
    face_up = tuple(card for card, code in zip(seen, codes, strict=True) if code & FACE_UP)
    seq = journal.append(CardsRead(what, deck, seen, face_up))
    return Seen(seen, face_up, seq)


DEVICE = DeviceKind(
    kind="reader",
    commands=("scan", "faces"),
    events=("scanned",),
    openings=Openings(tray="tray"),
    read=read_tray,
)
