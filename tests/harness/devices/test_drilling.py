"""How the power of a machine is cut while it works. harness/plan/test_drills.py holds every drill."""

import pytest

from feltrig.harness.devices import tray
from feltrig.harness.devices.drilling import cut_at_work, nothing
from feltrig.harness.devices.failures import CannotBeDone, Stalled
from feltrig.harness.devices.hands import Hands


def hands_at(felt, kind):
    return Hands(felt.devices[kind], felt.operator, tray(felt.devices, felt.journal))


async def test_a_machine_whose_power_was_cut_has_started_and_rests(felt):
    table = felt()
    await cut_at_work(hands_at(table, "rng"), nothing, nothing, "select")
    assert [power["on"] for power in table.noted("power")] == [False, True]
    assert [event["event"] for event in table.noted("event")][-1] == "started"
    assert table.noted("trouble") == []


async def test_a_machine_whose_power_nobody_cuts_is_not_blamed(felt, monkeypatch):
    table = felt(patience=0.05)
    monkeypatch.setattr("feltrig.harness.table.driver.START", 0.05)

    async def never(device):
        """Hands that do not act."""

    monkeypatch.setattr(table.operator, "cut_power_at_work", never)
    with pytest.raises(CannotBeDone, match="it still answers"):
        await cut_at_work(hands_at(table, "rng"), nothing, nothing, "select")
    assert table.noted("power") == []


@pytest.mark.parametrize(("disturbed", "raised"), [(False, Stalled), (True, CannotBeDone)])
async def test_a_machine_that_does_not_say_that_it_has_started_is_blamed_unless_the_rig_makes_noise(
    felt, monkeypatch, disturbed, raised
):
    table = felt(patience=0.01)
    hands = hands_at(table, "rng")
    hands.driver.disturbed = disturbed
    number = type(table.machines["rng"].board)._number
    monkeypatch.setattr(
        type(table.machines["rng"].board),
        "_number",
        lambda board, name, values: name == "started" or number(board, name, values),
    )
    with pytest.raises(raised):
        await cut_at_work(hands, nothing, nothing, "select")
