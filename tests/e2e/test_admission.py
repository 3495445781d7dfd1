"""Who is not let in ends with one line and status 2: a wrong authority, no certificate or an old one, no image."""

from datetime import timedelta

import pytest

from feltrig.emulators.certificates import Authority

SERVER = 'ca = "ca.pem"\ncertificate = "device.pem"\nkey = "device.key"'
TLS = 'wire = "modbus-tls"'
CASES = {
    "wrong authority": (
        TLS + '\nca = "other.pem"',
        SERVER,
        "",
        "devices.rng.ca: 127.0.0.1:{port} unit 1: its certificate",
    ),
    "no certificate": (
        TLS + '\nca = "ca.pem"',
        SERVER,
        "",
        "devices.rng.certificate: 127.0.0.1:{port} unit 1: it asks for",
    ),
    "old certificate": (
        TLS + '\nca = "ca.pem"\ncertificate = "old.pem"\nkey = "old.key"',
        SERVER,
        "",
        "devices.rng.certificate: 127.0.0.1:{port} unit 1: our certificate has expired",
    ),
    "no certificate for the broker": (
        'wire = "mqtt"',
        "",
        f'[broker]\ntls = true\nca = "ca.pem"\n[broker.embedded]\n{SERVER}',
        "broker.certificate: 127.0.0.1:{port}: it asks for a certificate",
    ),
    "no image": (
        'wire = "serial"\n[devices.rng.identity]\nimage = "none.bin"',
        "",
        "",
        "devices.rng.identity.image: none.bin: cannot be read: No such file or directory",
    ),
}


@pytest.fixture
def files(tmp_path):
    ours = Authority()
    (tmp_path / "ca.pem").write_bytes(ours.pem)
    (tmp_path / "other.pem").write_bytes(Authority().pem)
    ours.issue("device").write(tmp_path, "device")
    ours.issue("old", lifetime=timedelta(seconds=-1)).write(tmp_path, "old")


@pytest.mark.parametrize("command", ["certify", "play"])
@pytest.mark.parametrize("case", CASES)
def test_one_line_and_status_2(feltrig, rig_file, files, tmp_path, command, case):
    wire, emulator, broker, line = CASES[case]
    game = f'start = ["dice", "rng"]\ndeal = "automated_shoe"\n{broker}'
    rig_file(devices={"rng": wire}, emulators={"rng": emulator}, game=game)
    done = feltrig(command, "rig.toml", "--rounds", "1")
    assert (done.returncode, done.stdout) == (2, "")
    (said,) = done.stderr.strip().splitlines()
    before, _, after = f"feltrig: rig.toml: {line}".partition("{port}")
    assert said.startswith(before)
    assert after in said
    assert not list((tmp_path / "runs").glob("*/journal.jsonl"))
