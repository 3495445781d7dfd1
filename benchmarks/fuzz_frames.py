"""Random frames for `fuzz.py`, on each wire: whole ones, spoilt ones, and noise."""

import json
import random
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from feltrig.protocols.messages import Value
from feltrig.protocols.modbus.frame import encode_rtu, encode_tcp
from feltrig.protocols.modbus.register_map import COMMAND, REGISTERS, RESULT, RING
from feltrig.protocols.packing import OCTETS, Packing
from feltrig.protocols.serial.frame import MAX_DATA, encode
from feltrig.protocols.vocabulary import Kind, Type

MARK = 0xFEED
"""The transaction that ends a chunk; no frame of it has this number."""
TOPIC = "fuzz/device"

Frames = Callable[[random.Random, Kind], bytes]


def serial_frame(rng: random.Random, kind: Kind) -> bytes:
    """A whole frame: mostly for this device, mostly of a command that it knows."""
    address = rng.choice((1, 1, 1, 1, 255, rng.randrange(256)))
    command = rng.choice(list(kind.commands.values()))
    if rng.random() < 0.3:
        return encode(address, rng.randrange(256), rng.randrange(256), rng.randbytes(rng.randrange(MAX_DATA)))
    token = struct.pack(">I", rng.randrange(64)) if command.acts else b""
    data = token + Packing(command.args, OCTETS).pack(_arguments(rng, command.args))
    return encode(address, rng.randrange(256), command.code, data)


def modbus_pdu(rng: random.Random, kind: Kind) -> bytes:
    """A request: mostly of a function and near a register that there is."""
    start = rng.choice((0, 1, 16, COMMAND, RESULT, RING, RING + 16 * rng.randrange(70), rng.randrange(0x10000)))
    match rng.randrange(6):
        case 0:
            return struct.pack(">BHH", rng.choice((3, 4, 6)), start, rng.randrange(140))
        case 1:
            words = rng.randbytes(2 * rng.randrange(1, 40))
            return struct.pack(">BHHB", 16, start, len(words) // 2, len(words)) + words
        case 2:
            return bytes((0x2B, rng.choice((13, 14)), rng.randrange(6), rng.randrange(256)))
        case 3:
            return rng.randbytes(rng.randrange(1, 60))
    command = rng.choice([c for c in kind.commands.values() if c.name != "events"])
    block = struct.pack(">IH", rng.randrange(64), command.code)
    block += Packing(command.args, REGISTERS).pack(_arguments(rng, command.args))
    return struct.pack(">BHHHHB", 23, RESULT, rng.randrange(1, 126), COMMAND, len(block) // 2, len(block)) + block


def rtu_frame(rng: random.Random, kind: Kind) -> bytes:
    """A whole frame for this unit, for all, or for another."""
    return encode_rtu(rng.choice((1, 1, 1, 1, 0, rng.randrange(248))), modbus_pdu(rng, kind))


def tcp_frame(rng: random.Random, kind: Kind) -> bytes:
    """A whole frame."""
    return encode_tcp(rng.randrange(MARK), rng.choice((1, 1, 1, 0, 255, 9)), modbus_pdu(rng, kind))


def mqtt_payload(rng: random.Random, kind: Kind) -> bytes:
    """A request, mostly of a command that the device knows, sometimes with values that it should not have."""
    command = rng.choice(list(kind.commands.values()))
    odd: list[Any] = [None, True, -1, 1 << 40, "x", [], {}, [256], 0.5, {"a": {"b": [1, None]}}]
    document: dict[str, Any] = {"v": 1, "cmd": command.name, "token": rng.randrange(64)}
    if command.args:
        document["args"] = _arguments(rng, command.args)
    if rng.random() < 0.3:
        document["id"], document["reply_to"] = rng.randrange(1000), f"{TOPIC}/reply/fuzz"
    if rng.random() < 0.3:
        document[rng.choice(("v", "cmd", "token", "args", "id", "reply_to"))] = rng.choice(odd)
    return json.dumps(document).encode()


def _arguments(rng: random.Random, fields: Sequence[Any]) -> dict[str, Value]:
    return {field.name: _value(rng, field.type) for field in fields}


def _value(rng: random.Random, kind: Type) -> Value:
    match kind:
        case Type.BOOL:
            return rng.random() < 0.5
        case Type.BYTES:
            return tuple(rng.randbytes(rng.randrange(40)))
        case Type.TEXT:
            return rng.randbytes(rng.randrange(20)).hex()
        case Type.U8:
            return rng.choice((1, 2, 3, 4, 5, rng.randrange(256)))
    return rng.choice((0, 1, rng.randrange(0x10000)))


FRAMES: dict[str, Frames] = {
    "serial": serial_frame,
    "modbus-rtu": rtu_frame,
    "modbus-tcp": tcp_frame,
    "modbus-tls": tcp_frame,
    "mqtt-3.1.1": mqtt_payload,
    "mqtt-5": mqtt_payload,
}


def frames(wire: str, kind: Kind, seed: str, many: int) -> Iterator[bytes]:
    """Whole frames, spoilt ones and noise, the same again for the same seed."""
    rng = random.Random(seed)
    whole = FRAMES[wire]
    for _ in range(many):
        match rng.randrange(3):
            case 0:
                yield whole(rng, kind)
            case 1:
                yield _spoilt(rng, whole(rng, kind))
            case _:
                yield rng.randbytes(rng.randrange(1, 80))


def _spoilt(rng: random.Random, frame: bytes) -> bytes:
    spoilt = bytearray(frame)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(spoilt) + 1)
        match rng.randrange(3):
            case 0 if at < len(spoilt):
                spoilt[at] ^= rng.randrange(1, 256)
            case 1:
                del spoilt[at : at + rng.randint(1, 4)]
            case _:
                spoilt[at:at] = rng.randbytes(rng.randint(1, 4))
    return bytes(spoilt)
