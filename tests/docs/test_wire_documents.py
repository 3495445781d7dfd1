"""The wire documents are not stale, and their worked examples mean what the page says: read by a decoder that was
written from the pages alone, with nothing of the codecs in it."""

import json
import re
from pathlib import Path

import pytest
from wire_documents import ADDRESS, LATEST, SAMPLES, SEQ, TOKEN, owners, rendered

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.vocabulary import Error

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("serial.md", "modbus.md", "mqtt.md")

FIELDS = {
    (title, name): fields
    for title, _, commands, events in owners()
    for name, fields in [
        *((f"`{c.name}`", c.args) for c in commands),
        *((f"answer to `{c.name}`", c.reply) for c in commands),
        *((f"result of `{c.name}`", c.reply) for c in commands),
        *((f"event `{e.name}`", e.fields) for e in events),
    ]
}
ACTING = {(title, c.name) for title, _, commands, _ in owners() for c in commands if c.acts}
CODES = {(title, c.name): c.code for title, _, commands, _ in owners() for c in commands}
EVENT_CODES = {(title, e.name): e.code for title, _, _, events in owners() for e in events}


@pytest.mark.parametrize("name", [*PAGES, "plans.md", "zoo.md"])
def test_a_page_is_what_the_code_makes_of_it(name):
    page = (DOCS / name).read_text()
    assert rendered(page) == page, f"docs/{name} is stale: run `make docs`"


def test_every_serial_example_is_read_by_a_decoder_made_from_the_page():
    examples = _rows("serial.md", 3)
    assert len(examples) == 2 * len(CODES) + len(EVENT_CODES) + len(Error) - 1
    for device, message, frame in examples:
        address, seq, code, data = _frame(bytes.fromhex(frame.strip("`")))
        assert (address, seq) == (ADDRESS, SEQ)
        _check_serial(device, message, code, data)


def test_every_modbus_example_is_read_by_a_decoder_made_from_the_page():
    examples = _rows("modbus.md", 4)
    assert len(examples) == 2 * (len(CODES) - 1) + len(EVENT_CODES)  # all but `events`, which is no command here
    for device, message, at, words in examples:
        registers = [int(word, 16) for word in words.strip("`").split()] + [0] * 40
        name = _word(message)
        if message.startswith("event"):
            assert at == str(512 + 16 * (LATEST - 1))
            assert (registers[0] << 16 | registers[1], registers[2]) == (LATEST, EVENT_CODES[device, name])
            body, fields = registers[3:], FIELDS[device, f"event `{name}`"]
        elif message.startswith("result"):
            assert (at, registers[0] << 16 | registers[1], registers[2]) == ("288", TOKEN, 0)
            body, fields = registers[4:], FIELDS[device, f"answer to `{name}`"]
        else:
            assert (at, registers[0] << 16 | registers[1], registers[2]) == ("256", TOKEN, CODES[device, name])
            body, fields = registers[3:], FIELDS[device, f"`{name}`"]
        _check_registers(fields, body)


def test_every_mqtt_example_says_what_it_should():
    examples = _rows("mqtt.md", 4)
    assert len(examples) == 2 * len(CODES) + len(EVENT_CODES)
    for device, message, topic, payload in examples:
        document = json.loads(payload.strip("`"))
        name = _word(message)
        assert document["v"] == 1
        if message.startswith("event"):
            assert (topic, document["n"], document["event"]) == ("`event`", LATEST, name)
            _check_json(FIELDS[device, f"event `{name}`"], document.get("values", {}))
        elif message.startswith("answer"):
            assert (topic, document["error"]) == ("response topic", "ok")
            if name != "events":
                _check_json(FIELDS[device, f"answer to `{name}`"], document.get("values", {}))
        else:
            assert (topic, document["cmd"]) == ("`cmd`", name)
            assert (document.get("token") == TOKEN) or (device, name) not in ACTING
            _check_json(FIELDS[device, f"`{name}`"], document.get("args", {}))


def _part(name: str, part: str) -> list[list[str]]:
    """The rows of one generated part."""
    page = (DOCS / name).read_text()
    text = page[page.index(f"generated: {part} -->") :]
    lines = text[: text.index("<!-- end -->")].splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")][2:]


def test_the_register_map_leaves_no_gap_in_its_blocks():
    spans = [tuple(map(int, row[1].split(" to "))) for row in _part("modbus.md", "modbus registers")]
    held = [register for span in spans for register in range(span[0], span[-1] + 1)]
    assert held == [*range(128), *range(256, 416), *range(512, 1536)]


def test_the_modbus_frames_are_framed_as_the_standard_says():
    rows = _part("modbus.md", "modbus frames")
    assert len(rows) == 10
    for _, rtu, tcp in rows:
        line, stream = (bytes.fromhex(cell.strip("`")) for cell in (rtu, tcp))
        crc = 0xFFFF
        for byte in line[:-2]:
            crc ^= byte
            for _ in range(8):
                crc = crc >> 1 ^ 0xA001 if crc & 1 else crc >> 1
        assert line[-2:] == crc.to_bytes(2, "little")
        assert stream == bytes((0, SEQ, 0, 0, 0, len(line) - 2)) + line[:-2]


def test_what_a_device_publishes_and_is_asked_by_3_1_1_is_shown():
    documents = {topic: json.loads(payload.strip("`")) for topic, payload in _part("mqtt.md", "mqtt topics")}
    meta, state, online, will, asked, answer, refusal = documents.values()
    assert meta["commands"] == list(KINDS["rng"].commands)
    assert meta["events"] == list(KINDS["rng"].events)
    assert state.keys() == {"v", "state", "fault", "oldest", "latest"}
    assert (online["online"], will["online"]) == (True, False)
    assert asked["id"] == answer["id"] == refusal["id"]
    assert asked["reply_to"].endswith("/reply/me")
    assert (answer["error"], refusal["error"]) == ("ok", "wrong_state")


def _rows(name: str, columns: int) -> list[list[str]]:
    """The rows of the worked examples."""
    page = (DOCS / name).read_text()
    part = page[page.index("examples -->") :]
    rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")]
    return [row for row in rows[2:] if len(row) == columns]


def _word(message: str) -> str:
    return re.findall(r"`(\w+)`", message)[0]


def _frame(line: bytes) -> tuple[int, int, int, bytes]:
    """A frame, by the section Frames: COBS piece by piece, the CRC bit by bit."""
    assert line[0] == line[-1] == 0
    assert 0 not in line[1:-1]
    body, at = bytearray(), 1
    while at < len(line) - 1:
        length = line[at]
        body += line[at + 1 : at + length] + b"\0"
        at += length
    body = body[:-1]
    crc = 0xFFFF
    for byte in body[:-2]:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    assert crc == body[-2] | body[-1] << 8
    return body[0], body[1], body[2], bytes(body[3:-2])


def _check_serial(device: str, message: str, code: int, data: bytes) -> None:
    name = _word(message)
    if message.startswith("error"):
        assert code & 0x80
        assert len(data) == 1
        assert data[0] > 0
    elif message.startswith("event"):
        assert code == 0x83
        assert int.from_bytes(data[11:15], "big") == LATEST
        assert data[15] == EVENT_CODES[device, name]
        _check_bytes(FIELDS[device, f"event `{name}`"], data[16:])
    elif message.startswith("answer"):
        assert (code, data[0]) == (CODES[device, name] | 0x80, 0)
        if name != "events":
            _check_bytes(FIELDS[device, f"answer to `{name}`"], data[1:])
    else:
        assert code == CODES[device, name]
        if (device, name) in ACTING:
            assert int.from_bytes(data[:4], "big") == TOKEN
            data = data[4:]
        _check_bytes(FIELDS[device, f"`{name}`"], data)


def _check_bytes(fields, data: bytes) -> None:
    for field in fields:
        width = {"u8": 1, "bool": 1, "u16": 2, "u32": 4}.get(field.type.value)
        if width:
            assert int.from_bytes(data[:width], "big") == SAMPLES[field.name]
        else:
            width = 1 + data[0]
            expected = SAMPLES[field.name]
            assert data[1:width] == (expected.encode() if isinstance(expected, str) else bytes(expected))
        data = data[width:]
    assert data == b""


def _check_registers(fields, registers: list[int]) -> None:
    for field in fields:
        match field.type.value:
            case "u32":
                assert registers[0] << 16 | registers[1] == SAMPLES[field.name]
                registers = registers[2:]
            case "u8" | "u16" | "bool":
                assert registers[0] == SAMPLES[field.name]
                registers = registers[1:]
            case _:
                length = registers[0]
                taken = (length + 1) // 2
                octets = b"".join(r.to_bytes(2, "big") for r in registers[1 : 1 + taken])[:length]
                expected = SAMPLES[field.name]
                assert octets == (expected.encode() if isinstance(expected, str) else bytes(expected))
                registers = registers[1 + taken :]


def _check_json(fields, values: dict) -> None:
    assert set(values) == {field.name for field in fields}
    for field in fields:
        expected = SAMPLES[field.name]
        assert values[field.name] == (list(expected) if isinstance(expected, tuple) else expected)
