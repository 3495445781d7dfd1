"""A client of the open serial profile that knows docs/serial.md and nothing else: it reads the tables of the page to
learn what a kind of device understands and says. The standard library only.

    python -I -S serial_client.py PORT PAGE KIND

It identifies the device, gives every command of its kind once and each that acts twice under one token, reads all
events, and prints what it found as JSON. What is not as the page says ends it with an error.
"""

import json
import os
import pathlib
import re
import select
import struct
import sys
import tty

ADDRESS = 1
WIDTHS = {"u8": 1, "bool": 1, "u16": 2, "u32": 4}
ARGUMENTS = {"times": 3, "deck": 1, "size": 4, "offset": 0, "limit": 60, "after": 0, "nonce": bytes(range(16))}
SECONDS = 10.0


def table(page: str, title: str) -> dict[str, list[str]]:
    """The rows below a title of the page, by the name in their first column."""
    lines = page.split(f"\n{title}:\n")[1].strip().split("\n\n")[0].splitlines()[2:]
    rows = ([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines)
    return {row[0].strip("`"): row for row in rows}


def fields(cell: str) -> list[tuple[str, str]]:
    """The names and the types in a cell such as "`state` u8: see State<br>`latest` u32: …"."""
    return re.findall(r"`(\w+)` (\w+):", cell)


def crc(data: bytes) -> bytes:
    value = 0xFFFF
    for octet in data:
        value ^= octet << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return struct.pack("<H", value)


def pack(types: list[tuple[str, str]]) -> bytes:
    data = b""
    for name, kind in types:
        value = ARGUMENTS[name]
        if isinstance(value, bytes):
            data += bytes((len(value),)) + value
        else:
            data += value.to_bytes(WIDTHS[kind], "big")
    return data


def unpack(types: list[tuple[str, str]], data: bytes) -> tuple[dict[str, object], bytes]:
    """The fields, and the bytes behind them."""
    found: dict[str, object] = {}
    for name, kind in types:
        if kind in WIDTHS:
            size = WIDTHS[kind]
            assert len(data) >= size, f"{name} breaks off"
            found[name] = int.from_bytes(data[:size], "big")
        else:
            size = 1 + data[0]
            assert len(data) >= size, f"{name} breaks off"
            found[name] = data[1:size].decode() if kind == "text" else list(data[1:size])
        data = data[size:]
    return found, data


class Line:
    """Asks one question at a time."""

    def __init__(self, path: str) -> None:
        self.fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.fd)
        self.seq = 0
        self.rest = b""

    def ask(self, code: int, data: bytes) -> bytes:
        """The data of the answer."""
        self.seq = (self.seq + 1) % 256
        payload = bytes((ADDRESS, self.seq, code)) + data
        pieces = (payload + crc(payload)).split(b"\0")
        os.write(self.fd, b"\0" + b"".join(bytes((len(piece) + 1,)) + piece for piece in pieces) + b"\0")
        while True:
            plain = self.frame()
            assert crc(plain[:-2]) == plain[-2:], "the CRC is wrong"
            assert plain[:3] == bytes((ADDRESS, self.seq, code | 0x80)), f"not the answer: {plain.hex()}"
            return plain[3:-2]

    def frame(self) -> bytes:
        while True:
            body, zero, after = self.rest.partition(b"\0")
            if zero:
                self.rest = after
                if body:
                    break
                continue
            ready, _, _ = select.select([self.fd], [], [], SECONDS)
            assert ready, "no answer"
            self.rest += os.read(self.fd, 4096)
        plain, at = b"", 0
        while at < len(body):
            plain += body[at + 1 : at + body[at]] + b"\0"
            at += body[at]
        return plain[:-1]


def main() -> None:
    path, page_path, kind = sys.argv[1:]
    page = pathlib.Path(page_path).read_text(encoding="utf-8")
    commands = table(page, "Commands of every device") | table(page, f"Commands of {kind}")
    events = table(page, "Events of every device") | table(page, f"Events of {kind}")
    by_code = {int(row[1], 16): (name, fields(row[2])) for name, row in events.items()}
    line, token, replies = Line(path), 1000, {}
    for name, (_, code, acts, arguments, reply, _) in commands.items():
        if name == "events":
            continue
        data = pack(fields(arguments))
        if acts:
            token += 1
            data = struct.pack(">I", token) + data
        answers = [line.ask(int(code, 16), data) for _ in range(2 if acts else 1)]
        assert len(set(answers)) == 1, f"{name}: a repeated token is answered otherwise"
        error, body = answers[0][0], answers[0][1:]
        values, rest = unpack(fields(reply), body) if error == 0 else ({}, body)
        assert not rest, f"{name}: {rest.hex()} follows"
        replies[name] = {"error": error, "values": values}
    seen: list[dict[str, object]] = []
    while True:
        answer = line.ask(0x03, struct.pack(">I", len(seen)))
        error, state, fault, oldest, latest = struct.unpack_from(">BBBII", answer)
        assert (error, oldest) == (0, 1)
        rest = answer[11:]
        while rest:
            number, code = struct.unpack_from(">IB", rest)
            name, types = by_code[code]
            values, rest = unpack(types, rest[5:])
            assert number == len(seen) + 1, f"event {number} after {len(seen)}"
            seen.append({"event": name, "values": values})
        if len(seen) == latest:
            break
    assert not [name for name in sys.modules if name.startswith("feltrig")]
    print(json.dumps({"replies": replies, "events": seen, "state": state, "fault": fault}))


main()
