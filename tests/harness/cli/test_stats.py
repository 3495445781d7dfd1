"""`feltrig stats shuffle`."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from feltrig.engine import cards
from feltrig.errors import RigError
from feltrig.harness.cli.stats import app
from feltrig.harness.statistics import SAMPLES

NAMES = cards.names(cards.deck())


def run(*args):
    return CliRunner().invoke(app, ["shuffle", *map(str, args)])


@pytest.fixture
def good(tmp_path):
    rng = np.random.default_rng(3)
    file = tmp_path / "good.csv"
    file.write_text("".join(",".join(NAMES[card] for card in rng.permutation(52)) + "\n" for _ in range(12)))
    return file


@pytest.fixture
def bad(tmp_path):
    """A machine that only cuts, loaded as it last came out."""
    file = tmp_path / "bad.jsonl"
    file.write_text("".join(json.dumps(np.roll(np.arange(52), -shift * shift).tolist()) + "\n" for shift in range(6)))
    return file


def test_a_good_sample_is_not_refused(good):
    result = run(good)
    assert result.exit_code == 0
    assert "not refused at level 0.01" in result.output
    assert "12 shuffles" in result.output
    assert "turning points" in result.output


def test_a_bad_sample_is_refused_with_status_1(bad):
    for options in ((), ("--loaded", "previous"), ("--sequential",)):
        result = run(bad, *options)
        assert result.exit_code == 1
        assert "refused at level 0.01" in result.output


def test_the_sequential_test_stops_when_it_has_enough(bad):
    record = json.loads(run(bad, "--sequential", "--json").output)
    assert record["sample"] == 1
    assert record["refused"]


def test_json_says_everything(good):
    record = json.loads(run(good, "--json", "--level", "0.05").output)
    assert (record["level"], record["sample"], record["unit"]) == (0.05, 12, "shuffles")
    assert len(record["outcomes"]) == sum(row.fixed is not None for row in SAMPLES["shuffles"].rows)
    assert {"test", "looks_for", "statistic", "p", "sample", "detectable"} <= set(record["outcomes"][0])


def test_a_bad_file_is_named_in_one_line(tmp_path, good):
    file = tmp_path / "double.csv"
    file.write_text(",".join((*NAMES[:51], "2c")) + "\n")
    for bad, message in ((file, "double.csv: 2c comes 2 times"), (tmp_path / "none.csv", "cannot be read")):
        result = run(bad)
        assert isinstance(result.exception, RigError)
        assert message in str(result.exception)
        assert "\n" not in str(result.exception)


@pytest.mark.parametrize("options", [(), ("--sequential",)])
def test_a_deck_that_is_too_small_for_the_tests_is_bad_input(tmp_path, options):
    file = tmp_path / "small.jsonl"
    file.write_text('{"before":[1,2],"after":[2,1]}\n')
    result = run(file, *options)
    assert isinstance(result.exception, RigError)
    assert str(result.exception) == f"{file}: a deck of 2 cards: expected 10 or more"
