"""`feltrig oracle` as a filter: every line gets its answer, in order, whatever stands on it."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.harness.cli import oracle
from feltrig.harness.cli.oracle import LONGEST_ERROR, LONGEST_LINE, filter_questions, respond

SUPREME = {"id": "q1", "game": "pai_gow", "op": "tile_rank", "input": {"tiles": ["2-4", "1-2"]}}
LINE = json.dumps(SUPREME).encode()


def answers(chunks: Iterable[bytes]) -> list[list[dict[str, Any]]]:
    """What is written after each chunk that arrives."""
    arriving: Iterator[bytes] = iter((*chunks, b""))
    written: list[bytes] = []
    assert filter_questions(lambda most: next(arriving), written.append) == 0
    return [[json.loads(line) for line in data.splitlines()] for data in written]


def flat(chunks: Iterable[bytes]) -> list[dict[str, Any]]:
    return [answered for batch in answers(chunks) for answered in batch]


def test_a_question_is_answered_as_soon_as_its_line_is_complete() -> None:
    batches = answers([LINE[:20], LINE[20:] + b"\n", LINE + b"\n" + LINE + b"\n", LINE])
    assert [len(batch) for batch in batches] == [0, 1, 2, 0, 1]
    assert all(answered["result"]["pair_rank"] == 1 for batch in batches for answered in batch)


def test_the_last_line_needs_no_end() -> None:
    assert len(flat([LINE + b"\n" + LINE])) == 2
    assert len(flat([LINE + b"\n"])) == 1
    assert flat([]) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"", {"id": None, "error": "an empty line"}),
        (b"  \r", {"id": None, "error": "an empty line"}),
        (b"what?", {"id": None, "error": "not JSON: Expecting value: line 1 column 1 (char 0)"}),
        (b"[1]", {"id": None, "error": "[1] is not an object"}),
        (b"null", {"id": None, "error": "None is not an object"}),
        (b'{"id": 7}', {"id": 7, "error": None}),
        (b'{"id": {"a": [1]}, "game": "chess"}', {"id": {"a": [1]}, "error": None}),
        (b'{"id": 7, "game": NaN}', {"id": 7, "error": None}),
        (b'{"id": 7, "game": 1' + b"0" * 5000 + b"}", {"id": 7, "error": None}),
        (b'{"id": NaN}', {"id": None, "error": "id: cannot be given back as JSON"}),
        (b'{"id": 1e999}', {"id": None, "error": "id: cannot be given back as JSON"}),
        (b'{"id": "\xff"}', {"id": None, "error": None}),
        (b'{"id": "\\ud800", "game": 1}', {"id": "\ud800", "error": None}),
        (b'{"id": 1' + b"0" * 5000 + b"}", {"id": None, "error": None}),
        (b"[" * 100_000, {"id": None, "error": "nested too deeply"}),
        (b'{"id": 1, "game": ' + b"[" * 100_000, {"id": None, "error": "nested too deeply"}),
        (LINE + b"\r", {"id": "q1"}),
    ],
)
def test_a_line_that_cannot_be_answered_gets_an_error_and_the_filter_goes_on(
    line: bytes, expected: dict[str, Any]
) -> None:
    found = flat([line + b"\n" + LINE + b"\n"])
    assert len(found) == 2
    assert found[1]["id"] == "q1"
    assert found[1]["result"]["pair_rank"] == 1
    assert found[0]["id"] == expected["id"]
    assert ("error" in found[0]) == ("error" in expected)
    if expected.get("error") is not None:
        assert found[0]["error"] == expected["error"]


@pytest.mark.parametrize("depth", range(900, 1001, 7))
def test_nesting_near_the_limit_of_the_interpreter_is_an_error_like_any_other(depth: int) -> None:
    for line in (b'{"id": 1, "game": %s%s}', b'{"id": %s%s, "game": 1}', b"%s%s"):
        (found,) = flat([line % (b"[" * depth, b"]" * depth)])
        assert "error" in found


def test_a_line_that_is_too_long_is_not_kept_and_is_answered_in_its_place() -> None:
    long = b'{"id": "' + b"x" * LONGEST_LINE + b'"}'
    too_long = {"id": None, "error": f"a line of more than {LONGEST_LINE} bytes"}
    for chunks in (
        [LINE + b"\n" + long + b"\n" + LINE + b"\n"],
        [LINE + b"\n" + long, long, long + b"\n" + LINE + b"\n"],
        [LINE + b"\n" + long, b"\n", LINE + b"\n"],
    ):
        found = flat(chunks)
        assert [answered["id"] for answered in found] == ["q1", None, "q1"]
        assert found[1] == too_long
    assert flat([LINE + b"\n" + long])[1:] == [too_long]
    assert "error" in flat([b'{"id": 1, "game": "' + b"x" * (LONGEST_LINE - 21) + b'"}\n'])[0]


def test_a_line_of_the_greatest_length_is_still_read() -> None:
    line = LINE + b" " * (LONGEST_LINE - len(LINE))
    assert flat([line + b"\n"])[0]["id"] == "q1"
    assert flat([line + b" \n"])[0]["id"] is None


def test_an_error_that_quotes_much_is_cut_short() -> None:
    (found,) = flat([json.dumps({"id": 1, "game": "x" * 9999}).encode()])
    assert len(found["error"]) == LONGEST_ERROR + 4
    assert found["error"].endswith("x ...")


def test_our_own_failure_is_shown_and_costs_only_its_own_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(question: Any) -> dict[str, Any]:
        raise KeyError("clause")

    monkeypatch.setattr(oracle, "ask", broken)
    assert respond(LINE) == ({"id": "q1", "error": "the engine failed: KeyError('clause')"}, False)
    assert "KeyError: 'clause'" in capsys.readouterr().err
    arriving = iter((LINE + b"\n" + LINE, b""))
    written: list[bytes] = []
    assert filter_questions(lambda most: next(arriving), written.append) == 2
    assert b"".join(written).count(b"\n") == 2


@given(st.lists(st.binary(max_size=40)), st.integers(1, 30))
def test_there_are_as_many_answers_as_lines_however_they_arrive(lines: list[bytes], size: int) -> None:
    data = b"\n".join(lines)
    expected = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
    chunks = [data[start : start + size] for start in range(0, len(data), size)]
    assert len(flat(chunks)) == expected
