"""How a broker lets us in, or does not: TLS, certificates, user names and passwords; and what is said of a refusal."""

import contextlib
import socket
import ssl
from datetime import timedelta

import pytest

from feltrig.emulators.broker import Broker
from feltrig.emulators.certificates import Authority
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.protocols.errors import LineLost, NotAdmitted
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.lines import tcp
from feltrig.protocols.messages import Request
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server

OURS, OTHERS = Authority("ours"), Authority("others")
USERS = {"rig": "secret"}
TOPIC = "casino/t1/rng"
DEADLINE = 60.0
"""So long that a test which waits for it has failed."""

pytestmark = pytest.mark.parametrize("version", ["3.1.1", "5"])


def server(clients=None, certificate=None):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    (certificate or OURS.issue("broker")).load_into(context)
    if clients is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=clients.pem.decode())
    return context


def client(certificate=None, knows=OURS):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=knows.pem.decode())
    if certificate is not None:
        certificate.load_into(context)
    return context


@contextlib.asynccontextmanager
async def brokered(users=None, tls=None):
    broker = Broker(users=users, tls=tls)
    port = await broker.start()
    try:
        yield port
    finally:
        await broker.stop()


async def refused_by(port, **how):
    """Why the broker on this port lets nobody in."""
    channel = MqttChannel(RNG, TOPIC, Server("127.0.0.1", port, **how), deadline=DEADLINE)
    with pytest.raises(LineLost) as refused:
        await channel.open()
    await channel.close()
    assert str(refused.value).startswith(f"127.0.0.1:{port}: ")
    return refused.value


async def test_a_device_and_its_driver_meet_with_certificates_and_a_password(version):
    how = {"version": version, "username": "rig", "password": "secret", "tls": client(OURS.issue("rig"))}
    async with brokered(USERS, server(clients=OURS)) as port:
        station = MqttStation(rng(Setup("rng", 1)), TOPIC, Server("127.0.0.1", port, **how))
        await station.start()
        channel = MqttChannel(RNG, TOPIC, Server("127.0.0.1", port, **how))
        await channel.open()
        assert (await channel.request(Request("identify"))).values["serial"] == "EMU-rng"
        await channel.close()
        await station.stop()


@pytest.mark.parametrize(
    ("username", "password", "key"),
    [
        ("rig", "wrong", "password"),
        ("rig", None, "password"),
        ("nobody", "secret", "password"),
        (None, None, "username"),
    ],
)
async def test_a_wrong_or_missing_password_is_named(version, username, password, key):
    async with brokered(USERS) as port:
        error = await refused_by(port, version=version, username=username, password=password)
    assert isinstance(error, NotAdmitted)
    assert error.key == key
    assert str(error).endswith("the broker refuses: not authorized")


REFUSALS = [
    pytest.param({}, client(knows=OTHERS), "ca", "its certificate is not accepted", id="wrong ca"),
    pytest.param(
        {"certificate": OURS.issue("old", lifetime=timedelta(seconds=-1))},
        client(),
        "",
        "its certificate is not accepted: certificate has expired",
        id="old broker",
    ),
    pytest.param({"clients": OURS}, client(), "certificate", "it asks for a certificate", id="none shown"),
    pytest.param(
        {"clients": OURS},
        client(OURS.issue("old", lifetime=timedelta(seconds=-1))),
        "certificate",
        "our certificate has expired",
        id="old rig",
    ),
    pytest.param(
        {"clients": OURS},
        client(OTHERS.issue("rig")),
        "certificate",
        "it does not know the authority of our certificate",
        id="foreign rig",
    ),
]


@pytest.mark.parametrize(("theirs", "ours", "key", "words"), REFUSALS)
async def test_a_certificate_that_is_not_accepted_is_named(version, theirs, ours, key, words):
    async with brokered(tls=server(**theirs)) as port:
        error = await refused_by(port, version=version, tls=ours)
    assert isinstance(error, NotAdmitted)
    assert error.key == key
    assert words in str(error)


async def test_a_broker_without_tls_is_no_broker_with_tls(version):
    async with brokered() as port:
        error = await refused_by(port, version=version, tls=client())
    assert not isinstance(error, NotAdmitted)


async def test_a_broker_with_tls_closes_on_a_client_without(version):
    async with brokered(tls=server()) as port:
        error = await refused_by(port, version=version)
    assert "the broker closed the connection before its welcome" in str(error)


@pytest.mark.parametrize("tls", [None, client()], ids=["plain", "tls"])
async def test_a_broker_that_says_nothing_keeps_the_deadline(version, tls, monkeypatch):
    monkeypatch.setattr(tcp, "LEAST_OPENING", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        channel = MqttChannel(RNG, TOPIC, Server("127.0.0.1", port, version=version, tls=tls), deadline=0.2)
        with pytest.raises(LineLost, match=r"no welcome from the broker within 0\.2 s|handshake operation timed out"):
            await channel.open()
        await channel.close()


async def test_the_tap_never_sees_the_password(version):
    shown = bytearray()
    async with brokered(users={"rig": "open sesame"}) as port:
        channel = MqttChannel(
            RNG,
            "t",
            Server("127.0.0.1", port, version=version, username="rig", password="open sesame"),
            tap=lambda _, data: shown.extend(data),
        )
        await channel.open()
        await channel.close()
    assert b"rig" in shown
    assert b"***********" in shown
    assert b"sesame" not in shown
