"""TLS in rig files: the files that they name, both ends, and one line for whatever is wrong with them."""

from datetime import timedelta

import pytest
import rigs
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
from rigs import nobody, rig_text

from feltrig.emulators.certificates import Authority
from feltrig.errors import RigError
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.shapes import ServerTls
from feltrig.harness.wires.connecting import wire
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.wires.modbus import ModbusTls

KINDS = ("rng", "shaker", "shuffler", "shoe", "reader")
CLIENT = 'ca = "ca.pem"\ncertificate = "rig.pem"\nkey = "rig.key"\n'
SERVER = 'ca = "ca.pem"\ncertificate = "device.pem"\nkey = "device.key"\n'


@pytest.fixture
def folder(tmp_path):
    """Certificates of an authority of the user's own, of another, and some that are no good."""
    ours, others = Authority("ours"), Authority("others")
    (tmp_path / "ca.pem").write_bytes(ours.pem)
    (tmp_path / "other-ca.pem").write_bytes(others.pem)
    ours.issue("rig").write(tmp_path, "rig")
    ours.issue("device").write(tmp_path, "device")
    ours.issue("named", ["localhost"]).write(tmp_path, "named")
    ours.issue("old", lifetime=timedelta(seconds=-1)).write(tmp_path, "old")
    others.issue("foreign").write(tmp_path, "foreign")
    both = (tmp_path / "rig.pem").read_bytes() + (tmp_path / "rig.key").read_bytes()
    (tmp_path / "both.pem").write_bytes(both)
    (tmp_path / "empty.pem").write_text("nothing\n")
    locked = ec.generate_private_key(ec.SECP256R1())
    encryption = BestAvailableEncryption(b"secret")
    (tmp_path / "locked.key").write_bytes(locked.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption))
    return tmp_path


def make_rig(folder, *, rng="", rng_emulator="", shaker="", broker="", real=()):
    """A rig with a generator on Modbus TLS and a shaker on MQTT; the others are on serial lines."""
    wires = {"rng": f'wire = "modbus-tls"\n{rng}', "shaker": f'wire = "mqtt"\n{shaker}'}
    emulators = {"rng": rng_emulator, **dict.fromkeys(real)}
    return rigs.make_rig(rig_text(wires, emulators, more=broker), folder / "rig.toml")


async def wired(rig, journal):
    async with wire(rig, journal, 1, nobody) as ready:
        return {kind: driver.identity.serial for kind, driver in ready.devices.items()}


async def line(rig, journal):
    """What the user reads instead, without the name of the file."""
    with pytest.raises(RigError) as refused:
        await wired(rig, journal)
    assert "\n" not in str(refused.value)
    source, _, rest = str(refused.value).partition(": ")
    assert source == rig.source
    return rest


ALL = {kind: f"EMU-{kind}" for kind in KINDS}


@pytest.mark.parametrize(
    ("rng", "emulator"),
    [
        ("", ""),
        ('ca = "ca.pem"\n', 'certificate = "device.pem"\nkey = "device.key"\n'),
        (CLIENT, SERVER),
        ('certificate = "both.pem"\n', 'ca = "ca.pem"\n'),
    ],
    ids=["made for the run", "of the user's own", "both ends", "only the rig's"],
)
async def test_an_emulated_device_speaks_tls(folder, journal, nothing_left, rng, emulator):
    assert await wired(make_rig(folder, rng=rng, rng_emulator=emulator), journal) == ALL


@pytest.mark.parametrize(
    "broker",
    [
        "[broker]\ntls = true\n[broker.embedded]\n",
        '[broker]\nusername = "rig"\npassword = "secret"\n[broker.embedded]\n',
        f'[broker]\nusername = "rig"\npassword = "secret"\ntls = true\n{CLIENT}[broker.embedded]\n{SERVER}',
        '[broker]\ntls = true\ncertificate = "both.pem"\n[broker.embedded]\nca = "ca.pem"\n',
    ],
    ids=["made for the run", "password", "everything", "only the rig's"],
)
async def test_an_embedded_broker_asks_for_what_the_file_says(folder, journal, nothing_left, broker):
    assert await wired(make_rig(folder, broker=broker), journal) == ALL


@pytest.mark.parametrize("profile", ["", 'profile = "lookalike-listens-says-shaker"\n'], ids=["open", "look-alike"])
async def test_a_broker_keeps_its_name_behind_a_relay_that_makes_noise(folder, journal, nothing_left, profile):
    """The relay has another address, to which no certificate of the broker's is made out."""
    broker = '[broker]\nhost = "localhost"\ntls = true\nca = "ca.pem"\n'
    broker += '[broker.embedded]\ncertificate = "named.pem"\nkey = "named.key"\n'
    noise = f'noise = [{{ what = "delay", seconds = 0.01 }}]\n{profile}'
    rig = make_rig(folder, broker=broker, shaker=noise)
    serial = "EMU-shaker" if not profile else "unknown"
    assert (await wired(rig, journal))["shaker"] == serial


async def test_a_real_device_with_tls_is_found_where_the_file_says(folder, journal, nothing_left):
    """What is emulated for one rig is real to another."""
    async with EmulatedRig(make_rig(folder, rng_emulator=SERVER), 1) as lab:
        host, port = lab.endpoints["rng"].where.split(":")
        rig = make_rig(folder, rng=f'host = "{host}"\nport = {port}\n{CLIENT}', real=["rng"])
        assert await wired(rig, journal) == ALL


def test_ports_and_files_are_as_the_file_says(folder):
    rig = make_rig(folder, rng=f'host = "10.0.0.7"\nunit = 3\n{CLIENT}', real=["rng"])
    assert rig.devices["rng"].wire == ModbusTls(
        host="10.0.0.7", port=802, unit=3, ca="ca.pem", certificate="rig.pem", key="rig.key"
    )
    assert rig.path("ca.pem") == folder / "ca.pem"
    assert make_rig(folder).devices["rng"].wire.port == 0
    assert make_rig(folder, broker="[broker]\ntls = true\n").broker.port == 8883
    assert make_rig(folder, broker="[broker]\n").broker.port == 1883
    embedded = make_rig(folder, broker="[broker]\n[broker.embedded]\n").broker
    assert (embedded.port, embedded.embedded) == (0, ServerTls())


REFUSALS = [
    ('ca = "other-ca.pem"\n', SERVER, "devices.rng.ca", "its certificate is not accepted: "),
    ('ca = "other-ca.pem"\n', "", "devices.rng.ca", "its certificate is not accepted: "),
    ('ca = "ca.pem"\n', SERVER, "devices.rng.certificate", "it asks for a certificate"),
    ('ca = "ca.pem"\ncertificate = "old.pem"\nkey = "old.key"\n', SERVER, "devices.rng.certificate", "has expired"),
    (
        'ca = "ca.pem"\ncertificate = "foreign.pem"\nkey = "foreign.key"\n',
        SERVER,
        "devices.rng.certificate",
        "it does not know the authority of our certificate",
    ),
    (CLIENT, 'certificate = "old.pem"\nkey = "old.key"\n', "devices.rng", "not accepted: certificate has expired"),
    ('ca = "none.pem"\n', "", "devices.rng.ca", "none.pem: cannot be read: No such file or directory"),
    ('ca = "empty.pem"\n', "", "devices.rng.ca", "empty.pem: contains no PEM certificate"),
    ('certificate = "empty.pem"\n', "", "devices.rng.certificate", "empty.pem: contains no PEM certificate"),
    (
        'certificate = "rig.pem"\n',
        "",
        "devices.rng.certificate",
        "rig.pem: holds no private key in PEM that can be read without a password",
    ),
    (
        'certificate = "rig.pem"\nkey = "locked.key"\n',
        "",
        "devices.rng.key",
        "locked.key: holds no private key in PEM that can be read without a password",
    ),
    ('certificate = "rig.pem"\nkey = "old.key"\n', "", "devices.rng.key", "old.key: does not belong to"),
    ("", 'ca = "empty.pem"\n', "devices.rng.emulator.ca", "empty.pem: contains no PEM certificate"),
    ("", 'certificate = "x.pem"\n', "devices.rng.emulator.certificate", "x.pem: cannot be read: No such file"),
]


@pytest.mark.parametrize(("rng", "emulator", "key", "words"), REFUSALS)
async def test_a_device_that_cannot_be_trusted_is_one_line(folder, journal, nothing_left, rng, emulator, key, words):
    said = await line(make_rig(folder, rng=rng, rng_emulator=emulator), journal)
    assert said.startswith(f"{key}: ")
    assert words in said


BROKERS = [
    (f'tls = true\nca = "other-ca.pem"\n[broker.embedded]\n{SERVER}', "broker.ca", "its certificate is not accepted"),
    (f'tls = true\nca = "ca.pem"\n[broker.embedded]\n{SERVER}', "broker.certificate", "it asks for a certificate"),
    ('tls = true\ncertificate = "x"\n[broker.embedded]\n', "broker.certificate", "cannot be read: No such file"),
    ('tls = true\n[broker.embedded]\nca = "empty.pem"\n', "broker.embedded.ca", "contains no PEM certificate"),
]


@pytest.mark.parametrize(("broker", "key", "words"), BROKERS)
async def test_a_broker_that_cannot_be_trusted_is_one_line(folder, journal, nothing_left, broker, key, words):
    said = await line(make_rig(folder, broker=f"[broker]\n{broker}"), journal)
    assert said.startswith(f"{key}: ")
    assert words in said


@pytest.mark.parametrize(("given", "key"), [('username = "rig"\npassword = "wrong"\n', "password"), ("", "username")])
@pytest.mark.parametrize("real", [["shaker"], []], ids=["real", "emulated"])
async def test_a_password_that_is_not_right_is_one_line(folder, journal, nothing_left, given, key, real):
    guarded = make_rig(folder, broker='[broker]\nusername = "rig"\npassword = "secret"\n[broker.embedded]\n')
    async with EmulatedRig(guarded, 1) as lab:
        rig = make_rig(folder, broker=f"[broker]\nport = {lab.site.broker.port}\n{given}", real=real)
        said = await line(rig, journal)
    assert said == f"broker.{key}: 127.0.0.1:{lab.site.broker.port}: the broker refuses: not authorized"


async def test_a_port_that_the_embedded_broker_cannot_have_is_one_line(folder, journal, nothing_left):
    async with EmulatedRig(make_rig(folder), 1) as lab:
        rig = make_rig(folder, broker=f"[broker]\nport = {lab.site.broker.port}\n[broker.embedded]\n")
        said = await line(rig, journal)
    assert said == f"broker.embedded: 127.0.0.1:{lab.site.broker.port}: Address already in use"


MISMATCHES = [
    ({"rng": 'key = "rig.key"\n'}, "devices.rng.certificate: is missing; expected the path of a file, since"),
    ({"rng_emulator": 'key = "x"\n'}, "devices.rng.emulator.certificate: is missing; expected the path of a file"),
    ({"broker": '[broker]\nca = "ca.pem"\n'}, "broker.ca: is only for a broker with tls = true"),
    (
        {"broker": '[broker]\n[broker.embedded]\ncertificate = "x"\n'},
        "broker.embedded.certificate: is only for a broker with tls = true",
    ),
    (
        {"broker": '[broker]\nusername = "rig"\n[broker.embedded]\n'},
        "broker.password: is missing; expected text, since the embedded broker asks for it",
    ),
    ({"broker": '[broker]\ntls = true\nkey = "x"\n'}, "broker.certificate: is missing; expected the path of a file"),
    ({"rng": "", "real": ["rng"]}, "devices.rng.host: is missing; expected a host name or address, since rng"),
]


@pytest.mark.parametrize(("rig", "words"), MISMATCHES)
def test_what_does_not_belong_together_is_refused_as_the_file_is_read(folder, rig, words):
    with pytest.raises(RigError) as refused:
        make_rig(folder, **rig)
    assert str(refused.value).startswith(f"{folder / 'rig.toml'}: {words}")


@pytest.mark.parametrize("other", ["modbus-tls", "modbus-tcp"])
def test_two_real_devices_are_not_one_unit_at_one_address(other):
    text = 'feltrig = 1\nname = "test"\n[game]\nname = "supreme_pai_gow"\nhouse_way = "balanced"\n'
    text += 'jurisdiction = "NJ"\nstart = "rng"\ndeal = "hand"\nmachine_shuffle = false\n'
    for kind, kind_of_wire in (("rng", "modbus-tls"), ("reader", other)):
        text += f'[devices.{kind}]\nkind = "{kind}"\nwire = "{kind_of_wire}"\nhost = "10.0.0.7"\nport = 802\n'
    with pytest.raises(RigError, match=r"devices\.reader\.unit: 1 at 10\.0\.0\.7:802 is rng already"):
        rigfile.loads(text, "rig.toml")


def test_the_password_is_shown_nowhere(folder):
    rig = make_rig(folder, broker='[broker]\nusername = "rig"\npassword = "se-cret"\n[broker.embedded]\n')
    assert "se-cret" not in repr(rig)
