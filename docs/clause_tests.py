"""Finds the tests that prove each clause, by their marks: `pytest.mark.clause(game, *keys)`.

`make docs` writes them to engine/clause_tests.tsv, which `feltrig clauses` prints.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "engine" / "clause_tests.tsv"
HEADING = "game\tkey\ttest"


def table() -> str:
    """The whole table, in order."""
    rows = sorted(row for file in sorted((ROOT / "tests").rglob("test_*.py")) for row in marks(file))
    return "\n".join([HEADING, *dict.fromkeys("\t".join(row) for row in rows)]) + "\n"


def marks(file: Path) -> Iterator[tuple[str, str, str]]:
    """Game, key and node id of each mark in a file; one on the module counts for all of its tests."""
    module = ast.parse(file.read_text(encoding="utf-8"), str(file))
    constants = dict(_constants(module))
    where = file.relative_to(ROOT).as_posix()
    for statement in module.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name.startswith("test_"):
            scopes = [statement]
            node = f"{where}::{statement.name}"
        elif isinstance(statement, ast.Assign) and _names(statement) == ["pytestmark"]:
            scopes, node = [statement.value], where
        else:
            continue
        for scope in scopes:
            for game, *keys in _calls(scope, constants, file):
                for key in keys:
                    yield game, key, node


def _calls(scope: ast.AST, constants: dict[str, object], file: Path) -> Iterator[list[str]]:
    for node in ast.walk(scope):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
            yield [text for argument in node.args for text in _texts(argument, constants, file)]


def _texts(argument: ast.expr, constants: dict[str, object], file: Path) -> list[str]:
    starred = isinstance(argument, ast.Starred)
    inner = argument.value if isinstance(argument, ast.Starred) else argument
    value = constants.get(inner.id) if isinstance(inner, ast.Name) else ast.literal_eval(inner)
    texts = list(value) if starred and isinstance(value, tuple | list) else [value]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{file}:{argument.lineno}: {ast.unparse(argument)}: expected texts, or a name of the module")
    return [str(text) for text in texts]


def _constants(module: ast.Module) -> Iterator[tuple[str, object]]:
    for statement in module.body:
        if isinstance(statement, ast.Assign):
            try:
                value = ast.literal_eval(statement.value)
            except ValueError:
                continue
            for name in _names(statement):
                yield name, value


def _names(statement: ast.Assign) -> list[str]:
    return [target.id for target in statement.targets if isinstance(target, ast.Name)]


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
