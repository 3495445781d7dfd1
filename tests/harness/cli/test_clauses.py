"""`feltrig clauses`: every clause, and what checks it."""

import json

from typer.testing import CliRunner

from feltrig.engine.games import GAMES
from feltrig.engine.places import places
from feltrig.errors import RigError
from feltrig.harness.cli.app import app


def test_every_clause_of_a_game_is_listed_in_each_jurisdiction_that_prints_it():
    rows = json.loads(CliRunner().invoke(app, ["clauses", "--game", "roulette", "--json"]).stdout)
    game = GAMES["roulette"]
    printed = [game.cite(key, code) for code in game.jurisdictions for key in game.clauses]
    assert [row["id"] for row in rows] == [number for number in printed if number is not None]
    assert all(row["covered_by"] or row["uncovered"] for row in rows)


def test_people_see_how_many_there_are():
    shown = CliRunner().invoke(app, ["clauses", "--game", "roulette"], env={"COLUMNS": "200"}).stdout
    assert f"{len(GAMES['roulette'].clauses)} clauses: " in shown


def test_a_game_that_there_is_not_is_refused():
    refused = CliRunner().invoke(app, ["clauses", "--game", "whist"])
    assert isinstance(refused.exception, RigError)
    assert "--game whist: no such game" in str(refused.exception)


def test_one_clause_is_printed_whole():
    shown = CliRunner().invoke(app, ["clauses", "--id", "19:46-1.13W(d)1"], env={"COLUMNS": "160"})
    assert shown.exit_code == 0
    row = next(
        r for r in json.loads(CliRunner().invoke(app, ["clauses", "--json"]).stdout) if r["id"] == "19:46-1.13W(d)1"
    )
    for said in (row["summary"], row["says"], f"line {row['place']['line']} of the text", row["place"]["sentence"]):
        assert said in " ".join(shown.stdout.split())
    refused = CliRunner().invoke(app, ["clauses", "--id", "19:47-99.1(a)"])
    assert str(refused.exception).startswith("--id 19:47-99.1(a): no such clause")


def test_a_rule_text_that_has_changed_shows(tmp_path):
    refused = CliRunner().invoke(app, ["clauses", "--texts", str(tmp_path)])
    assert str(refused.exception) == f"--texts {tmp_path}: no file *.txt is there"
    (tmp_path / "other.txt").write_text("(a) Another rule.\n")
    compared = CliRunner().invoke(app, ["clauses", "--texts", str(tmp_path)])
    assert compared.exit_code == 1
    assert len(compared.stdout.splitlines()) == len(places())
