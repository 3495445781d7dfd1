"""Records of the journal that belong together."""

from collections.abc import Iterator

from feltrig.harness.journal.journal import Record
from feltrig.harness.judge.evidence import Evidence


def pairs(evidence: Evidence, device: str, event: str, what: str) -> Iterator[tuple[Record, Record]]:
    """Each event of a device with the reader's next look at the same thing."""
    waiting: Record | None = None
    for record in evidence.records:
        if record.kind == "event" and record.data["device"] == device and record.data["event"] == event:
            waiting = record
        if record.kind == "read" and record.data["what"] == what and waiting is not None:
            yield waiting, record
            waiting = None


def deck_in_play(records: list[Record]) -> str | None:
    """The deck that the round was dealt from."""
    return next((r.data["deck"] for r in records if r.kind == "tell" and r.data["is"] == "Shuffled"), None)
