"""JSON messages by example: a document of the same shape, with `{name}` wherever a value stands.

A string that is only `{name}` stands for the value in its natural JSON form: a number, true or false, text, a list of
numbers. Any other string with a slot in it is a template. Whatever else a received document holds is left unread.
"""

import json
from collections.abc import Iterator, Mapping

from feltrig.protocols.messages import Value, Values
from feltrig.protocols.profiles.template import CHARSET, BadTemplate, Tables, Template

LARGEST = 1 << 16
"""Bytes of the largest document that is read."""


class _Natural:
    """The value itself."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.names = frozenset((name,))
        self.tables: Mapping[str, str] = {}


Node = dict[str, "Node"] | list["Node"] | _Natural | Template | str | int | float | bool | None


class JsonShape:
    """A Pattern made of a document by example."""

    def __init__(self, example: object, tables: Tables) -> None:
        if not example:
            raise BadTemplate("is empty; expected at least one key")
        self._root = _node(example, tables)
        leaves = list(_leaves(self._root))
        names = [name for leaf in leaves for name in leaf.names]
        for name in names:
            if names.count(name) > 1:
                raise BadTemplate(f"{{{name}}} appears twice")
        self.names = frozenset(names)
        self.tables = {name: table for leaf in leaves for name, table in leaf.tables.items()}
        """The values that stand in it by a table, and the name of that."""

    def write(self, values: Values) -> bytes:
        """The document with these values, without spaces."""
        return json.dumps(_written(self._root, values), separators=(",", ":")).encode()

    def read(self, data: bytes) -> Values | None:
        """The values of a document; None when it has another shape, or is none."""
        if len(data) > LARGEST:
            return None
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            return None
        values: dict[str, Value] = {}
        return values if _read(self._root, document, values) else None


def _node(example: object, tables: Tables) -> Node:
    match example:
        case dict():
            return {key: _node(value, tables) for key, value in example.items()}
        case list():
            return [_node(value, tables) for value in example]
        case str():
            name = example[1:-1]
            if example == f"{{{name}}}" and name.replace(".", "").isidentifier():
                return _Natural(name)
            return Template(example, tables) if "{" in example else example
        case bool() | int() | float():
            return example
    raise BadTemplate(f"{example!r} cannot be written as JSON")


def _leaves(node: Node) -> Iterator[_Natural | Template]:
    match node:
        case dict():
            for value in node.values():
                yield from _leaves(value)
        case list():
            for value in node:
                yield from _leaves(value)
        case _Natural() | Template():
            yield node


def _written(node: Node, values: Values) -> object:
    match node:
        case dict():
            return {key: _written(value, values) for key, value in node.items()}
        case list():
            return [_written(value, values) for value in node]
        case _Natural():
            if node.name not in values:
                raise ValueError(f"no value for {{{node.name}}}")
            value = values[node.name]
            return list(value) if isinstance(value, tuple) else value
        case Template():
            return node.write(values).decode(CHARSET)
    return node


def _read(node: Node, document: object, values: dict[str, Value]) -> bool:
    """Whether the document has the node's shape; its values are taken on the way."""
    match node:
        case dict():
            return isinstance(document, Mapping) and all(
                key in document and _read(value, document[key], values) for key, value in node.items()
            )
        case list():
            return (
                isinstance(document, list)
                and len(document) == len(node)
                and all(_read(each, item, values) for each, item in zip(node, document, strict=True))
            )
        case _Natural():
            value = _natural(document)
            if value is not None:
                values[node.name] = value
            return value is not None
        case Template():
            found = node.read(_bytes(document)) if isinstance(document, str) else None
            values |= found or {}
            return found is not None
    return type(document) is type(node) and document == node


def _natural(document: object) -> Value | None:
    match document:
        case bool() | int() | str():
            return document
        case list() if all(isinstance(item, int) for item in document):
            return tuple(document)
    return None


def _bytes(text: str) -> bytes:
    """As the template has it; a character that is not one byte matches no literal and no slot but text."""
    return text.encode(CHARSET, "replace")
