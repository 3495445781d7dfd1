"""Patterns in a journal that the checks of several kinds look for."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from feltrig.harness.journal.reader import Record, is_a
from feltrig.harness.journal.records import Body, CardsRead, EventSeen, Told
from feltrig.harness.judge.check import Sighting
from feltrig.harness.judge.evidence import Evidence

STUCK = 1e-6
"""A run of equal outcomes that a fair machine shows less often than this is called stuck."""


def no_long_run(records: Sequence[Record[Body]], outcomes: list[Any], equally_likely: int) -> Iterator[Sighting]:
    """Whether the longest run of equal outcomes is one that chance allows: n places to begin, each further one 1/k."""
    if not records:
        return
    runs = [list(group) for _, group in groupby(range(len(outcomes)), key=outcomes.__getitem__)]
    longest = max(runs, key=len)
    good = len(outcomes) * equally_likely ** (1 - len(longest)) >= STUCK
    yield Sighting(
        good, tuple(records[i].seq for i in longest), f"{outcomes[longest[0]]} {len(longest)} times in a row"
    )


def pairs(
    evidence: Evidence, device: str, event: str, what: str
) -> Iterator[tuple[Record[EventSeen], Record[CardsRead]]]:
    """Each event of a device with the reader's next look at the same thing."""
    waiting: Record[EventSeen] | None = None
    for record in evidence.records:
        if is_a(record, EventSeen) and record.body.device == device and record.body.event == event:
            waiting = record
        if is_a(record, CardsRead) and record.body.what == what and waiting is not None:
            yield waiting, record
            waiting = None


def deck_in_play(records: list[Record[Body]]) -> str | None:
    """The deck that the round was dealt from."""
    told = (r.body.tell for r in records if isinstance(r.body, Told))
    return next((tell["deck"] for tell in told if tell["is"] == "Shuffled"), None)


def works_again(done: str) -> Callable[[list[Record[Body]], int], str | None]:
    """Whether a machine that was jammed in a drill reported a fault, and later the event of its work done."""

    def fault(records: list[Record[Body]], _: int) -> str | None:
        events = [r.body.event for r in records if isinstance(r.body, EventSeen)]
        if "faulted" not in events:
            return "a card blocked its path, but no fault was reported"
        if done not in events[events.index("faulted") :]:
            return "it did not work again after the jam was cleared"
        return None

    return fault
