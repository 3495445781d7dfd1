"""Drills on machines that do well and on machines that do not look: what was provoked, and what is found of it."""

import pytest
from found import found

from feltrig.emulators.models.faults import FOR_EVER, Fault
from feltrig.engine.games import GAMES
from feltrig.engine.games.supreme_pai_gow.game import ROLES
from feltrig.harness.devices import DEVICES, tray
from feltrig.harness.devices.failures import Stalled
from feltrig.harness.devices.hands import Hands
from feltrig.harness.journal import reader as journals
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.plan import drills

BOTH = {"shuffler", "shoe"}
DRILLS = {drill.name: kind for kind, device in DEVICES.items() for drill in device.drills}
NAMES = list(DRILLS)
MISSING = "reports a missing card"


async def hold(felt, kinds=BOTH):
    """Hold the drills; returns what was wrong, by the name of the drill."""
    for kind in (kind for kind in DEVICES if kind in kinds):
        hands = Hands(felt.devices[kind], felt.operator, tray(felt.devices, felt.journal))
        for drill in DEVICES[kind].drills:
            await drills.hold(hands, felt.journal, drill)
    felt.journal.flush()
    evidence = Evidence(journals.read(felt.journal.path).records)
    by_name = {drill.name: drill for device in DEVICES.values() for drill in device.drills}
    return {held.name: by_name[held.name].fault(held.records, 54) for held in evidence.drills}


@pytest.mark.parametrize("batch", [1, 32])
async def test_good_machines_do_well_in_every_drill_and_keep_no_card(felt, batch):
    table = felt(batch=batch)
    assert await hold(table) == dict.fromkeys(NAMES)
    await table.operator.gather("red")
    assert table.bench.count("deck.red") == 54


@pytest.mark.parametrize("kinds", [set(), {"shuffler"}, {"shoe"}])
async def test_only_machines_of_these_kinds_are_drilled(felt, kinds):
    assert set(await hold(felt(), kinds)) == {name for name, kind in DRILLS.items() if kind in kinds}


async def test_a_shuffler_that_always_reports_a_whole_deck_is_found(felt):
    found = await hold(felt({"shuffler": Fault("blind_count", times=FOR_EVER)}))
    assert found["reports a missing card"] == "54 cards reported where there were 53"
    assert found["reports an extra card"] == "54 cards reported where there were 55"


@pytest.mark.parametrize(
    ("kind", "name"),
    [("shuffler", "reports a jam, and works again"), ("shoe", "reports a jam of its stacks, and works again")],
)
async def test_a_machine_that_does_not_notice_what_is_in_its_way_is_found(felt, monkeypatch, kind, name):
    table = felt()
    monkeypatch.setattr(table.bench, "obstruct", lambda place: None)
    assert (await hold(table, {kind}))[name] == "a card blocked its path, but no fault was reported"


async def test_a_machine_that_stops_for_good_after_its_jam_raises_what_stops_any_run(felt):
    table = felt(slow=["shuffler"], patience=0.001)
    with pytest.raises(Stalled):
        await hold(table)


def test_a_machine_that_is_unfit_in_a_drill_fails_it(drill):
    drill.add("trouble", device="mixer", what="unfit", detail="mixer: no event counted within 120 s")
    drill.add("end", reason="unfit", rounds=4)
    assert (found(drill, MISSING).verdict, found(drill, MISSING).detail) == (
        Verdict.FAIL,
        "mixer: no event counted within 120 s",
    )


@pytest.mark.parametrize(("device", "what"), [("mixer", "no answer"), ("operator", "unfit"), (None, None)])
def test_a_drill_that_the_wire_the_operator_or_the_end_broke_off_is_not_tested_and_required(drill, device, what):
    if device:
        drill.add("trouble", device=device, what=what, detail="silent")
    drill.add("end", reason="wire", rounds=4)
    assert (found(drill, MISSING).verdict, found(drill, MISSING).required) == (
        Verdict.NOT_TESTED,
        True,
    )


def test_a_drill_that_was_not_held_is_not_tested(drill):
    missing = found(drill, "reports an extra card")
    assert (missing.verdict, missing.detail, missing.required) == (Verdict.NOT_TESTED, "the drill was not held", True)


def test_drills_that_the_game_has_no_use_for_are_not_in_the_findings(drill):
    found = {f.check for f in judge(drill.evidence).findings}
    assert found & set(NAMES) == {name for name, kind in DRILLS.items() if kind == "shuffler"}


def test_what_a_machine_does_in_a_drill_counts_for_nothing_else(drill):
    drill.event("mixer", "faulted", fault=1)
    drill.add("drilled", name="reports a missing card", device="mixer")
    others = [f for f in judge(drill.evidence).findings if f.check != "reports a missing card"]
    assert not any(f.verdict is Verdict.FAIL for f in others)


def test_every_drill_has_a_name_of_its_own_and_a_rule_of_the_register():
    assert len(set(NAMES)) == len(NAMES)
    roles = {drill.role for device in DEVICES.values() for drill in device.drills}
    assert {ROLES[role] for role in roles} <= set(GAMES["supreme_pai_gow"].clauses)
