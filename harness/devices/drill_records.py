"""What the records of a drill show: whether the machine reported what was provoked, kept its state, lost no card and
works again. Each judgement returns what was wrong, with the id of the requirement first, or None."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

from feltrig.harness.devices.drilling import AFTER, BEFORE
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import Body, Called, CardsRead, EventSeen, PowerSwitched, Replied
from feltrig.protocols.vocabulary import FaultCode, State

Records = Sequence[Record[Body]]
Judge = Callable[[Records, int], str | None]
"""From the records of a drill and the size of a whole deck."""


class NotProvoked(Exception):
    """What was to be provoked did not happen, so the drill shows nothing; the message says why."""


def all_of(*judges: Judge) -> Judge:
    """The first thing that was wrong by any of these."""

    def judge(records: Records, whole: int) -> str | None:
        return next((fault for each in judges if (fault := each(records, whole)) is not None), None)

    return judge


def events(records: Records) -> list[tuple[str, dict[str, Any]]]:
    """The events of a drill with their values, in order."""
    return [(r.body.event, dict(r.body.values)) for r in records if isinstance(r.body, EventSeen)]


def reads(records: Records, what: str | None = None) -> list[CardsRead]:
    """What the reader saw, of one thing if it is named."""
    return [r.body for r in records if isinstance(r.body, CardsRead) and what in (None, r.body.what)]


def reports(fault: FaultCode, requirement: str, what: str) -> Judge:
    """Whether the first fault is the one that the documents ask for: `what` says what was provoked."""

    def judge(records: Records, _: int) -> str | None:
        said = [values.get("fault") for name, values in events(records) if name == "faulted"]
        if not said:
            return f"{what}, but no fault was reported"
        if said[0] != fault:
            return f"{requirement}: {what}: fault {said[0]}, expected {int(fault)} {fault.name.lower()}"
        return None

    return judge


def stays_in_fault(*done: str) -> Judge:
    """Whether the device stands in the state fault until its reset, with the fault that it reported, and goes on with
    nothing: no event of its work follows."""

    def judge(records: Records, _: int) -> str | None:
        said: int | None = None
        for record in records:
            match record.body:
                case EventSeen(event="faulted", values=values):
                    said = values.get("fault")
                case Called(command="reset"):
                    said = None
                case EventSeen(event=name) if said is not None and name in done:
                    return f"DEV-46: {name} came after the fault"
                case Replied(command="status", error="ok", values=values) if said is not None:
                    if values["state"] != State.FAULT:
                        return f"DEV-47: the state is {_state(values)} after a fault, expected fault"
                    if values["fault"] != said:
                        return f"DEV-48: the status has fault {values['fault']}, the event had {said}"
        return None

    return judge


def at_rest_after(event: str, requirement: str) -> Judge:
    """Whether the device is idle, or locked, and without a fault after this event, by the first status that follows."""

    def judge(records: Records, _: int) -> str | None:
        waiting = False
        for record in records:
            match record.body:
                case EventSeen(event=name):
                    waiting = name == event
                case Called(command=command) if command not in ("status", "events"):
                    waiting = False
                case Replied(command="status", error="ok", values=values) if waiting:
                    if values["state"] not in (State.IDLE, State.LOCKED):
                        return f"{requirement}: the state is {_state(values)} after {event}, expected idle"
                    if values["fault"]:
                        return f"DEV-48: the status has fault {values['fault']} after {event}, expected 0"
        return None

    return judge


def abandons(*done: str) -> Judge:
    """Whether a start after a power cut is reported, and the work under way is given up."""

    def judge(records: Records, _: int) -> str | None:
        on = False
        started = False
        for record in records:
            match record.body:
                case PowerSwitched(on=True):
                    on = True
                case EventSeen(event="started"):
                    started = started or on
                case Called(command=command) if command not in ("status", "events") and on:
                    break
                case EventSeen(event=name) if on and started and name in done:
                    return f"DEV-21: {name} came after a start, of what was under way before it"
        if not on:
            raise NotProvoked("its power was not cut")
        return None if started else "DEV-18: its power came back, but no event `started` said so"

    return judge


def works_again(done: str, after: Sequence[str] = ("cleared", "started")) -> Judge:
    """Whether the machine did its work after the last time that it was cleared or started."""

    def judge(records: Records, _: int) -> str | None:
        names = [name for name, _ in events(records)]
        last = max((place for place, name in enumerate(names) if name in after), default=None)
        return "it did not work again afterwards" if last is None or done not in names[last:] else None

    return judge


def keeps_the_cards(records: Records, _: int) -> str | None:
    """Whether every look at the deck in the drill shows the cards of the one before, face down."""
    for before, after in pairwise(read for read in reads(records) if read.what in (BEFORE, AFTER)):
        if after.what == BEFORE:
            continue
        if Counter(before.cards) != Counter(after.cards):
            return f"DEV-79: {len(before.cards)} cards went in, {len(after.cards)} came out, or others than those"
        if set(after.face_up) - set(before.face_up):
            return "DEV-79: a card that went in face down came out face up"
    return None


def each_time(command: str, key: str, judge: Judge) -> Judge:
    """The same judgement for each value with which a command was given, such as each compartment: the drill does it
    all for one value before the next."""

    def judged(records: Records, whole: int) -> str | None:
        for value, part in _parts(records, command, key):
            fault = judge(part, whole)
            if fault is not None:
                return f"{fault} ({key} {value})"
        return None

    return judged


def _parts(records: Records, command: str, key: str) -> Iterator[tuple[Any, Records]]:
    """The records of a drill, cut where the command comes with another value; what stands before belongs to the
    first."""
    cuts: list[tuple[Any, int]] = []
    for place, record in enumerate(records):
        body = record.body
        if isinstance(body, Called) and body.command == command:
            value = cast("Any", body.values).get(key)
            if not cuts or cuts[-1][0] != value:
                cuts.append((value, place if cuts else 0))
    ends = [place for _, place in cuts[1:]] + [len(records)]
    for (value, begin), end in zip(cuts, ends, strict=True):
        yield value, records[begin:end]


def _state(values: Any) -> str:
    state = values["state"]
    return State(state).name.lower() if state in set(State) else str(state)
