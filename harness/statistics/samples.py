"""Reads samples that a lab already has: CSV or JSON Lines, one draw, roll or shuffle per line."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltrig.engine import cards

Ints = NDArray[np.int64]

NUMBER_COLUMNS = ("number", "value", "draw", "result")
DICE_COLUMNS = ("dice", "roll", "faces")
AFTER_COLUMNS = ("after", "deck", "cards", "shuffle")
BEFORE_COLUMNS = ("before", "loaded", "input")


class BadSample(ValueError):
    """A file that cannot be read as samples: file, line, value, what was expected."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its number, and its cells by column name, or in order when there are no names."""

    file: Path
    number: int
    cells: dict[str, Any] | list[Any]

    def bad(self, value: object, expected: str) -> BadSample:
        """The error that names this line."""
        return BadSample(f"{self.file}: line {self.number}: {_short(value)} is not {expected}")

    def take(self, columns: Iterable[str]) -> Any:
        """The value under the first of these names that the line has, None when it has none of them."""
        if isinstance(self.cells, list):
            return None
        return next((self.cells[column] for column in columns if column in self.cells), None)


@dataclass(frozen=True, slots=True)
class Decks:
    """Shuffled decks as they came, one row each, and the order in which each was loaded where the file says so."""

    after: Ints
    before: Ints | None


def numbers(file: Path, highest: int = 7) -> Ints:
    """Draws 1 to `highest`, in order; a line may hold several."""
    drawn = []
    for line in lines(file, NUMBER_COLUMNS):
        cells = line.take(NUMBER_COLUMNS) if isinstance(line.cells, dict) else line.cells
        if cells is None:
            raise line.bad(line.cells, f"a draw: expected a column {' or '.join(NUMBER_COLUMNS)}")
        drawn += [
            _whole(line, value, 1, highest, "a number") for value in (cells if isinstance(cells, list) else [cells])
        ]
    return _some(file, drawn, "draws")


def rolls(file: Path, dice: int = 3, faces: int = 6) -> Ints:
    """Rolls, one row each: the faces of the dice in the order in which the file has them."""
    rolled = []
    for line in lines(file, DICE_COLUMNS):
        cells = line.take(DICE_COLUMNS)
        if cells is None:
            cells = list(line.cells.values()) if isinstance(line.cells, dict) else line.cells
        cells = _listed(cells)
        if len(cells) != dice:
            raise line.bad(cells, f"a roll of {dice} dice")
        rolled.append([_whole(line, value, 1, faces, "a face") for value in cells])
    return _some(file, rolled, "rolls")


def decks(file: Path) -> Decks:
    """Shuffled decks: names of cards such as Td, or numbers from 0; all of one size."""
    after: list[list[int]] = []
    before: list[list[int]] = []
    for line in lines(file, AFTER_COLUMNS + BEFORE_COLUMNS):
        shuffled = line.take(AFTER_COLUMNS) if isinstance(line.cells, dict) else line.cells
        if shuffled is None:
            raise line.bad(line.cells, f"a shuffle: expected a column {' or '.join(AFTER_COLUMNS)}")
        deck = [_card(line, value) for value in _listed(shuffled)]
        if len(deck) != len(after[0] if after else deck) or len(deck) < 2:
            raise line.bad(
                f"a deck of {len(deck)} cards", f"a deck of {len(after[0])}" if after else "a deck of two or more"
            )
        loaded = line.take(BEFORE_COLUMNS)
        if after and (loaded is None) == bool(before):
            raise line.bad(loaded, "on every line or on none: the order in which the deck was loaded")
        if loaded is not None:
            order = [_card(line, value) for value in _listed(loaded)]
            if sorted(order) != sorted(deck):
                raise line.bad("the shuffled deck", "the loaded one in another order: the cards differ")
            before.append(order)
        elif after and sorted(deck) != sorted(after[0]):
            raise line.bad("the deck", "made of the same cards as the first one")
        after.append(deck)
    return Decks(_some(file, after, "shuffles"), np.array(before, dtype=np.int64) if before else None)


def lines(file: Path, columns: Iterable[str]) -> Iterator[Line]:
    """The lines of a file that are not blank; `columns` are the names by which a first line of CSV is a header."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSample(
            f"{file}: cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}"
        ) from None
    read: Callable[[Path, str, Iterable[str]], Iterator[Line]] = _json if text.lstrip()[:1] in ("{", "[") else _csv
    yield from read(file, text, columns)


def _json(file: Path, text: str, columns: Iterable[str]) -> Iterator[Line]:
    for number, row in enumerate(text.splitlines(), 1):
        if not row.strip():
            continue
        try:
            value = json.loads(row)
        except json.JSONDecodeError as error:
            raise BadSample(f"{file}: line {number}: {_short(row)} is not JSON: {error.msg}") from None
        yield Line(file, number, value if isinstance(value, (dict, list)) else [value])


def _csv(file: Path, text: str, columns: Iterable[str]) -> Iterator[Line]:
    known, header = set(columns), None
    reader = csv.reader(text.splitlines(), skipinitialspace=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if header is None:
                header = [cell.lower() for cell in cells]
                if known.intersection(header):
                    continue
                if not any(cell[:1].isdigit() or _is_card(cell) for cell in cells):
                    header = []
                    continue
                header = []
            if header and len(cells) != len(header):
                raise Line(file, reader.line_num, cells).bad(f"a line of {len(cells)} cells", f"one of {len(header)}")
            yield Line(file, reader.line_num, dict(zip(header, cells, strict=True)) if header else cells)
    except csv.Error as error:
        raise BadSample(f"{file}: line {reader.line_num}: not CSV: {error}") from None


def _listed(cells: Any) -> list[Any]:
    """Cells of a list, or of one text with spaces between."""
    if isinstance(cells, list) and len(cells) == 1 and isinstance(cells[0], str):
        return cells[0].split()
    if isinstance(cells, str):
        return cells.split()
    return cells if isinstance(cells, list) else [cells]


def _whole(line: Line, value: Any, low: int, high: int, what: str) -> int:
    try:
        whole = int(value) if isinstance(value, str) else value
    except ValueError:
        whole = None
    if isinstance(whole, bool) or not isinstance(whole, int) or not low <= whole <= high:
        raise line.bad(value, f"{what} from {low} to {high}")
    return whole


def _card(line: Line, value: Any) -> int:
    if isinstance(value, str) and _is_card(value):
        return int(cards.parse(value))
    return _whole(line, value, 0, 10_000, "a card such as Td, or its number")


def _is_card(text: str) -> bool:
    try:
        cards.parse(text)
    except cards.BadCard:
        return False
    return True


def _some(file: Path, rows: list[Any], what: str) -> Ints:
    if not rows:
        raise BadSample(f"{file}: holds no {what}")
    return np.array(rows, dtype=np.int64)


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return repr(text) if len(text) <= 40 else repr(text[:37] + "...")
