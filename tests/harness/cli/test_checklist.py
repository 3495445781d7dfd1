"""`feltrig checklist`: the questions, and how many were answered no."""

import json

from typer.testing import CliRunner

from feltrig.engine.games import GAMES
from feltrig.harness.cli.app import app

GAME = "roulette"
ITEMS = GAMES[GAME].checklist_of("NJ")
FIRST = next(iter(ITEMS))


def answered(**changes: str) -> str:
    answers = dict.fromkeys(ITEMS, '"yes"') | changes
    return "\n".join(['inspector = "Ada"', "[answers]", *(f"{item} = {value}" for item, value in answers.items())])


def test_the_command_says_how_many_answers_are_no(tmp_path):
    file = tmp_path / "answers.toml"
    file.write_text(answered(**{FIRST: '{ answer = "no", note = "lost" }'}), encoding="utf-8")
    checked = CliRunner().invoke(app, ["checklist", "--game", GAME, "--answers", str(file)])
    assert checked.exit_code == 1
    assert checked.stdout.splitlines() == [
        f"{len(ITEMS)} items answered by Ada, 1 of them no",
        f"no: {ITEMS[FIRST]} lost",
    ]
    file.write_text(answered(), encoding="utf-8")
    assert CliRunner().invoke(app, ["checklist", "--game", GAME, "--answers", str(file)]).exit_code == 0


def test_the_command_prints_every_question_with_its_clauses():
    rows = json.loads(CliRunner().invoke(app, ["checklist", "--game", GAME, "--json"]).stdout)
    assert {row["item"]: row["question"] for row in rows} == dict(ITEMS)
    assert all(number.startswith("19:4") for row in rows for number in row["clauses"])


def test_each_jurisdiction_has_a_checklist_of_its_own():
    def items(*where: str) -> dict[str, list[str]]:
        shown = CliRunner().invoke(app, ["checklist", "--game", "supreme_pai_gow", *where, "--json"]).stdout
        return {row["item"]: row["clauses"] for row in json.loads(shown)}

    new_jersey, massachusetts = items(), items("--jurisdiction", "MA")
    assert "layout-approved" in new_jersey, "19:46-1.13W is printed in New Jersey"
    assert "layout-approved" not in massachusetts
    assert massachusetts["shaker-law"] == ["MA SPG 4(a)(1)"]
    assert "shaker-law" not in new_jersey
    assert massachusetts["discards"] == ["MA SPG 12(j)"]
    assert all(massachusetts.values())
    assert all(number.startswith("MA SPG") for numbers in massachusetts.values() for number in numbers)


def test_a_checklist_is_asked_of_a_jurisdiction_that_has_the_game():
    asked = CliRunner().invoke(app, ["checklist", "--game", GAME, "--jurisdiction", "MA"])
    assert str(asked.exception) == "--jurisdiction MA: roulette has no rules there; expected NJ"
