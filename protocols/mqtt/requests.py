"""The requests that conformance puts to a device on MQTT besides those that a driver sends, as data: in other forms,
with unusual but valid contents, and with arguments that are not the command's."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.protocols.mqtt.asker import ABSENT, WayBack
from feltrig.protocols.mqtt.codec import MAX_PAYLOAD
from feltrig.protocols.vocabulary import Command, Field, Kind, Type

OK = ("ok",)
SILENCE: tuple[str, ...] = ()
"""What a request without a topic for its answer must get."""

ARGUMENT = ("bad_argument",)
OTHER_REASONS = ("wrong_state", "empty")
"""What a command that acts may also be refused with: if there are several reasons, a device can give any of them."""


@dataclass(frozen=True, slots=True)
class RequestProbe:
    """One request. It is sent with a new token if its command acts."""

    name: str
    request: Mapping[str, Any] | bytes
    errors: tuple[str, ...]
    """What may be answered; empty for silence."""
    requirements: tuple[str, ...]
    way: WayBack | None = None
    qos: int = 1
    silence_too: bool = False
    """Whether a device may also stay silent."""
    size: int = 0
    """Bytes that its payload must have; it is filled up by a key that the device does not know."""
    acts: bool = False
    """Whether it must have a token."""


def forms(modern: bool) -> Iterator[RequestProbe]:
    """Valid requests in every form; `modern` for MQTT 5."""
    status: dict[str, Any] = {"cmd": "status"}
    if modern:
        for correlation in (b"\0", b"\xff\0", bytes(range(16)), bytes(255), b"\x80" * 64):
            name = f"correlation data of {len(correlation)} bytes"
            yield RequestProbe(name, status, OK, ("MQT-32", "MQT-38"), WayBack(correlation=correlation))
    for key in (0, 1, 0xFFFF_FFFF, "42", "a b/c", "ключ"):
        yield RequestProbe(f"id {key!r}", status, OK, ("MQT-33", "MQT-38"), WayBack(properties=False, key=key))
    for topic in ("/a/b/c", "/with space", "/ü", "/" + "x" * 100):
        yield RequestProbe(f"answer to …{topic[:12]}", status, OK, ("MQT-31",), WayBack(modern, topic=topic))
    for qos in (0, 2):
        yield RequestProbe(f"a request at QoS {qos}", status, OK, ("MQT-38", "MQT-5"), qos=qos)
    for name, more in _UNKNOWN_KEYS.items():
        yield RequestProbe(f"unknown keys: {name}", {**status, **more}, OK, ("MQT-16",))
    yield RequestProbe(f"a request of {MAX_PAYLOAD} bytes", status, OK, ("MQT-53",), size=MAX_PAYLOAD)
    yield RequestProbe(
        "a request that is too long", status, ("malformed", *OK), ("MQT-44",), silence_too=True, size=MAX_PAYLOAD + 1
    )
    deep = b'{"v":1,"cmd":"status","deep":' + b"[" * 8000 + b"]" * 8000 + b"}"
    yield RequestProbe("a request of many brackets", deep, ("malformed", "ok"), ("MQT-44",), silence_too=True)
    yield RequestProbe("no topic for the answer", status, SILENCE, ("MQT-31",), WayBack(modern, named=False))


_UNKNOWN_KEYS: Mapping[str, Mapping[str, Any]] = {
    "a text": {"note": "hello"},
    "a number": {"seq": 7, "ts": 1.5},
    "nested": {"trace": {"a": [1, {"b": None}]}},
    "keys of an answer": {"error": "ok", "values": {"number": 1}},
}


def arguments(kind: Kind) -> Iterator[RequestProbe]:
    """Every command of a kind with arguments that are not its own."""
    for command in kind.commands.values():
        good = {each.name: _GOOD[each.type] for each in command.args}
        for name, args in _wrong_arguments(command, good):
            others = OTHER_REASONS if command.acts and command.name != "reset" else ()
            request = {"cmd": command.name, "args": args}
            errors, ids = (*ARGUMENT, *others), ("MQT-50", "MQT-43", "MQT-44")
            yield RequestProbe(f"{command.name}: {name}", request, errors, ids, acts=command.acts)


_GOOD: Mapping[Type, Any] = {
    **dict.fromkeys((Type.U8, Type.U16, Type.U32), 1),
    Type.BOOL: True,
    Type.TEXT: "a",
    Type.BYTES: list(range(16)),
}
_RANGE = {Type.U8: 256, Type.U16: 65_536, Type.U32: 4_294_967_296}


def _wrong_arguments(command: Command, good: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    yield "an argument too many", {**good, "extra": 1}
    yield "arguments in a list", list(good.values()) or [1]
    if not command.args:
        return
    yield "arguments as text", "1"
    yield "without arguments", ABSENT
    yield "no arguments", {}
    yield "another name", {f"{name}_": value for name, value in good.items()}
    for each in command.args:
        if len(command.args) > 1:
            yield f"without {each.name}", {name: value for name, value in good.items() if name != each.name}
        for name, value in _wrong_values(each):
            yield f"{each.name} {name}", {**good, each.name: value}


def _wrong_values(each: Field) -> Iterator[tuple[str, object]]:
    yield "null", None
    yield "nested", {each.name: _GOOD[each.type]}
    if each.type is Type.BYTES:
        yield "as text", "AAECAwQFBgcICQoLDA0ODw=="
        yield "as a number", 16
        yield "with text in it", [*range(15), "1"]
        yield "with a fraction in it", [*range(15), 1.5]
        yield "with 256 in it", [*range(15), 256]
        yield "with -1 in it", [*range(15), -1]
        yield "with a list in it", [*range(15), [1]]
    elif each.type in _RANGE:
        yield "as text", "1"
        yield "true", True
        yield "with a fraction", 1.5
        yield "in a list", [1]
        yield "below zero", -1
        yield "too large", _RANGE[each.type]
