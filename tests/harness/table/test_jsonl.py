"""Prompts for a program, as lines of JSON."""

import json

import pytest
from sample_prompt import PROMPT

from feltrig.harness.devices.failures import Stalled
from feltrig.harness.table.jsonl import JsonLines, as_json
from feltrig.harness.table.technician import Technician


class Robot:
    """Answers with the lines that it was given, and keeps those that it was sent."""

    def __init__(self, *lines: str) -> None:
        self.sent: list[dict] = []
        self._lines = list(lines)

    def write(self, line: str) -> None:
        assert "\n" not in line
        self.sent.append(json.loads(line))

    async def read(self) -> str:
        if not self._lines:
            raise Stalled("operator", "answer", "before the terminal was closed")
        return self._lines.pop(0)


def test_a_prompt_is_one_object_with_all_that_a_robot_needs():
    assert as_json(PROMPT) == {
        "id": 1,
        "what": "load_from_reader",
        "where": {"device": "shuffler", "compartment": 2},
        "task": "samples 1 to 2",
        "step": 2,
        "of": 3,
        "text": PROMPT.text,
        "then": PROMPT.then,
        "expected": "done",
        "choices": ["done", "redo", "cannot", "wrong"],
    }


async def test_an_answer_is_an_object_with_the_id_of_its_prompt():
    robot = Robot('{"id": 1, "answer": "done", "who": "robot 3", "note": "slowly"}')
    said = await JsonLines(5, robot.write, robot.read).ask(PROMPT)
    assert (said.answer, said.who, said.note) == ("done", "robot 3", "slowly")
    assert robot.sent == [as_json(PROMPT)]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("done", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1]", "not an object"),
        ('{"id": 2, "answer": "done"}', "id: 2 is not 1, the prompt that waits for an answer"),
        ('{"answer": "done"}', "id: None is not 1"),
        ('{"id": 1}', "answer: None is not a text"),
        ('{"id": 1, "answer": true}', "answer: True is not a text"),
        ('{"id": 1, "answer": "done", "who": 3}', "who, note: expected a text"),
    ],
)
async def test_a_bad_answer_gets_one_line_of_error_and_the_next_line_is_read(line, error):
    robot = Robot(line, "", '{"id": 1, "answer": "done"}')
    assert (await JsonLines(5, robot.write, robot.read).ask(PROMPT)).answer == "done"
    prompt, refused = robot.sent
    assert prompt == as_json(PROMPT)
    assert refused["id"] == 1
    assert refused["error"].startswith(error)


async def test_an_answer_that_is_no_choice_is_refused_and_asked_for_again():
    robot = Robot('{"id": 1, "answer": "maybe"}', '{"id": 1, "answer": 3}')
    assert await Technician(JsonLines(5, robot.write, robot.read)).button() == 3
    assert [line.get("error") for line in robot.sent] == [None, "'maybe' is not one of 0, …, 6", None]
    assert robot.sent[0]["choices"] == ["0", "1", "2", "3", "4", "5", "6", "redo", "wrong"]
    assert robot.sent[0]["expected"] == "a position"


async def test_the_end_of_the_input_ends_the_run():
    robot = Robot()
    with pytest.raises(Stalled, match="no answer"):
        await Technician(JsonLines(5, robot.write, robot.read)).gather("red")
