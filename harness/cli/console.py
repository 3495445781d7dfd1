"""The terminal, or the file, that commands show tables on."""

import json
from collections.abc import Iterable

import rich.console
from rich.table import Column, Table
from rich.text import Text


class Console(rich.console.Console):
    """Says that nobody reads on as `print` does; Rich's own way ends the program wherever it is, with the status of a
    refusal."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def table(columns: Iterable[str | Column], rows: Iterable[Iterable[str | Text]]) -> Table:
    """A table without lines. Brackets in its cells are no markup."""
    made = Table(*columns, box=None, pad_edge=False)
    for row in rows:
        made.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return made


def whole(heading: str) -> Column:
    """A column whose cells are never broken into lines."""
    return Column(heading, no_wrap=True)


def show_table(listed: Table, plain: object, as_json: bool) -> None:
    """Print a table, or the same as plain values in JSON."""
    if as_json:
        print(json.dumps(plain, indent=2))
    else:
        Console().print(listed)
