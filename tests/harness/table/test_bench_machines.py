"""Hands at emulated machines."""

import pytest

from feltrig.harness.devices.failures import CannotBeDone, Faulted
from feltrig.protocols.vocabulary import FaultCode, State


@pytest.mark.parametrize("kind", ["rng", "shaker", "shuffler", "shoe", "reader"])
@pytest.mark.parametrize("keeps", [True, False])
async def test_a_device_that_was_switched_off_and_on_starts(felt, kind, keeps):
    table = felt()
    machine, driver = table.machines[kind], table.devices[kind]
    machine.board.keeps_memory = keeps
    await driver.perform("reset", "cleared")
    await table.operator.power_off(kind)
    assert machine.board.off
    await table.operator.power_on(kind)
    assert not machine.board.off
    batch = machine.events(0, 0.0, 9)
    names = [event.name for event in batch.events]
    assert names == (["started", "cleared", "started"] if keeps else ["started"])
    assert batch.status.state is State.IDLE


async def test_a_lock_stays_locked_over_a_power_cut(felt):
    table = felt()
    await table.devices["shoe"].call("lock")
    await table.operator.power_off("shoe")
    await table.operator.power_on("shoe")
    assert (await table.devices["shoe"].status()).state is State.LOCKED


async def test_the_power_of_a_shuffler_is_cut_when_half_of_the_cards_are_inside(felt):
    table = felt()
    await table.operator.bring_deck("red")
    await table.operator.load("shuffler", "red")
    await table.operator.cut_power_at_work("shuffler")
    await table.devices["shuffler"].launch("shuffle", deck=1)
    assert await table.devices["shuffler"].lost()
    machine = table.machines["shuffler"]
    assert machine.board.off
    assert table.bench.count("shuffler.inside") == 27
    await table.operator.power_on("shuffler")
    await table.devices["shuffler"].back()
    assert [event.name for event in machine.events(0, 0.0, 9).events] == ["started", "shuffling", "started"]


@pytest.mark.parametrize(
    ("kind", "command", "done", "values"),
    [
        ("rng", "select", "selected", {}),
        ("shaker", "shake", "shaken", {"times": 3}),
        ("shuffler", "shuffle", "shuffled", {"deck": 1}),
        ("shoe", "dispense", "dispensed", {"size": 4}),
    ],
)
async def test_a_stop_button_stops_what_is_done_next_and_only_that(felt, kind, command, done, values):
    table = felt()
    operator, driver = table.operator, table.devices[kind]
    if kind in ("shuffler", "shoe"):
        await operator.bring_deck("red")
        await operator.load(kind, "red")
    await operator.stop_at_work(kind)
    with pytest.raises(Faulted) as stopped:
        await driver.perform(command, done, **values)
    assert stopped.value.fault is FaultCode.STOPPED
    await operator.clear(kind)
    await operator.gather("red")
    await driver.perform("reset", "cleared")
    if kind in ("shuffler", "shoe"):
        await operator.load(kind, "red")
    await driver.perform(command, done, **values)


async def test_cards_are_taken_from_the_entry_half_way_and_the_machine_goes_on_with_the_others(felt):
    table = felt()
    await table.operator.bring_deck("red")
    await table.operator.load("shuffler", "red")
    await table.operator.empty_at_work("shuffler")
    counted = await table.devices["shuffler"].perform("shuffle", "counted", deck=1)
    assert counted.values == {"deck": 1, "count": 27, "correct": False}
    assert table.bench.count("shuffler.out.1") == 27


async def test_a_lid_that_is_held_jams_until_it_is_let_go(felt):
    table = felt()
    shaker = table.devices["shaker"]
    await table.operator.block("shaker")
    with pytest.raises(Faulted) as stuck:
        await shaker.perform("uncover", "rolled")
    assert stuck.value.fault is FaultCode.JAM
    await table.operator.clear("shaker")
    await shaker.perform("reset", "cleared")
    await shaker.perform("uncover", "rolled")
    await table.operator.block("shaker")
    with pytest.raises(Faulted):
        await shaker.perform("cover", "covered")


async def test_a_lid_is_lifted_by_hand_while_it_shakes_and_the_shake_does_not_end(felt):
    table = felt()
    shaker = table.devices["shaker"]
    await table.operator.lift_lid_at_work("shaker")
    await shaker.perform("shake", "rolled", times=3)
    await table.operator.lift_lid("shaker")
    events = table.machines["shaker"].events(0, 0.0, 9).events
    assert [event.name for event in events] == ["started", "uncovered", "rolled"]
    assert events[1].values == {"commanded": False}


async def test_dice_lie_as_hands_have_laid_them_until_they_are_shaken(felt):
    table = felt()
    shaker, operator = table.devices["shaker"], table.operator
    first = (await shaker.perform("uncover", "rolled")).values
    await operator.tilt_die("shaker")
    assert (await shaker.perform("uncover", "rolled")).values == {"dice": first["dice"], "flat": (0, 1, 1)}
    await operator.remove_die("shaker")
    assert len((await shaker.perform("uncover", "rolled")).values["dice"]) == 2
    await operator.return_die("shaker")
    assert (await shaker.perform("uncover", "rolled")).values == first


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("rng", "block"),
        ("shaker", "empty_at_work"),
        ("rng", "lift_lid"),
        ("shoe", "remove_die"),
    ],
)
async def test_what_a_machine_does_not_have_cannot_be_done(felt, kind, what):
    with pytest.raises(CannotBeDone) as refused:
        await getattr(felt().operator, what)(kind)
    assert (refused.value.device, refused.value.what) == (kind, what)
