"""Draws the rooms of the code from its imports, for CONTRIBUTING.md: `make docs`.

A room is a top-level package, or a package or module directly inside `harness`. An arrow means "imports". Arrows that
follow from others are left out. Rooms that import each other are one box.
"""

import ast
import importlib.util
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import grimp

PAGE = Path(__file__).parent.parent / "CONTRIBUTING.md"
START, END = "<!-- generated: rooms -->", "<!-- end -->"
SPLIT = "harness"


def rendered(page: str) -> str:
    """The page with a fresh picture."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n\n```mermaid\n{picture(imports())}```\n\n{END}{after}"


@cache
def imports() -> Mapping[str, frozenset[str]]:
    """Which room imports which others."""
    graph = grimp.build_graph("feltrig", cache_dir=None)
    found: dict[str, set[str]] = {}
    for module in graph.modules:
        others = {_room(other) for other in graph.find_modules_directly_imported_by(module)}
        found.setdefault(_room(module), set()).update(others)
    return {room: frozenset(others - {room}) for room, others in found.items() if not _is_empty(room)}


def _room(module: str) -> str:
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] == [SPLIT] else 2])


def _is_empty(room: str) -> bool:
    return room == f"feltrig.{SPLIT}"


def picture(graph: Mapping[str, frozenset[str]]) -> str:
    """The graph as a Mermaid flowchart, without arrows that follow from others."""
    boxes = _boxes(graph)
    below = {box: {boxes[b] for room in box for b in graph[room] if b in boxes} - {box} for box in set(boxes.values())}
    lines = ["flowchart TD\n", *(f'    {_id(box)}["{_labels(box)}"]\n' for box in sorted(below, key=sorted))]
    for box in sorted(below, key=sorted):
        far = {c for b in below[box] for c in _reach(below, b) - {b}}
        lines += [f"    {_id(box)} --> {_id(other)}\n" for other in sorted(below[box] - far, key=sorted)]
    return "".join(lines)


def _boxes(graph: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """Each room with those that it imports and that import it, however indirectly."""
    reach = {room: _reach(graph, room) for room in graph}
    return {
        room: frozenset(other for other in graph if other in reach[room] and room in reach[other]) for room in graph
    }


def _reach(graph: Mapping[Any, Iterable[Any]], start: Any) -> set[Any]:
    seen, todo = {start}, [start]
    while todo:
        new = set(graph.get(todo.pop(), ())) - seen
        seen |= new
        todo += new
    return seen


def _id(box: frozenset[str]) -> str:
    return "_".join(room.removeprefix("feltrig.").replace(".", "_") for room in sorted(box))


def _labels(box: frozenset[str]) -> str:
    names = {room: room.removeprefix("feltrig.").replace(".", "/") for room in sorted(box)}
    return "<br>".join(f"<b>{name}</b><br>{_first_sentence(room)}" for room, name in names.items())


def _first_sentence(room: str) -> str:
    spec = importlib.util.find_spec(room)
    assert spec is not None
    assert spec.origin is not None
    text = ast.get_docstring(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))) or ""
    return " ".join(text.split(". ")[0].split()).rstrip(".").replace('"', "'")
