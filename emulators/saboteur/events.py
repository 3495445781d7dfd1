"""Mutants that number, keep or give their events wrongly."""

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace

from feltrig.emulators.saboteur.hooks.machine import Around, batches, rewritten, statuses, twice
from feltrig.emulators.saboteur.mutant import Mutant, Victim, fresh, together
from feltrig.protocols.messages import Event, EventBatch, Value


def _every(count: int, name: str) -> Callable[[Event], Iterable[Event]]:
    """One more event of a name after each so many."""
    made = itertools.count(1)
    return lambda event: (event, Event(0, name)) if not next(made) % count else (event,)


def _changed_later(batch: EventBatch, _after: int) -> EventBatch:
    """The events of a batch, all but the newest few as something else."""
    newest = batch.status.latest - 3
    events = (Event(e.number, "started") if 1 < e.number < newest else e for e in batch.events)
    return replace(batch, events=tuple(events))


def _swapped(batch: EventBatch, _after: int) -> EventBatch:
    return replace(batch, events=batch.events[::-1])


def _one_missing(batch: EventBatch, _after: int) -> EventBatch:
    return replace(batch, events=batch.events[:1] + batch.events[2:])


def _with_the_last(victim: Victim) -> None:
    """Gives the last event again when there is none after the number."""

    class Repeating(Around):
        def events(self, after: int, now: float, limit: int) -> EventBatch:
            batch = self.inner.events(after, now, limit)
            return batch if batch.events else self.inner.events(max(batch.status.latest - 1, 0), now, limit)

    victim.machine = Repeating(victim.machine)


def _two_bytes(victim: Victim) -> None:
    """Counts its events in two bytes. A board has no room for attributes, so it gets a class of its own."""
    board = victim.device.board

    class Wrapping(type(board)):  # type: ignore[misc]
        __slots__ = ()

        def _number(self, name: str, values: dict[str, Value]) -> None:
            super()._number(name, values)
            self._latest &= 0xFFFF

    board.__class__ = Wrapping


MUTANTS = (
    Mutant("events-from-zero", ("DEV-9",), "numbers its events from 0", rewritten(number=lambda n: n - 1)),
    Mutant("events-skip", ("DEV-9",), "skips every tenth number", rewritten(number=lambda n: n + n // 10)),
    Mutant("events-wrap-256", ("DEV-9",), "numbers its events in one byte", rewritten(number=lambda n: n % 256)),
    Mutant("events-wrap-65536", ("DEV-9",), "numbers its events in two bytes", _two_bytes),
    Mutant("events-kept-32", ("DEV-10",), "keeps 32 events", rewritten(kept=32)),
    Mutant("events-kept-63", ("DEV-10",), "keeps 63 events", rewritten(kept=63)),
    Mutant(
        "events-newest-first", ("DEV-11",), "gives the newest event first", batches(_swapped), wires=("serial", "mqtt")
    ),
    Mutant("events-one-missing", ("DEV-11",), "leaves out the second event of an answer", batches(_one_missing)),
    Mutant(
        "events-last-again",
        ("DEV-12",),
        "gives the last event again when there is none after the number",
        _with_the_last,
        wires=("serial", "mqtt"),
    ),
    Mutant("events-change", ("DEV-13",), "reports older events under another name", batches(_changed_later)),
    Mutant(
        "oldest-is-one",
        ("DEV-14",),
        "reports 1 as its oldest event for ever",
        together(rewritten(kept=64), statuses(lambda status: replace(status, oldest=1))),
        wires=("serial", "mqtt"),
    ),
    Mutant(
        "latest-behind",
        ("DEV-14",),
        "reports a latest event that is one too low",
        statuses(lambda status: replace(status, latest=max(status.latest - 1, 1))),
    ),
    Mutant("cleared-twice", ("DEV-15",), "makes `cleared` twice", twice("cleared")),
    Mutant(
        "cleared-by-itself",
        ("DEV-15",),
        "makes `cleared` by itself now and then",
        fresh(lambda: rewritten(_every(5, "cleared"))),
    ),
)
