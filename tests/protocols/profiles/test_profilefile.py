"""The profile file: what is wrong is named on one line, with the key, the value and what was expected."""

import re

import pytest

from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.checksums import Check
from feltrig.protocols.profiles.dialogue import Dialogue
from feltrig.protocols.profiles.framing import Bare, Cobs, Counted, Enclosed, Lines
from feltrig.protocols.profiles.profile import ProfileError
from feltrig.protocols.profiles.registers import Location, RegisterMap

HEAD = 'feltrig_profile = 1\nname = "x"\ntitle = "x"\nabout = "x"\n'
SERIAL = HEAD + 'kind = "shuffler"\nwire = "serial"\n'
MODBUS = HEAD + 'kind = "shaker"\nwire = "modbus"\n'
COUNTED = '[[says]]\nevent = "counted"\n'


def load(text: str):
    return profilefile.loads(text.encode(), "x.toml")


RING = """
[tables.events]
1 = "cleared"
[modbus.fields]
"status.fault" = { input = 105 }
[modbus.ring]
latest = { input = 0 }
start = { input = 100 }
slots = 100
size = 10
number = { at = 0 }
event = { at = 1, table = "events" }
"""

BAD = [
    ("", "feltrig_profile: is missing; expected 1"),
    ("a = ", "is not TOML: Invalid value"),
    (HEAD + 'kind = "rgn"', "kind: 'rgn' is not 'rng'"),
    (HEAD + 'kind = "rng"\nwire = "usb"', "wire: 'usb' is not 'serial', 'mqtt' or 'modbus'"),
    (SERIAL + "[mqtt]", "mqtt: is only for wire 'mqtt', and this is wire 'serial'"),
    (SERIAL + "[serial]\nbits = 9", "serial.bits: 9 is not 7 or 8"),
    (SERIAL + '[serial.says]\nend = "€"', "serial.says.end: '€' is not of single bytes"),
    (
        SERIAL + '[serial.says]\nframing = "cobs"\nstart = 1',
        "serial.says.start: is only for framing 'lines', 'enclosed' or 'counted'",
    ),
    (SERIAL + '[serial.hears]\nframing = "enclosed"\nstop = 2', "serial.hears.stop: start, stop and escape must be"),
    (
        SERIAL + '[tables.f]\nJ = "jam"\n[commands.status]\nmessage = "?"\nanswer = "{state:1d}{fault:f}"',
        "commands.status.answer: {fault:f} has no word for no fault; expected a row that means 'none' in tables.f",
    ),
    (SERIAL + "tables = 1", "tables: 1 is not a table"),
    (SERIAL + "[tables.a]", "tables.a: is empty; expected at least one row"),
    (SERIAL + "[tables]\na = 1", "tables.a: 1 is not a table"),
    (SERIAL + "[tables.a]\nx = 1.5", "tables.a.x: 1.5 is not a name, a number, or true or false"),
    (
        SERIAL + '[tables.a]\nJ = "jamm"\n[[says]]\nevent = "faulted"\nmessage = "{fault:a}"',
        "tables.a.J: 'jamm' is not 'none', 'jam', 'stopped', 'incomplete', 'count' or 'sensor'",
    ),
    (
        SERIAL + '[tables.a]\n1 = "jam"\n[answers]\nrefused = "{error:a}"\n[commands.reset]\nmessage = "R"',
        "tables.a.1: 'jam' is not 'ok', 'unknown_command'",
    ),
    (
        SERIAL + '[tables.a]\n1 = 9\n[[says]]\nstatus = true\nmessage = "{status.state:a}"',
        "tables.a.1: 9 is not 'idle', 'busy'",
    ),
    (
        SERIAL + '[tables.a]\n1 = true\n[[says]]\nstatus = true\nmessage = "{status.state:a}"',
        "tables.a.1: true is not 'idle', 'busy'",
    ),
    (
        SERIAL + '[tables.a]\n1 = "one"\n[commands.shuffle]\nmessage = "{deck:a}"',
        "tables.a.1: 'one' is not a number up to 255",
    ),
    (
        SERIAL + '[tables.a]\n1 = "idle"\n[commands.shuffle]\nmessage = "{deck:a}"',
        "tables.a.1: 'idle' is not a number up to 255",
    ),
    (SERIAL + "[commands.shufle]\n", "commands: 'shufle' is not 'identify', 'status'"),
    (SERIAL + "[commands.shuffle]\n", "commands.shuffle: has neither a message nor anything remembered"),
    (
        SERIAL + '[commands.shuffle]\nmessage = "S"',
        "commands.shuffle.message: no value for deck; expected it in the message",
    ),
    (
        SERIAL + '[commands.shuffle]\nmessage = "{deck:q}"',
        "commands.shuffle.message: 'q' is not a form; there are d, x",
    ),
    (
        SERIAL + '[commands.shuffle]\nmessage = "{dek}"',
        "commands.shuffle.message: {dek} cannot be used in this message",
    ),
    (SERIAL + "[commands.shuffle]\nmessage = {}", "commands.shuffle.message: is empty; expected at least one key"),
    (
        SERIAL + '[commands.shuffle]\nmessage = "S"\nvalues = { deck = "a" }',
        "commands.shuffle.values.deck: 'a' is not a num",
    ),
    (
        SERIAL + '[commands.shuffle]\nmessage = "S"\nvalues = { x = 1 }',
        "commands.shuffle.values.x: no such field here",
    ),
    (SERIAL + '[commands.shuffle]\nanswer = "S"', "commands.shuffle.message: is missing; expected text, since"),
    (
        SERIAL + '[commands.status]\nmessage = "S"',
        "commands.status.answer: no value for state; expected it in the answer",
    ),
    (
        SERIAL + '[commands.status]\nremembered = { state = "x.y" }',
        "commands.status.remembered.state: 'x.y' is not something",
    ),
    (
        SERIAL + COUNTED + 'message = "{count:d}"',
        "says[1]: no value for correct; expected it in message, values or assumed",
    ),
    (SERIAL + COUNTED + 'message = "{cnt:d}"', "says[1].message: {cnt} cannot be used in this message"),
    (SERIAL + '[[says]]\nevent = "cnted"\nmessage = "x"', "says[1].event: 'cnted' is not 'started'"),
    (SERIAL + COUNTED + 'message = "x"\nstatus = true', "says[1].status: true does not go with event"),
    (SERIAL + COUNTED + 'message = "x"\nvalues = { correct = 1 }', "says[1].values.correct: 1 is not true or false"),
    (
        SERIAL + COUNTED + 'message = "x"\nwhen = { count = "5" }\nassumed = { deck = 1, count = 1, correct = true }',
        "says[1].when.count: '5' is not a number, true or false, or a span",
    ),
    (
        SERIAL + COUNTED + 'message = "x"\nassumed = { deck = "shuffle.dek" }',
        "says[1].assumed.deck: 'shuffle.dek' is not an arg",
    ),
    (
        SERIAL + COUNTED + 'message = "x"\nassumed = { dek = 1 }',
        "says[1].assumed.dek: counted.dek is not a field of an event",
    ),
    (SERIAL + '[[says]]\nmessage = "{seq:1d}"', "reports.modulus: is missing; expected a whole number"),
    (SERIAL + "[reports]\nrepeats = 3", "reports.repeats: 3 needs {seq} in the messages"),
    (SERIAL + '[[says]]\nstatus = true\nmessage = "{counted.nth:1d}"', "says[1].modulus: is missing"),
    (
        SERIAL + '[[says]]\nstatus = true\nmodulus = 10\nmessage = "{shuffled.nth:1d}"',
        "says[1]: no value for shuffled.deck",
    ),
    (SERIAL + 'codec = "nobody"', "codec: no codec 'nobody' is installed; there are none"),
    (MODBUS + "[modbus.fields.lid]\ncoil = 1", "modbus.fields.lid: is not something that this kind of device reports"),
    (MODBUS + '[modbus.fields."shaken.nth"]\n', 'modbus.fields."shaken.nth": has 0 addresses; expected one of coil'),
    (MODBUS + '[modbus.fields]\n"shaken.nth" = { input = 1 }', "modbus.fields: no value for shaken.times"),
    (
        MODBUS + '[modbus.fields]\n"status.state" = { coil = 1, type = "u16" }',
        "'u16' is not a type for this; expected 'bit'",
    ),
    (
        MODBUS + '[modbus.fields]\n"rolled.dice" = { input = 1 }',
        'modbus.fields."rolled.dice".many: must be given for a list',
    ),
    (
        MODBUS + '[modbus.fields]\n"status.state" = { input = 1, table = "s" }',
        ".table: 's' is not one of the tables: the profile has none",
    ),
    (
        MODBUS + '[tables.states]\n0 = "idle"\n[modbus.fields]\n"status.state" = { input = 1, table = "s" }',
        ".table: 's' is not one of the tables: states",
    ),
    (
        MODBUS + '[modbus.fields]\n"shaken.nth" = { input = 2 }\n"shaken.times" = { input = 2 }',
        'modbus.fields."shaken.times": is also at input 2, where modbus.fields."shaken.nth" is',
    ),
    (
        MODBUS + '[modbus.fields]\n"shaken.nth" = { input = 1, type = "u32" }\n"shaken.times" = { input = 2 }',
        'modbus.fields."shaken.times": is also at input 2, where modbus.fields."shaken.nth" is',
    ),
    (
        MODBUS + '[modbus.fields]\nlid = { coil = 1, rises = "covered" }\nlamp = { coil = 1, falls = "cleared" }',
        "modbus.fields.lamp: is also at coil 1, where modbus.fields.lid is",
    ),
    (MODBUS + RING, 'modbus.fields."status.fault": is also at input 105, where modbus.ring.start is'),
    (
        MODBUS + RING.replace("input = 100", "input = 65000"),
        "modbus.ring.slots: 1000 cells from input 65000 on run past the last address, 65535",
    ),
    (
        MODBUS + '[modbus.fields]\n"status.state" = { input = 65535, type = "u32" }',
        'modbus.fields."status.state".input: 2 cells from input 65535 on run past the last address, 65535',
    ),
    (
        MODBUS + '[tables.s]\nx = "idle"\n[modbus.fields]\n"status.state" = { input = 1, table = "s" }',
        "tables.s.x: is not a number, but registers hold numbers",
    ),
    (
        MODBUS + '[tables.s]\n0 = "idel"\n[modbus.fields]\n"status.state" = { input = 1, table = "s" }',
        "tables.s.0: 'idel' is not 'idle', 'busy', 'ready', 'fault' or 'locked'",
    ),
    (
        MODBUS + '[tables.s]\n0 = "jam"\n[modbus.fields]\n"status.state" = { input = 1, table = "s" }',
        "tables.s.0: 'jam' is not 'idle', 'busy', 'ready', 'fault' or 'locked'",
    ),
    (MODBUS + '[modbus.fields]\nlid = { coil = 1, rises = "up" }', "modbus.fields.lid.rises: 'up' is not 'started'"),
    (MODBUS + "[commands.cover]\nwrite = []", "commands.cover.write: is missing; expected what is written"),
    (
        MODBUS + "[commands.cover]\nwrite = [{ input = 1, value = 1 }]",
        "commands.cover.write[1]: only a coil or a holding register can be written",
    ),
    (
        MODBUS + '[commands.shake]\nwrite = [{ coil = 1, value = "{x}" }]',
        "commands.shake.write[1].value: '{x}' is not an arg",
    ),
    (MODBUS + "[commands.shake]\nwrite = [{ coil = 1, value = 1 }]", "commands.shake: no value for times"),
    (
        MODBUS + "[commands.cover]\nwrite = [{ coil = 1, value = 2 }]",
        "commands.cover.write[1].value: 2 does not fit a bit",
    ),
    (MODBUS + "[commands.status]\n", "commands: 'status' is not 'reset'"),
]


@pytest.mark.parametrize(("text", "why"), BAD, ids=[why for _, why in BAD])
def test_what_is_wrong_is_named_on_one_line(text, why):
    with pytest.raises(ProfileError, match=re.escape(why)) as caught:
        load(text)
    assert str(caught.value).startswith("x.toml: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ProfileError, match=r"nowhere\.toml: cannot be read: No such file"):
        profilefile.load(tmp_path / "nowhere.toml")


def test_a_file_that_is_no_text_is_named(tmp_path):
    (tmp_path / "x.toml").write_bytes(b"\xff")
    with pytest.raises(ProfileError, match=r"is not UTF-8: byte 0 is 0xff"):
        profilefile.load(tmp_path / "x.toml")


def test_a_profile_that_is_not_shipped_is_answered_with_those_that_are():
    with pytest.raises(
        ProfileError,
        match=r"'acme' is neither a .toml file nor a built-in profile; built in are lookalike-card-reports-shoe",
    ):
        profilefile.builtin("acme")


@pytest.mark.parametrize(
    ("text", "framing"),
    [
        ("", Lines(b"\r\n")),
        ('end = "\\r"', Lines(b"\r")),
        ('framing = "enclosed"', Enclosed()),
        (
            'framing = "enclosed"\nstart = 5\ncheck = "xor"\ncheck_as = "hex"\ncovers_start = true\nescape = 0x10\n'
            "bare = [{ head = 6 }]",
            Enclosed(5, 3, Check("xor", "hex"), True, True, 0x10, (Bare(6),)),
        ),
        (
            'framing = "counted"\nlength_size = 2\ncheck = "crc16-modbus"\ncheck_order = "little"',
            Counted(b"", 2, "big", "payload", Check("crc16-modbus", order="little"), False),
        ),
        ('framing = "cobs"\ncheck = "crc16-ccitt"', Cobs(Check("crc16-ccitt"))),
    ],
)
def test_every_framing_can_be_described(text, framing):
    assert load(SERIAL + f"[serial.says]\n{text}").serial.says == framing


def test_names_of_states_faults_and_errors_stand_for_their_numbers():
    talk = load(SERIAL + '[tables.f]\nJ = "jam"\n[[says]]\nevent = "faulted"\nmessage = "{fault:f}"').talk
    assert isinstance(talk, Dialogue)
    assert talk.says[0].message.pattern.read(b"J") == {"fault": 1}


def test_a_place_says_everything_about_its_value():
    talk = load(
        MODBUS + '[modbus.fields]\n"shaken.nth" = { holding = 4, type = "u32", low_first = true }\n'
        '"shaken.times" = { input = 9, scale = 10 }'
    ).talk
    assert isinstance(talk, RegisterMap)
    assert talk.fields["shaken.nth"] == Location("holding", 4, "u32", low_first=True)
    assert talk.fields["shaken.times"] == Location("input", 9, scale=10)
