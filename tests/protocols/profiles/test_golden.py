"""The bytes of every message of every shipped profile, written down by hand from its description."""

from dataclasses import dataclass
from typing import Any

import pytest

from feltrig.protocols.profiles import modbus_cells, profilefile
from feltrig.protocols.profiles.dialogue import Dialogue, MessageForm, Parcel
from feltrig.protocols.profiles.framing import Deframer
from feltrig.protocols.profiles.registers import Block, RegisterMap

RNG, SHOE = "lookalike-status-lines-rng", "lookalike-card-reports-shoe"
LOG, MQTT, PLC = "lookalike-history-log-shuffler", "lookalike-listens-says-shaker", "plc-shaker"


@dataclass(frozen=True)
class Golden:
    """One message: where it stands in the profile, its values, its bytes (on a serial line with their frame)."""

    profile: str
    where: str
    values: dict[str, Any]
    wire: bytes
    topic: str = ""


WHEN = {"clock.time": "14:05:09", "clock.date": "11/16/26", "shuffled.nth": 42}

GOLDEN = (
    # 9600 8N1, lines ended by CR LF: *X;state;game;number;warnings;speed;direction
    Golden(
        RNG,
        "says[1]",
        {"status.state": 2, "selected.nth": 17, "selected.number": 5, "status.fault": 0},
        b"*X;5;017;05;0;000;0\r\n",
    ),
    Golden(
        RNG,
        "says[1]",
        {"status.state": 3, "selected.nth": 0, "selected.number": 0, "status.fault": 5},
        b"*X;6;000;00;4;000;0\r\n",
    ),
    Golden(RNG, "commands.select.message", {}, b"*s 1\r\n"),
    Golden(RNG, "commands.select.answer", {}, b"*s OK\r\n"),
    Golden(RNG, "commands.select.refused", {"error": 3}, b"*s E3\r\n"),
    Golden(RNG, "commands.reset.message", {}, b"*c 1\r\n"),
    Golden(RNG, "commands.reset.answer", {}, b"*c OK\r\n"),
    Golden(RNG, "commands.reset.refused", {"error": 5}, b"*c E5\r\n"),
    # 4800 8N1. Commands: 02 O P type digits 03, xor of all of these in hex. Reports: 05 seq data 03, xor from seq to 03
    Golden(SHOE, "commands.dispense.message", {"size": 4}, bytes.fromhex("02 4F 50 44 50 30 34 03 30 45")),
    Golden(SHOE, "commands.dispense.answer", {}, b"\x06"),
    Golden(SHOE, "commands.dispense.refused", {"error": 4}, bytes.fromhex("15 32 33")),
    Golden(SHOE, "commands.lock.message", {}, bytes.fromhex("02 4F 50 4C 4B 30 31 03 31 38")),
    Golden(SHOE, "commands.lock.answer", {}, b"\x06"),
    Golden(SHOE, "commands.lock.refused", {"error": 3}, bytes.fromhex("15 32 31")),
    Golden(SHOE, "commands.unlock.message", {}, bytes.fromhex("02 4F 50 4C 4B 30 30 03 31 39")),
    Golden(SHOE, "commands.unlock.answer", {}, b"\x06"),
    Golden(SHOE, "commands.unlock.refused", {"error": 1}, bytes.fromhex("15 31 33")),
    Golden(SHOE, "commands.reset.message", {}, bytes.fromhex("02 4F 50 45 43 30 30 03 31 38")),
    Golden(SHOE, "commands.reset.answer", {}, b"\x06"),
    Golden(SHOE, "commands.reset.refused", {"error": 5}, bytes.fromhex("15 30 32")),
    Golden(SHOE, "says[1]", {"seq": 1}, bytes.fromhex("05 31 53 03 36 31")),
    Golden(SHOE, "says[2]", {"seq": 2, "stack": 1, "size": 4}, bytes.fromhex("05 32 44 30 31 34 03 34 30")),
    Golden(SHOE, "says[3]", {"seq": 3, "fault": 1}, bytes.fromhex("05 33 45 38 03 34 44")),
    Golden(SHOE, "says[4]", {"seq": 4}, bytes.fromhex("05 34 50 03 36 37")),
    Golden(SHOE, "says[5]", {"seq": 5}, bytes.fromhex("05 35 4C 03 37 41")),
    Golden(SHOE, "says[6]", {"seq": 6}, bytes.fromhex("05 36 43 03 37 36")),
    # 19200 8N1, lines: time, date, shuffles, text
    Golden(LOG, "commands.identify.message", {}, b"VERSION\r\n"),
    Golden(LOG, "commands.identify.answer", {"firmware": "2.1", "serial": "A7"}, b"VERSION 2.1 SERIAL A7\r\n"),
    Golden(LOG, "commands.identify.refused", {"error": 1}, b"ERR 1\r\n"),
    Golden(LOG, "commands.shuffle.message", {}, b"SHUFFLE\r\n"),
    Golden(LOG, "commands.shuffle.answer", {}, b"OK\r\n"),
    Golden(LOG, "commands.shuffle.refused", {"error": 4}, b"ERR 4\r\n"),
    Golden(LOG, "commands.reset.message", {}, b"RESET\r\n"),
    Golden(LOG, "commands.reset.answer", {}, b"OK\r\n"),
    Golden(LOG, "commands.reset.refused", {"error": 2}, b"ERR 2\r\n"),
    Golden(LOG, "says[1]", WHEN, b"14:05:09 11/16/26 000042 Powered Up\r\n"),
    Golden(LOG, "says[2]", WHEN, b"14:05:09 11/16/26 000042 Shuffle Started\r\n"),
    Golden(LOG, "says[3]", WHEN, b"14:05:09 11/16/26 000042 Shuffle Complete\r\n"),
    Golden(LOG, "says[4]", {**WHEN, "count": 54}, b"14:05:09 11/16/26 000042 Deck Complete 054\r\n"),
    Golden(LOG, "says[5]", {**WHEN, "count": 55}, b"14:05:09 11/16/26 000042 Extra Card 055\r\n"),
    Golden(LOG, "says[6]", {**WHEN, "count": 53}, b"14:05:09 11/16/26 000042 Missing Card 053\r\n"),
    Golden(LOG, "says[7]", WHEN, b"14:05:09 11/16/26 000042 Card Jam\r\n"),
    Golden(LOG, "says[8]", {**WHEN, "fault": 3}, b"14:05:09 11/16/26 000042 Stopped 3\r\n"),
    Golden(LOG, "says[9]", WHEN, b"14:05:09 11/16/26 000042 Jam Recovery\r\n"),
    Golden(LOG, "says[10]", WHEN, b"14:05:09 11/16/26 000042 Door Opened\r\n"),
    # topics below the shaker's own
    Golden(MQTT, "commands.shake.message", {"times": 3}, b"/cycle/?pattern=0&shakes=3", "listens"),
    Golden(MQTT, "commands.shake.answer", {}, b"S2", "says"),
    Golden(MQTT, "commands.shake.refused", {"error": 2}, b"S94", "says"),
    Golden(MQTT, "commands.uncover.message", {"token": 7}, b'{"command":"detect","arg":{"round_id":7}}', "command"),
    Golden(MQTT, "commands.uncover.answer", {}, b"S2", "says"),
    Golden(MQTT, "commands.uncover.refused", {"error": 3}, b"S95", "says"),
    Golden(MQTT, "commands.cover.message", {}, b"/lid/?open=0", "listens"),
    Golden(MQTT, "commands.cover.answer", {}, b"S2", "says"),
    Golden(MQTT, "commands.cover.refused", {"error": 1}, b"S93", "says"),
    Golden(MQTT, "commands.reset.message", {}, b"/clear", "listens"),
    Golden(MQTT, "commands.reset.answer", {}, b"S2", "says"),
    Golden(MQTT, "commands.reset.refused", {"error": 5}, b"S96", "says"),
    Golden(MQTT, "says[1]", {}, b"S0", "says"),
    Golden(MQTT, "says[2]", {}, b"S1", "says"),
    Golden(MQTT, "says[3]", {}, b"S90", "says"),
    Golden(MQTT, "says[4]", {}, b"S3", "says"),
    Golden(MQTT, "says[5]", {}, b"L1", "says"),
    Golden(MQTT, "says[6]", {}, b"L0", "says"),
    Golden(
        MQTT,
        "says[7]",
        {"token": 7, "dice": (1, 2, 6), "flat": (1, 1, 0)},
        b'{"response":"result","arg":{"round_id":7,"res":[1,2,6],"flat":[1,1,0],"err":0}}',
        "response",
    ),
)


def messages(name: str) -> dict[str, MessageForm]:
    talk = profilefile.builtin(name).talk
    assert isinstance(talk, Dialogue)
    found = {f"says[{number}]": saying.message for number, saying in enumerate(talk.says, 1)}
    for command, form in talk.commands.items():
        for part in ("message", "answer", "refused"):
            if getattr(form, part) is not None:
                found[f"commands.{command}.{part}"] = getattr(form, part)
    return found


def framing(golden: Golden):
    serial = profilefile.builtin(golden.profile).serial
    return None if serial is None else serial.hears if golden.where.endswith(".message") else serial.says


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda g: f"{g.profile}-{g.where}-{g.wire.hex()}")
def test_a_message_is_written_and_read_as_by_hand(golden):
    message, frame = messages(golden.profile)[golden.where], framing(golden)
    topic, payload, _ = message.write(golden.values)
    assert (topic, payload if frame is None else frame.frame(payload)) == (golden.topic, golden.wire)
    (received,) = [golden.wire] if frame is None else Deframer(frame).receive(golden.wire)
    assert message.read(Parcel(golden.topic, received)) == golden.values


@pytest.mark.parametrize("name", [RNG, SHOE, LOG, MQTT])
def test_no_message_is_left_out(name):
    assert {g.where for g in GOLDEN if g.profile == name} == set(messages(name))


PLC_READS = {
    "status.state": ("04 00 00 00 01", "04 02 00 02", 2),
    "status.fault": ("04 00 01 00 01", "04 02 00 01", 1),
    "shaken.nth": ("04 00 02 00 01", "04 02 01 00", 256),
    "shaken.times": ("04 00 03 00 01", "04 02 00 03", 3),
    "rolled.nth": ("04 00 04 00 01", "04 02 00 09", 9),
    "rolled.dice": ("04 00 06 00 03", "04 06 00 01 00 02 00 06", (1, 2, 6)),
    "rolled.flat": ("02 00 02 00 03", "02 01 05", (1, 0, 1)),
    "lid": ("02 00 00 00 01", "02 01 01", 1),
    "uncovered.commanded": ("02 00 01 00 01", "02 01 00", 0),
    "identity.serial": ("03 00 64 00 08", "03 10 41 37 00 00 00 00 00 00 00 00 00 00 00 00 00 00", "A7"),
    "identity.firmware": ("03 00 6C 00 08", "03 10 32 2E 31 00 00 00 00 00 00 00 00 00 00 00 00 00", "2.1"),
}
"""For each field, the request that reads it alone, a response, and what that means."""

PLC_WRITES = {
    "shake": (["06 00 00 00 03", "05 00 00 FF 00"], {"times": 3}),
    "uncover": (["05 00 01 FF 00"], {}),
    "cover": (["05 00 02 FF 00"], {}),
    "reset": (["05 00 03 FF 00"], {}),
}


def plc() -> RegisterMap:
    talk = profilefile.builtin(PLC).talk
    assert isinstance(talk, RegisterMap)
    return talk


@pytest.mark.parametrize("name", PLC_READS)
def test_a_field_is_read_by_the_pdus_written_down_by_hand(name):
    request, response, value = PLC_READS[name]
    place = plc().fields[name]
    assert modbus_cells.read(place.block).hex(" ").upper() == request
    cells = modbus_cells.cells_of(place.block, bytes.fromhex(response))
    assert cells is not None
    assert place.read(cells) == value
    assert modbus_cells.read_response(place.area, place.write(value)).hex(" ").upper() == response
    assert modbus_cells.parse(bytes.fromhex(request)) == modbus_cells.ReadCells(place.block)


@pytest.mark.parametrize("name", PLC_WRITES)
def test_a_command_is_the_writes_written_down_by_hand(name):
    golden, values = PLC_WRITES[name]
    writes = plc().commands[name].writes
    cells = [w.place.write(values[w.argument] if w.argument else w.value) for w in writes]
    written = [modbus_cells.write(w.place.block, content) for w, content in zip(writes, cells, strict=True)]
    assert [pdu.hex(" ").upper() for pdu in written] == golden
    for w, content, pdu in zip(writes, cells, golden, strict=True):
        assert modbus_cells.parse(bytes.fromhex(pdu)) == modbus_cells.WriteCells(w.place.block, tuple(content))


PLC_RESULTS = {f"04 02 00 {error:02X}": error for error in range(6)}
"""Register 9 after a command: done, or the number of the error."""


@pytest.mark.parametrize("response", PLC_RESULTS)
@pytest.mark.parametrize("name", PLC_WRITES)
def test_a_result_is_read_by_the_pdus_written_down_by_hand(name, response):
    place = plc().commands[name].result
    assert place is not None
    assert modbus_cells.read(place.block).hex(" ").upper() == "04 00 09 00 01"
    assert modbus_cells.parse(bytes.fromhex("04 00 09 00 01")) == modbus_cells.ReadCells(place.block)
    cells = modbus_cells.cells_of(place.block, bytes.fromhex(response))
    assert cells is not None
    assert place.read(cells) == PLC_RESULTS[response]
    assert modbus_cells.read_response(place.area, place.write(PLC_RESULTS[response])).hex(" ").upper() == response


def test_no_field_and_no_command_is_left_out():
    assert set(plc().fields) == set(PLC_READS)
    assert set(plc().commands) == set(PLC_WRITES)
    assert plc().fields["rolled.dice"].length.block == Block("input", 5, 1)
