"""Records as they stand in the file: the fields of a class as JSON, and back, each field checked by its type."""

import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.harness.journal.records import FORMER_KINDS, KINDS, Body, fields


def to_plain(body: Body) -> Mapping[str, Any]:
    """The data of a record, as the file has it."""
    if body.WHOLE is not None:
        whole: Mapping[str, Any] = getattr(body, body.WHOLE)
        return whole
    return {name: getattr(body, name) for name in _FIELDS[type(body)]}


def from_plain(kind: str, data: dict[str, Any]) -> Body:
    """The record that `to_plain` wrote under a kind. Raises ValueError with the reason."""
    name = FORMER_KINDS.get(kind, kind)
    known = KINDS.get(name.partition("/")[0])
    if known is None:
        raise ValueError(f"has the kind {kind!r}, which this version of feltrig does not know")
    if name != written_kind(known):
        raise ValueError(f"has the kind {kind!r}: this version of feltrig reads {written_kind(known)!r}")
    build: Callable[..., Body] = known
    if known.WHOLE is not None:
        return build(data)
    expected = _FIELDS[known]
    for field, value in data.items():
        accepts = expected.get(field)
        if accepts is None:
            raise ValueError(f"is not a record of the kind {kind!r}: it has no field {field!r}")
        if type(value) not in accepts.types or (accepts.of and not accepts.of.issuperset(map(type, _items(value)))):
            raise ValueError(f"is not a record of the kind {kind!r}: {field} is {value!r}; expected {accepts.words}")
        if accepts.is_tuple:
            data[field] = tuple(value)
    try:
        return build(**data)
    except TypeError:
        missing = next(field for field in expected if field not in data)
        raise ValueError(f"is not a record of the kind {kind!r}: {missing} is missing") from None


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


_FIELDS = {body: {name: _accepts(hint) for name, (hint, _) in fields(body).items()} for body in KINDS.values()}
