"""Prompts on a terminal: wrapped lines, answered by a key and Enter."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from shutil import get_terminal_size
from textwrap import fill

from feltrig.harness.devices.failures import Stalled
from feltrig.harness.table.prompts import CANNOT, DONE, KEYS, OPERATOR, REDO, WRONG, Answer, Prompt

Ask = Callable[[str], Awaitable[str]]
"""Shows a prompt and returns the line that was typed."""

WIDEST = 100
"""Columns of a prompt on a wide terminal: longer lines are hard to read."""

TYPED = {"": DONE, "r": REDO, "x": CANNOT, "w": WRONG}
"""What can be typed for something to do. After the letter, a remark can follow."""

SHORT = {DONE: "done", REDO: "do this task again", CANNOT: "cannot be done", WRONG: "something is wrong"}


class Words:
    """Puts prompts as text, by a function that shows a line and returns the one that was typed."""

    def __init__(self, ask: Ask, who: str = "") -> None:
        self._ask = ask
        self._who = who

    async def ask(self, prompt: Prompt) -> Answer:
        """The answer to a prompt, not checked yet."""
        typed = (await self._ask(shown(prompt))).strip()
        key, _, note = typed.partition(" ")
        letter = key.lower()
        if letter in TYPED and TYPED[letter] in prompt.choices:
            return Answer(TYPED[letter], self._who, note.strip())
        return Answer(typed, self._who)

    def reject(self, prompt: Prompt, why: str) -> None:
        """Nothing: the prompt that comes again says it."""


def shown(prompt: Prompt) -> str:
    """A prompt as a terminal shows it: no word is broken."""
    wide = min(get_terminal_size().columns, WIDEST) - 1
    paragraphs = [f"[{prompt.heading}]", prompt.text, prompt.then and f"Then: {prompt.then}"]
    if prompt.complaint:
        paragraphs.insert(0, prompt.complaint)
    paragraphs.append(_keys(prompt))
    return "\n".join(_wrapped(paragraph, wide) for paragraph in paragraphs if paragraph) + " "


def _keys(prompt: Prompt) -> str:
    keys = [f"{KEYS[choice]}: {SHORT[choice]}" for choice in prompt.choices if choice in SHORT]
    return "; ".join([prompt.asks, *keys] if prompt.asks else keys) + ">"


def _wrapped(text: str, wide: int) -> str:
    return fill(text, wide, break_long_words=False, break_on_hyphens=False)


def terminal(patience: float) -> Ask:
    """Prompts on this process's terminal. A technician who does not answer within the patience stalls the run."""
    typed = bytearray()  # what came after the line that was asked for, as when answers are piped in

    async def ask(prompt: str) -> str:
        print(prompt, end="", file=sys.stderr, flush=True)  # standard output is for the verdict
        return await next_line(typed, patience)

    return ask


async def next_line(typed: bytearray, patience: float) -> str:
    """The next line of standard input. `typed` keeps what came behind it. Raises Stalled."""
    try:
        async with asyncio.timeout(patience):
            while b"\n" not in typed:
                typed.extend(await _keyboard())
    except TimeoutError:
        raise Stalled(OPERATOR, "answer", f"within {patience:g} s") from None
    line, _, rest = bytes(typed).partition(b"\n")
    typed[:] = rest
    return line.decode(errors="replace")


async def _keyboard() -> bytes:
    """The next bytes from standard input, read without blocking anything else."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    keyboard = sys.stdin.fileno()

    def typed() -> None:
        if not ready.done():
            ready.set_result(None)

    try:
        loop.add_reader(keyboard, typed)
    except PermissionError:
        pass  # a regular file is always ready, and cannot be watched
    else:
        try:
            await ready
        finally:
            loop.remove_reader(keyboard)
    data = os.read(keyboard, 4096)
    if not data:
        raise Stalled(OPERATOR, "answer", "before the terminal was closed")
    return data
