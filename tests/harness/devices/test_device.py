"""The records of the kinds of device name only what exists. A device of a new kind plays without an edit elsewhere."""

from pkgutil import resolve_name

import pytest

from feltrig.engine import asks, tells
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import DeviceKind
from feltrig.protocols.kinds import KINDS

ASKS = set(asks.ASKS)


@pytest.mark.parametrize("kind", DEVICES)
def test_a_record_bears_its_own_name_and_speaks_the_vocabulary_of_its_kind(kind):
    device, vocabulary = DEVICES[kind], KINDS[kind]
    assert device.kind == kind
    commands = {*device.commands, *device.operations, *(limit.of for limit in device.limits)} - {"answer"}
    commands |= {case.command for cases in device.states for case in cases.tried}
    commands |= {key if isinstance(key, str) else key[0] for key in device.leaves}
    events = {*device.events, *device.operations.values()}
    events |= {event for cases in device.states for case in cases.tried for event in case.events}
    if device.restore is not None:
        commands.add(device.restore.command)
        events |= {*device.restore.after, device.restore.done}
    if device.quiet is not None:
        commands |= {device.quiet.command, device.quiet.undo}
    assert commands <= set(vocabulary.commands)
    assert events <= set(vocabulary.events)


@pytest.mark.parametrize("kind", DEVICES)
def test_what_a_record_fulfils_tells_and_draws_exists(kind):
    device = DEVICES[kind]
    assert set(device.play.asks if device.play else ()) <= ASKS
    assert all(hasattr(tells, name) for name in device.tells)
    assert all(callable(resolve_name(picture)) for picture in (device.sampler.pictures if device.sampler else ()))


def test_only_an_instrument_has_no_plans_and_every_other_kind_is_checked():
    assert [kind for kind, device in DEVICES.items() if not device.planned] == ["reader"]
    assert all(device.checks and device.states and device.limits for device in DEVICES.values() if device.planned)


def test_a_kind_needs_little_to_be_one():
    made = DeviceKind(kind="lamp", commands=(), events=())
    assert (made.handles_cards, made.planned, made.checks) == (False, True, ())
