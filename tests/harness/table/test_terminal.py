"""Prompts on a terminal."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from sample_prompt import PROMPT

from feltrig.harness.devices.failures import Stalled
from feltrig.harness.table.prompts import CANNOT, DONE, REDO, WRONG
from feltrig.harness.table.terminal import Words, shown, terminal


@pytest.mark.parametrize("columns", [30, 60, 400])
def test_a_prompt_is_wrapped_without_breaking_a_word(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = shown(PROMPT).splitlines()
    assert lines[0] == "[samples 1 to 2, step 2 of 3]"
    assert max(map(len, lines)) <= min(columns, 100)
    words = shown(PROMPT).split()
    assert [word for word in f"{PROMPT.text} {PROMPT.then}".split() if word not in words] == []
    assert words[-1].endswith(">")


@pytest.mark.parametrize(
    ("typed", "answer", "note"),
    [
        ("", DONE, ""),
        ("r", REDO, ""),
        ("X", CANNOT, ""),
        ("w the motor smokes", WRONG, "the motor smokes"),
        ("yes", "yes", ""),
    ],
)
async def test_a_key_is_an_answer_and_a_remark_may_follow(typed, answer, note):
    async def ask(_: str) -> str:
        return typed

    said = await Words(ask, "Ann").ask(PROMPT)
    assert (said.answer, said.who, said.note) == (answer, "Ann", note)


@pytest.fixture
def keyboard(monkeypatch):
    """The writing end of a pipe that is standard input."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stdin, os.fdopen(writing, "wb", buffering=0) as keys:
        monkeypatch.setattr("sys.stdin", stdin)
        yield keys


async def test_a_prompt_is_shown_and_the_line_typed_is_returned(keyboard, capsys):
    answer = asyncio.create_task(terminal(5)("where? "))
    await asyncio.sleep(0)
    keyboard.write(b"the")
    keyboard.write("re, á\n".encode())
    assert await answer == "there, á"
    assert capsys.readouterr() == ("", "where? ")  # standard output is for the verdict


async def test_answers_that_are_piped_in_at_once_answer_one_prompt_each(keyboard):
    ask = terminal(5)
    keyboard.write(b"1\n2\n\n4")
    assert [await ask("?") for _ in range(3)] == ["1", "2", ""]
    keyboard.write(b"5\n")
    assert await ask("?") == "45"


async def test_a_technician_who_does_not_answer_stalls_the_run(keyboard):
    with pytest.raises(Stalled, match=r"operator: no answer within 0\.001 s") as stalled:
        await terminal(0.001)("?")
    assert stalled.value.device == "operator"


async def test_after_a_silence_the_keyboard_is_no_longer_watched(keyboard):
    with pytest.raises(Stalled):
        await terminal(0.001)("?")
    assert asyncio.get_running_loop().remove_reader(sys.stdin.fileno()) is False


async def test_a_closed_terminal_stalls_the_run_at_once(keyboard):
    keyboard.close()
    with pytest.raises(Stalled, match="operator: no answer before the terminal was closed"):
        await terminal(60)("?")


async def test_answers_can_come_from_a_file(monkeypatch, tmp_path: Path):
    answers = tmp_path / "answers"
    answers.write_text("1\n2\n")
    with answers.open("rb") as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        ask = terminal(5)
        assert [await ask("?") for _ in range(2)] == ["1", "2"]
        with pytest.raises(Stalled, match="operator: no answer before the terminal was closed"):
            await ask("?")
