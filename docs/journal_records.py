"""The reference of journal.md, made from the classes of the records and the texts at their fields."""

import ast
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


def describe() -> str:
    """A section for each kind of record, in the order of the module."""
    fields = _texts()
    return "\n".join(_section(kind, fields[kind.__name__]) for kind in records.KINDS.values())


def _section(kind: type[records.Body], texts: Mapping[str, str]) -> str:
    hints = typing.get_type_hints(kind)
    lines = [f"### `{kind.KIND}`\n", f"{inspect.getdoc(kind)}\n"]
    if texts:
        lines += ["| field | value | meaning |", "|---|---|---|"]
        lines += [f"| `{name}` | {_words(hints[name])} | {text} |" for name, text in texts.items()]
        lines.append("")
    return "\n".join(lines)


def _words(hint: Any) -> str:
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in (UnionType, typing.Union):
        return " or ".join(map(_words, inside))
    if origin is tuple:
        return f"list of {_words(inside[0])}"
    return WORDS.get(hint, "object")


def _texts() -> dict[str, dict[str, str]]:
    """By the name of a class, the text below each of its fields."""
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(records)).body:
        if isinstance(node, ast.ClassDef):
            pairs = zip(node.body, node.body[1:], strict=False)
            found[node.name] = {
                field.target.id: inspect.cleandoc(str(text.value.value)).replace("\n", " ").rstrip(".")
                for field, text in pairs
                if isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
            }
    return found
