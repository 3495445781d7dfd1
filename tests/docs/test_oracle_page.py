"""The page on the oracle: its examples answer what it says, one for each game, and its reference is not stale."""

import json
import re
from pathlib import Path

import pytest
import references

from feltrig.engine.games import GAMES
from feltrig.harness.cli.oracle import respond

PAGE = (Path(__file__).parents[2] / "docs" / "oracle.md").read_text()

EXAMPLES = re.findall(r"^\$ echo '(.*)' \| feltrig oracle\n(.*)\n```", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("question", "answer"), EXAMPLES)
def test_an_example_answers_what_the_page_says(question: str, answer: str) -> None:
    assert json.dumps(respond(question.encode())[0]) == answer


def test_there_is_an_example_of_each_game() -> None:
    assert len(EXAMPLES) == PAGE.count("$ echo")
    _, _, examples = PAGE.partition("## One question about each game\n")
    assert re.findall(r"""echo '{"game": "(\w+)\"""", examples) == list(GAMES)


def test_the_reference_is_what_the_engine_knows() -> None:
    _, _, reference = PAGE.partition("## Reference\n\n")
    assert reference == references.oracle()
