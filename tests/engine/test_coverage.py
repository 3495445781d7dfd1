"""Every clause of the rule texts is accounted for, by something that exists and by a test that would miss it."""

import importlib
import importlib.util
import re
from functools import cache
from pathlib import Path

import pytest
from broken import RANDOM, looks

from feltrig.engine.games import GAMES as KNOWN
from feltrig.harness.cli.clauses import rows_of
from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.checks import all_checks

ROOT = Path(__file__).parent.parent.parent
FILED = [
    *((kind, check.name, check.role) for kind, check in all_checks()),
    *((kind, drill.name, drill.role) for kind, device in DEVICES.items() for drill in device.drills),
    *((kind, RANDOM, device.sampler.role) for kind, device in DEVICES.items() if device.sampler is not None),
    *((kind, name, role) for name, (kind, role) in looks().items()),
]
"""What a judge finds of devices: the kind, the name, and the role of the clause that it is filed under."""
DEVICE_CHECKS = {name for _, name, _ in FILED}
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
        match clause.coverage:
            case "automated":
                assert clause.checks, f"{clause.key}: nothing that a device or an instrument can fail"
            case "played":
                assert clause.rules, clause.key
                assert not clause.checks, f"{clause.key}: a device can fail it"
            case "attested":
                assert clause.items, clause.key
                assert not clause.checks, f"{clause.key}: a device can fail it"
            case _:
                assert not clause.covered_by, clause.key
                assert len(clause.uncovered) > 10, clause.key
                assert "not yet" not in clause.uncovered, clause.key


@GAMES
def test_every_clause_that_is_tested_has_a_test_that_fails_when_the_rule_is_broken(game):
    """benchmarks/register.py breaks them."""
    tested = ("automated", "played")
    clauses = KNOWN[game].clauses.values()
    assert [clause.key for clause in clauses if clause.coverage in tested and not clause.tests] == []


@GAMES
def test_a_clause_that_checks_of_devices_cite_is_one_that_a_device_can_fail(game):
    """What the judge finds of a device is never what the register calls played by the rig."""
    known = KNOWN[game]
    filed = [(known.roles[role], name) for kind, name, role in FILED if kind in known.uses and role in known.roles]
    assert [key for key, _ in filed if known.clauses[key].coverage != "automated"] == []
    assert [(key, name) for key, name in filed if name not in known.clauses[key].checks] == []


@GAMES
def test_a_clause_that_nothing_here_can_check_names_no_test(game):
    clauses = KNOWN[game].clauses.values()
    assert [clause.key for clause in clauses if clause.tests and not (clause.rules or clause.checks)] == []
    assert [clause.key for clause in clauses if clause.rules and not clause.tests] == []


@GAMES
def test_a_clause_is_told_in_whole_sentences_and_says_nothing_of_the_rig(game):
    """What the rig does is in the names and the tests, which can be broken; words cannot."""
    for clause in KNOWN[game].clauses.values():
        assert clause.says.endswith(".")
        assert not set(re.findall(r"[a-z]+", clause.says.lower())) & {"rig", "engine", "config", "checklist", "log"}


@GAMES
def test_every_jurisdiction_asks_each_item_of_its_clauses_and_no_other(game):
    known = KNOWN[game]
    for place in known.jurisdictions:
        printed = [clause for key, clause in known.clauses.items() if known.cite(key, place)]
        attested = [clause.key for clause in printed if clause.coverage == "attested"]
        asked = known.checklist_of(place)
        assert [clause.key for clause in printed if clause.key in attested and not set(clause.items) & set(asked)] == []
    assert {item for place in known.jurisdictions for item in known.checklist_of(place)} == set(known.checklist)


@GAMES
def test_every_item_of_the_checklist_is_there_for_a_clause(game):
    used = {name for clause in KNOWN[game].clauses.values() for name in clause.covered_by}
    assert [item for item in KNOWN[game].checklist if f"item:{item}" not in used] == []
    assert [item for item in KNOWN[game].checklist.values() if not item.question.endswith("?")] == []


@GAMES
def test_tests_name_clauses_of_the_register(game):
    marked = {key for of, key, _ in clause_tests().every() if of == game}
    assert marked - set(KNOWN[game].clauses) == set()


def test_the_table_of_tests_is_fresh():
    """`make docs` writes it."""
    assert clause_tests().TABLE.read_text(encoding="utf-8") == clause_tests().table()
