"""A small validator of TOML documents. The schema is data, from which the reference is made too."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from difflib import get_close_matches
from enum import Enum
from typing import Any, Final, Protocol

Scope = Mapping[str, object]
"""What is already known where a value is read: the keys above it and beside it, by name."""


class Mismatch(Exception):
    """A value is not what the schema expects. `key` is its dotted path, empty for the document itself."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}" if key else reason)
        self.key = key
        self.reason = reason


class Shape(Protocol):
    """What a value must look like."""

    @property
    def expected(self) -> str:
        """The shape in words, as they follow `is not`."""

    def read(self, value: object, key: str, scope: Scope) -> Any:
        """The value in its final form. Raises Mismatch."""


class _Required(Enum):
    REQUIRED = "required"


REQUIRED: Final = _Required.REQUIRED


Conditions = Mapping[str, tuple[str, ...]]
"""Keys, and for each the values of which it must have one."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a table. A default is written as the file would have it, unless it is final; None leaves the value
    out."""

    name: str
    shape: Shape
    doc: str
    default: object = REQUIRED
    when: Conditions = field(default_factory=dict)
    """The key belongs here only if these keys, beside or above it, have one of these values."""
    final: bool = False
    """Whether the default has the form that the value takes when it is read."""
    computed: Callable[[Scope], object] | None = None
    """Gives the value when the file has none, from all the other keys; it takes the place of the default."""

    def failing(self, scope: Scope) -> list[str]:
        """The keys whose values do not allow this one here."""
        return [name for name, values in self.when.items() if scope.get(name) not in values]


def key(
    shape: Shape,
    doc: str,
    default: Any = MISSING,
    *,
    when: Conditions | None = None,
    computed: Callable[[Scope], object] | None = None,
    **more: Any,
) -> Any:
    """A field of a dataclass that is a key of a file too; `more` goes to `dataclasses.field`."""
    declared = Key("", shape, doc, REQUIRED if computed is None else None, when or {}, True, computed)
    return field(default=default, metadata={_KEY: declared}, **more)


_KEY = "schema key"


def keys_of(description: type, when: Conditions | None = None) -> tuple[Key, ...]:
    """The keys that the fields of a dataclass declare, all of them under one more condition if it is given."""
    found = []
    for each in fields(description):
        if _KEY in each.metadata:
            declared: Key = each.metadata[_KEY]
            default = declared.default if each.default is MISSING else each.default
            if each.default_factory is not MISSING:
                default = each.default_factory()
            found.append(replace(declared, name=each.name, default=default, when={**(when or {}), **declared.when}))
    return tuple(found)


def table_of(description: type) -> "Table":
    """A table that is read into a dataclass, by the keys that its fields declare."""
    return Table(description, keys_of(description))


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within limits."""

    low: int
    high: int | None = None

    @property
    def expected(self) -> str:
        return f"a whole number from {self.low} {'up' if self.high is None else f'to {self.high}'}"

    def read(self, value: object, key: str, scope: Scope) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise Mismatch(key, f"{shown(value)} is not a whole number")
        if value < self.low or (self.high is not None and value > self.high):
            raise Mismatch(key, f"{shown(value)} is not {self.expected}")
        return value


@dataclass(frozen=True, slots=True)
class Number:
    """A number within limits, whole or not."""

    low: float
    high: float

    @property
    def expected(self) -> str:
        return f"a number from {self.low:g} to {self.high:g}"

    def read(self, value: object, key: str, scope: Scope) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise Mismatch(key, f"{shown(value)} is not a number")
        if not self.low <= value <= self.high:
            raise Mismatch(key, f"{shown(value)} is not {self.expected}")
        return float(value)


@dataclass(frozen=True, slots=True)
class Text:
    """Text that matches a pattern entirely. The value of a secret is never shown."""

    pattern: str
    expected: str
    secret: bool = False

    def read(self, value: object, key: str, scope: Scope) -> str:
        if isinstance(value, str) and re.fullmatch(self.pattern, value):
            return value
        raise Mismatch(key, f"{'the value' if self.secret else shown(value)} is not {self.expected}")


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    expected: str = "true or false"

    def read(self, value: object, key: str, scope: Scope) -> bool:
        if isinstance(value, bool):
            return value
        raise Mismatch(key, f"{shown(value)} is not {self.expected}")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few values. The names of a registry are looked up when they are needed."""

    options: Collection[str] | Collection[int]

    @property
    def expected(self) -> str:
        return either(shown(option) for option in self.options)

    def read(self, value: object, key: str, scope: Scope) -> Any:
        for option in self.options:
            if type(value) is type(option) and value == option:
                return option
        raise Mismatch(key, f"{shown(value)} is not {self.expected}{_suggestion(value, self.options)}")


@dataclass(frozen=True, slots=True)
class Several:
    """One or more of a few values, none of them twice; a single value may stand without brackets."""

    choice: Choice

    @property
    def expected(self) -> str:
        return f"one or more of {', '.join(shown(option) for option in self.choice.options)}"

    def read(self, value: object, key: str, scope: Scope) -> tuple[Any, ...]:
        given = value if isinstance(value, list) else [value]
        if not given:
            raise Mismatch(key, f"[] is not {self.expected}")
        chosen: list[Any] = []
        for item in given:
            option = self.choice.read(item, key, scope)
            if option in chosen:
                raise Mismatch(key, f"{shown(item)} is given twice")
            chosen.append(option)
        return tuple(chosen)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of known keys, handed to `build` by name. A key comes after those that its `when` names. Keys whose
    default is computed are read last."""

    build: Callable[..., Any]
    keys: tuple[Key, ...]
    expected: str = "a table"

    def read(self, value: object, key: str, scope: Scope) -> Any:
        return self.build(**self.values(value, key, scope))

    def values(self, value: object, key: str, scope: Scope) -> dict[str, Any]:
        """The value of every key that belongs here, given or by default."""
        given = _table(value, key)
        known = list(dict.fromkeys(k.name for k in self.keys))
        for name in given:
            if name not in known:
                raise Mismatch(
                    path(key, name), f"unknown key{_suggestion(name, known)}; known here: {', '.join(known)}"
                )
        values: dict[str, Any] = {}
        for k in sorted(self.keys, key=lambda k: k.computed is not None):
            inside = {**scope, **values}
            if not k.failing(inside):
                values[k.name] = _value(k, given, path(key, k.name), inside)
        for name in given:
            if name not in values:
                raise Mismatch(path(key, name), self._stray(name, {**scope, **values}))
        return values

    def _stray(self, name: str, scope: Scope) -> str:
        """Why a known key does not belong here: the first condition that fails, where the fewest do."""
        candidates = [k for k in self.keys if k.name == name]
        tag = min((k.failing(scope) for k in candidates), key=len)[0]
        values = dict.fromkeys(value for k in candidates for value in k.when.get(tag, ()))
        return f"is only for {tag} {either(map(shown, values))}, and this is {tag} {shown(scope[tag])}"


@dataclass(frozen=True, slots=True)
class Plain:
    """A table of names and plain values; whoever uses it knows which."""

    expected: str = "a table of names and values"

    def read(self, value: object, key: str, scope: Scope) -> dict[str, object]:
        for name, item in _table(value, key).items():
            plain = item if isinstance(item, list) else [item]
            if not all(isinstance(one, str | int | float | bool) for one in plain):
                raise Mismatch(path(key, name), f"{shown(item)} is not a text, a number, true, false or a list of them")
        return dict(_table(value, key))


@dataclass(frozen=True, slots=True)
class Named:
    """Tables of one kind, each under a name of the user's; `build` gets the name too."""

    names: Text
    table: Table
    expected: str = "tables, each under a name"

    def read(self, value: object, key: str, scope: Scope) -> dict[str, Any]:
        tables: dict[str, Any] = {}
        for name, item in _table(value, key).items():
            self.names.read(name, key, scope)
            inside = {**scope, "name": name}
            tables[name] = self.table.build(name=name, **self.table.values(item, path(key, name), inside))
        return tables


@dataclass(frozen=True, slots=True)
class Rows:
    """An array of tables."""

    table: Table
    expected: str = "an array of tables"

    def read(self, value: object, key: str, scope: Scope) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise Mismatch(key, f"{shown(value)} is not {self.expected}")
        return tuple(self.table.read(item, f"{key}[{number}]", scope) for number, item in enumerate(value, 1))


def path(key: str, name: str) -> str:
    """The dotted path of a key inside a table."""
    bare = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)
    return f"{key}.{bare}" if key else bare


def shown(value: object) -> str:
    """A value as an error names it: on one line, and never long."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            text = str(value) if value.bit_length() <= 64 else hex(value)
        case list():
            return "an array"
        case dict():
            return "a table"
        case str() | float():
            text = repr(value)
        case _:
            text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def either(words: Iterable[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def _table(value: object, key: str) -> dict[str, object]:
    if isinstance(value, dict):
        return value
    raise Mismatch(key, f"{shown(value)} is not a table")


def _value(key: Key, given: Mapping[str, object], where: str, scope: Scope) -> Any:
    if key.name in given:
        return key.shape.read(given[key.name], where, scope)
    if key.computed is not None:
        return key.computed(scope)
    if key.default is REQUIRED:
        raise Mismatch(where, f"is missing; expected {key.shape.expected}")
    return key.default if key.final or key.default is None else key.shape.read(key.default, where, scope)


def _suggestion(value: object, known: Iterable[object]) -> str:
    words = [word for word in known if isinstance(word, str)]
    close = get_close_matches(value, words, n=1) if isinstance(value, str) else []
    return f"; did you mean {close[0]}?" if close else ""
