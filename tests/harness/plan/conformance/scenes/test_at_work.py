"""A machine at work: what it must answer, what it must refuse, and that a reset ends it. Each way to fail is found."""

from dataclasses import replace
from functools import partial

import pytest

from feltrig.emulators.models.board import Board
from feltrig.harness import demands
from feltrig.harness.devices import DEVICES
from feltrig.protocols.messages import Reply
from feltrig.protocols.vocabulary import Error, State

SCENE = "feltrig.harness.plan.conformance.scenes.at_work:play"
KINDS = [kind for kind, device in DEVICES.items() if device.works]


@pytest.fixture(autouse=True)
def _brief(monkeypatch):
    monkeypatch.setattr("feltrig.harness.plan.conformance.scenes.at_work.AT_WORK", 0.05)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_good_device_is_caught_at_work_and_passes(played, kind):
    records = await played(SCENE, kind)
    assert [r for r in records if r["fault"]] == []
    assert [r for r in records if r["note"]] == []
    for work in DEVICES[kind].works:
        for case in work.meanwhile:
            assert any(r["command"] == f"{case.command} while it works on {work.act.command}" for r in records)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seconds", [0.0, 0.004])
async def test_a_machine_that_is_too_quick_is_not_blamed(played, kind, seconds):
    records = await played(SCENE, kind, speed=seconds / DEVICES[kind].works[0].seconds, hardware=True)
    assert [r for r in records if r["fault"]] == []


async def test_what_could_not_be_seen_is_noted(played):
    records = await played(SCENE, "rng", hardware=True)
    assert {r["note"] for r in records if "while it works" in r["command"]} == {
        "done before anybody could ask: caught at work in 0 of 3 attempts",
        "done before anybody could reset it, in 3 attempts",
    }


@pytest.mark.parametrize("kind", KINDS)
async def test_a_machine_that_never_says_that_it_is_busy_is_found(blamed, kind):
    def spoil(machine):
        events = machine.events

        def ready(after, now, limit):
            batch = events(after, now, limit)
            busy = batch.status.state is State.BUSY
            return replace(batch, status=replace(batch.status, state=State.READY)) if busy else batch

        machine.events = ready

    assert demands.BUSY in await blamed(SCENE, kind, spoil)


def while_busy(command, reply):
    """Another answer to a command while the machine works."""

    def answered(machine, request, answer):
        return reply if request.command == command and machine.board.state is State.BUSY else answer()

    return answered


@pytest.mark.parametrize(("kind", "command"), [("rng", "blank"), ("shoe", "lock"), ("shoe", "unlock")])
async def test_a_machine_that_says_yes_while_it_works_is_found(blamed, spoil, kind, command):
    assert demands.WRONG_STATE in await blamed(SCENE, kind, spoil(while_busy(command, Reply())))


@pytest.mark.parametrize(("kind", "command"), [("rng", "identify"), ("shaker", "challenge")])
async def test_a_machine_that_does_not_answer_while_it_works_is_found(blamed, spoil, kind, command):
    refused = while_busy(command, Reply(Error.WRONG_STATE))
    assert demands.ANSWERED_IN_ALL in await blamed(SCENE, kind, spoil(refused))


async def test_a_display_that_still_shows_the_last_number_while_it_selects_is_found(blamed, spoil):
    assert "DEV-57" in await blamed(SCENE, "rng", spoil(while_busy("display", Reply(values={"number": 5}))))


async def test_a_machine_that_acts_later_on_what_it_refused_is_found(blamed, spoil):
    def later(machine, request, answer):
        busy = machine.board.state is State.BUSY
        reply = answer()
        if request.command == "shake" and busy and reply.error is Error.WRONG_STATE:
            machine.board.after(0.0, partial(machine.board.emit, "shaken", times=3))
        return reply

    assert demands.REFUSED_CHANGES_NOTHING in await blamed(SCENE, "shaker", spoil(later))


async def test_a_machine_that_forgets_what_it_refused_is_found(blamed, spoil):
    def forgets(machine, request, answer):
        reply = answer()
        if reply.error is Error.WRONG_STATE:
            machine._answered.pop(request.token, None)
        return reply

    assert demands.REFUSALS_KEPT in await blamed(SCENE, "rng", spoil(forgets))


@pytest.mark.parametrize("kind", KINDS)
async def test_a_machine_that_refuses_a_reset_while_it_works_is_found(blamed, spoil, kind):
    refused = while_busy("reset", Reply(Error.WRONG_STATE))
    assert demands.RESET in await blamed(SCENE, kind, spoil(refused))


@pytest.mark.parametrize("kind", KINDS)
async def test_a_machine_that_goes_on_after_a_reset_is_found(blamed, monkeypatch, kind):
    monkeypatch.setattr(Board, "cancel", lambda board: None)
    assert demands.RESET_ENDS_WORK in await blamed(SCENE, kind)


async def test_a_machine_that_is_not_idle_after_a_reset_is_found(blamed, spoil):
    def ready(machine, request, answer):
        busy = machine.board.state is State.BUSY
        reply = answer()
        if request.command == "reset" and busy:
            machine.board.become(State.READY)
        return reply

    assert demands.RESET in await blamed(SCENE, "rng", spoil(ready))


async def test_a_shuffler_that_is_ready_before_it_has_counted_is_found(blamed, monkeypatch):
    emit = Board.emit

    def early(board, name, **values):
        emit(board, name, **values)
        if name == "shuffled":
            board.become(State.READY)

    monkeypatch.setattr(Board, "emit", early)
    assert demands.BUSY in await blamed(SCENE, "shuffler")


async def test_a_shuffler_that_does_not_count_passes(played):
    records = await played(SCENE, "shuffler", lambda machine: setattr(machine.mechanism, "_counts", False))
    assert [r for r in records if r["fault"]] == []
