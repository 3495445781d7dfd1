"""1, 10, 100 and 200 emulated devices in one process: memory per device, and round trips per second in all.

    python benchmarks/scale.py [--quick] [--json] [--wire mixed ...]

The devices run in one process, a driver for each of them in another: one core for each side on a machine with two. All
drivers ask for `status` at once, each again as soon as it is answered. The four counts take turns in short segments, so
that all meet the same machine; the beginning and the end of a segment, when not all drivers ask, are not measured. All
of it, both processes, is started afresh several times: where memory happens to lie moves a rate by as much as 10 %, and
stays as it is while a process lives; in one that has had many drivers before, it lies far apart. The rate is that of
all drivers together; its ratios to one device and to the count before ("step") are medians over the starts, the step
with the interval of its median (order statistics, 95 %). Where wires are mixed, "1" is a device of each, asked one
after the other.

The rate must not fall as devices are added: a device more must not slow the others down by more than its own share. The
least code that answers on as many lines of the same wires (`raw_crowd.py`) takes turns with the devices: "of raw" is
their rate over its rate, and what the raw lines lose from one count to the next ("raw step"), in the kernel or in the
processor's caches, is not lost by the devices. "cpu" is the step of the processor time: what a round trip costs both
processes with the count before over what it costs with this one. The exit status is 1 when a rate falls and falls by
more than that of the raw lines: when the intervals of its step and of the step of "of raw" both lie below 1.

Memory is what the process of the devices has resident (VmRSS), beyond one device, for each further device with its
driver connected; on MQTT the broker in the same process is part of it.
"""

import argparse
import asyncio
import json
import resource
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from itertools import accumulate, cycle, islice
from math import comb
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from raw_crowd import MqttAsker, RawMqtt, RawTcp, RawTty, TcpAsker, TtyAsker

from feltrig.emulators.broker import Broker
from feltrig.emulators.machine import Station
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusTcpStation
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Request
from feltrig.protocols.modbus.channel import ModbusTcpChannel
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.serial.channel import SerialChannel

COUNTS = (1, 10, 100, 200)
WIRES: dict[str, tuple[str, ...]] = {
    "mixed": ("serial", "modbus-tcp", "mqtt"),
    "serial": ("serial",),
    "modbus-tcp": ("modbus-tcp",),
    "mqtt": ("mqtt",),
}
"""What the devices of one measurement are on, in turn."""

CONFIDENCE = 0.95

DESCRIPTORS = 8
"""That a device may take in its process, with its driver's connection: most on MQTT, with both ends at the broker."""
SPARE = 64
LIMIT = 300.0
"""Seconds for one start; beyond them something hangs."""
FAREWELL = 30.0
"""Seconds for a process of devices to end."""
STATUS = Request("status")
WARMING = 0.2
"""Of a segment, before it is measured."""
PATIENCE = 100
"""A segment without any answer is prolonged so often."""
UNCOUNTED = 1
"""Turns of a start that only warm up."""


class TooMany(Exception):
    """The system does not allow so many devices; the message says what to change."""


def allow(devices: int) -> None:
    """Raise the limit of open files as far as needed and allowed. Raises TooMany."""
    needed = SPARE + DESCRIPTORS * devices
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise TooMany(f"{devices} devices need {needed} open files, and `ulimit -Hn` allows {hard}")
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    terminals = Path("/proc/sys/kernel/pty")
    if terminals.is_dir():
        most, used = (int((terminals / name).read_text()) for name in ("max", "nr"))
        if most - used < devices:
            raise TooMany(f"{devices} devices need as many pseudo terminals, and {most - used} of {most} are free")


@asynccontextmanager
async def devices(wires: Sequence[str], many: int, raw: bool = False) -> AsyncIterator[list[dict[str, Any]]]:
    """Emulated devices of all kinds in turn, or raw lines, and where each is served."""
    endpoints: list[dict[str, Any]] = []
    async with AsyncExitStack() as stack:
        port = 0
        if "mqtt" in wires:
            broker = Broker()
            port = await broker.start()
            stack.push_async_callback(broker.stop)
        kinds, wires_in_turn = cycle(MODELS), cycle(wires)
        for number, (kind, wire) in enumerate(islice(zip(kinds, wires_in_turn, strict=False), many)):
            name = f"{kind}{number}"
            station = _raw_line(wire, name, port) if raw else _station(kind, wire, name, number, port)
            where = await station.start()
            stack.push_async_callback(station.stop)
            endpoints.append({"kind": kind, "wire": wire, "where": where, "port": port, "raw": raw})
        yield endpoints


def _station(kind: str, wire: str, name: str, number: int, port: int) -> Station:
    machine = MODELS[kind].build(Setup(name, number))
    match wire:
        case "serial":
            return SerialStation(machine)
        case "modbus-tcp":
            return ModbusTcpStation(machine)
    return MqttStation(machine, f"scale/{name}", Server("127.0.0.1", port))


def _raw_line(wire: str, name: str, port: int) -> Station:
    match wire:
        case "serial":
            return RawTty()
        case "modbus-tcp":
            return RawTcp()
    return RawMqtt(f"scale/{name}", port)


async def serve(wires: Sequence[str], many: int, raw: bool) -> None:
    """The process of the devices: says where they are, and serves until its input ends."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(sys.stdin.fileno(), ended.set)
    async with devices(wires, many, raw) as endpoints:
        print(json.dumps(endpoints), flush=True)
        await ended.wait()
    loop.remove_reader(sys.stdin.fileno())


class Median(NamedTuple):
    """Of values in turns, with the interval in which the true one lies."""

    low: float
    middle: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Median":
        """By the order statistics, whatever the law of the values is."""
        ordered = sorted(values)
        tails = accumulate(comb(len(ordered), k) for k in range(len(ordered)))
        beyond = max(sum(2 * tail <= (1 - CONFIDENCE) * 2 ** len(ordered) for tail in tails) - 1, 0)
        return cls(ordered[beyond], statistics.median(ordered), ordered[-1 - beyond])

    def __str__(self) -> str:
        return f"{self.middle:.2f} ({self.low:.2f} to {self.high:.2f})"


class Segment(NamedTuple):
    """Round trips per second of all drivers together, and seconds of the processor for each."""

    rate: float
    cpu: float


class Asker(Protocol):
    """What is measured of a channel, or of a raw line."""

    async def open(self) -> None:
        """Connect."""

    async def close(self) -> None:
        """Disconnect."""

    async def request(self, request: Request, /) -> object:
        """One round trip."""


@dataclass(slots=True)
class Crowd:
    """So many devices in a process of their own, and their drivers in this one."""

    many: int
    process: asyncio.subprocess.Process
    channels: list[Asker]
    trips: int = 0
    """Of all drivers, so far."""
    over: bool = False

    async def segment(self, seconds: float) -> Segment:
        """Let all drivers ask, and measure for so many seconds while they do."""
        self.over = False
        together = [[channel] for channel in self.channels] if self.many > 1 else [self.channels]
        asking = [asyncio.create_task(self._ask(channels)) for channels in together]
        await asyncio.sleep(WARMING * seconds)
        began, cpu, before = time.perf_counter(), self._processor(), self.trips
        for _ in range(PATIENCE):
            await asyncio.sleep(seconds)
            if self.trips > before:
                break
        trips, lasted, cpu = self.trips - before, time.perf_counter() - began, self._processor() - cpu
        self.over = True
        await asyncio.gather(*asking)
        return Segment(trips / lasted, cpu / trips)

    async def _ask(self, channels: Sequence[Asker]) -> None:
        while not self.over:
            for channel in channels:
                await channel.request(STATUS)
                self.trips += 1

    def _processor(self) -> float:
        """Seconds of the processor that both processes have used."""
        # a process's own clock, by its number: clock_getcpuclockid(3)
        return time.process_time() + time.clock_gettime(~self.process.pid << 3 | 2)

    def resident(self) -> float:
        """Megabytes of the devices' process."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError("the system does not say how much memory a process has")


@asynccontextmanager
async def crowd(wire: str, many: int, raw: bool = False) -> AsyncIterator[Crowd]:
    """Start the devices, or raw lines, and open a channel to each."""
    served = max(many, len(WIRES[wire]))
    command = (sys.executable, __file__, "--serve", wire, str(served), *(("--raw",) if raw else ()))
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=1 << 20)
    assert process.stdin is not None
    assert process.stdout is not None
    async with AsyncExitStack() as stack:
        stack.push_async_callback(_ended, process)
        stack.callback(process.stdin.close)
        said = await process.stdout.readline()
        if not said:
            raise TooMany(f"the process of {many} devices on {wire} did not start")
        channels = [_channel(place) for place in json.loads(said)]
        for channel in channels:
            await channel.open()
            stack.push_async_callback(channel.close)
        yield Crowd(many, process, channels)


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Wait for the end of the devices, which follows that of their input; not for ever."""
    try:
        async with asyncio.timeout(FAREWELL):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _channel(place: dict[str, Any]) -> Asker:
    kind, where = KINDS[place["kind"]], place["where"]
    match place["wire"]:
        case "serial" if place["raw"]:
            return TtyAsker(where)
        case "modbus-tcp" if place["raw"]:
            return TcpAsker(where)
        case _ if place["raw"]:
            return MqttAsker(where, place["port"])
        case "serial":
            return SerialChannel(kind, where, deadline=LIMIT)
        case "modbus-tcp":
            host, _, port = where.rpartition(":")
            return ModbusTcpChannel(kind, host, int(port), deadline=LIMIT)
    return MqttChannel(kind, where, Server("127.0.0.1", place["port"]), deadline=LIMIT)


class Start(NamedTuple):
    """What so many devices did in one start, and as many raw lines beside them: medians over the turns."""

    rate: float
    cpu: float
    raw_rate: float
    megabytes: float
    devices: int

    @property
    def of_raw(self) -> float:
        """The rate of the devices over that of the raw lines."""
        return self.rate / self.raw_rate


@dataclass(frozen=True, slots=True)
class Figure:
    """Medians of so many devices on one wire."""

    wire: str
    devices: int
    per_second: float
    ratio: float
    """To the rate of one device."""
    step: Median
    """To the rate of the count before."""
    raw_step: Median
    """The same of the raw lines."""
    cpu_step: Median
    """Of the processor time for a round trip with the count before to that with so many."""
    of_raw: float
    """Of the rate of as many raw lines."""
    of_raw_step: Median
    """Of what it is of raw to what that was at the count before."""
    megabytes: float
    kilobytes_per_device: float | None
    """Beyond one device."""

    @property
    def fallen(self) -> bool:
        """Whether the rate has fallen, and by more than that of the raw lines."""
        return self.step.high < 1 and self.of_raw_step.high < 1


def fresh_start(wire: str, turns: int, seconds: float) -> list[Start]:
    """All counts in turns, in processes and on connections of their own."""
    command = (sys.executable, __file__, "--start", wire, str(turns), str(seconds))
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=LIMIT + FAREWELL, check=False)
    if done.returncode:
        raise TooMany(f"a start of the devices on {wire} failed with status {done.returncode}")
    return [Start(*figures) for figures in json.loads(done.stdout)]


async def start(wire: str, turns: int, seconds: float) -> list[Start]:
    """The same in this process, which should have done nothing before."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(LIMIT))
        crowds = [await stack.enter_async_context(crowd(wire, many)) for many in COUNTS]
        raws = [await stack.enter_async_context(crowd(wire, many, raw=True)) for many in COUNTS]
        pairs = list(zip(crowds, raws, strict=True))
        turned = [
            [(await ours.segment(seconds), await raw.segment(seconds)) for ours, raw in pairs]
            for _ in range(UNCOUNTED + turns)
        ][UNCOUNTED:]
        return [
            Start(
                statistics.median(ours.rate for ours, _ in here),
                statistics.median(ours.cpu for ours, _ in here),
                statistics.median(raw.rate for _, raw in here),
                each.resident(),
                len(each.channels),
            )
            for each, here in zip(crowds, zip(*turned, strict=True), strict=True)
        ]


def figures(wire: str, starts: Sequence[Sequence[Start]]) -> list[Figure]:
    """Medians over the starts, for each count."""
    rows = []
    for n, many in enumerate(COUNTS):
        steps = [(each[max(n - 1, 0)], each[n]) for each in starts]
        here = [each[n] for each in starts]
        rows.append(
            Figure(
                wire,
                many,
                statistics.median(now.rate for now in here),
                statistics.median(each[n].rate / each[0].rate for each in starts),
                Median.of(now.rate / then.rate for then, now in steps),
                Median.of(now.raw_rate / then.raw_rate for then, now in steps),
                Median.of(then.cpu / now.cpu for then, now in steps),
                statistics.median(now.of_raw for now in here),
                Median.of(now.of_raw / then.of_raw for then, now in steps),
                statistics.median(now.megabytes for now in here),
                _per_device(
                    statistics.median(each[n].megabytes - each[0].megabytes for each in starts),
                    here[0].devices - starts[0][0].devices,
                ),
            )
        )
    return rows


def _per_device(megabytes: float, devices: int) -> float | None:
    return 1024 * megabytes / devices if devices else None


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few turns only")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--wire", action="append", choices=list(WIRES), help="only this; may be repeated")
    parser.add_argument("--serve", nargs=2, metavar=("WIRE", "DEVICES"), help=argparse.SUPPRESS)
    parser.add_argument("--raw", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--start", nargs=3, metavar=("WIRE", "TURNS", "SECONDS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        allow(2 * sum(COUNTS))
        if options.serve:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process ends this one
            asyncio.run(serve(WIRES[options.serve[0]], int(options.serve[1]), options.raw))
            return 0
        if options.start:
            wire, turns, seconds = options.start
            print(json.dumps(asyncio.run(start(wire, int(turns), float(seconds)))))
            return 0
        times, turns, seconds = (3, 2, 0.1) if options.quick else (25, 2, 0.15)
        rows = [
            figure
            for wire in options.wire or WIRES
            for figure in figures(wire, [fresh_start(wire, turns, seconds) for _ in range(times)])
        ]
    except TooMany as error:
        print(f"scale.py: {error}", file=sys.stderr)
        return 2
    fallen = [figure for figure in rows if figure.fallen]
    if options.json:
        print(json.dumps([asdict(figure) for figure in rows], indent=2))
    else:
        titles = "".join(f"{title:>21}" for title in ("step", "raw step", "step of 'of raw'", "cpu"))
        print(f"{'wire':<11}{'devices':>8}{'trips/s':>9}{'ratio':>7}{'of raw':>8}{titles}{'MB':>8}{'kB/device':>11}")
        for figure in rows:
            each = "" if figure.kilobytes_per_device is None else f"{figure.kilobytes_per_device:.0f}"
            steps = (figure.step, figure.raw_step, figure.of_raw_step, figure.cpu_step)
            print(
                f"{figure.wire:<11}{figure.devices:>8}{figure.per_second:>9.0f}{figure.ratio:>7.2f}{figure.of_raw:>8.2f}"
                + "".join(f"{step!s:>21}" for step in steps)
                + f"{figure.megabytes:>8.1f}{each:>11}"
            )
        for figure in fallen:
            print(f"{figure.devices} devices on {figure.wire} have only {figure.step} of the rate of the count before")
        if not fallen:
            print("no rate falls as devices are added, beside what the raw lines lose too")
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
