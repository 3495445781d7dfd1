"""Finds the tests that prove each clause, by their marks: `pytest.mark.clause(game, *keys)` for what the engine does,
and `pytest.mark.check(*names)` for a check or a drill of devices, which prove every clause that names it.

`make docs` writes them to engine/clause_tests.tsv, which `feltrig clauses` prints.
"""

import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from feltrig.engine.games import GAMES

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "engine" / "clause_tests.tsv"
HEADING = "game\tkey\ttest"


def table() -> str:
    """The whole table, in order."""
    return "\n".join([HEADING, *("\t".join(row) for row in sorted(set(every())))]) + "\n"


@cache
def every() -> tuple[tuple[str, str, str], ...]:
    """Game, key and node id of each mark in all tests; one on a module counts for the whole file."""
    sys.path.append(str(ROOT / "tests" / "helpers"))
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    marked = (file for file in files if re.search(r"mark\.(clause|check)\(", file.read_text(encoding="utf-8")))
    return tuple(row for file in marked for row in _marks(file))


def _marks(file: Path) -> Iterator[tuple[str, str, str]]:
    module = _imported(file)
    where = file.relative_to(ROOT).as_posix()
    marked = {where: getattr(module, "pytestmark", [])}
    for name, found in vars(module).items():
        if name.startswith("test_") and callable(found):
            marked[f"{where}::{name}"] = getattr(found, "pytestmark", [])
    for node, marks in marked.items():
        for game, key in _clauses(marks if isinstance(marks, list) else [marks]):
            yield game, key, node


def _clauses(marks: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Game and key of each clause that is marked, also by marks on single parameters."""
    for mark in marks:
        if mark.name == "clause":
            game, *keys = mark.args
            yield from ((game, key) for key in keys)
        elif mark.name == "check":
            yield from (clause for name in mark.args for clause in _checked().get(name, ()))
        elif mark.name == "parametrize":
            for values in mark.args[1]:
                yield from _clauses(getattr(values, "marks", ()))


@cache
def _checked() -> dict[str, list[tuple[str, str]]]:
    """Game and key of the clauses that name a check, by the name of the check."""
    found: dict[str, list[tuple[str, str]]] = {}
    for game in GAMES.values():
        for key, clause in game.clauses.items():
            for name in clause.checks:
                found.setdefault(name, []).append((game.name, key))
    return found


def _imported(file: Path) -> ModuleType:
    name = "proofs_" + "_".join(file.relative_to(ROOT).with_suffix("").parts)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
