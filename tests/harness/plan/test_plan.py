"""Plans are data: what they say is read from their tables, has a digest, and is shown before anything is done."""

import json
from dataclasses import asdict, fields, replace

import pytest
from typer.testing import CliRunner

from feltrig.errors import RigError
from feltrig.harness.cli.app import app
from feltrig.harness.devices import DEVICES
from feltrig.harness.plan.needs import NO_NEEDS
from feltrig.harness.plan.plan import NamedTest, Sampling, from_record, plan, plans
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
    with pytest.raises(RigError, match=r"plan wheel-nv: no such plan; expected one of shuffler-nj, shuffler-ma"):
        plan("wheel-nv")


CHANGES = [
    {"level": 0.05},
    {"rounds": 3},
    {"rounds_after": 2},
    {"drills": False},
    {"sampling": None},
    {"sampling": Sampling(1025, 64, 2, 45.0, "shuffles")},
    {"sampling": Sampling(1280, 64, 2, 45.0, "shuffles", (NamedTest("runs", ("rising sequences",)),))},
    {"limits": ()},
    {"jurisdiction": "MA"},
    {"title": "another"},
    {"kind": "shoe"},
    {"name": "another"},
    {"base": "shuffler-ma"},
    {"least_rounds": 3},
    {"least": (("shuffled", 3),)},
    {"steps": ("rounds",)},
    {"needs": NO_NEEDS},
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


@pytest.mark.parametrize("name", plans())
def test_what_an_older_journal_does_not_say_of_a_plan_is_as_it_is_today(name):
    record = json.loads(json.dumps(asdict(plan(name))))
    for field in ("base", "least", "steps", "needs"):
        del record[field]
    assert from_record(record) == plan(name)
