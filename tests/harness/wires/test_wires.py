"""Every wire by its record alone: served, driven, sniffed, disturbed and described."""

from dataclasses import fields

import pytest
from rigs import make_rig, rig_text

from feltrig.emulators.relays.noise import Disturbance, Noise
from feltrig.harness.rig.keys import emulated_on
from feltrig.harness.wires import WIRES, wire_of
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.wires.wire import DriverEnd
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Request
from feltrig.protocols.schema import keys_of
from feltrig.protocols.sniffing import Answered


def rig_on(wire):
    return make_rig(rig_text(wire=f'wire = "{wire}"'))


@pytest.mark.parametrize("name", WIRES)
async def test_what_passes_between_the_two_ends_is_read_by_the_sniffer(name, nothing_left):
    rig = rig_on(name)
    async with EmulatedRig(rig, 1) as emulated:
        device = rig.devices["rng"]
        wire = wire_of(device)
        sniffer = wire.sniffer(KINDS["rng"], None, emulated.where(device), wire.number(device))
        heard = []
        address = emulated.address(device)
        end = DriverEnd(
            emulated.site, device, address, address, lambda out, data: heard.extend(sniffer.hear(out, data))
        )
        channel = wire.channel(end)
        await channel.open()
        reply = await channel.request(Request("select", token=7))
        await channel.close()
    assert not reply.error
    answered = [m.asked.request.command for m in heard if isinstance(m, Answered)]
    assert "select" in answered
    recognised = wire.recognised(sniffer, emulated.where(device))
    assert recognised.name in (wire.name, wire.replayed_as)


@pytest.mark.parametrize("name", WIRES)
async def test_a_relay_stands_in_front_of_a_device_and_lets_messages_pass(name, nothing_left):
    rig = rig_on(name)
    async with EmulatedRig(rig, 1) as emulated:
        device = rig.devices["rng"]
        wire = wire_of(device)
        relay = wire.relay(device.wire, emulated.address(device), Noise((Disturbance("split", times=0),), 1))
        address = await relay.start()
        assert address != emulated.address(device)
        channel = wire.channel(DriverEnd(emulated.site, device, address, address, lambda outgoing, data: None))
        await channel.open()
        assert not (await channel.request(Request("status"))).error
        await channel.close()
        await relay.stop()
    assert relay.struck["split"] > 0


@pytest.mark.parametrize("name", WIRES)
def test_a_record_declares_its_keys_and_what_conformance_does_on_it(name):
    wire = WIRES[name]
    assert wire.name == wire.config.name == name
    for description in (wire.config, wire.served):
        if description is not None:
            assert {key.name for key in keys_of(description)} == {each.name for each in fields(description)}
    known = {each.name for each in (*fields(wire.config), *fields(wire.served or wire.config))}
    assert {*wire.agreed, *((wire.numbered,) if wire.numbered else ())} <= known
    for scene in wire.scenes:
        assert callable(scene.load())
    assert next(iter(wire.malformed.load()(KINDS["rng"], ()))).name


@pytest.mark.parametrize("name", WIRES)
def test_a_device_is_pointed_at_another_place(name):
    device = emulated_on(name, "rng", "box")
    there = wire_of(device).at(device.wire, "host:7")
    assert WIRES[there.name].where(there) == "host:7"
