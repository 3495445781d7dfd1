"""The register map: blocks written down by hand, round trips, refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.reader import READER
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.kinds.shaker import SHAKER
from feltrig.protocols.kinds.shuffler import SHUFFLER
from feltrig.protocols.messages import Event, Identity, Reply, Request, Status
from feltrig.protocols.modbus.register_map import (
    COMMAND_SIZE,
    IDENTITY,
    IDENTITY_END,
    IDENTITY_SIZES,
    REGISTERS,
    RING,
    SLOT_SIZE,
    SLOTS,
    ModbusMap,
    slot_address,
    slot_of,
)
from feltrig.protocols.packing import Packing
from feltrig.protocols.vocabulary import Error, FaultCode, State

WHO = Identity("rng", "Maker", "Seven", "S/N 1", "2.1", "ab" * 32)


def test_the_status_block_is_the_registers_written_down_by_hand():
    device, status = ModbusMap(SHUFFLER), Status(State.FAULT, FaultCode.JAM, 65530, 65538)
    registers = bytes.fromhex("0001 0003 0003 0001 0000fffa 00010002 cafebabe")
    assert device.write_status(status, 0xCAFEBABE) == registers
    assert device.read_status(registers) == status


def test_an_event_that_left_the_ring_is_no_longer_held():
    device = ModbusMap(RNG)
    assert device.read_status(device.write_status(Status(State.IDLE, FaultCode.NONE, 1, 64), 0)).oldest == 1
    assert device.read_status(device.write_status(Status(State.IDLE, FaultCode.NONE, 1, 65), 0)).oldest == 2


@pytest.mark.parametrize("registers", ["0002 0001 0000 0000", "0001 0001 0005 0000", "0001 0001 0000 0009"])
def test_a_status_of_another_map_or_with_unknown_codes_is_refused(registers):
    with pytest.raises(ValueError, match=r"."):
        ModbusMap(RNG).read_status(bytes.fromhex(registers) + bytes(12))


def test_the_identity_is_text_filled_up_with_zeros():
    device = ModbusMap(RNG)
    block = device.write_identity(WHO)
    assert len(block) == 2 * (IDENTITY_END - IDENTITY)
    assert block[:6] == b"Maker\0"
    assert block[32:38] == b"Seven\0"
    head = device.write_status(Status(State.IDLE, FaultCode.NONE, 0, 0), 0).ljust(2 * IDENTITY, b"\0")
    assert device.read_identity(head + block) == {
        "kind": 1,
        "vendor": "Maker",
        "model": "Seven",
        "serial": "S/N 1",
        "firmware": "2.1",
        "digest": "ab" * 32,
    }


@pytest.mark.parametrize("name", IDENTITY_SIZES)
def test_an_identity_too_long_for_its_registers_is_refused_by_name(name):
    texts = dict.fromkeys(IDENTITY_SIZES, "") | {name: "é" * (IDENTITY_SIZES[name] + 1)}
    with pytest.raises(ValueError, match=f"^{name}: "):
        ModbusMap(RNG).write_identity(Identity("rng", **texts))


COMMANDS = [
    (SHAKER, Request("shake", {"times": 3}, 0x00010002), "0001 0002 0010 0003"),
    (READER, Request("faces", {"offset": 300, "limit": 54}, 9), "0000 0009 0011 012c 0036"),
    (RNG, Request("select", {}, 0xCAFEBABE), "cafe babe 0010"),
]


@pytest.mark.parametrize(("kind", "request_", "registers"), COMMANDS)
def test_a_command_is_the_registers_written_down_by_hand(kind, request_, registers):
    device = ModbusMap(kind)
    assert device.write_command(request_, request_.token) == bytes.fromhex(registers)
    assert device.read_command(bytes.fromhex(registers)) == request_


RESULTS = [
    (RNG, "display", Reply(values={"number": 5}), "0000 0007 0000 0001 0005"),
    (RNG, "select", Reply(Error.WRONG_STATE), "0000 0007 0003 0000"),
    (RNG, "select", Reply(), "0000 0007 0000 0000"),
    (READER, "faces", Reply(values={"cards": (1, 2, 0x83)}), "0000 0007 0000 0003 0003 0102 8300"),
]


@pytest.mark.parametrize(("kind", "command", "reply", "registers"), RESULTS)
def test_a_result_is_the_registers_written_down_by_hand(kind, command, reply, registers):
    device = ModbusMap(kind)
    assert device.write_result(7, command, reply) == bytes.fromhex(registers)
    assert device.read_result(command, bytes.fromhex(registers).ljust(250, b"\0")) == reply


SLOT_EXAMPLES = [
    (RNG, Event(258, "selected", {"number": 7}), "0000 0102 0010 0007"),
    (SHUFFLER, Event(1, "counted", {"deck": 1, "count": 54, "correct": True}), "0000 0001 0012 0001 0036 0001"),
    (
        SHAKER,
        Event(3, "rolled", {"dice": (6, 1, 2), "flat": (1, 1, 1)}),
        "0000 0003 0013 0003 0601 0200 0003 0101 0100",
    ),
]


@pytest.mark.parametrize(("kind", "event", "registers"), SLOT_EXAMPLES)
def test_a_slot_is_the_registers_written_down_by_hand(kind, event, registers):
    device, slot = ModbusMap(kind), bytes.fromhex(registers).ljust(2 * SLOT_SIZE, b"\0")
    assert device.write_slot(event) == slot
    assert device.read_slot(slot) == event


def test_an_empty_slot_holds_no_event():
    assert ModbusMap(RNG).read_slot(bytes(32)) is None


@pytest.mark.parametrize("registers", ["0000 0001 00ff", "0000 0001 0001 0001", "0000 0001 0010 0100"])
def test_a_slot_that_cannot_be_read_is_a_value_error(registers):
    with pytest.raises(ValueError, match=r"."):
        ModbusMap(RNG).read_slot(bytes.fromhex(registers).ljust(32, b"\0"))


def test_an_event_too_large_for_a_slot_is_refused():
    with pytest.raises(ValueError, match="a slot holds 32"):
        ModbusMap(SHAKER).write_slot(Event(1, "rolled", {"dice": (1,) * 20, "flat": (1,) * 20}))


@pytest.mark.parametrize(
    ("registers", "error"),
    [
        ("0000 0001 0003 0000 0000", Error.UNKNOWN_COMMAND),
        ("0000 0001 0110", Error.UNKNOWN_COMMAND),
        ("0000 0001 0010", Error.MALFORMED),
        ("0000 0001 0010 0100", Error.MALFORMED),
        ("0000 0001 0010 0001 0001", Error.MALFORMED),
    ],
)
def test_a_command_that_cannot_be_read_has_its_error(registers, error):
    assert ModbusMap(SHAKER).read_command(bytes.fromhex(registers)) is error


def test_a_reply_too_long_to_read_at_once_is_refused_as_a_bad_argument():
    device = ModbusMap(READER)
    most = Reply(values={"cards": (1,) * 240})
    assert device.read_result("faces", device.write_result(1, "faces", most)) == most
    assert device.write_result(1, "faces", Reply(values={"cards": (1,) * 241})) == device.write_error(
        1, Error.BAD_ARGUMENT
    )


@pytest.mark.parametrize("registers", ["0000 0001 0009 0000", "0000 0001 0000 0002 0005", "0000 0001 0000 0000"])
def test_a_result_that_cannot_be_read_is_a_value_error(registers):
    with pytest.raises(ValueError, match=r"."):
        ModbusMap(RNG).read_result("display", bytes.fromhex(registers))


@pytest.mark.parametrize("command", ["events", "shuffle"])
def test_a_command_that_this_wire_does_not_carry_is_not_written(command):
    with pytest.raises(ValueError, match="no such command on this wire"):
        ModbusMap(RNG).write_command(Request(command), 1)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_command_and_event_of_the_vocabulary_fits_its_block(kind):
    for command in kind.commands.values():
        assert Packing(command.args, REGISTERS).smallest <= 2 * (COMMAND_SIZE - 3)
    for event in kind.events.values():
        assert Packing(event.fields, REGISTERS).smallest <= 2 * (SLOT_SIZE - 3)


def test_slots_follow_each_other_and_come_round():
    assert [slot_of(n) for n in (1, 2, 64, 65)] == [0, 1, 63, 0]
    assert (slot_address(0), slot_address(SLOTS - 1)) == (RING, 1520)


@given(st.sampled_from(sorted(KINDS)), st.binary(min_size=6, max_size=64))
def test_any_registers_are_a_command_or_an_error(kind, data):
    device = ModbusMap(KINDS[kind])
    request = device.read_command(data)
    assert isinstance(request, Error) or device.write_command(request, request.token) == data
