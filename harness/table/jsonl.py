"""Prompts for a program: each is one JSON object on a line of standard output, and its answer one on standard input."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from feltrig.harness.table.prompts import Answer, Prompt
from feltrig.harness.table.terminal import next_line

NextLine = Callable[[], Awaitable[str]]


class JsonLines:
    """Puts prompts as JSON. `write` sends a line, `read` gets the next one; by default standard output and input."""

    def __init__(
        self, patience: float, write: Callable[[str], None] | None = None, read: NextLine | None = None
    ) -> None:
        typed = bytearray()
        self._write = write or (lambda line: print(line, flush=True))
        self._read: NextLine = read or (lambda: next_line(typed, patience))

    async def ask(self, prompt: Prompt) -> Answer:
        """The answer to a prompt. A line that is none is refused with an error, and the next one is read."""
        self._write(json.dumps(as_json(prompt), ensure_ascii=False))
        while True:
            line = await self._read()
            if not line.strip():
                continue
            try:
                return answer(line, prompt)
            except ValueError as error:
                self._refuse(prompt, str(error))

    def reject(self, prompt: Prompt, why: str) -> None:
        """The prompt comes again after this error."""
        self._refuse(prompt, why)

    def _refuse(self, prompt: Prompt, why: str) -> None:
        self._write(json.dumps({"id": prompt.id, "error": why}, ensure_ascii=False))


def as_json(prompt: Prompt) -> dict[str, Any]:
    """A prompt as the line has it."""
    return {
        "id": prompt.id,
        "what": prompt.what,
        "where": dict(prompt.where),
        "task": prompt.task,
        "step": prompt.step,
        "of": prompt.of,
        "text": prompt.text,
        "then": prompt.then,
        "expected": prompt.asks or "done",
        "choices": list(prompt.choices),
    }


def answer(line: str, prompt: Prompt) -> Answer:
    """The answer on a line. Raises ValueError with what is wrong with it."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from error
    if not isinstance(document, dict):
        raise ValueError('not an object, as in {"id": 1, "answer": "done"}')
    if document.get("id") != prompt.id:
        raise ValueError(f"id: {document.get('id')!r} is not {prompt.id}, the prompt that waits for an answer")
    said = document.get("answer")
    if isinstance(said, int) and not isinstance(said, bool):
        said = str(said)
    if not isinstance(said, str):
        raise ValueError(f"answer: {said!r} is not a text")
    who, note = document.get("who", ""), document.get("note", "")
    if not isinstance(who, str) or not isinstance(note, str):
        raise ValueError("who, note: expected a text")
    return Answer(said, who, note)
