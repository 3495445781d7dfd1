"""TLS with programs that we did not write: pymodbus, socat and OpenSSL on Modbus, mosquitto on MQTT."""

import asyncio
import contextlib
import shutil
import socket
import ssl
import subprocess
import uuid

import pytest
import rigs
from pymodbus.client import AsyncModbusTlsClient
from rigs import nobody, rig_text

from feltrig.emulators.certificates import Authority
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusTcpStation
from feltrig.errors import RigError
from feltrig.harness.journal.writer import Journal
from feltrig.harness.wires.connecting import wire
from feltrig.harness.wires.emulated_rig import EmulatedRig

KINDS = ("rng", "shaker", "shuffler", "shoe", "reader")
MOSQUITTO = """\
listener {port} 127.0.0.1
allow_anonymous false
password_file {folder}/passwords
cafile {folder}/ca.pem
certfile {folder}/device.pem
keyfile {folder}/device.key
require_certificate true
persistence false
user root
"""


@pytest.fixture
def folder(tmp_path):
    """An authority, and certificates of it for a device and for the rig."""
    authority = Authority()
    (tmp_path / "ca.pem").write_bytes(authority.pem)
    authority.issue("device").write(tmp_path, "device")
    authority.issue("rig").write(tmp_path, "rig")
    return tmp_path


def make_rig(folder, *, rng_wire='wire = "serial"', rng_emulator: str | None = "", broker=""):
    return rigs.make_rig(rig_text({"rng": rng_wire}, {"rng": rng_emulator}, more=broker), folder / "rig.toml")


async def number(rig, folder):
    """A number that the generator of the rig selects and displays."""
    with Journal(folder / f"{uuid.uuid4()}.jsonl") as journal:
        async with wire(rig, journal, 1, nobody) as wired:
            event = await wired.devices["rng"].perform("select", "selected")
            shown = await wired.devices["rng"].call("display")
            assert shown["number"] == event.values["number"]
            return shown["number"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.asynccontextmanager
async def program(port, *command):
    """A program that listens on a port while it is used."""
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        async with asyncio.timeout(10):
            while True:
                with contextlib.suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    await writer.wait_closed()
                    break
                await asyncio.sleep(0.02)
        yield
    finally:
        process.terminate()
        await process.wait()


SERVER = 'ca = "ca.pem"\ncertificate = "device.pem"\nkey = "device.key"\n'


async def test_pymodbus_works_an_emulated_device_with_mutual_tls(folder):
    async with EmulatedRig(make_rig(folder, rng_wire='wire = "modbus-tls"', rng_emulator=SERVER), 1) as lab:
        host, _, port = lab.endpoints["rng"].where.rpartition(":")
        context = ssl.create_default_context(cafile=folder / "ca.pem")
        context.load_cert_chain(folder / "rig.pem", folder / "rig.key")
        client = AsyncModbusTlsClient(host, port=int(port), sslctx=context, timeout=5, retries=0)
        assert await client.connect()
        await client.write_registers(256, [0xCAFE, 0xBABE, 0x10], device_id=1)
        status = await client.read_holding_registers(0, count=10, device_id=1)
        client.close()
    assert status.registers == [1, 1, 2, 0, 0, 1, 0, 2, 0xCAFE, 0xBABE]


async def test_openssl_shows_the_alert_when_no_certificate_is_given(peer, folder):
    peer("openssl")
    async with EmulatedRig(make_rig(folder, rng_wire='wire = "modbus-tls"', rng_emulator=SERVER), 1) as lab:
        process = await asyncio.create_subprocess_exec(
            *("openssl", "s_client", "-connect", lab.endpoints["rng"].where, "-CAfile", str(folder / "ca.pem")),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        async with asyncio.timeout(10):
            assert process.stdout is not None
            output = await process.stdout.read()
            await process.wait()
    assert b"Verify return code: 0 (ok)" in output
    assert b"alert certificate required" in output


async def test_our_driver_works_a_device_behind_the_tls_of_socat(peer, folder):
    """socat has OpenSSL's end of TLS; behind it is a device without."""
    peer("socat")
    station = ModbusTcpStation(rng(Setup("rng", 1)))
    where, port = await station.start(), free_port()
    files = f"cert={folder}/device.pem,key={folder}/device.key,cafile={folder}/ca.pem,verify=1"
    listen = f"OPENSSL-LISTEN:{port},bind=127.0.0.1,fork,reuseaddr,{files}"
    wire_ = f'wire = "modbus-tls"\nhost = "127.0.0.1"\nport = {port}\nca = "ca.pem"\n'
    async with program(port, "socat", listen, f"TCP:{where},nodelay"):
        shown = 'certificate = "rig.pem"\nkey = "rig.key"\n'
        rig = make_rig(folder, rng_wire=wire_ + shown, rng_emulator=None)
        assert 1 <= await number(rig, folder) <= 7
        with pytest.raises(RigError, match=r"devices\.rng\.certificate: 127\.0\.0\.1:\d+ unit 1: it asks for a cert"):
            await number(make_rig(folder, rng_wire=wire_, rng_emulator=None), folder)
    await station.stop()


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_mosquitto_with_tls_and_passwords(peer, folder, version):
    peer("mosquitto")
    port = free_port()
    (folder / "mosquitto.conf").write_text(MOSQUITTO.format(port=port, folder=folder))
    sbin = "/usr/sbin:/usr/bin:/usr/local/sbin"
    (folder / "passwords").touch(mode=0o600)
    passwd = shutil.which("mosquitto_passwd", path=sbin) or "mosquitto_passwd"
    process = await asyncio.create_subprocess_exec(passwd, "-b", str(folder / "passwords"), "rig", "secret")
    assert await process.wait() == 0
    broker = f'[broker]\nport = {port}\ntls = true\nca = "ca.pem"\nusername = "rig"\n'
    shown = 'certificate = "rig.pem"\nkey = "rig.key"\n'

    def rig(more):
        return make_rig(folder, rng_wire=f'wire = "mqtt"\nmqtt = "{version}"', broker=broker + more)

    mosquitto = shutil.which("mosquitto", path=sbin) or "mosquitto"
    async with program(port, mosquitto, "-c", str(folder / "mosquitto.conf")):
        assert 1 <= await number(rig(f'password = "secret"\n{shown}'), folder) <= 7
        with pytest.raises(RigError, match=r"broker\.password: 127\.0\.0\.1:\d+: the broker refuses: not authorized"):
            await number(rig(f'password = "wrong"\n{shown}'), folder)
        with pytest.raises(RigError, match=r"broker\.certificate: 127\.0\.0\.1:\d+: it asks for a certificate"):
            await number(rig('password = "secret"\n'), folder)
