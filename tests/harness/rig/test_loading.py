import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
import references

from feltrig.emulators.models import MODELS
from feltrig.emulators.models.faults import Fault
from feltrig.engine.games import GAMES
from feltrig.errors import RigError
from feltrig.harness.rig import crosschecks
from feltrig.harness.rig.loading import embedded, load, loads
from feltrig.harness.rig.model import BrokerConfig, EmulatorConfig, HouseWayConfig, IdentityConfig, SettingRule
from feltrig.harness.wires.modbus import ModbusRtu, ModbusTcp
from feltrig.harness.wires.mqtt import Mqtt
from feltrig.harness.wires.serial import Serial
from feltrig.protocols.schema import either

ROOT = Path(__file__).parents[3]

HEAD = """
feltrig = 1
name = "test"
"""
GAME = """
[game]
name = "supreme_pai_gow"
house_way = "balanced"
jurisdiction = "NJ"
start = "dice"
deal = "automated_shoe"
"""
SHUFFLER = """
[devices.shuffler]
kind = "shuffler"
wire = "serial"
port = "/dev/ttyS1"
"""
SHOE = """
[devices.shoe]
kind = "shoe"
wire = "modbus-tcp"
host = "10.0.0.7"
"""
SHAKER = """
[devices.shaker]
kind = "shaker"
wire = "mqtt"
[devices.shaker.emulator]
"""
READER = """
[devices.reader]
kind = "reader"
wire = "modbus-rtu"
port = "/dev/ttyS2"
"""
DEVICES = SHUFFLER + SHOE + SHAKER + READER
WHOLE = HEAD + GAME + DEVICES


def refusal(text: str) -> str:
    with pytest.raises(RigError) as caught:
        loads(text, "rig.toml")
    return str(caught.value)


def edited(old: str, new: str) -> str:
    assert old in WHOLE
    return WHOLE.replace(old, new, 1)


def test_the_smallest_rig_has_the_documented_defaults() -> None:
    rig = loads(WHOLE, "rig.toml")

    assert (rig.name, rig.seed, rig.table, rig.broker, rig.source) == ("test", None, "table1", None, "rig.toml")
    assert rig.digest == hashlib.sha256(WHOLE.encode()).hexdigest()
    assert (rig.game.start, rig.game.deal, rig.game.bank) == (("dice",), ("automated_shoe",), ("none",))
    assert (rig.game.decks, rig.game.players, rig.game.rounds, rig.game.vigorish) == (1, 6, 40, "exact")
    assert list(rig.devices) == ["shuffler", "shoe", "shaker", "reader"]
    assert rig.devices["shuffler"].wire == Serial(port="/dev/ttyS1", baud=115_200, address=1)
    assert rig.devices["shoe"].wire == ModbusTcp(host="10.0.0.7", port=502, unit=1)
    assert rig.devices["shaker"].wire == Mqtt(topic="feltrig/table1/shaker", mqtt="5")
    assert rig.devices["reader"].wire == ModbusRtu(port="/dev/ttyS2", baud=115_200, unit=1)
    assert (rig.devices["shoe"].deadline, rig.devices["shoe"].patience) == (2.0, 120.0)
    assert rig.devices["shoe"].emulator is None
    assert rig.device("shoe") is rig.devices["shoe"]
    assert rig.device("rng") is None


def test_everything_that_is_said_of_a_device_is_kept() -> None:
    rig = loads(
        HEAD
        + 'table = "t9"\n'
        + GAME
        + """
[broker]
host = "broker.lan"
port = 8883
username = "u"
password = "secret"
"""
        + SHOE
        + "[devices.shoe.emulator]\n"
        + SHAKER
        + READER
        + """
[devices.mixer]
kind = "shuffler"
wire = "mqtt"
topic = "a/b"
mqtt = "3.1.1"
deadline = 1
patience = 30.5
identity = { vendor = "V", firmware = "1.0" }
[devices.mixer.emulator]
seed = 7
speed = 0.5
mechanics = "bad.machines:riffle"
counts = false
feeds = "shoe"
identity.model = "M"
[[devices.mixer.emulator.faults]]
what = "jam"
at = 2
times = 0
""",
        "rig.toml",
    )
    mixer = rig.devices["mixer"]

    assert mixer.wire == Mqtt(topic="a/b", mqtt="3.1.1")
    assert (mixer.deadline, mixer.patience) == (1.0, 30.5)
    assert mixer.identity == IdentityConfig(vendor="V", firmware="1.0")
    assert mixer.emulator == EmulatorConfig(
        seed=7,
        speed=0.5,
        identity=IdentityConfig(model="M"),
        faults=(Fault("jam", at=2, times=0),),
        mechanics="bad.machines:riffle",
        settings={"counts": False, "feeds": "shoe"},
    )
    assert rig.devices["shaker"].wire == Mqtt(topic="feltrig/t9/shaker", mqtt="5")
    assert rig.broker == BrokerConfig(host="broker.lan", port=8883, username="u", password="secret")
    assert "secret" not in repr(rig)


KNOWN_OF_DEVICE = (
    "kind, wire, port, baud, address, unit, host, ca, certificate, key, topic, mqtt, deadline, patience, "
    "stop_button, stack_sizes, reconnect, identity, noise, profile, emulator"
)
SHAKER_FAULTS = " or ".join(", ".join(map(repr, MODELS["shaker"].faults)).rsplit(", ", 1))
SERIAL_SHUFFLER = 'wire = "serial"\nport = "/dev/ttyS1"'
JAM = '[[devices.shaker.emulator.faults]]\nwhat = "jam"\n'
SLOW = JAM.replace("jam", "slow")
SHAKER_FAULT = "devices.shaker.emulator.faults[1]"

BAD = [
    # the shape of single values
    (edited("feltrig = 1\n", ""), "feltrig: is missing; expected 1"),
    (edited("feltrig = 1", "feltrig = 2"), "feltrig: 2 is not 1"),
    (edited('name = "test"', 'name = "a/b"'), "name: 'a/b' is not a name of letters, digits, - and _"),
    (edited('name = "test"', 'name = "test"\nseed = -1'), "seed: -1 is not a whole number from 0 up"),
    (
        edited('name = "test"', 'name = "test"\nseeds = 1'),
        "seeds: unknown key; did you mean seed?; known here: feltrig, name, seed, table, game, broker, devices",
    ),
    (HEAD + DEVICES, "game: is missing; expected a table"),
    (HEAD + GAME, "devices: is missing; expected tables, each under a name"),
    (
        edited("supreme_pai_gow", "supreme_pai_go"),
        f"game.name: 'supreme_pai_go' is not {either(map(repr, GAMES))}; did you mean supreme_pai_gow?",
    ),
    (edited('"NJ"', '"NV"'), "game.jurisdiction: 'NV' is not 'MA' or 'NJ'"),
    (edited('"dice"', '["dice", "coin"]'), "game.start: 'coin' is not 'dice', 'rng' or 'button'"),
    (edited('"dice"', '"dice"\nplayers = 9'), "game.players: 9 is not a whole number from 1 to 8"),
    (edited('"dice"', '"dice"\ndecks = 3'), "game.decks: 3 is not 1 or 2"),
    (
        edited(SERIAL_SHUFFLER, SERIAL_SHUFFLER + '\nbaud = "fast"'),
        "devices.shuffler.baud: 'fast' is not a whole number",
    ),
    (
        edited('"modbus-tcp"', '"modbus"'),
        "devices.shoe.wire: 'modbus' is not 'serial', 'modbus-rtu', 'modbus-tcp', 'modbus-tls' or 'mqtt'; "
        "did you mean modbus-tls?",
    ),
    (
        edited('kind = "shoe"', 'kind = "wheel"'),
        "devices.shoe.kind: 'wheel' is not 'rng', 'shaker', 'shuffler', 'shoe' or 'reader'",
    ),
    (
        edited('host = "10.0.0.7"', 'hots = "10.0.0.7"'),
        f"devices.shoe.hots: unknown key; did you mean host?; known here: {KNOWN_OF_DEVICE}",
    ),
    (
        edited('host = "10.0.0.7"', 'host = "10.0.0.7"\nstack_sizes = [4, 6]'),
        "devices.shoe.stack_sizes: 6 is not 2, 3, 4, 5 or 7",
    ),
    (
        edited('host = "10.0.0.7"', 'host = "10.0.0.7"\nstack_sizes = [3, 7]'),
        "devices.shoe.stack_sizes: 4 is missing, and supreme_pai_gow deals such stacks",
    ),
    (edited('host = "10.0.0.7"', "deadline = 0"), "devices.shoe.deadline: 0 is not a number from 0.001 to 3600"),
    (
        edited('"mqtt"', '"mqtt"\ntopic = "a/#"'),
        "devices.shaker.topic: 'a/#' is not a topic without wildcards or outer slashes",
    ),
    (edited('"mqtt"', '"mqtt"\nmqtt = 5'), "devices.shaker.mqtt: 5 is not '5' or '3.1.1'"),
    (edited("[devices.shoe]", '[devices."the shoe"]'), "devices: 'the shoe' is not a name of letters, digits, - and _"),
    (HEAD + "devices = 3\n" + GAME, "devices: 3 is not a table"),
    (WHOLE + "[broker]\npassword = 12", "broker.password: the value is not text"),
    (
        WHOLE + '[devices.reader.identity]\ndigest = "abc"',
        "devices.reader.identity.digest: 'abc' is not a SHA-256 digest of 64 lower-case hex digits",
    ),
    # keys that belong elsewhere
    (
        edited(SERIAL_SHUFFLER, SERIAL_SHUFFLER + '\ntopic = "x"'),
        "devices.shuffler.topic: is only for wire 'mqtt', and this is wire 'serial'",
    ),
    (
        edited(SERIAL_SHUFFLER, SERIAL_SHUFFLER + "\nunit = 1"),
        "devices.shuffler.unit: is only for wire 'modbus-rtu', 'modbus-tcp' or 'modbus-tls', and this is wire 'serial'",
    ),
    (
        edited('"mqtt"', '"mqtt"\nport = 1883'),
        "devices.shaker.port: is only for wire 'serial', 'modbus-rtu', 'modbus-tcp' or 'modbus-tls', "
        "and this is wire 'mqtt'",
    ),
    (
        edited("[devices.shaker.emulator]", "[devices.shaker.emulator]\ncounts = true"),
        "devices.shaker.emulator.counts: is only for kind 'shuffler', and this is kind 'shaker'",
    ),
    (
        WHOLE + '[devices.reader.emulator]\nmechanics = "a:b"',
        "devices.reader.emulator.mechanics: is only for kind 'rng', 'shaker' or 'shuffler', and this is kind 'reader'",
    ),
    (
        edited("[devices.shaker.emulator]", '[devices.shaker.emulator]\nmechanics = "a"'),
        "devices.shaker.emulator.mechanics: 'a' is not a function, written module:function",
    ),
    # places and clashes
    (
        edited('port = "/dev/ttyS1"\n', ""),
        "devices.shuffler.port: is missing; expected the path of a serial port, since shuffler is not emulated",
    ),
    (
        edited('host = "10.0.0.7"\n', ""),
        "devices.shoe.host: is missing; expected a host name or address, since shoe is not emulated",
    ),
    (
        edited("[devices.shaker.emulator]", ""),
        "broker: is missing; expected a table, since shaker is a real device on mqtt",
    ),
    (WHOLE + '[broker]\npassword = "x"', "broker.username: is missing; expected text, since there is a password"),
    (
        edited("/dev/ttyS2", "/dev/ttyS1"),
        "devices.reader.wire: 'modbus-rtu' is not 'serial', the wire of shuffler on the same line",
    ),
    (
        edited('wire = "modbus-rtu"\nport = "/dev/ttyS2"', 'wire = "modbus-tcp"\nhost = "10.0.0.7"'),
        "devices.reader.unit: 1 at 10.0.0.7:502 is shoe already",
    ),
    (
        edited('host = "10.0.0.7"', "port = 1502").replace(
            'wire = "modbus-rtu"\nport = "/dev/ttyS2"', 'wire = "modbus-tcp"\nport = 1502\nunit = 2\nemulator = {}'
        )
        + "[devices.shoe.emulator]",
        "devices.reader.port: 1502 is the port of shoe already",
    ),
    (
        edited(
            'wire = "modbus-rtu"\nport = "/dev/ttyS2"',
            'wire = "mqtt"\ntopic = "feltrig/table1/shaker/x"\nemulator = {}',
        ),
        "devices.reader.topic: 'feltrig/table1/shaker/x' clashes with 'feltrig/table1/shaker' of shaker",
    ),
    (
        WHOLE + READER.replace("devices.reader", "devices.eye").replace("ttyS2", "ttyS3"),
        "devices.eye.kind: 'reader' is the kind of reader already",
    ),
    (
        edited("[devices.reader]", "[devices.table]"),
        "devices.table: 'table' is a place for cards; expected another name",
    ),
    # what the game needs
    (
        HEAD + GAME + SHUFFLER + SHOE + SHAKER,
        "devices: there is no device of kind 'reader', and a game with cards needs one",
    ),
    (HEAD + GAME + SHUFFLER + SHOE + READER, "game.start: 'dice' needs a device of kind 'shaker', and there is none"),
    (edited('"dice"', '"rng"'), "game.start: 'rng' needs a device of kind 'rng', and there is none"),
    (
        HEAD + GAME + SHUFFLER + SHAKER + READER,
        "game.deal: 'automated_shoe' needs a device of kind 'shoe', and there is none",
    ),
    (
        HEAD + GAME + SHOE + SHAKER + READER,
        "game.machine_shuffle: true needs a device of kind 'shuffler', and there is none",
    ),
    (
        HEAD + GAME + "machine_shuffle = false\ndecks = 2" + SHOE + SHAKER + READER,
        "game.decks: 2 needs a device of kind 'shuffler', and there is none",
    ),
    (edited('"dice"', '"dice"\nmachine_shuffle = false\ndecks = 2'), "game.decks: 2 needs machine_shuffle"),
    (
        edited('start = "dice"\ndeal = "automated_shoe"', 'start = "button"\ndeal = "hand"'),
        "game.start: 'button' needs 'automated_shoe' in deal, and machine_shuffle",
    ),
    (WHOLE + "[game.wagers]\nmain = 400", "game.wagers.main: 400 is less than the minimum, 500"),
    (WHOLE + "[game.wagers]\nbonus = 50", "game.wagers.bonus: 50 is neither 0 nor at least bonus_minimum, 100"),
    # emulators
    (
        WHOLE + '[devices.shuffler.emulator]\nfeeds = "reader"',
        "devices.shuffler.emulator.feeds: 'reader' is not the name of an emulated shoe",
    ),
    (WHOLE + JAM, f"{SHAKER_FAULT}.what: 'jam' is not {SHAKER_FAULTS}; did you mean lid_jam?"),
    (
        WHOLE + JAM.replace("jam", "die_ou"),
        f"devices.shaker.emulator.faults[1].what: 'die_ou' is not {SHAKER_FAULTS}; did you mean die_out?",
    ),
    (WHOLE + SLOW + "times = -1", f"{SHAKER_FAULT}.times: -1 is not a whole number from 0 to 1000000"),
    (WHOLE + SLOW + "every = 0", f"{SHAKER_FAULT}.every: 0 is not a whole number from 1 to 1000000"),
    (WHOLE + SLOW + "after = -1", f"{SHAKER_FAULT}.after: -1 is not a number from 0 to 86400"),
    (WHOLE + SLOW + "event = 0", f"{SHAKER_FAULT}.event: 0 is not a whole number from 1 to 4294967295"),
    (WHOLE + SLOW + "probability = 0", f"{SHAKER_FAULT}.probability: 0 is not a number from 1e-06 to 1"),
    (WHOLE + SLOW + "probability = 1.1", f"{SHAKER_FAULT}.probability: 1.1 is not a number from 1e-06 to 1"),
    (WHOLE + SLOW + "seconds = 0", f"{SHAKER_FAULT}.seconds: 0 is not a number from 0.001 to 86400"),
    (
        WHOLE + SLOW.replace("slow", "hang") + "seconds = 2",
        f"{SHAKER_FAULT}.seconds: is only for 'slow', 'power_loss' or 'power_loss_forgetful', and this is 'hang'",
    ),
    (WHOLE + JAM + "at = 0", "devices.shaker.emulator.faults[1].at: 0 is not a whole number from 1 to 1000000"),
    (WHOLE + "[[devices.shoe.faults]]", f"devices.shoe.faults: unknown key; known here: {KNOWN_OF_DEVICE}"),
]


@pytest.mark.parametrize(("text", "line"), BAD, ids=[line for _, line in BAD])
def test_a_bad_rig_is_refused_with_one_line(text: str, line: str) -> None:
    assert refusal(text) == f"rig.toml: {line}"


def test_every_condition_of_a_fault_may_be_given_and_none_must() -> None:
    text = SLOW + "at = 2\nevery = 3\ntimes = 0\nafter = 4\nevent = 5\nprobability = 0.5\nseconds = 7\n" + SLOW
    emulator = loads(WHOLE + text, "rig.toml").devices["shaker"].emulator

    assert emulator is not None
    assert emulator.faults == (
        Fault("slow", at=2, every=3, times=0, after=4.0, event=5, probability=0.5, seconds=7.0),
        Fault("slow"),
    )


def test_an_emulated_device_may_keep_the_port_of_the_machine_it_stands_for() -> None:
    text = edited("/dev/ttyS2", "/dev/ttyS1") + "[devices.reader.emulator]"

    assert loads(text, "rig.toml").devices["reader"].wire == ModbusRtu(port="/dev/ttyS1", baud=115_200, unit=1)


def test_an_emulated_device_on_tcp_takes_any_port_or_the_one_it_is_given() -> None:
    free = loads(WHOLE + "[devices.shoe.emulator]", "rig.toml")
    fixed = loads(edited('host = "10.0.0.7"', "port = 1502") + "[devices.shoe.emulator]", "rig.toml")

    assert free.devices["shoe"].wire == ModbusTcp(host="10.0.0.7", port=0, unit=1)
    assert fixed.devices["shoe"].wire == ModbusTcp(host=None, port=1502, unit=1)


def test_units_behind_one_gateway_may_share_its_address() -> None:
    text = edited('wire = "modbus-rtu"\nport = "/dev/ttyS2"', 'wire = "modbus-tcp"\nhost = "10.0.0.7"\nunit = 2')

    assert loads(text, "rig.toml").devices["reader"].wire == ModbusTcp(host="10.0.0.7", port=502, unit=2)


def test_a_game_is_played_where_its_record_says() -> None:
    text = edited(GAME[: GAME.index("start")], '[game]\nname = "red_dog"\njurisdiction = "MA"\n')

    with pytest.raises(RigError, match=r"game\.jurisdiction: 'MA' has no red_dog: expected 'NJ'$"):
        loads(text, "rig.toml")


HOUSE_WAY = """
[game.house_way]
name = "ours"
version = "4"
source = "Example Casino, 2026"
rules = [{ high = "9", low = "QJ", prefer = "low" }, { high = "0", low = "0", prefer = "high" }]
"""


def test_the_house_way_is_a_licensees_table_or_the_rigs_own() -> None:
    named = loads(WHOLE, "rig.toml").game.house_way
    stated = loads(edited('house_way = "balanced"\n', "") + HOUSE_WAY, "rig.toml").game.house_way

    assert named == "balanced"
    assert isinstance(stated, HouseWayConfig)
    assert (stated.name, stated.version, stated.source) == ("ours", "4", "Example Casino, 2026")
    assert stated.rules == (SettingRule("9", "QJ", "low"), SettingRule("0", "0", "high"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            edited('house_way = "balanced"\n', ""),
            "game.house_way: is missing; expected 'balanced', or a table with the licensee's way",
        ),
        (edited('"balanced"', '"balancd"'), "game.house_way: 'balancd' is not 'balanced'; did you mean balanced?"),
        (
            edited('house_way = "balanced"\n', "") + HOUSE_WAY.replace('"0"', '"1"'),
            "game.house_way.rules: the last rule must apply to every hand: high = '0', low = '0'",
        ),
        (
            edited("supreme_pai_gow", "three_card_poker").replace('start = "dice"\n', ""),
            "game.house_way: three_card_poker does not take one",
        ),
    ],
    ids=["missing", "unknown", "without a last rule", "of another game"],
)
def test_a_game_whose_licensee_submits_a_house_way_needs_it_and_no_other_takes_one(text: str, said: str) -> None:
    with pytest.raises(RigError) as refused:
        loads(text, "rig.toml")
    assert str(refused.value) == f"rig.toml: {said}"


def test_a_device_has_the_faults_of_its_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crosschecks, "MODELS", {"shaker": replace(MODELS["shaker"], faults={})})

    with pytest.raises(RigError, match=r"faults\[1\]\.what: 'jam' is not a fault of the kind shaker: it has none$"):
        loads(WHOLE + JAM, "rig.toml")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"name = ", "is not TOML: Invalid value (at end of document)"),
        (b"a = 1\na = 2", "is not TOML: Cannot overwrite a value (at end of document)"),
        (b"name = \xff", "is not UTF-8: byte 7 is 0xff"),
        (b"a = " + b"[" * 100_000, "is not TOML: "),
        (b"a = " + b"9" * 10_000, "is not TOML: "),
        (b"#" * ((1 << 20) + 1), "is larger than 1048576 bytes, not a rig file"),
        (b"", "feltrig: is missing; expected 1"),
    ],
)
def test_a_file_that_is_no_rig_file_is_refused_with_one_line(tmp_path: Path, data: bytes, reason: str) -> None:
    file = tmp_path / "rig.toml"
    file.write_bytes(data)

    with pytest.raises(RigError) as caught:
        load(file)

    assert str(caught.value).startswith(f"{file}: {reason}")
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(RigError, match=r"rig\.toml: cannot be read: No such file or directory$"):
        load(tmp_path / "rig.toml")
    with pytest.raises(RigError, match=r": cannot be read: Is a directory$"):
        load(tmp_path)


def test_the_embedded_rig_has_every_kind_of_device_and_every_kind_of_wire() -> None:
    rig = embedded()

    assert {device.kind for device in rig.devices.values()} == {"rng", "shaker", "shuffler", "shoe", "reader"}
    assert {type(device.wire) for device in rig.devices.values()} == {Serial, ModbusRtu, ModbusTcp, Mqtt}
    assert {d.wire.mqtt for d in rig.devices.values() if isinstance(d.wire, Mqtt)} == {"5", "3.1.1"}
    assert all(device.emulator for device in rig.devices.values())
    assert (rig.game.start, rig.game.decks) == (("dice", "rng", "button"), 2)


def test_the_example_of_real_machines_is_a_good_rig_file() -> None:
    rig = load(ROOT / "fixtures" / "hardware.toml")

    assert not any(device.emulator for device in rig.devices.values())
    assert rig.devices["shaker"].wire == Mqtt(topic="pit3/table12/shaker", mqtt="5")


def test_the_page_on_rig_files_has_the_reference_of_the_schema() -> None:
    page = (ROOT / "docs" / "rig-file.md").read_text(encoding="utf-8")

    assert page.endswith(references.rig_file()), "docs/rig-file.md is stale: `make docs` mends it"
