"""Events: numbered by one, kept, and given as asked. Each way to fail is found."""

from collections import deque
from dataclasses import replace

import pytest

from feltrig.emulators.models import board as boards
from feltrig.harness import demands
from feltrig.harness.devices import DEVICES
from feltrig.protocols.messages import EventBatch

SCENE = "feltrig.harness.plan.conformance.scenes.events:play"
KINDS = [kind for kind, device in DEVICES.items() if device.works]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("kept", [64, 65, 1024])
async def test_a_good_device_passes(played, monkeypatch, kind, kept):
    monkeypatch.setattr(boards, "MEMORY", kept)
    records = await played(SCENE, kind)
    assert [r for r in records if r["fault"]] == []
    tested = {each for r in records for each in r["requirements"]}
    ids = {demands.NUMBERS, demands.EVENTS_KEPT, demands.EVENTS_AFTER, demands.NO_EVENTS_AFTER}
    assert tested >= ids | {demands.EVENTS_STAY, demands.OLDEST_AND_LATEST}


async def test_a_slow_machine_is_not_driven_past_a_byte_for_ever(played, monkeypatch):
    monkeypatch.setattr("feltrig.harness.plan.conformance.scenes.events.MOST_SECONDS", 0.0)
    (numbers,) = [r for r in await played(SCENE, "rng") if r["note"]]
    assert numbers["note"] == "numbers up to 66 were seen"


def keeps(count):
    return lambda machine: setattr(machine.board, "_events", deque(machine.board._events, maxlen=count))


def gives(change):
    """Lets another batch be given than the honest one."""

    def spoil(machine):
        events = machine.events
        machine.events = lambda after, now, limit: change(events(after, now, limit), after)

    return spoil


def renumbered(number):
    def change(batch, after):
        events = tuple(replace(event, number=number(event.number)) for event in batch.events)
        return EventBatch(batch.status, events)

    return gives(change)


BROKEN = {
    "keeps too few": (keeps(63), demands.EVENTS_KEPT),
    "keeps half": (keeps(32), demands.EVENTS_KEPT),
    "wraps in a byte": (renumbered(lambda n: n % 256), demands.EVENTS_KEPT),
    "newest first": (gives(lambda b, _: replace(b, events=b.events[::-1])), demands.EVENTS_AFTER),
    "one too many": (
        lambda machine: setattr(
            machine, "events", lambda after, now, limit, own=machine.events: own(max(after - 1, 0), now, limit)
        ),
        demands.EVENTS_AFTER,
    ),
    "latest one behind": (
        gives(lambda b, _: replace(b, status=replace(b.status, latest=b.status.latest - 1))),
        demands.OLDEST_AND_LATEST,
    ),
    "another name when asked again": (
        gives(lambda b, _, asked=[]: _alternate(b, asked)),
        demands.EVENTS_STAY,
    ),
}


def _alternate(batch, asked):
    asked.append(batch)
    names = ("cleared", "started")
    return replace(batch, events=tuple(replace(e, name=names[len(asked) % 2]) for e in batch.events))


@pytest.mark.parametrize("how", BROKEN)
async def test_a_device_that_is_broken_is_found(blamed, how):
    spoil, broken = BROKEN[how]
    assert broken in await blamed(SCENE, "rng", spoil)


async def test_a_number_that_is_left_out_is_found(blamed, monkeypatch):
    number = boards.Board._number

    def skips(board, name, values):
        board._skipped = board._latest % 10 == 9
        number(board, name, values)

    monkeypatch.setattr(boards.Board, "_number", skips)
    assert demands.NUMBERS in await blamed(SCENE, "rng")


async def test_an_oldest_event_that_is_long_gone_is_found(blamed, monkeypatch):
    monkeypatch.setattr(boards, "MEMORY", 64)
    status = boards.Board.status
    monkeypatch.setattr(boards.Board, "status", lambda board: replace(status(board), oldest=1))
    assert demands.OLDEST_AND_LATEST in await blamed(SCENE, "rng")


async def test_events_after_a_number_beyond_the_latest_are_found(blamed):
    def spoil(machine):
        events = machine.events
        machine.events = lambda after, now, limit: events(after if after < 5000 else 0, now, limit)

    assert demands.NO_EVENTS_AFTER in await blamed(SCENE, "rng", spoil)
