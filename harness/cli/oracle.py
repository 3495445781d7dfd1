"""`feltrig oracle`: answers questions about the rules, one JSON object per line."""

import json
import math
import sys
import traceback
from collections.abc import Callable, Iterator
from io import BufferedReader
from typing import Any

import typer

from feltrig.engine.oracle import ask
from feltrig.harness.cli.output import let_go

CHUNK = 1 << 16
"""Most bytes read at once. A program that waits for each answer sends fewer, and gets its answer at once."""
LONGEST_LINE = 1 << 20
"""Most bytes of a question. The rest of a longer line is not kept in memory."""
LONGEST_NUMBER = 4000
"""Most digits of a number."""
LONGEST_ERROR = 500
"""Most characters of an error, which may quote what was given."""
FAILED, INTERRUPTED = 1, 130

_encode = json.JSONEncoder(allow_nan=False).encode


def oracle() -> None:
    """Answer questions about the rules.

    Reads one JSON object per line from standard input and writes one answer per line to standard output. A question
    that cannot be answered gets an object with an error.

    Exit status: 0 at the end of the input or when the reader of the answers has gone, 1 when the engine failed on a
    question, 130 when interrupted.
    """
    try:
        failed = filter_questions(_read, _write)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:  # as when piped into head
        let_go()
        return
    if failed:
        raise typer.Exit(FAILED)


def filter_questions(read: Callable[[int], bytes], write: Callable[[bytes], None]) -> int:
    """Answer every line in order, as soon as it has arrived; returns how often the engine failed."""
    failed = 0
    for lines in _batches(read):
        answers = []
        for line in lines:
            answered, sound = respond(line)
            failed += not sound
            answers.append(_text(answered))
        write("".join(answers).encode("ascii"))
    return failed


def respond(line: bytes | None) -> tuple[dict[str, Any], bool]:
    """The answer to a line, None being one that was too long, and whether the engine could give it."""
    identity = None
    try:
        question = _question(line)
        identity = question.get("id") if isinstance(question, dict) else None
        answered = ask(question)
    except _Unreadable as unreadable:
        return {"id": None, "error": str(unreadable)}, True
    except RecursionError:
        return {"id": identity, "error": "nested too deeply"}, True
    except Exception as error:  # our own mistake: it must be seen, but not cost the answers that follow
        traceback.print_exc()
        return {"id": identity, "error": f"the engine failed: {error!r}"}, False
    if len(answered.get("error", "")) > LONGEST_ERROR:
        answered["error"] = answered["error"][:LONGEST_ERROR] + " ..."
    return answered, True


class _Unreadable(Exception):
    """A line that is not JSON."""


def _question(line: bytes | None) -> Any:
    if line is None:
        raise _Unreadable(f"a line of more than {LONGEST_LINE} bytes")
    if not line.strip():
        raise _Unreadable("an empty line")
    try:
        return json.loads(line, parse_int=_whole)
    except ValueError as error:
        raise _Unreadable(f"not JSON: {error}") from None


def _whole(digits: str) -> int | float:
    """A whole number. One that Python will not read becomes infinity, which every question refuses as too large."""
    return int(digits) if len(digits) <= LONGEST_NUMBER else math.inf


def _text(answered: dict[str, Any]) -> str:
    try:
        return _encode(answered) + "\n"
    except (ValueError, RecursionError):  # the id is given back as it came, and JSON has no NaN
        return _encode({"id": None, "error": "id: cannot be given back as JSON"}) + "\n"


def _batches(read: Callable[[int], bytes]) -> Iterator[list[bytes | None]]:
    """The lines that have arrived, as they arrive; None for one that is too long."""
    rest, too_long = b"", False
    while chunk := read(CHUNK):
        *whole, rest = (rest + chunk).split(b"\n")
        lines: list[bytes | None] = [line if len(line) <= LONGEST_LINE else None for line in whole]
        if too_long and lines:
            lines[0], too_long = None, False
        if len(rest) > LONGEST_LINE:
            rest, too_long = b"", True
        yield lines
    if rest or too_long:
        yield [None if too_long else rest]


def _read(most: int) -> bytes:
    source = sys.stdin.buffer
    assert isinstance(source, BufferedReader)
    return source.read1(most)


def _write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
