"""Records as they stand in the file: the fields of a class as JSON, and back, each field checked by its type."""

import dataclasses
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.harness.journal.records import FORMER_KINDS, KINDS, Body


def to_plain(body: Body) -> Mapping[str, Any]:
    """The data of a record, as the file has it."""
    shape = _SHAPES[type(body)]
    if shape.whole is not None:
        whole: Mapping[str, Any] = getattr(body, shape.whole)
        return whole
    return {name: getattr(body, name) for name in shape.fields}


def from_plain(kind: str, data: dict[str, Any]) -> Body:
    """The record that `to_plain` wrote under a kind. Raises ValueError with the reason."""
    name, _, schema = FORMER_KINDS.get(kind, kind).partition("/")
    if name not in KINDS:
        raise ValueError(f"has the kind {kind!r}, which this version of feltrig does not know")
    shape = _SHAPES[KINDS[name]]
    if schema != shape.suffix:
        raise ValueError(f"has the kind {kind!r}: this version of feltrig reads {written_kind(shape.body)!r}")
    build: Callable[..., Body] = shape.body
    if shape.whole is not None:
        return build(data)
    for field, value in data.items():
        accepts = shape.fields.get(field)
        if accepts is None:
            raise ValueError(f"is no {kind} record: it has no field {field!r}")
        if type(value) not in accepts.types or (accepts.of and not accepts.of.issuperset(map(type, _items(value)))):
            raise ValueError(f"is no {kind} record: {field} is {value!r}; expected {accepts.words}")
        if accepts.is_tuple:
            data[field] = tuple(value)
    try:
        return build(**data)
    except TypeError:
        missing = next(field for field in shape.fields if field not in data)
        raise ValueError(f"is no {kind} record: {missing} is missing") from None


def written_kind(body: type[Body]) -> str:
    """How the file names a kind of record: with its version, once it has more than one."""
    return f"{body.KIND}/{body.SCHEMA}" if body.SCHEMA > 1 else body.KIND


@dataclass(frozen=True, slots=True)
class _Accepts:
    """What a field takes."""

    words: str
    types: frozenset[type]
    of: frozenset[type] = frozenset()
    """The types of its items; empty where any will do."""
    is_tuple: bool = False


@dataclass(frozen=True, slots=True)
class _Shape:
    body: Any
    whole: str | None
    fields: Mapping[str, _Accepts]
    suffix: str


_PLAIN: Mapping[Any, tuple[frozenset[type], str]] = {
    str: (frozenset({str}), "text"),
    bool: (frozenset({bool}), "true or false"),
    int: (frozenset({int}), "a whole number"),
    float: (frozenset({float, int}), "a number"),
    types.NoneType: (frozenset({types.NoneType}), "null"),
}


def _accepts(hint: Any) -> _Accepts:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        inner = _accepts(arguments[0])
        return _Accepts("a list", frozenset({list}), inner.types, is_tuple=True)
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        inner_types = frozenset() if arguments[1] is Any else _accepts(arguments[1]).types
        return _Accepts("a table", frozenset({dict}), inner_types)
    if origin is types.UnionType:
        options = [_accepts(argument) for argument in arguments]
        return _Accepts(" or ".join(option.words for option in options), frozenset().union(*(o.types for o in options)))
    found, words = _PLAIN[hint]
    return _Accepts(words, found)


def _items(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def _shape(body: type[Body]) -> _Shape:
    hints = typing.get_type_hints(body)
    fields = {field.name: _accepts(hints[field.name]) for field in dataclasses.fields(body)}
    kind = written_kind(body)
    return _Shape(body, getattr(body, "WHOLE", None), fields, kind.partition("/")[2])


_SHAPES: Mapping[type, _Shape] = {body: _shape(body) for body in KINDS.values()}
