"""The plan against the zoo: a bad machine is refused by a finding of its own, a good one is certified."""

import json
from dataclasses import replace

import pytest
from rigs import make_rig, rng_rig_text
from typer.testing import CliRunner

from feltrig.emulators.zoo.catalogue import ZOO
from feltrig.errors import RigError
from feltrig.harness.cli.app import app
from feltrig.harness.plan.plan import plan
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.zoo import Seen, because, show


def invoke(*args):
    return CliRunner().invoke(app, ["zoo", *args])


def small(kind, most=64):
    chosen = plan(f"{kind}-nj")
    return replace(chosen, sampling=chosen.sampling and replace(chosen.sampling, most=most, batch=32))


@pytest.mark.parametrize(
    ("kind", "name", "finding"),
    [
        ("shuffler", "shelf-10", "its results are random"),
        ("rng", "period-50", "its results are random"),
        ("shaker", "keeps-20", "its results are random"),
        ("rng", "display_differs", "displays the number selected"),
        ("shoe", "bottom_card", "dispenses the deck from its top"),
    ],
)
async def test_a_bad_machine_is_refused_for_its_own_reason(tmp_path, kind, name, finding):
    seen = await show(ZOO[kind][name], small(kind, 256), 1, tmp_path, sequential=True)
    assert (seen.verdict, seen.right, seen.finding) == ("refused", True, finding)


@pytest.mark.parametrize("kind", ZOO)
async def test_a_good_machine_is_certified_or_rehearses_a_short_plan(tmp_path, kind):
    seen = await show(ZOO[kind]["good"], small(kind), 1, tmp_path, sequential=False)
    assert (seen.verdict, seen.right, seen.finding) == ("certified" if kind == "shoe" else "rehearsed", True, "")
    assert seen.samples == (None if kind == "shoe" else 64)


async def test_a_ten_shelf_shuffler_is_refused_after_at_most_three_decks(tmp_path):
    seen = await show(ZOO["shuffler"]["shelf-10"], small("shuffler"), 1, tmp_path, sequential=True)
    assert seen.samples <= 3


def pretend(monkeypatch, verdicts):
    async def shown(specimen, plan, seed, out, *, sequential):
        verdict, found = verdicts[specimen.name], because(specimen.name)
        return Seen("shoe", specimen.name, "", specimen.good, verdict, found, "a check", None, "why", 3, 0.0)

    monkeypatch.setattr("feltrig.harness.cli.zoo.show", shown)


@pytest.mark.parametrize(
    ("good", "bad", "status"),
    [
        ("certified", "refused", 0),
        ("refused", "refused", 1),
        ("certified", "certified", 1),
        ("inconclusive", "refused", 3),
        ("inconclusive", "certified", 1),
    ],
)
def test_the_exit_status_says_whether_any_was_judged_wrongly(monkeypatch, good, bad, status):
    pretend(monkeypatch, {"good": good, "jam": bad})
    result = invoke("--kind", "shoe", "good", "jam")
    assert result.exit_code == status
    assert f"{good}, 3 samples: a check: why" in result.stdout


def test_json_has_a_record_of_each_machine(monkeypatch):
    pretend(monkeypatch, {"good": "certified", "jam": "certified"})
    rows = json.loads(invoke("--kind", "shoe", "good", "jam", "--json").stdout)
    assert [(row["name"], row["good"], row["right"]) for row in rows] == [("good", True, True), ("jam", False, False)]


def test_the_list_says_how_a_rig_file_names_each():
    rows = {row["name"]: row["use"] for row in json.loads(invoke("--list", "--kind", "shuffler", "--json").stdout)}
    assert rows["shelf-10"] == 'mechanics = "zoo:shelf-10"'
    assert rows["repeated_shuffle"] == 'faults = [{ what = "repeated_shuffle", at = 2 }]'
    assert "shelf-10" in invoke("--list").stdout


@pytest.mark.parametrize(
    "args", [("--kind", "wheel"), ("no-such",), ("--kind", "rng", "shelf-10"), ("--standard", "nv")]
)
def test_what_is_not_there_is_bad_input(args):
    assert isinstance(invoke(*args).exception, RigError)


async def test_a_rig_file_names_a_machine_of_the_zoo():
    rig = make_rig(rng_rig_text(emulator='mechanics = "zoo:never-repeats"'))
    async with EmulatedRig(rig, 1) as emulated:
        assert set(emulated.endpoints) == {"reader", "rng"}


@pytest.mark.parametrize("name", ["zoo:shelf-10", "zoo:no-such"])
async def test_a_machine_of_another_kind_or_none_is_named_on_one_line(name):
    rig = make_rig(rng_rig_text(emulator=f'mechanics = "{name}"'))
    with pytest.raises(RigError, match=f"test.toml: devices.rng.emulator.mechanics: {name}: no such rng in the zoo"):
        async with EmulatedRig(rig, 1):
            pass


def test_mutants_are_listed_by_what_they_break():
    result = invoke("--saboteur", "--list", "--json", "--id", "DEV-10")
    (row,) = [row for row in json.loads(result.stdout) if row["name"] == "events-kept-32"]
    assert (row["breaks"], row["does"], row["survives"]) == (["DEV-10"], "keeps 32 events", None)


def test_a_mutant_is_run_on_the_wire_that_was_named(tmp_path):
    result = invoke("--saboteur", "tokens-seven", "--wire", "serial", "--kind", "rng", "--json", "--out", str(tmp_path))
    (row,) = json.loads(result.stdout)
    assert (row["mutant"], row["kind"], row["wire"], row["verdict"]) == ("tokens-seven", "rng", "serial", "refused")
    assert result.exit_code == (0 if row["rightly"] else 1)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--saboteur", "unheard-of"), "NAME: 'unheard-of' is unknown"),
        (("--saboteur", "--id", "DEV-1000"), "--id: 'DEV-1000' is unknown"),
        (("--saboteur", "--wire", "usb"), "--wire: 'usb' is unknown"),
        (("--saboteur", "--kind", "reader"), "--kind: 'reader' is unknown"),
        (("--id", "DEV-1"), "--id: is for mutants; give --saboteur too"),
    ],
)
def test_bad_input_about_mutants_is_named(arguments, error):
    assert error in str(invoke(*arguments).exception)
