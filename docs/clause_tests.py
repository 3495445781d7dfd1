"""Finds the tests that prove each clause, by their marks: `pytest.mark.clause(game, *keys)`.

`make docs` writes them to engine/clause_tests.tsv, which `feltrig clauses` prints.
"""

import importlib.util
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

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
    return tuple(row for file in files if "mark.clause(" in file.read_text(encoding="utf-8") for row in _marks(file))


def _marks(file: Path) -> Iterator[tuple[str, str, str]]:
    module = _imported(file)
    where = file.relative_to(ROOT).as_posix()
    marked = {where: getattr(module, "pytestmark", [])}
    for name, found in vars(module).items():
        if name.startswith("test_") and callable(found):
            marked[f"{where}::{name}"] = getattr(found, "pytestmark", [])
    for node, marks in marked.items():
        for game, *keys in _clauses(marks if isinstance(marks, list) else [marks]):
            for key in keys:
                yield game, key, node


def _clauses(marks: Iterable[Any]) -> Iterator[tuple[str, ...]]:
    """The arguments of the marks, also of those on single parameters."""
    for mark in marks:
        if mark.name == "clause":
            yield mark.args
        elif mark.name == "parametrize":
            for values in mark.args[1]:
                yield from _clauses(getattr(values, "marks", ()))


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
