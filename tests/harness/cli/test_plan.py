"""`feltrig plan`: the list of plans, and what one of them will do."""

import json

from typer.testing import CliRunner

from feltrig.errors import RigError
from feltrig.harness.cli.app import app
from feltrig.harness.devices import DEVICES
from feltrig.harness.plan.plan import plan, plans


def invoke(*args):
    return CliRunner().invoke(app, args)


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
    assert steps["statistics"]["prompts"] == 2640
    assert steps["statistics"]["seconds"] == 1280 * 28.0 + 2640 * 8.0
    assert steps["statistics"]["clauses"] == ["19:47-34.6(a)"]
    assert [s["what"] for s in shown["steps"] if s["step"] == "irregularity"] == [
        drill.name for drill in DEVICES["shuffler"].drills
    ]
    assert "shuffler-nj: shuffler, New Jersey" in invoke("plan", "show", "shuffler-nj").stdout


def test_a_plan_without_samples_shows_no_statistics():
    shown = json.loads(invoke("plan", "show", "shoe-ma", "--json").stdout)
    assert "statistics" not in {step["step"] for step in shown["steps"]}


def test_an_unknown_plan_is_not_shown():
    result = invoke("plan", "show", "wheel-nv")
    assert isinstance(result.exception, RigError)
    assert "wheel-nv" in str(result.exception)


def test_no_plan_is_shown_for_a_game_that_has_no_use_for_the_device():
    result = invoke("plan", "show", "shuffler-nj", "--game", "roulette")
    assert "the game with these options does not use the shuffler" in str(result.exception)


def test_least_numbers_needs_and_the_sum_of_prompts_are_shown():
    shown = " ".join(invoke("plan", "show", "rng-nj").stdout.split())
    assert "least numbers, whatever the rig file names: 12 rounds in all" in shown
    assert "needed for a certificate of a physical machine: a person reads off its display, 8 times" in shown
    assert "needed for a certificate of a physical machine: the inspector's checklist, every item" in shown
    assert "; 13 prompts, and those of the rounds" in shown  # 8 looks, and the drills
    assert "12 rounds in all, dispensed 24 times" in " ".join(invoke("plan", "show", "shoe-nj").stdout.split())


def test_a_plan_of_the_users_is_shown_with_what_it_asks_less(tmp_path):
    (tmp_path / "ours.toml").write_text('name = "ours"\nbase = "rng-nj"\nsamples = 10\nsteps = ["statistics"]\n')
    shown = json.loads(invoke("plan", "show", str(tmp_path / "ours.toml"), "--json").stdout)
    assert [step["step"] for step in shown["steps"]] == ["identity", "statistics", "timing", "timing", "checklist"]
    assert "10 numbers instead of 10240" in shown["shortened"]
    assert "a rehearsal, because it asks less than rng-nj" in invoke("plan", "show", str(tmp_path / "ours.toml")).stdout
