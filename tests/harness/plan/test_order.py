"""A plan ordered of a rig: which jurisdiction and irregularities it needs."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from feltrig.errors import RigError
from feltrig.harness.cli.app import app
from feltrig.harness.plan.order import plan_order
from feltrig.harness.plan.plan import plan
from feltrig.harness.rig import loading as rigfile

STANDARDS = ("nj", "ma", "gli")


def invoke(*args):
    return CliRunner().invoke(app, args)


def test_a_plan_is_not_run_by_the_rules_of_another_jurisdiction():
    rig = rigfile.embedded(jurisdiction="MA")
    with pytest.raises(RigError, match=r"game\.jurisdiction: .MA. does not fit plan rng-nj"):
        plan_order(rig, plan("rng-nj"))
    assert plan_order(rig, plan("rng-ma")).device == plan_order(rig, plan("rng-gli")).device == "rng"


def test_the_embedded_rig_plays_by_the_rules_of_the_plan(tmp_path):
    shown = {standard: json.loads(invoke("plan", "show", f"rng-{standard}", "--json").stdout) for standard in STANDARDS}
    cited = {standard: shown[standard]["steps"][1]["clauses"][0] for standard in STANDARDS}
    assert cited == {"nj": "19:47-34.4(a)2", "ma": "MA SPG 4(a)(2)", "gli": "19:47-34.4(a)2"}
    absent = invoke("certify", "--plan", "shuffler-ma", "--game", "let_it_ride", "--out", str(tmp_path))
    assert str(absent.exception) == "embedded.toml: let_it_ride is not played in MA"
    assert rigfile.reopen(None, "supreme_pai_gow", "MA") == rigfile.embedded(jurisdiction="MA")


def test_a_plan_with_irregularities_is_not_run_where_none_is_provoked():
    rig = rigfile.embedded()
    rig = replace(rig, game=replace(rig.game, shuffler_counts=False))
    with pytest.raises(
        RigError, match=r"game\.shuffler_counts: is false, but plan shuffler-nj provokes irregularities"
    ):
        plan_order(rig, plan("shuffler-nj"))
    assert plan_order(rig, plan("shoe-nj")).device == "shoe"
