"""Asks, tells and rulings as plain JSON values and back, by their type hints: cards are written by name."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import Any

from feltrig.engine import cards, tells
from feltrig.engine.cards import Card

Json = dict[str, Any]


def to_record(value: Any) -> Json:
    """A frozen dataclass of the engine as a JSON object, its class under `is`."""
    hints = _hints(type(value))
    body = {f.name: _plain(getattr(value, f.name), hints[f.name]) for f in dataclasses.fields(value)}
    return {"is": type(value).__name__, **body}


def tell_from_record(record: Mapping[str, Any]) -> tells.Tell:
    """The observation that `to_record` wrote."""
    kind = _TELLS[record["is"]]
    hints = _hints(kind)
    return kind(**{name: _value(record[name], hints[name]) for name in hints})  # type: ignore[no-any-return]


_TELLS: dict[str, Any] = {kind.__name__: kind for kind in tells.TELLS}


_KNOWN_HINTS: dict[type, dict[str, Any]] = {}


def _hints(kind: type) -> dict[str, Any]:
    if kind not in _KNOWN_HINTS:
        _KNOWN_HINTS[kind] = {name: _unless_none(hint) for name, hint in typing.get_type_hints(kind).items()}
    return _KNOWN_HINTS[kind]


def _plain(value: Any, hint: Any = None) -> Any:
    if value is None or isinstance(value, bool | str):
        return value
    if hint is Card:
        return cards.name(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, int | float):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return to_record(value)
    if isinstance(value, Mapping):
        inner = _arguments(hint, Mapping)[1] if hint else None
        return {str(_plain(key)): _plain(item, inner) for key, item in value.items()}
    if isinstance(value, tuple | list | frozenset):
        inner = _arguments(hint, tuple)[0] if hint else None
        return [_plain(item, inner) for item in value]
    raise TypeError(f"{type(value).__name__} cannot be written to the journal")


def _value(plain: Any, hint: Any) -> Any:
    if plain is None:
        return None
    if hint is Card:
        return cards.parse(plain)
    if isinstance(plain, list):
        inner = _arguments(hint, tuple)[0]
        return tuple(_value(item, inner) for item in plain)
    return plain


def _arguments(hint: Any, origin: type) -> tuple[Any, ...]:
    """The type arguments of a container's hint."""
    found = typing.get_origin(hint)
    if isinstance(found, type) and issubclass(origin, found):
        return typing.get_args(hint)
    return (None, None)


def _unless_none(hint: Any) -> Any:
    """The X of `X | None`, which is typing's own union when X is a Card."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        return next((a for a in typing.get_args(hint) if a is not types.NoneType), None)
    return hint
