"""Devices that are not ours, written from the documents alone on other people's servers, driven by our drivers."""

import asyncio
import contextlib
import hashlib
import hmac
import json
import random
import socketserver
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from pyModbusTCP.server import DataBank, ModbusServer
from rigs import nobody, rig_text
from umodbus.server.tcp import RequestHandler, get_server

from feltrig.emulators.bench import Bench
from feltrig.emulators.broker import Broker
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.harness.journal.writer import Journal
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import run
from feltrig.harness.table.driver import Driver
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Channel, Request
from feltrig.protocols.modbus.channel import ModbusTcpChannel
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.serial.channel import SerialChannel

SCRIPTS = Path(__file__).parent / "from_the_document"
PAGE = Path(__file__).parents[2] / "docs" / "serial.md"
IMAGE = b"the firmware of the foreign display"
DIGEST = hashlib.sha256(IMAGE).hexdigest()
NONCE = bytes(range(20))
TOPIC = "foreign/table/display"

Peer = Callable[..., None]


class Registers:
    """A display of numbers as docs/modbus.md describes its registers; how they are kept is up to the server."""

    def __init__(self, read: Callable[[int, int], list[int]], write: Callable[[int, list[int]], object]) -> None:
        self._read = read
        self._write = write
        self._random = random.SystemRandom()
        self._events: list[list[int]] = []
        self._answered: dict[tuple[int, int], list[int]] = {}
        self._state = self._shown = 0
        write(0, [1, 1])
        for start, size, text in (
            (16, 16, "Foreign Works"),
            (32, 16, "Display 7"),
            (48, 16, "FW-0042"),
            (64, 8, "3.1"),
            (72, 32, DIGEST),
        ):
            octets = text.encode().ljust(2 * size, b"\0")
            write(start, [int.from_bytes(octets[at : at + 2], "big") for at in range(0, 2 * size, 2)])
        self._happened([1])

    def run(self) -> None:
        """Obey what stands in the command block."""
        high, low, code, *arguments = self._read(256, 32)
        acts = code in (0x04, 0x10, 0x12)
        result = self._answered.get((high, low)) if acts else None
        if result is None:
            result = self._obey(code, arguments)
            if acts:
                self._answered[high, low] = result
                if len(self._answered) > 8:
                    del self._answered[next(iter(self._answered))]
        if acts:
            self._write(8, [high, low])
        self._write(288, [high, low, *result])

    def _obey(self, code: int, arguments: list[int]) -> list[int]:
        """Error, count, and the registers of the reply."""
        match code:
            case 0x10:
                self._state, self._shown = 2, self._random.randint(1, 7)
                self._happened([0x10, self._shown])
            case 0x12:
                self._state = self._shown = 0
                self._status()
            case 0x04:
                self._state = 0
                self._happened([0x03])
            case 0x11:
                return [0, 1, self._shown]
            case 0x02:
                return [0, 6, *self._read(2, 6)]
            case 0x05:
                return self._prove(arguments)
            case _:
                return [1, 0]
        return [0, 0]

    def _prove(self, arguments: list[int]) -> list[int]:
        size, *words = arguments
        nonce = b"".join(word.to_bytes(2, "big") for word in words)[:size]
        proof = hmac.digest(nonce, IMAGE, "sha256")
        return [0, 17, 32, *(int.from_bytes(proof[at : at + 2], "big") for at in range(0, 32, 2))]

    def _happened(self, event: list[int]) -> None:
        self._events.append(event)
        number = len(self._events)
        self._write(512 + 16 * ((number - 1) % 64), [number >> 16, number & 0xFFFF, *event, *[0] * (14 - len(event))])
        self._status()

    def _status(self) -> None:
        latest = len(self._events)
        oldest = max(1, latest - 63)
        self._write(2, [self._state, 0, oldest >> 16, oldest & 0xFFFF, latest >> 16, latest & 0xFFFF])


class Bank(DataBank):
    """The holding registers of pyModbusTCP's own data bank; a write of the command block by a client runs it."""

    def __init__(self) -> None:
        super().__init__(coils_size=0, d_inputs_size=0, i_regs_size=0, h_regs_size=1536)
        self._device = Registers(super().get_holding_registers, super().set_holding_registers)

    def set_holding_registers(self, address, word_list, srv_info=None):
        if address != 256:
            return None
        super().set_holding_registers(256, [*word_list, *[0] * (32 - len(word_list))])
        self._device.run()
        return True


@contextlib.asynccontextmanager
async def on_pymodbustcp(peer: Peer, folder: Path) -> AsyncIterator[str]:
    server = ModbusServer("127.0.0.1", 0, no_block=True, data_bank=Bank())
    await asyncio.to_thread(server.start)
    port = server._service.socket.getsockname()[1]
    yield f'wire = "modbus-tcp"\nhost = "127.0.0.1"\nport = {port}'
    await asyncio.to_thread(server.stop)


class Threads(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


@contextlib.asynccontextmanager
async def on_umodbus(peer: Peer, folder: Path) -> AsyncIterator[str]:
    """umodbus calls a function for each register, and knows no function 23. The command runs when its result is read:
    no sooner can the device know that the write has ended."""
    server = get_server(Threads, ("127.0.0.1", 0), RequestHandler)
    words = [0] * 1536
    commanded = False

    def write(start: int, values: list[int]) -> None:
        words[start : start + len(values)] = values

    device = Registers(lambda start, count: words[start : start + count], write)

    @server.route(slave_ids=[1], function_codes=[3, 4], addresses=range(1536))
    def read_register(slave_id, function_code, address):
        nonlocal commanded
        if address == 288 and commanded:
            commanded = False
            device.run()
        return words[address]

    @server.route(slave_ids=[1], function_codes=[16], addresses=range(256, 288))
    def write_register(slave_id, function_code, address, value):
        nonlocal commanded
        if address == 256:
            write(256, [0] * 32)
        words[address] = value
        commanded = True

    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f'wire = "modbus-tcp"\nhost = "127.0.0.1"\nport = {server.server_address[1]}'
    await asyncio.to_thread(server.shutdown)
    server.server_close()
    await asyncio.to_thread(thread.join)


@contextlib.asynccontextmanager
async def script(*arguments: str | Path) -> AsyncIterator[None]:
    """A program that runs by itself, and has said that it is ready."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *map(str, arguments), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    async with asyncio.timeout(20):
        said = await process.stdout.readline()
        assert said == b"ready\n", (await process.communicate())[1].decode()
    yield
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    async with asyncio.timeout(20):
        _, errors = await process.communicate()
    assert errors == b"", errors.decode()


@contextlib.asynccontextmanager
async def on_serial(peer: Peer, folder: Path) -> AsyncIterator[str]:
    peer("socat")
    ends = [folder / "near", folder / "far"]
    socat = await asyncio.create_subprocess_exec("socat", *(f"PTY,raw,echo=0,link={end}" for end in ends))
    try:
        async with asyncio.timeout(10):
            while not all(end.is_symlink() for end in ends):  # noqa: ASYNC110 - socat tells nobody when it is ready
                await asyncio.sleep(0.01)
        async with script("-I", "-S", SCRIPTS / "serial_device.py", ends[1]):
            yield f'wire = "serial"\nport = "{ends[0]}"'
    finally:
        socat.terminate()
        await socat.wait()


@contextlib.asynccontextmanager
async def on_mqtt(broker: AbstractAsyncContextManager[int], version: str) -> AsyncIterator[str]:
    async with broker as port, script("-I", SCRIPTS / "mqtt_device.py", "127.0.0.1", str(port), TOPIC, version):
        wire = f'wire = "mqtt"\nmqtt = "{version}"\ntopic = "{TOPIC}"'
        yield f'{wire}\n[broker]\nhost = "127.0.0.1"\nport = {port}'


@contextlib.asynccontextmanager
async def embedded() -> AsyncIterator[int]:
    broker = Broker()
    yield await broker.start()
    await broker.stop()


MODBUS = {"pyModbusTCP": on_pymodbustcp, "umodbus": on_umodbus}
WIRES = [*MODBUS, "serial", "paho 3.1.1 on mosquitto", "paho 5 on mosquitto", "paho 5 on ours"]


@pytest.fixture(params=WIRES)
async def display(
    request: pytest.FixtureRequest,
    peer: Peer,
    mosquitto: Callable[[], AbstractAsyncContextManager[int]],
    tmp_path: Path,
) -> AsyncIterator[str]:
    """The table of a rig file for a foreign display, in the wire of the test."""
    name: str = request.param
    if name.startswith("paho"):
        if name.endswith("mosquitto"):
            peer("mosquitto")
        served = on_mqtt(mosquitto() if name.endswith("mosquitto") else embedded(), name.split()[1])
    else:
        served = (MODBUS | {"serial": on_serial})[name](peer, tmp_path)
    async with served as table:
        yield table


def channel_of(table: str) -> Channel:
    """The driver's end of the wire in a table of a rig file."""
    said = dict(line.split(" = ") for line in table.replace('"', "").splitlines() if " = " in line)
    match said["wire"]:
        case "serial":
            return SerialChannel(RNG, said["port"], deadline=5.0)
        case "mqtt":
            version = said["mqtt"]
            assert version in ("3.1.1", "5")
            return MqttChannel(RNG, TOPIC, Server(said["host"], int(said["port"]), version=version), deadline=5.0)
    return ModbusTcpChannel(RNG, said["host"], int(said["port"]), deadline=5.0)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.jsonl") as journal:
        yield journal


async def test_a_foreign_device_is_identified_commanded_and_heard(display: str, journal: Journal) -> None:
    channel = channel_of(display)
    await channel.open()
    driver = Driver("display", RNG, channel, journal, patience=5.0)
    who = await driver.open()
    assert (who.kind, who.vendor, who.model, who.serial) == ("rng", "Foreign Works", "Display 7", "FW-0042")
    assert (who.firmware, who.digest) == ("3.1", DIGEST)
    for _ in range(70):  # more than a ring of 64 slots holds
        event = await driver.perform("select", "selected")
        assert await driver.call("display") == event.values
    assert event.number == 71
    await driver.call("blank")
    assert await driver.call("display") == {"number": 0}
    proof = await driver.call("challenge", nonce=tuple(NONCE))
    assert bytes(proof["proof"]) == hmac.digest(NONCE, IMAGE, "sha256")
    await driver.close()


async def test_a_foreign_device_runs_a_repeated_token_once(display: str) -> None:
    channel = channel_of(display)
    await channel.open()
    for _ in range(3):
        assert not (await channel.request(Request("select", token=0x00C0FFEE))).error
    batch = await channel.events(0)
    assert [(event.number, event.name) for event in batch.events] == [(1, "started"), (2, "selected")]
    await channel.close()


async def test_a_foreign_device_shows_no_failure_in_full_rounds(display: str, tmp_path: Path) -> None:
    table, _, broker = display.partition("[broker]")
    rng = (
        f'deadline = 5.0\nstop_button = false\n{table}\nidentity = {{ vendor = "Foreign Works", digest = "{DIGEST}" }}'
    )
    text = rig_text(
        {"rng": rng},
        {"rng": None},
        kinds=("rng", "shuffler", "shoe", "reader"),
        wire='wire = "serial"\ndeadline = 5.0',
        game='start = "rng"\ndeal = "automated_shoe"',
    )
    if broker:
        text += f"[broker]{broker}"

    rig = rigfile.loads(text, str(tmp_path / "rig.toml"))
    finished = await run(rig, 4, 3, tmp_path / "runs", lambda _: None, nobody)
    assert finished.verdict["rounds"] == {"asked": 4, "played": 4, "void": 0}
    assert finished.verdict["devices"]["rng"]["verdict"] == "no failure seen"


DECK = range(54)
PLACES = {"shuffler": "shuffler.in.1", "shoe": "shoe.well", "reader": "reader.tray"}
HEARD = {
    "rng": ["started", "cleared", "selected"],
    "shaker": ["started", "cleared", "shaken", "uncovered", "rolled", "covered"],
    "shuffler": ["started", "cleared", "shuffling", "shuffled", "counted"],
    "shoe": ["started", "cleared", "dispensed"],
    "reader": ["started", "cleared", "scanned"],
}
"""The events of each emulated device after every command of its kind was given once."""


@pytest.mark.parametrize("kind", MODELS)
async def test_a_client_that_knows_only_the_document_works_our_emulator(kind: str) -> None:
    bench = Bench()
    if kind in PLACES:
        bench.put_new_deck(PLACES[kind], "red", DECK)
    machine = MODELS[kind].build(Setup(kind, 1, bench=bench))
    station = SerialStation(machine)
    port = await station.start()
    client = SCRIPTS / "serial_client.py"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-I", "-S", client, port, PAGE, kind),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(30):
        output, errors = await process.communicate()
    await station.stop()
    assert process.returncode == 0, errors.decode()
    found = json.loads(output)
    assert found["replies"]["identify"]["values"]["serial"] == f"EMU-{kind}"
    proof = found["replies"]["challenge"]["values"]["proof"]
    assert bytes(proof) == hmac.digest(bytes(range(16)), machine.image, "sha256")
    assert {name: reply["error"] for name, reply in found["replies"].items() if reply["error"]} == {}
    assert [event["event"] for event in found["events"]] == HEARD[kind]
    for told, happened in zip(found["events"], machine.events(0, 1e9, 99).events, strict=True):
        assert {n: tuple(v) if isinstance(v, list) else v for n, v in told["values"].items()} == happened.values
