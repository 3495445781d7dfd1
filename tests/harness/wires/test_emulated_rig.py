"""The emulated side of a rig: which models are served where, by which seeds, and that nothing is left of it."""

import socket
from dataclasses import replace
from types import MappingProxyType

import pytest

from feltrig.emulators.models import MODELS
from feltrig.errors import RigError
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Request
from feltrig.protocols.vocabulary import Error

EMBEDDED = rigfile.embedded()


def with_emulator(name, rig=EMBEDDED, **changes):
    """A rig in which the emulator of a device is another."""
    device = rig.devices[name]
    changed = replace(device, emulator=replace(device.emulator, **changes))
    return replace(rig, devices=MappingProxyType({**rig.devices, name: changed}))


def numbers(machine, count=20):
    """The numbers that a generator selects."""
    selected = []
    for _ in range(count):
        machine.handle(Request("select"), 0.0)
        selected.append(machine.handle(Request("display"), 0.0).values["number"])
    return selected


def test_there_is_a_model_of_every_kind_of_device():
    assert set(MODELS) == set(KINDS)


async def test_every_device_is_served_on_its_wire_and_has_a_place(nothing_left):
    async with EmulatedRig(EMBEDDED, 1) as served:
        endpoints = served.endpoints
        assert {name: (place.kind, place.wire) for name, place in endpoints.items()} == {
            name: (device.kind, device.wire.name) for name, device in EMBEDDED.devices.items()
        }
        assert set(served.machines) == set(EMBEDDED.devices)
    assert endpoints["shuffler"].where.startswith("/dev/pts/")
    assert endpoints["shoe"].where.startswith("127.0.0.1:")
    assert endpoints["rng"].where == "feltrig/table1/rng"


async def test_a_broker_is_started_when_a_device_needs_one_and_the_file_names_none(nothing_left):
    async with EmulatedRig(EMBEDDED, 1) as served:
        host, port = served.site.broker.host, served.site.broker.port
        with socket.create_connection((host, port), timeout=5):
            pass
    with pytest.raises(ConnectionRefusedError), socket.create_connection((host, port), timeout=5):
        pass


async def test_no_broker_is_started_when_no_device_needs_one(nothing_left):
    lines = {name: device for name, device in EMBEDDED.devices.items() if device.wire.name != "mqtt"}
    async with EmulatedRig(replace(EMBEDDED, devices=MappingProxyType(lines)), 1) as served:
        assert served.site.broker is None
        assert set(served.endpoints) == set(lines)


async def test_a_real_device_is_not_served(nothing_left):
    real = MappingProxyType({**EMBEDDED.devices, "shoe": replace(EMBEDDED.devices["shoe"], emulator=None)})
    async with EmulatedRig(replace(EMBEDDED, devices=real), 1) as served:
        assert "shoe" not in served.endpoints
        assert "shoe" not in served.machines


async def test_the_runs_seed_decides_the_chance_of_a_device_unless_it_has_its_own():
    async def drawn(rig, seed):
        async with EmulatedRig(rig, seed) as served:
            return numbers(served.machines["rng"])

    assert await drawn(EMBEDDED, 1) == await drawn(EMBEDDED, 1)
    assert await drawn(EMBEDDED, 1) != await drawn(EMBEDDED, 2)
    own = with_emulator("rng", seed=7)
    assert await drawn(own, 1) == await drawn(own, 2)


async def test_a_device_says_what_the_file_says_of_it_and_the_rest_is_made_up():
    said = replace(EMBEDDED.devices["rng"].emulator.identity, vendor="Acme", firmware="9.9")
    async with EmulatedRig(with_emulator("rng", identity=said), 1) as served:
        identity = served.machines["rng"].identity
    assert (identity.kind, identity.vendor, identity.firmware) == ("rng", "Acme", "9.9")
    assert (identity.model, identity.serial, len(identity.digest)) == ("Emulated rng", "EMU-rng", 64)


@pytest.mark.parametrize(("decks", "error"), [(1, Error.BAD_ARGUMENT), (2, Error.EMPTY)])
async def test_the_shuffler_has_a_compartment_for_each_deck_of_the_game(decks, error):
    rig = replace(EMBEDDED, game=replace(EMBEDDED.game, decks=decks))
    async with EmulatedRig(rig, 1) as served:
        reply = served.machines["shuffler"].handle(Request("shuffle", {"deck": 2}, 1), 0.0)
    assert reply.error is error


@pytest.mark.parametrize(("feeds", "place"), [("shoe", "shoe.well"), (None, "shuffler.out.1")])
async def test_a_shuffler_that_feeds_the_shoe_puts_the_deck_into_its_well(feeds, place):
    async with EmulatedRig(with_emulator("shuffler", settings={"counts": True, "feeds": feeds}), 1) as served:
        served.bench.put_new_deck("shuffler.in.1", "red", range(54))
        served.machines["shuffler"].handle(Request("shuffle", {"deck": 1}, 1), 0.0)
        assert served.bench.places() == (place,)


async def test_a_function_of_the_users_does_the_devices_work(tmp_path, monkeypatch):
    (tmp_path / "crooked_generator.py").write_text("def always_five(chance):\n    return 5\n")
    monkeypatch.syspath_prepend(tmp_path)
    async with EmulatedRig(with_emulator("rng", mechanics="crooked_generator:always_five"), 1) as served:
        assert numbers(served.machines["rng"], 3) == [5, 5, 5]


async def test_a_function_that_cannot_be_found_is_named_with_its_key(nothing_left):
    rig = with_emulator("rng", mechanics="no_such_module:draw")
    with pytest.raises(RigError) as refused:
        await EmulatedRig(rig, 1).__aenter__()
    assert str(refused.value).startswith("embedded.toml: devices.rng.emulator.mechanics: ")
    assert "'no_such_module:draw': cannot import no_such_module" in str(refused.value)


async def test_a_port_that_is_taken_is_named_with_its_device_and_nothing_is_left(nothing_left):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        device = EMBEDDED.devices["reader"]
        wire = replace(EMBEDDED.devices["shoe"].wire, port=taken.getsockname()[1])
        rig = replace(EMBEDDED, devices=MappingProxyType({**EMBEDDED.devices, "reader": replace(device, wire=wire)}))
        with pytest.raises(RigError) as refused:
            await EmulatedRig(rig, 1).__aenter__()
    assert str(refused.value).startswith("embedded.toml: devices.reader: cannot be served: ")
    assert "in use" in str(refused.value)
