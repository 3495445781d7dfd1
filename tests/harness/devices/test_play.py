"""Asks go to the device whose record fulfils them, and to hands otherwise."""

from dataclasses import replace

import pytest

from feltrig.engine import asks, tells
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.play import Play
from feltrig.harness.table.dealer import Dealer

SPIN = asks.SpinWheel(3, ("1", "2"), ("34",))


def dealer_at(felt, uses):
    return Dealer(felt.devices, uses, felt.operator, None, felt.journal, {"shuffler_counts": True})


@pytest.fixture
def wheel(monkeypatch):
    """The generator as a wheel: it fulfils an ask that hands fulfil otherwise."""

    async def spin(driver, ask):
        selected = await driver.perform("select", "selected")
        return tells.WheelSpun(str(selected.values["number"]), ask.turns)

    made = replace(DEVICES["rng"], play=Play(lambda driver, _: driver, {asks.SpinWheel: spin}))
    monkeypatch.setitem(DEVICES._loaded, "rng", made)


async def test_an_ask_goes_to_the_device_whose_record_fulfils_it(felt, wheel):
    table = felt()
    told = await dealer_at(table, {"rng"}).fulfil(SPIN)
    assert isinstance(told, tells.WheelSpun)
    assert [call["command"] for call in table.noted("call")] == ["select"]


async def test_a_device_that_the_way_of_playing_does_not_use_is_left_alone_and_hands_do_it(felt, wheel):
    table = felt()
    told = await dealer_at(table, {"shuffler"}).fulfil(SPIN)
    assert told.result in SPIN.results
    assert table.noted("call") == []


async def test_an_action_that_tells_nothing_leaves_the_ask_to_hands(felt, monkeypatch):
    async def decline(driver, ask):
        return None

    made = replace(DEVICES["rng"], play=Play(lambda driver, _: driver, {asks.SpinWheel: decline}))
    monkeypatch.setitem(DEVICES._loaded, "rng", made)
    assert (await dealer_at(felt(), {"rng"}).fulfil(SPIN)).result in SPIN.results
