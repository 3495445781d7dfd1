"""The reference of journal.md, made from the classes of the records and the texts at their fields."""

import inspect
import typing
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any

from feltrig.harness.journal import records

WORDS: Mapping[Any, str] = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "true or false",
    NoneType: "null",
    Any: "anything",
}
PLURALS: Mapping[Any, str] = {str: "texts", int: "whole numbers"}


def describe() -> str:
    """A section for each kind of record, in the order of the module."""
    return "\n".join(map(_section, records.KINDS.values()))


def _section(kind: type[records.Body]) -> str:
    lines = [f"### `{kind.KIND}`\n", f"{inspect.getdoc(kind)}\n", "| field | value | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {_words(value)} | {meaning} |" for name, (value, meaning) in records.fields(kind).items()]
    return "\n".join([*lines, ""])


def _words(hint: Any) -> str:
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in (UnionType, typing.Union):
        return " or ".join(map(_words, inside))
    if origin is tuple:
        return f"list of {PLURALS.get(inside[0], 'objects')}"
    return WORDS.get(hint, "object")
