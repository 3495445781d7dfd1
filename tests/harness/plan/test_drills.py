"""Drills on machines that do well and on machines that do not look: what was provoked, and what is found of it."""

import pytest
from found import found

from feltrig.emulators.models.faults import FOR_EVER, Fault
from feltrig.engine.games import GAMES
from feltrig.engine.games.supreme_pai_gow.game import ROLES
from feltrig.harness.devices import DEVICES, tray
from feltrig.harness.devices.failures import Stalled
from feltrig.harness.devices.hands import TRIES, Hands
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.records import Called
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.plan import drills
from feltrig.harness.table.bench_operator import BenchOperator
from feltrig.harness.table.driver import Driver
from feltrig.protocols.vocabulary import FaultCode, State

DRILLS = {drill.name: kind for kind, device in DEVICES.items() for drill in device.drills}
NAMES = list(DRILLS)
MISSING = "reports a missing card"


async def hold(felt, kinds=tuple(DEVICES), compartments=2):
    """Hold the drills; returns what was wrong, by the name of the drill."""
    for kind in (kind for kind in DEVICES if kind in kinds):
        shown = tray(felt.devices, felt.journal)
        hands = Hands(felt.devices[kind], felt.operator, shown, compartments=compartments)
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
    await table.operator.clear("shuffler")
    await table.operator.gather("red")
    assert table.bench.count("deck.red") == 54


@pytest.mark.parametrize("kinds", [set(), {"shuffler"}, {"shoe"}, {"rng", "shaker"}])
async def test_only_machines_of_these_kinds_are_drilled(felt, kinds):
    assert set(await hold(felt(), kinds)) == {name for name, kind in DRILLS.items() if kind in kinds}


@pytest.mark.check("reports a missing card", "reports an extra card")
async def test_a_shuffler_that_always_reports_a_whole_deck_is_found(felt):
    found = await hold(felt({"shuffler": Fault("blind_count", times=FOR_EVER)}), {"shuffler"})
    assert found["reports a missing card"] == "54 cards reported where there were 53"
    assert found["reports an extra card"] == "54 cards reported where there were 55"


@pytest.mark.check("reports a jam, and works again", "reports a jam of its stacks, and works again")
@pytest.mark.parametrize(
    ("kind", "name"),
    [("shuffler", "reports a jam, and works again"), ("shoe", "reports a jam of its stacks, and works again")],
)
async def test_a_machine_that_does_not_notice_what_is_in_its_way_is_found(felt, monkeypatch, kind, name):
    table = felt()
    monkeypatch.setattr(table.bench, "obstruct", lambda place: None)
    found = (await hold(table, {kind}))[name]
    assert found.startswith("a card blocked its path, but no fault was reported")


async def test_a_machine_that_stops_for_good_after_its_jam_raises_what_stops_any_run(felt):
    table = felt(slow=["shuffler"], patience=0.001)
    with pytest.raises(Stalled):
        await hold(table)


STOPPED = "reports that the button stopped its selection, and works again"
CUT = "gives up its selection when its power is cut, and works again"


async def provoke(felt, name, **submitted):
    """Hold one drill; what is on record of why it could not be held, and how the machine did."""
    kind = DRILLS[name]
    held = next(drill for drill in DEVICES[kind].drills if drill.name == name)
    hands = Hands(felt.devices[kind], felt.operator, tray(felt.devices, felt.journal), **submitted)
    await hands.driver.perform("select", "selected")
    await drills.hold(hands, felt.journal, held)
    felt.journal.flush()
    evidence = Evidence(journals.read(felt.journal.path).records)
    return felt.noted("impossible"), lambda: held.fault(evidence.drills[0].records, 54)


async def late(*_):
    """A hand that does nothing while the machine works."""


@pytest.mark.parametrize("in_time", [True, False])
async def test_a_hand_that_was_late_is_not_taken_for_a_machine_that_does_not_stop(felt, monkeypatch, in_time):
    async def pressed_in_time(*_):
        return in_time

    monkeypatch.setattr(BenchOperator, "stop_at_work", late)
    monkeypatch.setattr(BenchOperator, "pressed_in_time", pressed_in_time)
    refused, fault = await provoke(felt(), STOPPED)
    if in_time:
        assert (refused, fault()) == ([], "its stop button was pressed, but no fault was reported")
    else:
        assert "it had done its work each time" in refused[0]["why"]


async def test_a_hand_that_pressed_the_button_of_a_machine_at_rest_is_undone(felt, monkeypatch):
    table = felt()

    async def late_press(*_):
        table.machines["rng"].board.fail(FaultCode.STOPPED)
        return False

    monkeypatch.setattr(BenchOperator, "stop_at_work", late)
    monkeypatch.setattr(BenchOperator, "pressed_in_time", late_press)
    refused, _ = await provoke(table, STOPPED)
    assert "it had done its work each time" in refused[0]["why"]
    assert (await table.devices["rng"].status()).state is State.IDLE


@pytest.mark.parametrize("submitted", [True, False, None])
async def test_whether_a_machine_has_a_stop_button_is_submitted_or_asked(felt, monkeypatch, submitted):
    asked = []

    async def has_stop_button(_, kind):
        asked.append(kind)
        return False

    monkeypatch.setattr(BenchOperator, "has_stop_button", has_stop_button)
    refused, fault = await provoke(felt(), STOPPED, stop_button=submitted)
    assert asked == (["rng"] if submitted is None else [])
    if submitted:
        assert (refused, fault()) == ([], None)
    else:
        assert [record["lacks"] for record in refused] == ["stop button"]


@pytest.mark.parametrize("name", [STOPPED, CUT])
async def test_hands_are_not_asked_for_what_they_are_too_slow_for(felt, monkeypatch, name):
    async def asked(*_):
        raise AssertionError("asked for the impossible")

    monkeypatch.setattr(BenchOperator, "reaction", lambda *_: 1.0)
    for what in ("stop_at_work", "cut_power_at_work"):
        monkeypatch.setattr(BenchOperator, what, asked)
    (refused,) = (await provoke(felt(), name))[0]
    assert "hands need 1 s" in refused["why"]


async def test_a_power_cut_that_came_late_is_waited_for_and_undone(felt, monkeypatch):
    table = felt()
    waits = []

    async def gone(driver):
        waits.append(driver.name)
        table.machines["rng"].board.switch_off()
        return True

    monkeypatch.setattr(BenchOperator, "cut_power_at_work", late)
    monkeypatch.setattr(Driver, "gone", gone)
    (refused,) = (await provoke(table, CUT))[0]
    assert "it had done its work each time" in refused["why"]
    assert len(waits) == TRIES
    assert (await table.devices["rng"].status()).state is State.IDLE


async def test_a_power_that_nobody_cuts_is_not_waited_for_forever(felt, monkeypatch):
    async def stays(_):
        return False

    monkeypatch.setattr(BenchOperator, "cut_power_at_work", late)
    monkeypatch.setattr(Driver, "gone", stays)
    (refused,) = (await provoke(felt(), CUT))[0]
    assert "it still answers" in refused["why"]


async def test_a_shoe_is_drilled_with_the_stacks_for_which_it_was_submitted(felt):
    table = felt()
    table.machines["shoe"].mechanism._sizes = (3, 7)
    hands = Hands(table.devices["shoe"], table.operator, tray(table.devices, table.journal), sizes=(7, 3))
    for drill in DEVICES["shoe"].drills:
        await drills.hold(hands, table.journal, drill)
    table.journal.flush()
    evidence = Evidence(journals.read(table.journal.path).records)
    by_name = {drill.name: drill for drill in DEVICES["shoe"].drills}
    assert [by_name[held.name].fault(held.records, 54) for held in evidence.drills] == [None] * len(by_name)
    asked = {r.body.values["size"] for held in evidence.drills for r in held.records if is_dispense(r)}
    assert asked == {3, 7}


def is_dispense(record):
    return isinstance(record.body, Called) and record.body.command == "dispense"


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
