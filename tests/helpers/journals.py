"""Journals with a clock of their own, and journals that were forged."""

import json
from collections.abc import Callable
from pathlib import Path

from feltrig.harness.journal.chain import GENESIS, canonical, sealed
from feltrig.harness.journal.records import Told
from feltrig.harness.journal.writer import Journal

NOON = 1_800_000_000_000_000_000


class Ticks:
    """A clock that moves by a millisecond whenever it is read."""

    def __init__(self, start: int = 0) -> None:
        self.now = start

    def __call__(self) -> tuple[int, int]:
        self.now += 1_000_000
        return NOON + self.now, self.now


def write(path: Path, records: int = 3) -> bytes:
    with Journal(path, Ticks()) as journal:
        for number in range(records):
            journal.append(Told({"number": number, "text": "é\n"}))
    return path.read_bytes()


def rechained(path: Path, change: Callable[[bytes], bytes]) -> None:
    """Edit every line of a journal and chain it anew, as a forger would."""
    last, lines = GENESIS, []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        value = json.loads(change(line))
        forged, last = sealed(canonical(value["data"]), value["kind"], value["m"], last, number, value["t"])
        lines.append(forged + b"\n")
    path.write_bytes(b"".join(lines))
