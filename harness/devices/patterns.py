"""Patterns in a journal that the checks of several kinds look for."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import exp, fsum, lgamma, log, log1p
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


NO_ROLLS = 0.02
"""The share of rolls that may be none: a die that is cocked or out, a lid that a hand lifted. The rules have the dice
shaken again."""
TOO_OFTEN = 1e-4
"""More of them than a machine with that share shows with this probability are too many."""


def _chance(n: int, k: int) -> float:
    """The binomial probability of k of n at the share `NO_ROLLS`."""
    ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    return exp(ways + k * log(NO_ROLLS) + (n - k) * log1p(-NO_ROLLS))


def seldom(records: Sequence[Record[Body]], bad: Sequence[Record[Body]], what: str) -> Iterator[Sighting]:
    """Whether something that happens to a good machine now and then happens seldom enough. Of n occasions, k is too
    often if a share of `NO_ROLLS` gives k or more with less than the probability `TOO_OFTEN`."""
    if not records:
        return
    n, k = len(records), len(bad)
    fewer = fsum(_chance(n, i) for i in range(k))
    good = k == 0 or 1 - fewer >= TOO_OFTEN
    note = f"{what} {k} times, which is a no roll" if k and good else ""
    yield Sighting(good, tuple(r.seq for r in (bad or records)), f"{what} {k} times in {n}", note)


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
