"""`feltrig clauses`: every clause, and what checks it."""

import json

from typer.testing import CliRunner

from feltrig.engine.games import GAMES
from feltrig.errors import RigError
from feltrig.harness.cli.app import app


def test_every_clause_of_a_game_is_listed_in_each_jurisdiction_that_prints_it():
    rows = json.loads(CliRunner().invoke(app, ["clauses", "--game", "roulette", "--json"]).stdout)
    game = GAMES["roulette"]
    printed = [game.cite(key, code) for code in game.jurisdictions for key in game.clauses]
    assert [row["id"] for row in rows] == [number for number in printed if number is not None]
    assert all(row["covered_by"] or row["reason"] for row in rows)


def test_people_see_how_many_there_are():
    shown = CliRunner().invoke(app, ["clauses", "--game", "roulette"], env={"COLUMNS": "200"}).stdout
    assert f"{len(GAMES['roulette'].clauses)} clauses: " in shown


def test_a_game_that_there_is_not_is_refused():
    refused = CliRunner().invoke(app, ["clauses", "--game", "whist"])
    assert isinstance(refused.exception, RigError)
    assert "--game whist: no such game" in str(refused.exception)
