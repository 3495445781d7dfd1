"""Messages as templates that both write and read: literal bytes, and slots for typed values.

A template is text in which `{name:form}` stands for a value; each other character is one byte, `{{` and `}}` are
braces. A tail in `[` `]` may be missing from what is read, and is written only when there are values for it; `[[` and
`]]` are brackets. With `=value` after the form a slot is filler: it is written so, and read without regard.

| form                     | a value as                                                                            |
|--------------------------|---------------------------------------------------------------------------------------|
| `3d`, `d`                | decimal digits, so many (zeros in front) or as many as it takes                       |
| `>3d`                    | decimal digits, spaces in front                                                       |
| `2x`, `2X`, `x`, `X`     | hex digits                                                                            |
| `2bcd`, `bcd`            | binary-coded decimal: so many bytes, or one, of two digits each                       |
| `u8` `u16` `u32`         | a binary number, the high byte first; with `le`, as in `u16le`, the low byte first    |
| `8s`, `s`                | text of so many characters (spaces behind), or up to the literal that follows         |
| the name of a table      | whatever the table of the profile gives for it                                        |
| any of these, then `*3`  | a list of three; `*` alone: of as many as there are; `*3/,` or `*/,`: with commas     |
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Protocol

from feltrig.protocols.messages import Value, Values

Tables = Mapping[str, Mapping[str, Value]]
"""For each table of a profile, what stands on the wire and what it means. The first of several with one meaning is
written; all are read."""

CHARSET = "latin-1"
"""One character, one byte: a TOML file can name every byte, as in `\\u0005`."""

LARGEST = 1024
"""Digits or characters of a value, and values of a list, at most."""


class Pattern(Protocol):
    """How one message is written and read. A codec of the user's makes its own."""

    @property
    def names(self) -> frozenset[str]:
        """The values that the message carries."""

    def write(self, values: Values) -> bytes:
        """The message with these values. One that is missing or does not fit is a ValueError."""

    def read(self, data: bytes) -> Values | None:
        """The values of a message; None when it is another message."""


class BadTemplate(ValueError):
    """A template that makes no sense; the message says why."""


@dataclass(frozen=True, slots=True)
class Form:
    """How one value is written, the regular expression of what is read, and how that is read."""

    expression: bytes
    write: Callable[[Value], bytes]
    read: Callable[[bytes], Value]
    size: int | None
    """Bytes, where that is fixed."""


@dataclass(frozen=True, slots=True)
class _Slot:
    name: str
    form: Form
    filler: bytes | None
    table: str | None


_Part = bytes | _Slot

_TOKEN = re.compile(r"\{\{|\}\}|\[\[|\]\]|\{([^{}]*)\}|[{}\[\]]|[^{}\[\]]+", re.DOTALL)
_SLOT = re.compile(r"([A-Za-z_][\w.]*)(?::([^=*]+)(\*(\d*)(?:/(.+?))?)?)?(?:=(.*))?", re.DOTALL)
_ESCAPED = {"{{": b"{", "}}": b"}", "[[": b"[", "]]": b"]"}


class Template:
    """A Pattern made of a template's text."""

    def __init__(self, text: str, tables: Tables) -> None:
        self._head, self._tail = _parse(text, tables)
        parts = [*self._head, *(self._tail or ())]
        if not parts:
            raise BadTemplate("is empty; expected at least one character")
        expressions = list(_expressions(parts))
        if self._tail is not None:
            expressions.insert(len(self._head), b"(?:")
            expressions.append(b")?")
        self._expression = re.compile(b"".join(expressions), re.DOTALL)
        self._slots = [part for part in parts if isinstance(part, _Slot)]
        taken = [slot.name for slot in self._slots if slot.filler is None]
        for name in taken:
            if taken.count(name) > 1:
                raise BadTemplate(f"{{{name}}} appears twice")
        self.names = frozenset(taken)
        self.tables = {slot.name: slot.table for slot in self._slots if slot.table is not None and slot.filler is None}
        """The values that stand in it by a table, and the name of that."""

    def write(self, values: Values) -> bytes:
        written = _written(self._head, values)
        tail = self._tail
        if tail is not None and all(p.name in values for p in tail if isinstance(p, _Slot) and p.filler is None):
            written += _written(tail, values)
        return written

    def read(self, data: bytes) -> Values | None:
        match = self._expression.fullmatch(data)
        if match is None:
            return None
        values: dict[str, Value] = {}
        for slot, found in zip(self._slots, match.groups(), strict=True):
            if found is not None and slot.filler is None:
                try:
                    values[slot.name] = slot.form.read(found)
                except ValueError:
                    return None
        return values


def _parse(text: str, tables: Tables) -> tuple[list[_Part], list[_Part] | None]:
    head: list[_Part] = []
    tail: list[_Part] | None = None
    closed = False
    for token in _TOKEN.finditer(text):
        if closed:
            raise BadTemplate("nothing can follow the optional tail in [ ]")
        parts = head if tail is None else tail
        match token[0]:
            case "[" if tail is None:
                tail = []
            case "]" if tail is not None:
                closed = True
            case "{" | "}" | "[" | "]" as stray:
                raise BadTemplate(f"a single {stray}; for the character itself write {stray}{stray}")
            case escaped if escaped in _ESCAPED:
                parts.append(_ESCAPED[escaped])
            case _ if token[1] is not None:
                parts.append(_slot(token[1], tables))
            case literal:
                parts.append(_encoded(literal))
    if tail is not None and not closed:
        raise BadTemplate("the tail that begins with [ has no ]")
    _check_ends([*head, *(tail or ())])
    return head, tail


def _slot(text: str, tables: Tables) -> _Slot:
    match = _SLOT.fullmatch(text)
    if match is None:
        raise BadTemplate(f"{{{text}}} is not {{name}}, {{name:form}} or {{name:form=value}}")
    name, form_text, repeated, count, separator, filler = match.groups()
    form = _form(form_text or "d", tables)
    if repeated:
        form = _several(form, _size(count) if count else None, _encoded(separator or ""))
    table = form_text if form_text in tables else None
    return _Slot(name, form, None if filler is None else _encoded(filler), table)


def _form(text: str, tables: Tables) -> Form:
    if text in tables:
        return _from_table(text, tables[text])
    if match := re.fullmatch(r"(\d*)([dxX])", text):
        return _digits(_size(match[1]) if match[1] else 0, match[2])
    if match := re.fullmatch(r">(\d+)d", text):
        return _padded(_size(match[1]))
    if match := re.fullmatch(r"(\d*)bcd", text):
        return _bcd(_size(match[1]) if match[1] else 1)
    if match := re.fullmatch(r"(\d*)s", text):
        return _text(_size(match[1]) if match[1] else 0)
    if match := re.fullmatch(r"u(8|16|32)(le)?", text):
        return _binary(int(match[1]) // 8, little=match[2] is not None)
    known = ", ".join(("d", "x", "s", "bcd", "u8", "u16", "u32", *tables))
    raise BadTemplate(f"{text!r} is not a form; there are {known}")


def _size(digits: str) -> int:
    size = int(digits)
    if not 1 <= size <= LARGEST:
        raise BadTemplate(f"{digits} is not a size: expected 1 to {LARGEST}")
    return size


def _digits(size: int, base: str) -> Form:
    def write(value: Value) -> bytes:
        if not isinstance(value, int) or value < 0:
            raise ValueError(f"{value!r} is not a number to write in digits")
        digits = format(int(value), f"0{size or 1}{base}")
        if size and len(digits) > size:
            raise ValueError(f"{value} does not fit {size} digits")
        return digits.encode()

    octets = b"[0-9]" if base == "d" else b"[0-9A-Fa-f]"
    many = b"{%d}" % size if size else b"{1,10}"
    return Form(octets + many, write, lambda data: int(data, 10 if base == "d" else 16), size or None)


def _padded(size: int) -> Form:
    digits = _digits(0, "d")

    def write(value: Value) -> bytes:
        written = digits.write(value).rjust(size)
        if len(written) > size:
            raise ValueError(f"{value} does not fit {size} digits")
        return written

    expression = b"(?:" + b"|".join(b" {%d}[0-9]{%d}" % (n, size - n) for n in range(size)) + b")"
    return Form(expression, write, int, size)


def _bcd(size: int) -> Form:
    digits = _digits(2 * size, "d")

    def read(data: bytes) -> Value:
        if not data.hex().isdecimal():
            raise ValueError(f"{data.hex()} is not binary-coded decimal")
        return int(data.hex())

    return Form(b".{%d}" % size, lambda value: bytes.fromhex(digits.write(value).decode()), read, size)


def _binary(size: int, *, little: bool) -> Form:
    def write(value: Value) -> bytes:
        if not isinstance(value, int) or not 0 <= value < 1 << 8 * size:
            raise ValueError(f"{value!r} does not fit {8 * size} bits")
        return int(value).to_bytes(size, order)

    order: Literal["little", "big"] = "little" if little else "big"
    return Form(b".{%d}" % size, write, lambda data: int.from_bytes(data, order), size)


def _text(size: int) -> Form:
    def write(value: Value) -> bytes:
        if not isinstance(value, str):
            raise ValueError(f"{value!r} is not text")
        data = _encoded(value)
        if size and len(data) > size:
            raise ValueError(f"{value!r} does not fit {size} characters")
        if any(octet < 0x20 for octet in data):
            raise ValueError(f"{value!r} holds a control character")
        return data.ljust(size) if size else data

    expression = b"[^\\x00-\\x1f]{%d}" % size if size else b"[^\\x00-\\x1f]*"
    return Form(expression, write, lambda data: data.decode(CHARSET).rstrip(" " if size else ""), size or None)


def _from_table(name: str, table: Mapping[str, Value]) -> Form:
    meaning = {_encoded(wire): value for wire, value in table.items()}
    wire_of: dict[Value, bytes] = {}
    for wire, value in meaning.items():
        wire_of.setdefault(value, wire)

    def write(value: Value) -> bytes:
        if value not in wire_of:
            raise ValueError(f"{value!r} is not in the table {name}")
        return wire_of[value]

    longest_first = sorted(meaning, key=len, reverse=True)
    sizes = {len(wire) for wire in meaning}
    expression = b"(?:" + b"|".join(map(re.escape, longest_first)) + b")"
    return Form(expression, write, meaning.__getitem__, sizes.pop() if len(sizes) == 1 else None)


def _several(one: Form, count: int | None, separator: bytes) -> Form:
    if not separator and one.size is None:
        raise BadTemplate("a list without a separator needs a form of a fixed size")

    def write(value: Value) -> bytes:
        if not isinstance(value, tuple) or (count is not None and len(value) != count):
            raise ValueError(f"{value!r} is not a list of {'values' if count is None else count}")
        return separator.join(map(one.write, value))

    def read(data: bytes) -> Value:
        if not data:
            return ()
        size = one.size or 0
        pieces = data.split(separator) if separator else [data[at : at + size] for at in range(0, len(data), size)]
        values = tuple(map(one.read, pieces))
        if not all(isinstance(value, int) for value in values):
            raise ValueError("a list is of numbers")
        return tuple(value for value in values if isinstance(value, int))

    each, mark = one.expression, re.escape(separator)
    expression = b"(?:%b(?:%b%b)*)?" % (each, mark, each) if count is None else mark.join([each] * count)
    size = None if count is None or one.size is None else count * one.size + max(count - 1, 0) * len(separator)
    return Form(expression, write, read, size)


def _check_ends(parts: list[_Part]) -> None:
    """A slot without a size of its own ends at a literal, or nothing would say where."""
    for part, following in pairwise(parts):
        if isinstance(part, _Slot) and part.form.size is None and isinstance(following, _Slot):
            raise BadTemplate(f"nothing says where {{{part.name}}} ends and {{{following.name}}} begins")


def _expressions(parts: list[_Part]) -> Iterator[bytes]:
    """Text runs up to the first byte of what follows, so that no message can make reading slow."""
    for part, following in zip(parts, [*parts[1:], b""], strict=True):
        if isinstance(part, bytes):
            yield re.escape(part)
        elif part.form.expression == b"[^\\x00-\\x1f]*" and isinstance(following, bytes) and following:
            yield b"([^\\x00-\\x1f" + re.escape(following[:1]) + b"]*)"
        else:
            yield b"(" + part.form.expression + b")"


def _written(parts: list[_Part], values: Values) -> bytes:
    return b"".join(part if isinstance(part, bytes) else _filled(part, values) for part in parts)


def _filled(slot: _Slot, values: Values) -> bytes:
    if slot.filler is not None:
        return slot.filler
    if slot.name not in values:
        raise ValueError(f"no value for {{{slot.name}}}")
    return slot.form.write(values[slot.name])


def _encoded(text: str) -> bytes:
    try:
        return text.encode(CHARSET)
    except UnicodeEncodeError as error:
        raise BadTemplate(f"{text[error.start]!r} is not one byte") from error
