"""Patterns in a journal that the checks of several kinds look for."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from feltrig.harness.journal.journal import Record
from feltrig.harness.judge.check import Sighting
from feltrig.harness.judge.evidence import Evidence

STUCK = 1e-6
"""A run of equal outcomes that a fair machine shows less often than this is called stuck."""


def no_long_run(records: list[Record], outcomes: list[Any], equally_likely: int) -> Iterator[Sighting]:
    """Whether the longest run of equal outcomes is one that chance allows: n places to begin, each further one 1/k."""
    if not records:
        return
    runs = [list(group) for _, group in groupby(range(len(outcomes)), key=outcomes.__getitem__)]
    longest = max(runs, key=len)
    good = len(outcomes) * equally_likely ** (1 - len(longest)) >= STUCK
    yield Sighting(
        good, tuple(records[i].seq for i in longest), f"{outcomes[longest[0]]} {len(longest)} times in a row"
    )


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


def works_again(done: str) -> Callable[[list[Record], int], str | None]:
    """Whether a machine that was jammed in a drill reported a fault, and later the event of its work done."""

    def fault(records: list[Record], _: int) -> str | None:
        events = [r.data["event"] for r in records if r.kind == "event"]
        if "faulted" not in events:
            return "a card was held in its way, and no fault was reported"
        if done not in events[events.index("faulted") :]:
            return "it did not work again after the jam was cleared"
        return None

    return fault
