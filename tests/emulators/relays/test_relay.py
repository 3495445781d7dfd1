"""Relays between a driver and a device: what passes, what noise makes of it, and how a line comes back."""

import asyncio
import os
from pathlib import Path

import pytest

from feltrig.emulators.relays.noise import Disturbance, Noise
from feltrig.emulators.relays.relay import SerialRelay, TcpRelay
from feltrig.emulators.stations.pty_port import PtyPort
from feltrig.protocols.errors import LineLost
from feltrig.protocols.lines.tty import open_tty

DEADLINE = 5.0


def quiet(*disturbances, stream=False):
    return Noise(disturbances, 1, stream=stream)


class Echo:
    """A device on a serial port that says everything again."""

    def __init__(self):
        self._port = PtyPort(self._again)

    def _again(self, data):
        self._port.send(data)

    def plug_in(self):
        return self._port.open()

    def unplug(self):
        self._port.close()

    async def __aenter__(self):
        return self.plug_in()

    async def __aexit__(self, *_):
        self.unplug()


class Client:
    """A driver's end of a port: what it heard, and why it was lost."""

    def __init__(self, path):
        self.heard = b""
        self.lost = None
        self._news = asyncio.Event()
        self.line = open_tty(path, 115200, self._received, self._hung_up)

    async def until(self, condition):
        async with asyncio.timeout(DEADLINE):
            while not condition():
                self._news.clear()
                await self._news.wait()

    def _received(self, data):
        self.heard += data
        self._news.set()

    def _hung_up(self, reason):
        self.lost = reason
        self._news.set()


async def reopened(path):
    """A client of a port that comes back."""
    async with asyncio.timeout(DEADLINE):
        while True:
            try:
                return Client(path)
            except LineLost:
                await asyncio.sleep(0.005)


def descriptors():
    return set(Path("/proc/self/fd").iterdir())


async def test_a_serial_relay_without_noise_lets_every_byte_pass_both_ways():
    async with Echo() as device:
        relay = SerialRelay(device, quiet())
        client = Client(await relay.start())
        client.line.write(bytes(range(256)))
        await client.until(lambda: len(client.heard) == 256)
        assert client.heard == bytes(range(256))
        client.line.close()
        await relay.stop()


async def test_pieces_come_in_order_and_a_delay_holds_up_what_follows():
    async with Echo() as device:
        late = Disturbance("delay", "to_device", seconds=0.05)
        split = Disturbance("split", "from_device", times=0)
        relay = SerialRelay(device, quiet(late, split))
        client = Client(await relay.start())
        for word in (b"first ", b"second ", b"third"):
            client.line.write(word)
            await asyncio.sleep(0.01)
        await client.until(lambda: len(client.heard) >= 18)
        assert client.heard == b"first second third"
        assert relay.struck["delay"] == 1
        client.line.close()
        await relay.stop()


async def test_a_serial_line_that_drops_comes_back_at_the_same_path():
    async with Echo() as device:
        relay = SerialRelay(device, quiet(Disturbance("disconnect", at=2, seconds=0.05)))
        path = await relay.start()
        client = Client(path)
        client.line.write(b"one")
        await client.until(lambda: client.lost)
        assert client.heard == b""
        with pytest.raises(LineLost, match="no such file"):
            Client(path)
        again = await reopened(path)
        again.line.write(b"two")
        await again.until(lambda: again.heard == b"two")
        again.line.close()
        await relay.stop()
        assert relay.struck == {"disconnect": 1}


async def test_a_device_that_is_unplugged_and_plugged_in_again_comes_back(tmp_path):
    """The device's port is lost; the driver sees its own port hang up, and finds it again when the device is back."""
    device = tmp_path / "ttyUSB0"
    first, second = Echo(), Echo()
    device.symlink_to(first.plug_in())
    relay = SerialRelay(str(device), quiet())
    path = await relay.start()
    client = Client(path)
    client.line.write(b"one")
    await client.until(lambda: client.heard == b"one")
    device.unlink()
    first.unplug()
    await client.until(lambda: client.lost)
    device.symlink_to(second.plug_in())
    again = await reopened(path)
    again.line.write(b"two")
    await again.until(lambda: again.heard == b"two")
    again.line.close()
    await relay.stop()
    second.unplug()


async def test_a_serial_relay_needs_a_device_and_leaves_nothing_behind():
    relay = SerialRelay("/dev/no-such-port", quiet())
    with pytest.raises(LineLost, match="no such file"):
        await relay.start()
    await relay.stop()
    async with Echo() as device:
        before = descriptors()
        relay = SerialRelay(device, quiet(Disturbance("disconnect", seconds=60)))
        path = await relay.start()
        client = Client(path)
        client.line.write(b"one")
        await client.until(lambda: client.lost)
        await relay.stop()
        await relay.stop()
        assert not Path(path).parent.exists()
        assert descriptors() == before


async def test_a_driver_that_never_reads_does_not_fill_the_relay():
    async with Echo() as device:
        relay = SerialRelay(device, quiet())
        client = Client(await relay.start())
        asyncio.get_running_loop().remove_reader(client.line._fd)
        for _ in range(100):
            client.line.write(bytes(4096))
            await asyncio.sleep(0)
        assert relay._near.unsent <= 65536
        client.line.close()
        await relay.stop()


class Server:
    """A TCP device that says everything again."""

    async def __aenter__(self):
        self._tasks = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self._server.sockets[0].getsockname()[1]

    async def __aexit__(self, *_):
        self._server.close()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _serve(self, reader, writer):
        self._tasks.add(asyncio.current_task())
        try:
            while data := await reader.read(1000):
                writer.write(data)
        except OSError:
            pass
        finally:
            writer.close()


async def connect(where):
    host, _, port = where.rpartition(":")
    async with asyncio.timeout(DEADLINE):
        return await asyncio.open_connection(host, int(port))


async def reconnect(where):
    async with asyncio.timeout(DEADLINE):
        while True:
            try:
                return await connect(where)
            except OSError:
                await asyncio.sleep(0.005)


async def said(reader, size):
    async with asyncio.timeout(DEADLINE):
        return await reader.readexactly(size)


async def ended(reader):
    """Whether the other side ends the connection."""
    async with asyncio.timeout(DEADLINE):
        try:
            return await reader.read(1) == b""
        except OSError:
            return True


async def test_a_tcp_relay_without_noise_lets_every_byte_pass_both_ways():
    async with Server() as port:
        relay = TcpRelay("127.0.0.1", port, quiet(stream=True))
        reader, writer = await connect(await relay.start())
        sent = os.urandom(300_000)
        writer.write(sent)
        assert await said(reader, len(sent)) == sent
        writer.close()
        await relay.stop()


async def test_a_split_chunk_arrives_whole_over_tcp():
    async with Server() as port:
        relay = TcpRelay("127.0.0.1", port, quiet(Disturbance("split", times=0), stream=True))
        reader, writer = await connect(await relay.start())
        writer.write(b"in pieces")
        assert await said(reader, 9) == b"in pieces"
        assert relay.struck["split"] >= 1
        writer.close()
        await relay.stop()


async def test_a_tcp_connection_that_drops_is_refused_for_a_while_and_then_taken_at_the_same_address():
    async with Server() as port:
        relay = TcpRelay("127.0.0.1", port, quiet(Disturbance("broker_restart", seconds=0.1), stream=True))
        where = await relay.start()
        first, second = await connect(where), await connect(where)
        first[1].write(b"one")
        assert await ended(first[0])
        assert await ended(second[0]), "a restart drops everybody"
        with pytest.raises(ConnectionRefusedError):
            await connect(where)
        reader, writer = await reconnect(where)
        writer.write(b"two")
        assert await said(reader, 3) == b"two"
        for one in (first[1], second[1], writer):
            one.close()
        await relay.stop()


async def test_a_connection_without_a_device_behind_it_is_ended():
    async with Server() as port:
        pass
    relay = TcpRelay("127.0.0.1", port, quiet(stream=True))
    reader, writer = await connect(await relay.start())
    assert await ended(reader)
    writer.close()
    await relay.stop()


async def test_when_the_driver_leaves_the_device_is_left_too():
    left = asyncio.Event()

    async def serve(reader, writer):
        while await reader.read(100):
            pass
        left.set()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    relay = TcpRelay("127.0.0.1", server.sockets[0].getsockname()[1], quiet(stream=True))
    _, writer = await connect(await relay.start())
    writer.write(b"x")
    await writer.drain()
    writer.close()
    async with asyncio.timeout(DEADLINE):
        await left.wait()
    await relay.stop()
    server.close()
    await server.wait_closed()


async def test_a_stopped_tcp_relay_leaves_nothing_running_and_nobody_connected():
    async with Server() as port:
        tasks = asyncio.all_tasks()
        relay = TcpRelay("127.0.0.1", port, quiet(Disturbance("disconnect", at=2, seconds=60), stream=True))
        where = await relay.start()
        reader, writer = await connect(where)
        await relay.stop()
        await relay.stop()
        assert await ended(reader)
        with pytest.raises(ConnectionRefusedError):
            await connect(where)
        writer.close()
        own = {t for t in asyncio.all_tasks() if "relay" in repr(t)}
        assert not own - tasks
