"""What all emulated devices have in common: identity, state, numbered events, tokens, time."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.emulators.bench import Bench
from feltrig.emulators.machine import Machine
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.board import MEMORY, Board
from feltrig.emulators.models.device import REMEMBERED, Device
from feltrig.emulators.models.rng import FAULTS, rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.shoe import shoe
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Identity, Request
from feltrig.protocols.vocabulary import COMMON, Error, FaultCode, State, Type

PYTHON = {Type.U8: int, Type.U16: int, Type.U32: int, Type.BOOL: bool, Type.BYTES: tuple, Type.TEXT: str}

every_kind = pytest.mark.parametrize("kind", MODELS)


def model(kind: str, **options: Any) -> Device[Any]:
    return MODELS[kind].build(Setup(kind, 1, **options))


@every_kind
def test_every_command_of_the_vocabulary_is_in_the_models_table(kind: str) -> None:
    assert {*MODELS[kind].commands, *(command.name for command in COMMON)} == set(KINDS[kind].commands)


@every_kind
def test_a_device_says_who_it_is(kind: str) -> None:
    device: Machine = model(kind)
    values = device.handle(Request("identify"), 0.0).values
    assert set(values) == {field.name for field in KINDS[kind].commands["identify"].reply}
    assert values["kind"] == KINDS[kind].code
    assert len(str(values["digest"])) == 64


def test_an_identity_of_the_users_is_kept() -> None:
    identity = Identity("rng", "Acme", "Wheel 7", "0042", "2.1", "ab" * 32)
    values = rng(Setup("rng", 1, identity=identity)).handle(Request("identify"), 0.0).values
    assert values == {
        "kind": 1,
        "vendor": "Acme",
        "model": "Wheel 7",
        "serial": "0042",
        "firmware": "2.1",
        "digest": "ab" * 32,
    }


@every_kind
def test_a_device_starts_idle_with_the_event_that_it_started(kind: str) -> None:
    batch = model(kind).events(0, 0.0, 10)
    assert (batch.status.state, batch.status.fault) == (State.IDLE, FaultCode.NONE)
    assert [(event.number, event.name) for event in batch.events] == [(1, "started")]


@every_kind
def test_unknown_commands_and_arguments_are_refused(kind: str) -> None:
    device = model(kind)
    assert device.handle(Request("polish"), 0.0).error is Error.UNKNOWN_COMMAND
    for command in KINDS[kind].commands.values():
        if command.args and command.name != "events":
            for value in (-1, 1 << 32, "x", (1,)):
                values = {field.name: value for field in command.args}
                assert device.handle(Request(command.name, values), 0.0).error is Error.BAD_ARGUMENT
            assert device.handle(Request(command.name), 0.0).error is Error.BAD_ARGUMENT
    assert device.handle(Request("status", {"loud": 1}), 0.0).error is Error.BAD_ARGUMENT


def test_status_is_the_same_object_while_nothing_changes() -> None:
    device = rng(Setup("rng", 1))
    before = device.status(0.0)
    assert device.status(5.0) is before
    assert device.handle(Request("status"), 6.0) is device.handle(Request("status"), 7.0)
    device.handle(Request("select"), 8.0)
    assert device.status(8.0) != before
    assert device.handle(Request("status"), 9.0).values == {
        "state": State.READY,
        "fault": FaultCode.NONE,
        "oldest": 1,
        "latest": 2,
    }


def test_a_repeated_token_gets_the_same_answer_and_acts_once() -> None:
    device = rng(Setup("rng", 1, speed=1.0))
    first = device.handle(Request("select", token=7), 0.0)
    assert device.handle(Request("select", token=7), 0.5) is first
    assert device.handle(Request("select", token=8), 0.5).error is Error.WRONG_STATE
    assert device.handle(Request("select", token=7), 5.0) is first
    assert device.status(9.0).latest == 2


def test_a_refusal_is_repeated_too() -> None:
    device = rng(Setup("rng", 1, speed=1.0))
    device.handle(Request("select", token=1), 0.0)
    assert device.handle(Request("blank", token=2), 1.0).error is Error.WRONG_STATE
    assert device.handle(Request("blank", token=2), 9.0).error is Error.WRONG_STATE
    assert device.handle(Request("blank", token=3), 9.0).error is Error.OK


def test_a_token_is_one_command_whatever_comes_with_it_later() -> None:
    device = rng(Setup("rng", 1))
    device.handle(Request("select", token=5), 0.0)
    assert device.handle(Request("blank", token=5), 0.0).error is Error.OK
    assert device.status(0.0).state is State.READY


def test_token_0_is_no_token() -> None:
    device = rng(Setup("rng", 1))
    device.handle(Request("select"), 0.0)
    device.handle(Request("select"), 0.0)
    assert device.status(0.0).latest == 3


def test_only_the_last_few_tokens_are_remembered() -> None:
    device = rng(Setup("rng", 1))
    for token in range(1, REMEMBERED + 2):
        device.handle(Request("select", token=token), 0.0)
    latest = device.status(0.0).latest
    device.handle(Request("select", token=2), 0.0)
    assert device.status(0.0).latest == latest
    device.handle(Request("select", token=1), 0.0)
    assert device.status(0.0).latest == latest + 1


def test_events_come_in_batches_and_the_oldest_are_forgotten() -> None:
    device = rng(Setup("rng", 1))
    for _ in range(MEMORY + 10):
        device.handle(Request("select"), 0.0)
    batch = device.events(0, 0.0, 3)
    assert (batch.status.oldest, batch.status.latest) == (12, MEMORY + 11)
    assert len(device.board._events) == MEMORY
    assert [event.number for event in batch.events] == [12, 13, 14]
    assert [event.number for event in device.events(14, 0.0, 2).events] == [15, 16]
    assert [event.number for event in device.events(MEMORY + 10, 0.0, 5).events] == [MEMORY + 11]
    assert device.events(MEMORY + 11, 0.0, 5).events == ()
    assert device.events(MEMORY + 99, 0.0, 5).events == ()


@given(after=st.integers(0, 40), limit=st.integers(0, 40), made=st.integers(0, 30))
def test_a_batch_is_the_run_of_events_after_a_number(after: int, limit: int, made: int) -> None:
    device = rng(Setup("rng", 1))
    for _ in range(made):
        device.handle(Request("select"), 0.0)
    numbers = [event.number for event in device.events(after, 0.0, limit).events]
    assert numbers == list(range(after + 1, made + 2))[:limit]


CYCLES: dict[str, list[Request]] = {
    "rng": [Request("select")],
    "shaker": [Request("shake", {"times": 3}), Request("uncover"), Request("cover")],
    "shuffler": [Request("shuffle", {"deck": 1})],
    "shoe": [Request("dispense", {"size": 4})],
    "reader": [Request("scan")],
}


@every_kind
def test_every_event_carries_the_fields_of_the_vocabulary(kind: str) -> None:
    bench = Bench()
    for place in ("shuffler.in.1", "shoe.well", "reader.tray"):
        bench.put_new_deck(place, "red", range(54))
    device = model(kind, **({"bench": bench} if kind in ("shuffler", "shoe", "reader") else {}))
    for request in CYCLES[kind]:
        assert device.handle(request, 0.0).error is Error.OK
    device.board.fail(FaultCode.JAM)
    device.handle(Request("reset"), 0.0)
    events = device.events(0, 0.0, 100).events
    assert {event.name for event in events} == set(KINDS[kind].events)
    for event in events:
        fields = KINDS[kind].events[event.name].fields
        assert [*event.values] == [field.name for field in fields]
        for field in fields:
            assert isinstance(event.values[field.name], PYTHON[field.type])


def test_due_says_when_something_happens_by_itself() -> None:
    device = rng(Setup("rng", 1, speed=0.5))
    assert device.due() is None
    device.handle(Request("select"), 100.0)
    assert device.due() == 101.0
    device.advance(101.0)
    assert device.due() is None
    assert device.status(101.0).state is State.READY


def test_what_is_due_happens_in_order_and_each_at_its_own_time() -> None:
    board = Board(RNG, Setup("rng", 1, speed=2.0), FAULTS)
    seen: list[tuple[str, float]] = []

    def chain() -> None:
        seen.append(("first", board.now))
        board.after(1.0, lambda: seen.append(("chained", board.now)))

    board.after(1.0, chain)
    board.after(1.0, lambda: seen.append(("second", board.now)))
    board.after(9.0, lambda: seen.append(("late", board.now)))
    board.advance(10.0)
    assert seen == [("first", 2.0), ("second", 2.0), ("chained", 4.0)]
    assert board.now == 10.0


def test_a_failure_cancels_what_was_to_come_and_reset_clears_it() -> None:
    device = rng(Setup("rng", 1, speed=1.0))
    device.handle(Request("select"), 0.0)
    device.board.fail(FaultCode.SENSOR)
    assert device.status(9.0).fault is FaultCode.SENSOR
    assert device.handle(Request("select"), 9.0).error is Error.WRONG_STATE
    assert device.handle(Request("reset"), 9.0).error is Error.OK
    assert device.status(9.0).fault is FaultCode.NONE
    assert [(event.name, dict(event.values)) for event in device.events(1, 9.0, 9).events] == [
        ("faulted", {"fault": FaultCode.SENSOR}),
        ("cleared", {}),
    ]
    assert device.status(9.0).state is State.IDLE


def test_reset_stops_a_busy_device_and_leaves_a_lock_locked() -> None:
    device = rng(Setup("rng", 1, speed=1.0))
    device.handle(Request("select"), 0.0)
    device.handle(Request("reset"), 1.0)
    assert [event.name for event in device.events(0, 9.0, 9).events] == ["started", "cleared"]
    locked = shoe(Setup("shoe", 1))
    locked.handle(Request("lock"), 0.0)
    locked.handle(Request("reset"), 0.0)
    assert locked.status(0.0).state is State.LOCKED


@pytest.mark.parametrize("speed", [-1.0, float("nan"), float("inf")])
def test_a_speed_must_make_sense(speed: float) -> None:
    with pytest.raises(ValueError, match=r"rng: speed .* is not a finite number of at least 0"):
        rng(Setup("rng", 1, speed=speed))
