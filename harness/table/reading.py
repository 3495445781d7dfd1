"""What lies on the reader's tray, page by page, on record."""

from feltrig.engine.cards import Card
from feltrig.harness.journal.journal import Journal
from feltrig.harness.table.driver import Driver, bytes_of, int_of
from feltrig.protocols.vocabulary import FACE_UP

PAGE = 60
"""Cards asked of the reader at a time: what fits one frame of every wire."""


async def read_tray(
    reader: Driver, journal: Journal, what: str, deck: str
) -> tuple[tuple[Card, ...], tuple[Card, ...], int]:
    """The cards on the tray, those of them that lie face up, and the number of the record that says so."""
    count = int_of((await reader.perform("scan", "scanned")).values["count"])
    codes: list[int] = []
    while len(codes) < count:
        page = bytes_of((await reader.call("faces", offset=len(codes), limit=PAGE))["cards"])
        if not page:
            raise reader.garbage(f"{len(codes)} faces for {count} cards")
        codes.extend(page)
    seen = tuple(Card(code & ~FACE_UP) for code in codes)
    if any(card >= 54 for card in seen):
        raise reader.garbage(f"{max(seen)} is no card")
    face_up = tuple(card for card, code in zip(seen, codes, strict=True) if code & FACE_UP)
    seq = journal.append("read", {"what": what, "deck": deck, "cards": list(seen), "face_up": list(face_up)})
    return seen, face_up, seq
