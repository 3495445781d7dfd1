"""Every clause of the rule texts is accounted for, by something that exists and by a test that would miss it."""

import importlib
import importlib.util
from functools import cache
from pathlib import Path

import pytest

from feltrig.engine.games import GAMES as KNOWN
from feltrig.harness.cli.clauses import rows_of
from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.checks import all_checks

ROOT = Path(__file__).parent.parent.parent
DRILLS = {drill.name for device in DEVICES.values() for drill in device.drills}
DEVICE_CHECKS = {check.name for _, check in all_checks()} | DRILLS
GAMES = pytest.mark.parametrize("game", KNOWN)


@cache
def clause_tests():
    spec = importlib.util.spec_from_file_location("clause_tests", ROOT / "docs" / "clause_tests.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def exists(name):
    """Whether a dotted name below `feltrig.engine` is a module or something in one."""
    path = name.split(".")
    for cut in range(len(path), 0, -1):
        try:
            found = importlib.import_module("feltrig.engine." + ".".join(path[:cut]))
        except ModuleNotFoundError:
            continue
        for part in path[cut:]:
            found = getattr(found, part, None)
        return found is not None
    return False


def test_the_register_has_every_clause_of_the_five_texts_once():
    rows = [row for game in KNOWN.values() for row in rows_of(game)]
    assert len(rows) == 1211
    assert len({(row["game"], row["jurisdiction"], row["id"]) for row in rows}) == 1211


@GAMES
def test_whatever_covers_a_clause_exists(game):
    missing = []
    for clause in KNOWN[game].clauses.values():
        for name in clause.covered_by:
            kind, _, what = name.rpartition(":")
            match kind:
                case "check":
                    found = what in DEVICE_CHECKS
                case "item":
                    found = what in KNOWN[game].checklist
                case _:
                    found = exists(what)
            if not found:
                missing.append((clause.key, name))
    assert missing == []


@GAMES
def test_every_clause_is_covered_or_it_is_said_why_not(game):
    for clause in KNOWN[game].clauses.values():
        items = [name for name in clause.covered_by if name.startswith("item:")]
        match clause.coverage:
            case "automated":
                assert len(clause.covered_by) > len(items), clause.key
                assert not clause.reason, clause.key
            case "attested":
                assert items, clause.key
                assert not clause.reason, clause.key
            case _:
                assert len(clause.reason) > 10, clause.key
                assert "not yet" not in clause.reason, clause.key


@GAMES
def test_every_automated_clause_has_a_test_that_fails_when_the_rule_is_broken(game):
    assert [
        clause.key for clause in KNOWN[game].clauses.values() if clause.coverage == "automated" and not clause.tests
    ] == []


@GAMES
def test_every_item_of_the_checklist_is_there_for_a_clause(game):
    used = {name for clause in KNOWN[game].clauses.values() for name in clause.covered_by}
    assert [item for item in KNOWN[game].checklist if f"item:{item}" not in used] == []
    assert [question for question in KNOWN[game].checklist.values() if not question.endswith("?")] == []


@GAMES
def test_tests_name_clauses_of_the_register(game):
    marked = {key for of, key, _ in clause_tests().every() if of == game}
    assert marked - set(KNOWN[game].clauses) == set()


def test_the_table_of_tests_is_fresh():
    """`make docs` writes it."""
    assert clause_tests().TABLE.read_text(encoding="utf-8") == clause_tests().table()
