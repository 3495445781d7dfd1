"""docs/statistics.md lists what is looked for, as the tables of tests have it."""

from pathlib import Path

import pytest

from feltrig.harness.statistics import SAMPLES

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
TITLES = {"shuffles": "Shuffles", "numbers": "Numbers", "rolls": "Rolls of dice"}


@pytest.mark.parametrize("sort", SAMPLES)
def test_the_page_lists_every_row_with_what_it_has(sort):
    reference = PAGE.read_text(encoding="utf-8").partition("## Reference: what is looked for")[2]
    section = reference.partition(f"### {TITLES[sort]}\n")[2].partition("#")[0]
    table = [line for line in section.splitlines() if line.startswith("| ")][1:]
    yes = {True: "yes", False: "no"}
    assert table == [
        f"| {row.name} | {row.looks_for} | {yes[bool(row.fixed)]} | {yes[bool(row.sequential)]} |"
        for row in SAMPLES[sort].rows
    ]
