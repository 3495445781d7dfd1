"""Fields of the vocabulary as bytes: numbers big endian, a list or a text after its length.

Strict both ways: a missing, surplus or impossible value, or a byte too few or too many, is a ValueError.
"""

import struct
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from feltrig.protocols.messages import Value, Values
from feltrig.protocols.vocabulary import Command, Field, Kind, Type

LARGEST = {Type.U8: 0xFF, Type.U16: 0xFFFF, Type.U32: 0xFFFF_FFFF, Type.BOOL: 1}
LONGEST = 0xFF
"""Bytes of a list or a text, whatever the width of its length."""

_WIDEST = {"B": 0xFF, "H": 0xFFFF, "I": 0xFFFF_FFFF}


@dataclass(frozen=True, slots=True)
class Layout:
    """How the types look on one wire: the struct code of each number and of a length, and the unit that lists fill."""

    numbers: Mapping[Type, str]
    length: str
    unit: int


OCTETS = Layout({Type.U8: "B", Type.U16: "H", Type.U32: "I", Type.BOOL: "B"}, "B", 1)
"""As tight as bytes allow; for framed serial lines."""


class _Numbers:
    """A run of numbers and truths, as one struct."""

    def __init__(self, fields: Sequence[Field], layout: Layout) -> None:
        codes = [layout.numbers[f.type] for f in fields]
        self._fields = fields
        self._names = [f.name for f in fields]
        self._struct = struct.Struct(">" + "".join(codes))
        self._narrow = [f for f, code in zip(fields, codes, strict=True) if LARGEST[f.type] < _WIDEST[code]]
        self.size = self._struct.size

    def pack(self, values: Values) -> bytes:
        for field in self._narrow:
            _check(field, values[field.name])
        try:
            return self._struct.pack(*[values[name] for name in self._names])
        except struct.error as exc:
            for field in self._fields:
                _check(field, values[field.name])
            raise ValueError(str(exc)) from exc

    def unpack(self, data: bytes, offset: int, values: dict[str, Value]) -> int:
        end = offset + self.size
        if end > len(data):
            raise ValueError(f"{', '.join(self._names)}: expected {self.size} bytes, got {len(data) - offset}")
        values.update(zip(self._names, self._struct.unpack_from(data, offset), strict=True))
        for field in self._narrow:
            value = values[field.name]
            _check(field, value)
            if field.type is Type.BOOL:
                values[field.name] = bool(value)
        return end


class _Text:
    """A list of small numbers, or a text in UTF-8, after its length in bytes."""

    def __init__(self, field: Field, layout: Layout) -> None:
        self._field = field
        self._length = struct.Struct(">" + layout.length)
        self._unit = layout.unit
        self.size = self._length.size

    def pack(self, values: Values) -> bytes:
        data = _octets(self._field, values[self._field.name])
        if len(data) > LONGEST:
            raise ValueError(f"{self._field.name}: {len(data)} bytes, at most {LONGEST} can be carried")
        return self._length.pack(len(data)) + data + bytes(-len(data) % self._unit)

    def unpack(self, data: bytes, offset: int, values: dict[str, Value]) -> int:
        name = self._field.name
        start = offset + self.size
        if start > len(data):
            raise ValueError(f"{name}: no length")
        length: int = self._length.unpack_from(data, offset)[0]
        end = start + length
        after = end + -length % self._unit
        if length > LONGEST or after > len(data):
            raise ValueError(f"{name}: length {length}, but {len(data) - start} bytes follow")
        if any(data[end:after]):
            raise ValueError(f"{name}: padded with other bytes than zero")
        octets = data[start:end]
        values[name] = octets.decode() if self._field.type is Type.TEXT else tuple(octets)
        return after


class Packing:
    """The form of one list of fields on one wire, prepared once."""

    def __init__(self, fields: Sequence[Field], layout: Layout = OCTETS) -> None:
        self._names = {f.name for f in fields}
        self._parts = tuple(_parts(fields, layout))
        self.fixed = all(isinstance(part, _Numbers) for part in self._parts)
        """Whether every value packs to the same number of bytes."""
        self.smallest = sum(part.size for part in self._parts)
        """Bytes when every list and text is empty."""

    def pack(self, values: Values) -> bytes:
        if values.keys() != self._names:
            raise ValueError(f"expected the fields {sorted(self._names)}, got {sorted(values)}")
        return b"".join([part.pack(values) for part in self._parts])

    def unpack(self, data: bytes) -> dict[str, Value]:
        values, end = self.unpack_from(data, 0)
        if end != len(data):
            raise ValueError(f"{len(data) - end} bytes too many")
        return values

    def unpack_from(self, data: bytes, offset: int) -> tuple[dict[str, Value], int]:
        """The values that begin at an offset, and the offset behind them."""
        values: dict[str, Value] = {}
        for part in self._parts:
            offset = part.unpack(data, offset, values)
        return values, offset


def _parts(fields: Sequence[Field], layout: Layout) -> list[_Numbers | _Text]:
    parts: list[_Numbers | _Text] = []
    run: list[Field] = []
    for field in fields:
        if field.type in layout.numbers:
            run.append(field)
            continue
        if run:
            parts.append(_Numbers(run, layout))
            run = []
        parts.append(_Text(field, layout))
    if run:
        parts.append(_Numbers(run, layout))
    return parts


def _check(field: Field, value: Value) -> None:
    if not isinstance(value, int) or not 0 <= value <= LARGEST[field.type]:
        raise ValueError(f"{field.name}: {value!r} is not 0..{LARGEST[field.type]}")


def _octets(field: Field, value: Value) -> bytes:
    if field.type is Type.TEXT and isinstance(value, str):
        return value.encode()
    if field.type is Type.BYTES and isinstance(value, tuple):
        try:
            return bytes(value)
        except (TypeError, ValueError) as exc:
            raise ValueError(f"{field.name}: {value!r}: a number is not 0..255") from exc
    raise ValueError(f"{field.name}: {value!r} is not {field.type.value}")


class PackedCommand(NamedTuple):
    """A command and the packing of its arguments and of its reply."""

    command: Command
    args: Packing
    reply: Packing


class PackedEvent(NamedTuple):
    """A type of event and the packing of its fields."""

    name: str
    code: int
    fields: Packing


class PackedKind:
    """The commands and events of a kind of device, packed in one layout, by name and by code. `without` are commands
    that the wire carries in another way."""

    def __init__(self, kind: Kind, layout: Layout = OCTETS, without: Container[str] = ()) -> None:
        carried = [command for command in kind.commands.values() if command.name not in without]
        commands = [PackedCommand(c, Packing(c.args, layout), Packing(c.reply, layout)) for c in carried]
        events = [PackedEvent(e.name, e.code, Packing(e.fields, layout)) for e in kind.events.values()]
        self.commands = {packed.command.name: packed for packed in commands}
        self.command_of = {packed.command.code: packed for packed in commands}
        self.events = {packed.name: packed for packed in events}
        self.event_of = {packed.code: packed for packed in events}
