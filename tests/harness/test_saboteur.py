"""The rehearsal of a plan against mutants, a few of them on every wire."""

import pytest

from feltrig.emulators.saboteur.catalogue import MUTANTS
from feltrig.harness.plan.plan import plan
from feltrig.harness.saboteur import MISSED, Caught, by_requirement, rig_of, sabotage, score, trials

WIRES = ("serial", "modbus-rtu", "modbus-tcp", "mqtt")


def test_a_mutant_is_put_on_its_wire_and_the_others_stay_honest(tmp_path):
    rig = rig_of(MUTANTS["tokens-seven"], "shuffler", "mqtt", tmp_path)
    placed = {device.kind: device for device in rig.devices.values()}
    assert placed["shuffler"].wire.name == "mqtt"
    assert placed["shuffler"].emulator.sabotage == "tokens-seven"
    assert all(device.emulator.sabotage is None for kind, device in placed.items() if kind != "shuffler")


@pytest.mark.parametrize("wire", WIRES)
async def test_an_honest_device_passes_on_every_wire(wire, tmp_path):
    seen = await sabotage(None, "rng", wire, plan("rng-nj"), 2, tmp_path)
    assert seen.verdict in MISSED, seen.failures
    assert seen.failures == ()


@pytest.mark.parametrize("wire", WIRES)
async def test_a_mutant_is_refused_on_every_wire(wire, tmp_path):
    seen = await sabotage(MUTANTS["tokens-seven"], "rng", wire, plan("rng-nj"), 2, tmp_path)
    assert seen.refused, seen


def test_a_mutant_is_refused_rightly_if_a_failure_names_what_it_breaks():
    seen = Caught("x", "rng", "serial", ("DEV-1", "DEV-2"), "refused", ("DEV-2",), ("tokens: acted twice",), 1.0)
    assert seen.rightly
    assert not Caught("x", "rng", "serial", ("DEV-1",), "refused", ("DEV-2",), (), 1.0).rightly
    assert not Caught("x", "rng", "serial", ("DEV-1",), "inconclusive", ("DEV-1",), (), 1.0).rightly
    assert seen.record()["rightly"]


def test_a_mutant_is_tried_on_each_wire_and_the_kinds_take_turns():
    found = list(trials([MUTANTS["tokens-seven"]], ["rng", "shoe"], ["serial", "mqtt"], every=False))
    assert [(trial.kind, trial.wire) for trial in found] == [("rng", "serial"), ("shoe", "mqtt")]
    found = list(trials([MUTANTS["stacks-from-zero"]], ["rng", "shoe"], ["serial", "mqtt"], every=True))
    assert [(trial.kind, trial.wire) for trial in found] == [("shoe", "serial"), ("shoe", "mqtt")]


def test_the_score_counts_who_was_refused_for_the_right_id():
    caught = [
        Caught("a", "rng", "serial", ("DEV-1",), "refused", ("DEV-1",), (), 1.0),
        Caught("b", "rng", "serial", ("DEV-1", "DEV-2"), "refused", ("DEV-9",), (), 1.0),
        Caught("c", "rng", "serial", ("DEV-3",), "rehearsed", (), (), 1.0),
        Caught("d", "rng", "serial", ("DEV-3",), "inconclusive", (), (), 1.0),
    ]
    total = score(caught)
    assert (total.tried, total.rightly, total.otherwise, total.inconclusive, total.share) == (4, 1, 1, 1, 0.25)
    assert {each: found.share for each, found in by_requirement(caught).items()} == {"DEV-1": 0.5, "DEV-3": 0.0}
    assert score([]).share == 1.0
