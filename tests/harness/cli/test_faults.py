"""`feltrig faults` on the terminal and for programs."""

import json
import re

import pytest
import typer
from typer.testing import CliRunner

from feltrig.emulators.models import fault_types
from feltrig.errors import RigError
from feltrig.harness.cli.faults import COLUMNS, faults

WIDE = {"COLUMNS": "400", "NO_COLOR": "1"}


@pytest.fixture
def run():
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(faults)

    def invoke(*arguments: str) -> str:
        result = CliRunner().invoke(app, arguments, env=WIDE, catch_exceptions=False)
        assert result.exit_code == 0
        return result.stdout

    return invoke


def test_every_fault_of_every_device_is_listed_with_all_that_is_known_of_it(run):
    heading, *lines = run().splitlines()
    assert re.split(r"  +", heading.strip()) == list(COLUMNS)
    rows = [(kind, what, entry) for kind, known in fault_types().items() for what, entry in known.items()]
    assert len(lines) == len(rows)
    for line, (kind, what, entry) in zip(lines, rows, strict=True):
        assert line.split()[:3] == [kind, what, entry.operation]
        assert entry.expected in line
        assert entry.effect.split("`seconds`")[-1] in line
        assert line.rstrip().endswith(", ".join(entry.rules))


def test_the_usual_length_of_a_fault_that_lasts_is_shown(run):
    (line,) = [line for line in run("--device", "rng").splitlines() if line.startswith("rng     power_loss ")]
    assert "is off for `seconds` (0.2) instead of" in line


@pytest.mark.parametrize("kind", fault_types())
def test_one_kind_of_device_can_be_chosen(run, kind):
    listed = json.loads(run("--device", kind, "--json"))
    assert [(row["device"], row["fault"]) for row in listed] == [(kind, what) for what in fault_types()[kind]]


def test_programs_get_the_same_as_json(run):
    listed = json.loads(run("--json"))
    assert len(listed) == sum(map(len, fault_types().values()))
    for row in listed:
        entry = fault_types()[row.pop("device")][row.pop("fault")]
        assert row == {
            "strikes": entry.operation,
            "effect": entry.effect,
            "seconds": entry.seconds,
            "expected": entry.expected,
            "clauses": list(entry.rules),
        }


def test_on_a_narrow_terminal_no_name_of_a_fault_is_cut(run, monkeypatch):
    monkeypatch.setitem(WIDE, "COLUMNS", "80")
    table = run()
    assert all(what in table for known in fault_types().values() for what in known)


def test_an_unknown_kind_is_refused_with_one_line():
    with pytest.raises(RigError, match=r"^--device: 'wheel' is not 'rng', 'shaker', 'shuffler', 'shoe' or 'reader'$"):
        faults("wheel")
