"""docs/matrix.md says what is so: every cell is played again."""

import importlib.util
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def _script():
    spec = importlib.util.spec_from_file_location("matrix", DOCS / "matrix.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


matrix = _script()


def _on_page() -> dict[tuple[str, str], str]:
    """The text of each cell, by device and wire."""
    rows = [line.strip("| ").split(" | ") for line in (DOCS / "matrix.md").read_text().splitlines() if "|" in line]
    head = next(row for row in rows if "MQTT 5" in row)
    devices = [row for row in rows if row[0] in matrix.KINDS]
    return {(row[0], wire): text for row in devices for wire, text in zip(head, row[1:], strict=True)}


def test_the_page_has_a_cell_for_every_device_on_every_wire():
    assert set(_on_page()) == set(matrix.CELLS)
    assert {len(matrix.KINDS), len(matrix.WIRES)} == {5, 6}


@pytest.mark.parametrize("wire", matrix.WIRES)
async def test_what_is_played_is_what_the_page_says(wire):
    played = await matrix.play_all([cell for cell in matrix.CELLS if cell.wire == wire])
    page = _on_page()
    assert {cell: str(result) for cell, result in played.items()} == {cell: page[cell] for cell in played}


def test_the_page_says_that_every_cell_is_certified_with_every_fault_of_its_wire():
    certified = {
        c: matrix.Played(matrix.ROUNDS, "no failure seen", len(c.noises), "no failure seen") for c in matrix.CELLS
    }
    assert (DOCS / "matrix.md").read_text() == matrix.rendered(certified), "docs/matrix.md is stale: run `make matrix`"
