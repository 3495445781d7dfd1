"""The open serial profile spoken by programs that share no code with ours."""

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import serial
from cobs import cobs

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.serial.channel import SerialChannel


def crc(data: bytes) -> bytes:
    """CRC-16/CCITT-FALSE bit by bit, low byte first."""
    value = 0xFFFF
    for octet in data:
        value ^= octet << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return struct.pack("<H", value)


def client_written_from_the_document(path: str) -> dict[str, object]:
    """A blocking client: identifies the device, lets it select once under a repeated token, and reads what happened."""
    with serial.Serial(path, 115200, timeout=5) as port:

        def ask(seq: int, code: int, data: bytes = b"") -> bytes:
            payload = bytes((1, seq, code)) + data
            port.write(b"\0" + cobs.encode(payload + crc(payload)) + b"\0")
            body = b""
            while not body:
                body = port.read_until(b"\0").rstrip(b"\0")
            answer = cobs.decode(body)
            assert answer[-2:] == crc(answer[:-2])
            assert answer[:3] == bytes((1, seq, code | 0x80))
            return answer[3:-2]

        identity = ask(1, 0x01)
        vendor = identity[3 : 3 + identity[2]].decode()
        selected = [ask(seq, 0x10, struct.pack(">I", 77)) for seq in (2, 3)]
        status = struct.unpack(">BBBII", ask(4, 0x02))
        _, number, _, shown = struct.unpack_from(">BIBB", b"\0" + ask(5, 0x03, struct.pack(">I", 1))[11:])
        display = ask(6, 0x11)
        return {
            "kind": identity[1],
            "vendor": vendor,
            "selected": selected,
            "status": status,
            "event": number,
            "shown": (shown, display[1]),
        }


async def appears(path: Path) -> None:
    """Return when a file is there that another program makes."""
    while not await asyncio.to_thread(path.exists):  # noqa: ASYNC110 - socat tells nobody when it is ready
        await asyncio.sleep(0.01)


@asynccontextmanager
async def null_modem(folder: Path) -> AsyncIterator[tuple[str, str]]:
    """Two pseudo terminals that socat joins."""
    ends = [folder / "left", folder / "right"]
    socat = await asyncio.create_subprocess_exec("socat", *(f"PTY,raw,echo=0,link={end}" for end in ends))
    try:
        async with asyncio.timeout(5):
            for end in ends:
                await appears(end)
        yield str(ends[0]), str(ends[1])
    finally:
        socat.terminate()
        await socat.wait()


async def test_a_client_written_from_the_document_alone_is_served():
    machine = rng(Setup("rng", 1))
    station = SerialStation(machine)
    path = await station.start()
    try:
        seen = await asyncio.to_thread(client_written_from_the_document, path)
    finally:
        await station.stop()
    assert seen["kind"] == 1
    assert seen["vendor"] == machine.identity.vendor
    assert seen["selected"] == [b"\0", b"\0"]
    assert seen["status"] == (0, 2, 0, 1, 2)
    assert seen["event"] == 2
    assert seen["shown"] == (machine.mechanism.displayed,) * 2


def device_written_from_the_document(port: serial.Serial, answers: int) -> list[bytes]:
    """A blocking device that selects 5 whatever it is asked, and returns the requests that it heard."""
    heard = []
    while len(heard) < answers:
        body = port.read_until(b"\0").rstrip(b"\0")
        if not body:
            continue
        request = cobs.decode(body)
        assert request[-2:] == crc(request[:-2])
        heard.append(request[:-2])
        data = {0x10: b"\0", 0x11: b"\0\5", 0x03: struct.pack(">BBBIIIBB", 0, 2, 0, 1, 1, 1, 0x10, 5)}[request[2]]
        payload = bytes((request[0], request[1], request[2] | 0x80)) + data
        port.write(b"\xff\xfe\0" + cobs.encode(payload + crc(payload)) + b"\0")
    return heard


async def test_our_driver_works_a_device_written_from_the_document_through_a_null_modem(peer, tmp_path):
    peer("socat")
    async with null_modem(tmp_path) as (left, right):
        with serial.Serial(right, 115200, timeout=5) as port:
            device = asyncio.create_task(asyncio.to_thread(device_written_from_the_document, port, 3))
            channel = SerialChannel(RNG, left, deadline=5.0)
            await channel.open()
            try:
                assert await channel.request(Request("select", token=0x01020304)) == Reply()
                assert (await channel.request(Request("display"))).values == {"number": 5}
                (event,) = (await channel.events(0)).events
                assert (event.number, event.name, event.values) == (1, "selected", {"number": 5})
            finally:
                await channel.close()
                heard = await device
    assert heard == [bytes.fromhex("01 01 10 01020304"), bytes.fromhex("01 02 11"), bytes.fromhex("01 03 03 00000000")]


async def test_our_driver_and_our_emulator_meet_over_a_bridge_of_socat(peer, tmp_path):
    peer("socat")
    station = SerialStation(rng(Setup("rng", 1)))
    path, link = await station.start(), tmp_path / "bridge"
    socat = await asyncio.create_subprocess_exec("socat", f"{path},raw,echo=0", f"PTY,raw,echo=0,link={link}")
    try:
        async with asyncio.timeout(5):
            await appears(link)
        channel = SerialChannel(RNG, str(link), deadline=5.0)
        await channel.open()
        for token in range(1, 20):
            assert await channel.request(Request("select", token=token)) == Reply()
        assert (await channel.request(Request("status"))).values["latest"] == 20
        await channel.close()
    finally:
        socat.terminate()
        await socat.wait()
        await station.stop()
