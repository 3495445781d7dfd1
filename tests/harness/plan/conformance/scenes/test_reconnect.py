"""A lost line: a device that forgets, stops or acts again is found."""

import pytest

from feltrig.harness import demands
from feltrig.harness.devices import DEVICES
from feltrig.protocols.vocabulary import State

SCENE = "feltrig.harness.plan.conformance.scenes.reconnect:play"
KINDS = [kind for kind, device in DEVICES.items() if device.works]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_good_device_passes(played, kind):
    records = await played(SCENE, kind)
    assert [r for r in records if r["fault"]] == []
    assert {each for r in records for each in r["requirements"]} >= {demands.LINE_LOST}


def on_opening(act):
    """What a device does when somebody connects."""

    def spoil(machine):
        machine.opened = lambda: act(machine)

    return spoil


def _stop(machine):
    if machine.board.state is State.BUSY:
        machine.board._rest()


BROKEN = {
    "forgets its tokens": lambda machine: machine._answered.clear(),
    "makes an event": lambda machine: machine.board.emit("cleared"),
    "starts over": lambda machine: (machine.board.switch_off(), machine.board.switch_on()),
    "is reset": lambda machine: machine.board.clear(),
    "leaves its work": _stop,
}


@pytest.mark.parametrize("how", BROKEN)
async def test_a_device_that_notices_a_new_connection_is_found(blamed, monkeypatch, how):
    monkeypatch.setattr("feltrig.harness.plan.conformance.scenes.reconnect.AT_WORK", 0.05)
    assert demands.LINE_LOST in await blamed(SCENE, "shaker", on_opening(BROKEN[how]))
