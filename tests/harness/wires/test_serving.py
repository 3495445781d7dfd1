"""Serving a rig as a context, without a command."""

import ssl

import pytest

from feltrig.errors import RigError
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.keys import emulated_on
from feltrig.harness.wires import wire_of
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.wires.serving import serving
from feltrig.harness.wires.wire import DriverEnd
from feltrig.protocols.messages import Request

TLS = """
feltrig = 1
name = "tls"
[devices.box]
kind = "rng"
wire = "modbus-tls"
emulator = {}
"""


async def test_a_served_rig_says_where_everything_is_and_prints_nothing(capsys, nothing_left):
    async with serving(rigfile.embedded(), 1, control=0) as served:
        assert list(served.endpoints) == list(rigfile.embedded().devices)
        assert served.broker is not None
        assert served.control is not None
        assert served.control.startswith("http://127.0.0.1:")
        assert served.ca is None
        shuffler = served.endpoints["shuffler"]
        device = emulated_on(shuffler.wire, "shuffler", "shuffler")
        end = DriverEnd(served.emulated.site, device, shuffler.where, shuffler.where, lambda outgoing, data: None)
        channel = wire_of(device).channel(end)
        await channel.open()
        assert (await channel.request(Request("identify"))).values["serial"]
        await channel.close()
    assert capsys.readouterr().out == ""


async def test_the_file_of_made_up_certificates_lives_as_long_as_the_rig_is_served(nothing_left):
    async with serving(rigfile.loads(TLS, "tls.toml", to_play=False), 1) as served:
        assert served.ca is not None
        assert served.control is None
        ssl.create_default_context(cafile=served.ca)
    with pytest.raises(FileNotFoundError):
        ssl.create_default_context(cafile=served.ca)


async def test_a_rig_without_emulators_cannot_be_served():
    text = TLS.replace("emulator = {}", 'host = "10.0.0.7"')
    with pytest.raises(RigError, match=r"tls.toml: devices: nothing to serve: no device has an emulator"):
        async with serving(rigfile.loads(text, "tls.toml", to_play=False), 1):
            raise AssertionError("nothing can be served")


async def test_what_is_served_are_the_machines_of_the_emulated_rig():
    async with serving(rigfile.embedded(), 1) as served:
        assert isinstance(served.emulated, EmulatedRig)
        assert served.emulated.machines.keys() == served.endpoints.keys()
