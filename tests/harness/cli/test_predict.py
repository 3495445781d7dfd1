"""`feltrig predict`."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner
from weak_machines import congruential, minstd, multiplied, up

from feltrig.engine import cards
from feltrig.errors import RigError
from feltrig.harness.cli.predict import app

NAMES = cards.names(cards.deck())


def run(*args):
    return CliRunner().invoke(app, list(map(str, args)))


def written(file, decks):
    file.write_text("".join(",".join(NAMES[card] for card in deck) + "\n" for deck in decks))
    return file


@pytest.fixture
def weak(tmp_path):
    below = multiplied(minstd(4711), 2**31 - 1)
    return written(tmp_path / "weak.csv", [up(below) for _ in range(3)])


@pytest.fixture
def good(tmp_path):
    rng = np.random.default_rng(3)
    return written(tmp_path / "good.csv", [rng.permutation(52) for _ in range(3)])


def test_a_machine_that_can_be_foretold_ends_with_status_1(weak):
    result = run("shuffle", weak)
    assert result.exit_code == 1
    for words in ("foretold: MINSTD 16807", "Fisher-Yates up", "runs on", "increment 0", "dealt"):
        assert words in result.output


def test_a_good_machine_is_not_foretold_and_the_families_are_listed(good):
    result = run("shuffle", good, "--budget", "0.1", "--since", "2026-11-18")
    assert result.exit_code == 0
    for words in ("java.util.Random, seeded", "1794960000 to", "not foretold", "the time was used up"):
        assert words in result.output


def test_numbers_and_dice_are_foretold(tmp_path):
    below = multiplied(congruential(1664525, 1013904223, 1 << 32, 77))
    numbers, rolls = tmp_path / "numbers.csv", tmp_path / "rolls.csv"
    numbers.write_text("".join(f"{below(7) + 1}\n" for _ in range(100)))
    rolls.write_text("".join(f"{below(6) + 1},{below(6) + 1},{below(6) + 1}\n" for _ in range(40)))
    for sort, file in (("rng", numbers), ("dice", rolls)):
        result = run(sort, file, "--json")
        assert result.exit_code == 1
        foretold = json.loads(result.output)["foretold"]
        assert foretold["generator"] == "Numerical Recipes"
        assert foretold["foretold"] == foretold["dealt"]
        assert len(foretold["dealt"]) == 24


@pytest.mark.parametrize(
    ("sort", "text", "options", "message"),
    [
        ("shuffle", "", (), "holds no shuffles"),
        ("shuffle", ",".join(NAMES) + "\n", (), "1 shuffles; expected at least 3, of which one is kept aside"),
        ("rng", "8\n", (), "line 1: '8' is not"),
        ("rng", "1\n" * 71, (), "71 numbers; expected at least 72"),
        ("dice", "1,2,3\n" * 23, (), "23 rolls; expected at least 24"),
        ("rng", "1\n" * 72, ("--until", "2026-01-01"), "--until: expected --since as well"),
        ("rng", "1\n" * 72, ("--since", "2026-01-02", "--until", "2026-01-01"), "--until 2026-01-01: expected a day"),
        ("rng", "1\n" * 72, ("--since", "1950-01-02"), "--since 1950-01-02: expected days between 1970 and 2106"),
    ],
)
def test_bad_input_is_named_in_one_line(tmp_path, sort, text, options, message):
    file = tmp_path / "samples.csv"
    file.write_text(text)
    result = run(sort, file, *options)
    assert isinstance(result.exception, RigError)
    assert message in str(result.exception)
    assert "\n" not in str(result.exception)
