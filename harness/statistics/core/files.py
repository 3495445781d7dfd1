"""Files of samples that a laboratory already has: CSV or JSON Lines, one draw, roll or shuffle per line."""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from feltrig.engine import cards
from feltrig.harness.statistics.core.p_values import Ints


class BadSample(ValueError):
    """A file that cannot be read as samples: file, line, value, what was expected."""


@dataclass(frozen=True, slots=True)
class SampleLine:
    """One line of a file: its number, and its cells by column name, or in order when there are no names."""

    file: Path
    number: int
    cells: dict[str, Any] | list[Any]

    def bad(self, value: object, expected: str) -> BadSample:
        """The error that names this line."""
        return BadSample(f"{self.file}: line {self.number}: {_short(value)} is not {expected}")

    def wrong(self, what: str) -> BadSample:
        """The error that this line has, or is, something else than expected."""
        return BadSample(f"{self.file}: line {self.number}: {what}")

    def take(self, columns: Iterable[str]) -> Any:
        """The value under the first of these names that the line has, None when it has none of them."""
        if isinstance(self.cells, list):
            return None
        return next((self.cells[column] for column in columns if column in self.cells), None)


def lines(file: Path, columns: Iterable[str]) -> Iterator[SampleLine]:
    """The lines of a file that are not blank; `columns` are the names by which a first line of CSV is a header."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise BadSample(f"{file}: cannot be read: {why}") from None
    yield from _json(file, text) if text.lstrip()[:1] in ("{", "[") else _csv(file, text, set(columns))


def _json(file: Path, text: str) -> Iterator[SampleLine]:
    for number, row in enumerate(text.splitlines(), 1):
        if not row.strip():
            continue
        try:
            value = json.loads(row)
        except json.JSONDecodeError as error:
            raise BadSample(f"{file}: line {number}: {_short(row)} is not JSON: {error.msg}") from None
        yield SampleLine(file, number, value if isinstance(value, (dict, list)) else [value])


def _csv(file: Path, text: str, columns: set[str]) -> Iterator[SampleLine]:
    header: list[str] | None = None
    reader = csv.reader(text.splitlines(), skipinitialspace=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if header is None:
                names = [cell.lower() for cell in cells]
                header = names if columns.intersection(names) else []
                if header or not any(cell[:1].isdigit() or is_card(cell) for cell in cells):
                    continue
            if header and len(cells) != len(header):
                raise SampleLine(file, reader.line_num, cells).wrong(f"{len(cells)} of {len(header)} cells")
            yield SampleLine(file, reader.line_num, dict(zip(header, cells, strict=True)) if header else cells)
    except csv.Error as error:
        raise BadSample(f"{file}: line {reader.line_num}: not CSV: {error}") from None


def listed(cells: Any) -> list[Any]:
    """Cells of a list, or of one text with spaces between."""
    if isinstance(cells, list) and len(cells) == 1 and isinstance(cells[0], str):
        return cells[0].split()
    if isinstance(cells, str):
        return cells.split()
    return cells if isinstance(cells, list) else [cells]


def whole(line: SampleLine, value: Any, low: int, high: int, what: str) -> int:
    """A whole number in a range; `what` is what the error calls it."""
    try:
        whole = int(value) if isinstance(value, str) else value
    except ValueError:
        whole = None
    if isinstance(whole, bool) or not isinstance(whole, int) or not low <= whole <= high:
        raise line.bad(value, f"{what} from {low} to {high}")
    return whole


def is_card(text: str) -> bool:
    """Whether this is the name of a card."""
    try:
        cards.parse(text)
    except cards.BadCard:
        return False
    return True


def some(file: Path, rows: list[Any], what: str) -> Ints:
    """The rows of a file as an array; there must be at least one."""
    if not rows:
        raise BadSample(f"{file}: holds no {what}")
    return np.array(rows, dtype=np.int64)


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return repr(text) if len(text) <= 40 else repr(text[:37] + "...")
