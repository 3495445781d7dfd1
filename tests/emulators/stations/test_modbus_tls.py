"""Modbus over TLS, both ends back to back: frames and records, certificates, and what is said when one is refused."""

import asyncio
import contextlib
import socket
import ssl
from datetime import timedelta

import pytest

from feltrig.emulators.certificates import Authority
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusTcpStation
from feltrig.protocols.errors import LineLost, NotAdmitted
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.lines import tcp
from feltrig.protocols.messages import Request
from feltrig.protocols.modbus.channel import ModbusTcpChannel
from feltrig.protocols.modbus.frame import TcpDeframer, encode_tcp

OURS, OTHERS = Authority("ours"), Authority("others")
RIG = OURS.issue("rig")
EXPIRED = timedelta(seconds=-1)
READ_STATUS = bytes.fromhex("03 0000 000a")


def server(certificate=None, clients=None, newest=ssl.TLSVersion.TLSv1_3):
    """A station's end: what it shows, and the authority of the certificates that it asks for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.maximum_version = newest
    (certificate or OURS.issue("shoe")).load_into(context)
    if clients is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=clients.pem.decode())
    return context


def client(certificate=None, knows=OURS):
    """A driver's end: what it shows, and whom it trusts."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=knows.pem.decode())
    if certificate is not None:
        certificate.load_into(context)
    return context


@contextlib.asynccontextmanager
async def served(context):
    station = ModbusTcpStation(rng(Setup("rng", 1)), tls=context)
    host, _, port = (await station.start()).rpartition(":")
    try:
        yield host, int(port)
    finally:
        await station.stop()


async def spoken_to(where, context, **more):
    """Open a channel, ask who is there, and close it."""
    channel = ModbusTcpChannel(RNG, *where, deadline=2.0, tls=context, **more)
    try:
        await channel.open()
        return (await channel.request(Request("identify"))).values["serial"]
    finally:
        await channel.close()


async def test_the_register_map_works_over_tls():
    taped = []
    async with served(server()) as where:
        channel = ModbusTcpChannel(RNG, *where, tls=client(), tap=lambda outgoing, data: taped.append((outgoing, data)))
        await channel.open()
        await channel.request(Request("select", token=7))
        batch = await channel.events(0)
        await channel.close()
    assert [event.name for event in batch.events] == ["started", "selected"]
    assert {outgoing for outgoing, _ in taped} == {True, False}
    assert taped[0][1][2:4] == b"\0\0"  # the tap sees Modbus, not TLS


@pytest.mark.parametrize("newest", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_both_ends_may_show_certificates(newest):
    async with served(server(clients=OURS, newest=newest)) as where:
        assert await spoken_to(where, client(RIG)) == "EMU-rng"


async def test_a_frame_split_over_records_and_frames_in_one_record_are_understood():
    requests = [encode_tcp(number, 1, READ_STATUS) for number in range(1, 6)]
    async with served(server()) as where:
        reader, writer = await asyncio.open_connection(*where, ssl=client())
        for octet in requests[0]:  # asyncio makes a record of each write
            writer.write(bytes((octet,)))
        writer.write(requests[1][:5])
        await writer.drain()
        writer.write(requests[1][5:] + b"".join(requests[2:]))
        deframer, answered = TcpDeframer(), []
        async with asyncio.timeout(5):
            while len(answered) < 5:
                answered += [number for number, _, _ in deframer.receive(await reader.read(4096))]
        writer.close()
        await writer.wait_closed()
    assert answered == [1, 2, 3, 4, 5]


async def test_an_answer_split_over_records_is_understood():
    """A server that makes a record of each byte."""

    async def answer(reader, writer):
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                asked = await reader.readexactly(12)
                words = bytes.fromhex("0001 0001 0002 0000 00000001 00000009 00000000")
                for octet in asked[:5] + b"\x17" + asked[6:8] + b"\x14" + words:
                    writer.write(bytes((octet,)))

    listening = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=server())
    channel = ModbusTcpChannel(RNG, *listening.sockets[0].getsockname()[:2], tls=client())
    await channel.open()
    assert (await channel.request(Request("status"))).values["latest"] == 9
    await channel.close()
    listening.close()


async def test_a_device_may_be_known_by_another_name_than_its_address():
    async with served(server(OURS.issue("shoe", ["shoe.lab"]))) as where:
        assert await spoken_to(where, client(), server_name="shoe.lab") == "EMU-rng"
        with pytest.raises(NotAdmitted, match=r"certificate is not accepted: ip address mismatch") as refused:
            await spoken_to(where, client())
        assert refused.value.key == ""


REFUSALS = [
    pytest.param(server(), client(knows=OTHERS), "ca", "its certificate is not accepted: .*certificate", id="wrong ca"),
    pytest.param(
        server(OURS.issue("old", lifetime=EXPIRED)),
        client(),
        "",
        "not accepted: certificate has expired",
        id="old device",
    ),
    pytest.param(server(clients=OURS), client(), "certificate", "it asks for a certificate", id="none shown"),
    pytest.param(
        server(clients=OURS),
        client(OURS.issue("old", lifetime=EXPIRED)),
        "certificate",
        "our certificate has expired",
        id="old rig",
    ),
    pytest.param(
        server(clients=OURS),
        client(OTHERS.issue("rig")),
        "certificate",
        "it does not know the authority of our certificate",
        id="foreign rig",
    ),
    pytest.param(
        server(clients=OURS, newest=ssl.TLSVersion.TLSv1_2),
        client(),
        "certificate",
        "it may ask for a certificate",
        id="none shown in TLS 1.2",
    ),
]


@pytest.mark.parametrize(("theirs", "ours", "key", "words"), REFUSALS)
async def test_who_is_not_let_in_learns_why(theirs, ours, key, words):
    async with served(theirs) as where:
        with pytest.raises(NotAdmitted, match=words) as refused:
            await spoken_to(where, ours)
    assert refused.value.key == key
    assert str(refused.value).startswith(f"{where[0]}:{where[1]} unit 1: ")


async def test_a_device_that_closes_without_a_word_may_have_asked_for_a_certificate():
    listening = await asyncio.start_server(lambda _, writer: writer.transport.abort(), "127.0.0.1", 0, ssl=server())
    with pytest.raises(LineLost, match="closed right after the TLS handshake: it may ask for a certificate"):
        await spoken_to(listening.sockets[0].getsockname()[:2], client())
    listening.close()


async def test_a_device_without_tls_is_told_from_one_that_is_not_there():
    def speak(_, writer):
        writer.write(b"\0" * 64)
        writer.close()

    plain = await asyncio.start_server(speak, "127.0.0.1", 0)
    where = plain.sockets[0].getsockname()[:2]
    with pytest.raises(LineLost, match="TLS failed: wrong version number"):
        await spoken_to(where, client())
    plain.close()
    await plain.wait_closed()
    with pytest.raises(LineLost, match=r"connect call failed|connection refused"):
        await spoken_to(where, client())


async def test_a_handshake_that_never_ends_keeps_the_deadline(monkeypatch):
    monkeypatch.setattr(tcp, "LEAST_OPENING", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        channel = ModbusTcpChannel(RNG, *silent.getsockname(), deadline=0.05, tls=client())
        with pytest.raises(LineLost, match=r"no connection within 0\.05 s"):
            await channel.open()


async def test_the_station_stops_while_masters_are_connected():
    station = ModbusTcpStation(rng(Setup("rng", 1)), tls=server())
    host, _, port = (await station.start()).rpartition(":")
    channel = ModbusTcpChannel(RNG, host, int(port), tls=client())
    await channel.open()
    await channel.request(Request("status"))
    await station.stop()
    assert station.masters == set()
    with pytest.raises(LineLost):
        await channel.request(Request("status"))
    await channel.close()
