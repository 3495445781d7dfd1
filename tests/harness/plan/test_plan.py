"""Plans are data: what they say is read from their tables, has a digest, and is shown before anything is done."""

import json
from dataclasses import asdict, fields, replace

import pytest
from typer.testing import CliRunner

from feltrig.errors import RigError
from feltrig.harness.cli.app import app
from feltrig.harness.devices import DEVICES
from feltrig.harness.plan.order import plan_order
from feltrig.harness.plan.plan import NamedTest, Sampling, from_record, plan, plans
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.statistics import SAMPLES
from feltrig.protocols.kinds import KINDS

KINDS_JUDGED = ("shuffler", "shoe", "rng", "shaker")
STANDARDS = ("nj", "ma", "gli")


def invoke(*args):
    return CliRunner().invoke(app, args)


def test_there_is_a_plan_for_each_kind_under_each_standard():
    assert set(plans()) == {f"{kind}-{standard}" for kind in KINDS_JUDGED for standard in STANDARDS}
    assert all(found.name == name and found.kind == name.partition("-")[0] for name, found in plans().items())


@pytest.mark.parametrize("name", plans())
def test_what_a_plan_names_exists(name):
    found = plan(name)
    assert 0 < found.level < 1
    assert found.rounds >= 1
    assert (found.sampling is not None) == (DEVICES[found.kind].sampler is not None)
    for limit in found.limits:
        assert limit.most > 0
        assert 0 < limit.margin < 1
        assert limit.of == "answer" or (limit.of in DEVICES[found.kind].operations)


@pytest.mark.parametrize("name", [name for name, found in plans().items() if found.sampling])
def test_every_test_that_a_standard_names_is_one_of_ours(name):
    rows = SAMPLES[DEVICES[plan(name).kind].sampler.samples].rows
    made = {row.name for row in rows if row.fixed is not None}
    for test in plan(name).sampling.tests:
        assert test.by
        assert made.issuperset(test.by), test.name


def test_the_tests_of_a_standard_are_data():
    named = {test.name for test in plan("rng-gli").sampling.tests}
    assert {"total distribution", "coupon collector", "serial correlation", "duplicates"} <= named
    assert plan("rng-ma").sampling.tests == ()
    assert "coupon collector" in invoke("plan", "show", "rng-gli", "--json").output


@pytest.mark.parametrize("kind", DEVICES)
def test_what_ends_an_operation_is_an_event_of_the_same_kind(kind):
    assert set(DEVICES[kind].operations) <= set(KINDS[kind].commands)
    assert set(DEVICES[kind].operations.values()) <= set(KINDS[kind].events)


def test_an_unknown_plan_is_named_beside_the_known_ones():
    with pytest.raises(RigError, match=r"--plan wheel-nv: no such plan; expected one of shuffler-nj, shuffler-ma"):
        plan("wheel-nv")


CHANGES = [
    {"level": 0.05},
    {"rounds": 3},
    {"drills": False},
    {"sampling": None},
    {"sampling": Sampling(1025, 64, 2, 45.0, "shuffles")},
    {"sampling": Sampling(1280, 64, 2, 45.0, "shuffles", (NamedTest("runs", ("rising sequences",)),))},
    {"limits": ()},
    {"jurisdiction": "MA"},
    {"title": "another"},
    {"kind": "shoe"},
    {"name": "another"},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_whatever_is_changed_in_a_plan_changes_its_digest(change):
    assert replace(plan("shuffler-nj"), **change).digest != plan("shuffler-nj").digest


def test_every_field_of_a_plan_is_among_those_changes():
    assert {name for change in CHANGES for name in change} == {f.name for f in fields(plan("shuffler-nj"))}


@pytest.mark.parametrize("name", plans())
def test_a_plan_comes_back_from_its_record_the_same(name):
    record = json.loads(json.dumps(asdict(plan(name))))
    assert from_record(record) == plan(name)
    assert from_record(record).digest == plan(name).digest


def test_the_list_has_every_plan_with_its_digest():
    listed = json.loads(invoke("plan", "list", "--json").stdout)
    assert {row["name"]: row["digest"] for row in listed} == {name: p.digest for name, p in plans().items()}
    table = invoke("plan", "list").stdout
    assert all(name in table for name in plans())


def test_what_a_plan_will_do_is_shown_with_its_clauses_and_counts():
    shown = json.loads(invoke("plan", "show", "shuffler-nj", "--json").stdout)
    assert shown["digest"] == plan("shuffler-nj").digest
    steps = {step["step"]: step for step in shown["steps"]}
    assert steps["statistics"]["count"] == "1280 shuffles"
    assert steps["statistics"]["seconds"] == 1280 * 45.0
    assert steps["statistics"]["clauses"] == ["19:47-34.6(a)"]
    assert [s["what"] for s in shown["steps"] if s["step"] == "irregularity"] == [
        "reports a missing card",
        "reports an extra card",
        "reports a jam, and works again",
    ]
    assert "shuffler-nj: shuffler, New Jersey" in invoke("plan", "show", "shuffler-nj").stdout


def test_a_plan_without_samples_shows_no_statistics():
    shown = json.loads(invoke("plan", "show", "shoe-ma", "--json").stdout)
    assert "statistics" not in {step["step"] for step in shown["steps"]}


def test_an_unknown_plan_is_not_shown():
    result = invoke("plan", "show", "wheel-nv")
    assert isinstance(result.exception, RigError)
    assert "wheel-nv" in str(result.exception)


def test_a_plan_is_not_run_by_the_rules_of_another_jurisdiction():
    rig = rigfile.embedded(jurisdiction="MA")
    with pytest.raises(RigError, match=r"game\.jurisdiction: the rules of MA are not those of plan rng-nj"):
        plan_order(rig, plan("rng-nj"))
    assert plan_order(rig, plan("rng-ma")).device == plan_order(rig, plan("rng-gli")).device == "rng"


def test_the_embedded_rig_plays_by_the_rules_of_the_plan(tmp_path):
    shown = {standard: json.loads(invoke("plan", "show", f"rng-{standard}", "--json").stdout) for standard in STANDARDS}
    cited = {standard: shown[standard]["steps"][1]["clauses"][0] for standard in STANDARDS}
    assert cited == {"nj": "19:47-34.4(a)2", "ma": "MA SPG 4(a)(2)", "gli": "19:47-34.4(a)2"}
    absent = invoke("certify", "--plan", "shuffler-ma", "--game", "let_it_ride", "--out", str(tmp_path))
    assert str(absent.exception) == "embedded.toml: MA has no let_it_ride"
    assert rigfile.reopen(None, "supreme_pai_gow", "MA") == rigfile.embedded(jurisdiction="MA")


def test_a_plan_with_irregularities_is_not_run_where_none_is_provoked():
    rig = rigfile.embedded()
    rig = replace(rig, game=replace(rig.game, shuffler_counts=False))
    with pytest.raises(RigError, match=r"game\.shuffler_counts: false, and plan shuffler-nj has irregularities"):
        plan_order(rig, plan("shuffler-nj"))
    assert plan_order(rig, plan("shoe-nj")).device == "shoe"


def test_no_plan_is_shown_for_a_game_that_has_no_use_for_the_device():
    result = invoke("plan", "show", "shuffler-nj", "--game", "roulette")
    assert "the game with these options does not use the shuffler" in str(result.exception)
