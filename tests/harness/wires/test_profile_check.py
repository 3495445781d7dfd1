"""Every shipped profile carries over its real wire what it claims to carry."""

import pytest

from feltrig.harness.wires.profile_check import ARGUMENTS, CARRIED, FIELDS, LACKING, WRONG, Row, check_profile
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.profiles import profilefile


@pytest.mark.parametrize("name", profilefile.names())
async def test_everything_that_a_profile_claims_comes_across(name):
    profile = profilefile.builtin(name)
    rows = await check_profile(profile)
    assert [row for row in rows if row.outcome == WRONG] == []
    lacking = {row.what for row in rows if row.outcome == LACKING}
    claimed = {what for what in profile.lacks() if what.startswith(("command ", "event "))}
    supplied = {f"command {command}" for command in profile.talk.answered()}
    assert lacking == claimed - supplied


async def test_a_wire_that_cannot_be_opened_is_one_row():
    text = (
        'feltrig_profile = 1\nname = "x"\ntitle = "x"\nabout = "x"\nkind = "rng"\nwire = "serial"\n'
        '[[says]]\nstatus = true\nmessage = "{selected.nth:1d}{selected.number:1d}"\nmodulus = 10\n'
        "on_change = false\nevery = 60.0\n"
        '[tables.names]\nA = "b"\n[commands.identify]\nmessage = "?"\nanswer = "I{serial:names}"\n'
    )
    (row,) = await check_profile(profilefile.loads(text.encode(), "x.toml"))
    assert (row.what, row.outcome) == ("the wire", WRONG)
    assert "identify: no answer" in row.detail


HEAD = 'feltrig_profile = 1\nname = "x"\ntitle = "x"\nabout = "x"\nkind = "rng"\n'
STATES = '[tables.states]\nB = "busy"\nR = "ready"\nF = "fault"\n'

ASKED = {
    "serial": (
        'wire = "serial"\n[commands.status]\nmessage = "STAT"\nanswer = "ST={state:d}"',
        Row("state", CARRIED),
    ),
    "serial, with its fault": (
        'wire = "serial"\n[commands.status]\nmessage = "STAT"\nanswer = "STAT {state:d} {fault:d}"',
        Row("state", CARRIED),
    ),
    "mqtt": (
        'wire = "mqtt"\n[commands.status]\nmessage = { op = "stat", tok = "{token}" }\n'
        'answer = { st = "{state}", f = "{fault}", tok = "{token}" }',
        Row("state", CARRIED),
    ),
    "a wire without words for some": (
        'wire = "serial"\n[commands.status]\nmessage = "STAT"\nanswer = "ST={state:states}"\n' + STATES,
        Row("state", CARRIED, "not locked, idle"),
    ),
}


@pytest.mark.parametrize(("text", "expected"), ASKED.values(), ids=ASKED.keys())
async def test_a_device_that_says_its_state_when_asked_is_asked_in_every_state(text, expected):
    rows = await check_profile(profilefile.loads((HEAD + text).encode(), "x.toml"))
    assert [row for row in rows if row.outcome == WRONG] == []
    assert expected in rows


UNANSWERED = {
    "serial": 'wire = "serial"\n[commands.select]\nmessage = "GO"\n',
    "mqtt": 'wire = "mqtt"\n[commands.select]\nmessage = "GO"\n',
    "modbus": 'wire = "modbus"\n[commands.select]\nwrite = [{ coil = 1, value = true }]\n',
}


@pytest.mark.parametrize("text", UNANSWERED.values(), ids=UNANSWERED.keys())
async def test_a_command_that_is_not_answered_is_carried_all_the_same(text):
    rows = await check_profile(profilefile.loads((HEAD + text).encode(), "x.toml"))
    assert [row for row in rows if row.outcome == WRONG] == []
    assert Row("command select", CARRIED) in rows


def test_there_are_samples_for_all_that_has_arguments_or_fields():
    for kind in KINDS.values():
        assert all(c.name in ARGUMENTS for c in kind.commands.values() if c.args and c.name != "events")
        assert all(e.name in FIELDS for e in kind.events.values() if e.fields)
