"""`feltrig runs`: what runs there are."""

import json

from typer.testing import CliRunner

from feltrig.harness.cli.app import app


def invoke(*args):
    return CliRunner().invoke(app, [*map(str, args)])


def test_runs_are_listed_for_people_and_for_programs(judged_run):
    (listed,) = json.loads(invoke("runs", judged_run.parent, "--json").stdout)
    assert (listed["game"], listed["rounds"], listed["signed"]) == ("supreme_pai_gow", 1, False)
    assert judged_run.name in invoke("runs", judged_run.parent).stdout
