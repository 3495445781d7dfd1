"""The registers of a device as a Modbus server answers for them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_server import ModbusServer
from feltrig.protocols.messages import Identity, Request
from feltrig.protocols.modbus import pdu

SELECT = bytes.fromhex("cafebabe 0010")


def respond(server: ModbusServer, request: str | bytes) -> str:
    """The response as hex, in groups that a reader can tell."""
    return server.respond(bytes.fromhex(request) if isinstance(request, str) else request, 0.0).hex()


@pytest.fixture
def machine():
    return rng(Setup("rng", 1, identity=Identity("rng", "Maker", "Seven", "S1", "2.1", "ab" * 32)))


@pytest.fixture
def server(machine):
    return ModbusServer(machine)


@pytest.mark.parametrize("function", ["03", "04"])
def test_the_status_is_read_alike_by_functions_3_and_4(server, function):
    assert respond(server, function + "0000 000a") == function + "14" + "0001000100000000000000010000000100000000"
    assert respond(server, function + "0006 0002") == function + "04" + "00000001"


def test_identity_and_reserved_registers_are_read_in_one_go(server):
    registers = server.respond(pdu.read(0, 125), 0.0)[2:]
    assert registers[2 * 10 : 2 * 16] == bytes(12)
    assert registers[2 * 16 : 2 * 32].rstrip(b"\0") == b"Maker"
    assert registers[2 * 72 : 2 * 104] == b"ab" * 32
    assert registers[2 * 104 :] == bytes(2 * 21)


def test_a_command_is_run_by_the_write_and_its_result_read_after(server, machine):
    assert respond(server, pdu.write(256, SELECT)) == "1001000003"
    assert respond(server, pdu.read(288, 4)) == "0308" + "cafebabe" + "00000000"
    assert respond(server, pdu.read(8, 2)) == "0304" + "cafebabe"
    assert respond(server, pdu.read(256, 4)) == "0308" + "cafebabe00100000"
    assert machine.status(0.0).latest == 2


def test_a_command_and_its_result_take_one_round_trip_with_function_23(server, machine):
    machine.handle(Request("select"), 0.0)
    request = pdu.read_write(288, 5, 256, bytes.fromhex("00000001 0011"))
    shown = f"{machine.mechanism.displayed:04x}"
    assert respond(server, request) == "170a" + "00000001" + "0000" + "0001" + shown


def test_a_repeated_token_runs_a_command_once_and_gets_the_same_result(server, machine):
    request = pdu.read_write(288, 4, 256, SELECT)
    assert respond(server, request) == respond(server, request)
    assert machine.status(0.0).latest == 2


@pytest.mark.parametrize(
    ("command", "error"), [("00000001 0077", "0001"), ("00000001 0003", "0001"), ("00000001 0010 0001", "0005")]
)
def test_a_command_that_cannot_be_read_has_its_error_as_result(server, command, error):
    response = respond(server, pdu.read_write(288, 4, 256, bytes.fromhex(command)))
    assert response == "1708" + "00000001" + error + "0000"


def test_the_last_token_is_that_of_a_command_that_acts_even_if_it_was_refused(server, machine):
    machine.board.fail(machine.board.fault.JAM)
    assert respond(server, pdu.read_write(288, 4, 256, SELECT)) == "1708" + "cafebabe" + "00030000"
    for not_acting in ("80000000 0002", "00000001 0077", "00000002 0010 0001"):
        server.respond(pdu.write(256, bytes.fromhex(not_acting)), 0.0)
    assert respond(server, pdu.read(8, 2)) == "0304" + "cafebabe"


def test_a_refusal_is_remembered_and_its_token_is_no_other_command(server, machine):
    machine.board.fail(machine.board.fault.JAM)
    refused = respond(server, pdu.read_write(288, 4, 256, SELECT))
    assert respond(server, pdu.read_write(288, 4, 256, bytes.fromhex("cafebabe 0004"))) == refused
    respond(server, pdu.write(256, bytes.fromhex("00000001 0004")))
    assert respond(server, pdu.read_write(288, 4, 256, SELECT)) == refused
    assert respond(server, pdu.read_write(288, 4, 256, bytes.fromhex("00000002 0010")))[12:] == "00000000"


def test_the_ring_holds_each_event_in_its_slot(server, machine):
    machine.handle(Request("select"), 0.0)
    selected = machine.mechanism.displayed
    assert respond(server, pdu.read(512, 4)) == "0308" + "00000001" + "00010000"
    assert respond(server, pdu.read(528, 4)) == "0308" + "00000002" + f"0010{selected:04x}"
    assert respond(server, pdu.read(530, 1)) == "0302" + "0010"
    assert respond(server, pdu.read(544, 16)) == "0320" + "00" * 32


def test_the_ring_overwrites_the_oldest_events(server, machine):
    for _ in range(64):
        machine.handle(Request("select"), 0.0)
    assert respond(server, pdu.read(512, 3)) == "0306" + "00000041" + "0010"
    assert respond(server, pdu.read(1520, 2)) == "0304" + "00000040"
    assert respond(server, pdu.read(4, 4)) == "0308" + "00000002" + "00000041"


@pytest.mark.parametrize(
    ("request_", "response"),
    [
        ("01 0000 0001", "8101"),
        ("05 0000 ff00", "8501"),
        ("0f 0000 0001 01 01", "8f01"),
        ("03 0080 0001", "8302"),
        ("03 007f 0002", "8302"),
        ("04 ffff 0001", "8402"),
        ("03 05f0 0011", "8302"),
        ("03 0000 0000", "8303"),
        ("03 0000 007e", "8303"),
        ("06 0002 0001", "8601"),
        ("06 0100 0001", "8601"),
        ("10 0002 0001 02 0001", "9002"),
        ("10 0101 0003 06 000000000000", "9002"),
        ("10 011f 0001 02 0001", "9002"),
        ("10 0100 0001 02 0001", "9003"),
        ("10 0100 0002 04 00000001", "9003"),
        ("17 0080 0001 0100 0003 06 000000010010", "9702"),
        ("17 0120 0004 0002 0001 02 0001", "9702"),
        ("2b 0e 04 77", "ab02"),
        ("2b 0d 01 00", "ab01"),
    ],
)
def test_what_is_not_there_or_not_allowed_is_refused_and_changes_nothing(server, machine, request_, response):
    assert respond(server, request_) == response
    assert machine.status(0.0).latest == 1


def test_a_command_block_longer_than_its_registers_is_refused(server):
    assert respond(server, pdu.write(256, bytes(2 * 33))) == "9002"


def test_each_server_identifies_its_own_device(server):
    other = ModbusServer(rng(Setup("other", 1, identity=Identity("rng", "Other", "M", "S", "1", "cd" * 32))))
    basic = bytes.fromhex("2b0e01 83 00 00 03") + b"\0\5Maker" + b"\1\5Seven" + b"\2\0032.1"
    assert server.respond(pdu.identify(1), 0.0) == basic
    assert other.respond(pdu.identify(4, 0), 0.0) == bytes.fromhex("2b0e04 83 00 00 01") + b"\0\5Other"
    assert server.respond(pdu.identify(3, 0x80), 0.0)[6] == 2
    assert server.respond(pdu.identify(2, 0x33), 0.0)[6] == 4


def test_an_identity_too_long_for_the_map_is_refused_at_once():
    with pytest.raises(ValueError, match=r"^vendor: "):
        ModbusServer(rng(Setup("rng", 1, identity=Identity("rng", "x" * 33, "", "", "", ""))))


@given(st.binary(min_size=1, max_size=253))
def test_any_request_has_a_response_that_fits(request_):
    response = ModbusServer(rng(Setup("rng", 1))).respond(request_, 0.0)
    assert response[0] & 0x7F == request_[0] & 0x7F
    assert 2 <= len(response) <= pdu.MAX_PDU
