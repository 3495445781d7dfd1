"""The key `profile` of a rig file."""

import re

import pytest
from rigs import make_rig, rng_rig_text

from feltrig.errors import RigError
from feltrig.harness.devices import DEVICES
from feltrig.harness.rig import loading as rigfile
from feltrig.protocols.kinds import KINDS


def load(text: str, source: str = "rig.toml"):
    return make_rig(rng_rig_text(text, None), source).devices["rng"]


def test_a_profile_of_the_package_is_found_by_its_name():
    device = load('wire = "serial"\nemulator = {}\nprofile = "lookalike-status-lines-rng"')
    assert device.profile.name == "lookalike-status-lines-rng"
    assert device.wire.baud == 9600


def test_the_rig_files_own_baud_comes_first():
    assert (
        load('wire = "serial"\nbaud = 19200\nemulator = {}\nprofile = "lookalike-status-lines-rng"').wire.baud == 19200
    )
    assert load('wire = "serial"\nemulator = {}').wire.baud == 115_200


def test_the_kind_and_the_only_wire_come_from_the_profile():
    text = rng_rig_text('emulator = {}\nprofile = "lookalike-status-lines-rng"', None).replace('kind = "rng"\n', "")
    device = make_rig(text).devices["rng"]
    assert (device.kind, device.wire.name) == ("rng", "serial")


def test_a_profile_for_several_wires_does_not_choose_one():
    device = '[devices.dice]\nemulator = {}\nprofile = "plc-shaker"\n'
    with pytest.raises(RigError, match=re.escape("devices.dice.wire: is missing; expected")):
        rigfile.loads(f'feltrig = 1\nname = "x"\n{device}', "rig.toml", to_play=False)


def test_a_profile_that_cannot_be_read_is_named_before_the_kind_that_it_would_have_said(tmp_path):
    why = f"devices.dice.profile: {tmp_path}/none.toml: cannot be read: No such file or directory"
    with pytest.raises(RigError, match=re.escape(why)):
        rigfile.loads(
            'feltrig = 1\nname = "x"\n[devices.dice]\nprofile = "none.toml"\n',
            str(tmp_path / "rig.toml"),
            to_play=False,
        )


SMALL = 'feltrig_profile = 1\nname = "x"\ntitle = "x"\nabout = "x"\nkind = "rng"\nwire = "serial"\n'
SELECT = '[commands.select]\nmessage = "S"\n'
DISPLAY = '[commands.display]\nremembered = { number = "selected.number" }\n'


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "profile = 5",
            "devices.rng.profile: 5 is not the name of a built-in profile, or the path of a .toml file",
        ),
        (
            'profile = "acme"',
            "devices.rng.profile: 'acme' is neither a .toml file nor a built-in profile; built in are lookalike-",
        ),
        ('profile = "none.toml"', "none.toml: cannot be read: No such file or directory"),
        ('profile = "plc-shaker"', "devices.rng.profile: 'plc-shaker' is for the kind shaker, and this is kind 'rng'"),
    ],
)
def test_a_profile_that_does_not_suit_is_named(line, why, tmp_path):
    with pytest.raises(RigError, match=re.escape(why)):
        load(f'wire = "serial"\nemulator = {{}}\n{line}', str(tmp_path / "rig.toml"))


def test_a_profile_for_another_wire_is_named():
    with pytest.raises(RigError, match=re.escape("'lookalike-status-lines-rng' is for wire 'serial', not 'mqtt'")):
        load('wire = "mqtt"\nemulator = {}\nprofile = "lookalike-status-lines-rng"')


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (SMALL + "kin = 1", "profile: {folder}/small.toml: kin: unknown key; did you mean kind?"),
        (SMALL + DISPLAY, "'x' has no command select, and no round can be played without it"),
        (SMALL + SELECT + DISPLAY, "'x' has no event selected, and no round can be played without it"),
    ],
)
def test_a_file_is_looked_for_beside_the_rig_file_and_must_do_for_a_round(text, why, tmp_path):
    (tmp_path / "small.toml").write_text(text)
    with pytest.raises(RigError, match=re.escape(why.format(folder=tmp_path))):
        load('wire = "serial"\nemulator = {}\nprofile = "small.toml"', str(tmp_path / "rig.toml"))


def test_a_profile_that_will_not_do_for_a_round_can_be_served(tmp_path):
    (tmp_path / "small.toml").write_text(SMALL)
    rig = tmp_path / "rig.toml"
    rig.write_text(
        'feltrig = 1\nname = "test"\n[devices.rng]\nkind = "rng"\nwire = "serial"\nemulator = {}\n'
        'profile = "small.toml"\n'
    )
    assert rigfile.load(rig, to_play=False).devices["rng"].profile is not None


def test_a_device_with_a_serial_profile_has_its_line_for_itself():
    why = "devices.rng.emulator.line: does not go with a profile"
    with pytest.raises(RigError, match=re.escape(why)):
        load('wire = "serial"\nprofile = "lookalike-status-lines-rng"\nemulator = { line = "bus" }')


def test_what_a_round_needs_is_in_the_vocabulary():
    for kind, device in DEVICES.items():
        assert set(device.commands) <= set(KINDS[kind].commands)
        assert set(device.events) <= set(KINDS[kind].events)
    assert set(DEVICES) == set(KINDS)
