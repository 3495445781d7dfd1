"""Power cycles: what a device still knows, what it has forgotten, and that no start is like another."""

import random

import pytest

from feltrig.emulators.models.board import Board
from feltrig.harness import demands
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.failures import CannotBeDone
from feltrig.protocols.vocabulary import FaultCode, State

SCENE = "feltrig.harness.plan.conformance.scenes.power:play"
KINDS = [kind for kind, device in DEVICES.items() if device.works]
ANEW = {"rng": "DEV-60", "shaker": "DEV-74", "shuffler": "DEV-84"}


def forgetful(machine):
    machine.board.keeps_memory = False


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spoil", [lambda machine: None, forgetful], ids=["remembers", "forgets"])
async def test_a_good_device_passes_whether_it_remembers_or_not(played, kind, spoil):
    records = await played(SCENE, kind, spoil)
    assert [r for r in records if r["fault"] or r["untested"]] == []
    tested = {each for r in records for each in r["requirements"]}
    assert tested >= {demands.STARTED, demands.NUMBERS_GO_ON, demands.NUMBERS_FROM_1, demands.WORK_ABANDONED}
    assert tested >= {demands.STARTS_IDLE} | ({ANEW[kind]} if kind in ANEW else {"DEV-23"})


async def test_every_switch_goes_on_record(felt, played):
    await played(SCENE, "rng")
    switched = [r["on"] for r in felt().noted("power")]
    assert switched == [False, True] * 3


async def test_what_cannot_be_done_is_not_tested(played, monkeypatch):
    async def cannot(operator, device):
        raise CannotBeDone(device, "power_off")

    monkeypatch.setattr("feltrig.harness.table.bench_operator.BenchOperator.power_off", cannot)
    (record,) = [r for r in await played(SCENE, "rng") if r["untested"]]
    assert record["untested"] == "power off cannot be done with this rng"
    assert {demands.STARTED, "DEV-58", "DEV-60"} <= set(record["requirements"])


async def test_a_power_that_cannot_be_cut_in_the_middle_of_a_work_is_cut_at_rest(felt, played, monkeypatch):
    async def cannot(operator, device):
        raise CannotBeDone(device, "cut_power_at_work")

    monkeypatch.setattr("feltrig.harness.table.bench_operator.BenchOperator.cut_power_at_work", cannot)
    records = await played(SCENE, "rng")
    (record,) = [r for r in records if r["untested"]]
    assert (record["requirements"], record["during"]) == ([demands.WORK_ABANDONED], "select")
    assert [r for r in records if r["fault"]] == []
    assert [r["command"] for r in records if r["command"].startswith("started")] == [
        "started from rest",
        "started from rest once more",
        "started again",
    ]


def booted(after):
    """Something else that a device does at its start."""

    def spoil(machine):
        machine.board.at_boot.append(lambda remembers: after(machine))

    return spoil


def _same_seed(machine):
    machine.board.random = random.Random(7)


def _no_started(monkeypatch):
    number = Board._number
    monkeypatch.setattr(Board, "_number", lambda b, name, values: name == "started" or number(b, name, values))


@pytest.mark.parametrize("kind", ANEW)
async def test_a_device_with_a_fixed_seed_is_found(blamed, kind):
    assert await blamed(SCENE, kind, booted(_same_seed)) == {ANEW[kind]}


async def test_a_device_that_does_not_say_that_it_started_is_found(blamed, monkeypatch):
    _no_started(monkeypatch)
    assert demands.STARTED in await blamed(SCENE, "rng")


@pytest.mark.parametrize("busy", [False, True])
async def test_a_device_that_goes_on_with_its_work_is_found(blamed, busy):
    def goes_on(machine):
        def done():
            machine.board.become(State.IDLE)
            machine.board.emit("selected", number=3)

        machine.board.become(State.BUSY if busy else State.IDLE)
        machine.board.after(0.0, done)

    assert demands.WORK_ABANDONED in await blamed(SCENE, "rng", booted(goes_on))


async def test_a_device_that_is_ready_after_a_start_is_found(blamed, monkeypatch):
    rest = Board._rest
    monkeypatch.setattr(Board, "_rest", lambda board: (rest(board), board.become(State.READY)))
    assert demands.STARTS_IDLE in await blamed(SCENE, "rng")


async def test_a_device_that_starts_with_a_fault_and_does_not_say_so_is_found(blamed):
    def faulty(machine):
        machine.board.fault = FaultCode.SENSOR

    assert demands.STARTS_IDLE in await blamed(SCENE, "rng", booted(faulty))


async def test_a_shoe_that_is_not_locked_any_more_is_found(blamed):
    def opened(machine):
        machine.board.become(State.IDLE)

    assert "DEV-23" in await blamed(SCENE, "shoe", booted(opened))


async def test_a_display_that_shows_something_after_a_start_is_found(blamed):
    def shows(machine):
        machine.mechanism.displayed = 3

    assert "DEV-58" in await blamed(SCENE, "rng", booted(shows))


async def test_a_device_that_begins_again_at_two_is_found(blamed):
    def skips(machine):
        forgetful(machine)
        booted(lambda m: setattr(m.board, "_latest", 1))(machine)

    assert demands.NUMBERS_FROM_1 in await blamed(SCENE, "rng", skips)


async def test_a_device_that_leaves_numbers_out_is_found(blamed):
    def skips(machine):
        machine.board._latest += 5

    assert demands.NUMBERS_GO_ON in await blamed(SCENE, "rng", booted(skips))


async def test_a_device_that_forgets_its_numbers_and_not_its_tokens_is_found(blamed):
    def spoil(machine):
        forgetful(machine)
        machine.board.at_boot.remove(machine._booted)

    assert demands.NUMBERS_FROM_1 in await blamed(SCENE, "rng", spoil)


async def test_numbers_of_two_bytes_are_found(blamed, monkeypatch):
    number = Board._number

    def wraps(board, name, values):
        number(board, name, values)
        board._latest &= 0xFFFF

    monkeypatch.setattr(Board, "_number", wraps)
    assert demands.NUMBERS in await blamed(SCENE, "rng")


@pytest.mark.parametrize("kind", ["shaker", "shuffler", "shoe"])
@pytest.mark.parametrize("state", [State.FAULT, State.IDLE])
async def test_a_device_that_keeps_its_fault_over_a_start_is_found(blamed, monkeypatch, kind, state):
    rest = Board._rest

    def kept(board):
        fault = board.fault if board.off is False and board.state is State.FAULT else FaultCode.NONE
        rest(board)
        if fault is not FaultCode.NONE and not cleared:
            board.fault = fault
            board.become(state)
        cleared.clear()

    cleared: list[bool] = []
    clear = Board.clear
    monkeypatch.setattr(Board, "clear", lambda board: (cleared.append(True), clear(board)))
    monkeypatch.setattr(Board, "_rest", kept)
    assert demands.STARTS_IDLE in await blamed(SCENE, kind)


@pytest.mark.parametrize("kind", ["shaker", "shuffler", "shoe"])
async def test_a_device_that_reports_a_fault_whose_cause_is_gone_is_found(blamed, kind):
    def reports(machine):
        had = machine.board.events(0, 64)[-1:]
        if had and had[0].name == "faulted":
            machine.board.after(0.0, lambda: machine.board.fail(FaultCode.JAM))

    assert demands.STARTS_IDLE in await blamed(SCENE, kind, booted(reports))


async def test_a_fault_that_hands_cannot_cause_is_not_tested(played, monkeypatch):
    async def cannot(operator, device):
        raise CannotBeDone(device, "block")

    monkeypatch.setattr("feltrig.harness.table.bench_operator.BenchOperator.block", cannot)
    (record,) = [r for r in await played(SCENE, "shoe") if r["untested"]]
    assert record["requirements"] == [demands.STARTS_IDLE]
