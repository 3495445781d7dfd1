"""What a fair machine does not do, whatever the statistics of its outcomes."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from feltrig.harness.journal.journal import Record
from feltrig.harness.judge.checks.check import Sighting

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
