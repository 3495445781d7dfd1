"""`feltrig verify`: whether a run is what it was."""

import json

from typer.testing import CliRunner

from feltrig.harness.cli.app import app
from feltrig.harness.journal.folder import JOURNAL


def invoke(*args):
    return CliRunner().invoke(app, [*map(str, args)])


def test_a_run_that_is_as_it_was_verifies_and_one_that_was_changed_does_not(judged_run, tmp_path):
    told = invoke("verify", judged_run)
    assert told.exit_code == 0
    assert "BAD" not in told.stdout
    for name in (JOURNAL, "verdict.json"):
        (tmp_path / name).write_bytes((judged_run / name).read_bytes())
    (tmp_path / "verdict.json").write_text("{}")
    changed = invoke("verify", tmp_path, "--json")
    assert changed.exit_code == 1
    assert any(one["good"] is False for one in json.loads(changed.stdout))
