"""A million random frames against each emulated device on each wire: every one of them must go on serving.

    python benchmarks/fuzz.py [--frames N] [--quick] [--seed N] [--wire serial ...] [--kind shoe ...]

A third of the frames are well formed with random content, a third are such frames spoilt (bytes changed, lost or
inserted), a third are noise. They come in chunks, each from a seed of its own, so that one that fails can be played
alone. After each chunk the device must answer `status` on the same station, and an exception anywhere ends the run with
status 1.

Serial, RTU and MQTT stations are fed without a wire, for the volume; a share of each chunk then crosses the real wire
(a pseudo terminal, the embedded broker). On Modbus TCP and TLS all frames cross a real connection.
"""

import argparse
import asyncio
import sys
import time
from dataclasses import dataclass
from typing import Any

from fuzz_frames import FRAMES, frames
from fuzz_targets import Broken, target_of

from feltrig.emulators.bench import Bench
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.setup import Setup

CHUNK = 5_000
SHARE = 50
"""Of a chunk, so many frames also cross the real wire where the others do not."""
LIMIT = 60.0
"""Seconds for one chunk; beyond them something hangs."""


@dataclass(slots=True)
class Tally:
    """What one device on one wire was sent, and how often it answered."""

    kind: str
    wire: str
    frames: int = 0
    over_wire: int = 0
    answers: int = 0
    seconds: float = 0.0


class Hands:
    """An operator who keeps putting the cards back, so that there is always something to do."""

    def __init__(self, kind: str) -> None:
        self.bench = Bench()
        self._kind = kind
        start = {"shuffler": "shuffler.in.1", "shoe": "shoe.well", "reader": "reader.tray"}.get(kind)
        if start is not None:
            self.bench.put_new_deck(start, "red", range(54))

    def put_back(self) -> None:
        """All cards to where the machine takes them from."""
        match self._kind:
            case "shuffler":
                self.bench.move_all("shuffler.out.1", "shuffler.in.1")
            case "shoe":
                self.bench.move_all("shoe.exit", "shoe.well")


async def fuzz(kind: str, wire: str, many: int, seed: int, chunk: int = CHUNK) -> Tally:
    """So many frames against one device on one wire. Raises Broken, or whatever the station raised."""
    tally, hands = Tally(kind, wire), Hands(kind)
    machine = MODELS[kind].build(Setup(kind, seed, bench=hands.bench))
    failures: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
    began = time.perf_counter()
    async with target_of(wire, machine) as target:
        while tally.frames < many:
            name = f"{seed} {kind} {wire} {tally.frames}"
            sent = list(frames(wire, machine.kind, name, min(chunk, many - tally.frames)))
            try:
                async with asyncio.timeout(LIMIT):
                    await target.feed(sent)
                    await target.check(sent[:SHARE])
            except TimeoutError as error:
                raise Broken(f"chunk {name!r}: does not answer within {LIMIT:g} s") from error
            if failures:
                raise Broken(f"chunk {name!r}: {failures[0]}") from failures[0].get("exception")
            tally.frames += len(sent)
            tally.over_wire += len(sent) if wire.startswith("modbus-t") else min(SHARE, len(sent))
            hands.put_back()
        tally.answers = target.answers
    tally.seconds = time.perf_counter() - began
    return tally


def main() -> int:
    """Fuzz and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=1_000_000, help="against each device on each wire")
    parser.add_argument("--quick", action="store_true", help="ten thousand frames each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wire", action="append", choices=list(FRAMES), help="only this wire; may be repeated")
    parser.add_argument("--kind", action="append", choices=list(MODELS), help="only this device; may be repeated")
    options = parser.parse_args()
    many = 10_000 if options.quick else options.frames
    print(f"{'device':<10}{'wire':<12}{'frames':>10}{'on the wire':>13}{'answers':>10}{'frames/s':>10}")
    for kind in options.kind or MODELS:
        for wire in options.wire or FRAMES:
            tally = asyncio.run(fuzz(kind, wire, many, options.seed))
            rate = tally.frames / tally.seconds
            print(
                f"{kind:<10}{wire:<12}{tally.frames:>10}{tally.over_wire:>13}{tally.answers:>10}{rate:>10.0f}",
                flush=True,
            )
    print("every device still serves on every wire")
    return 0


if __name__ == "__main__":
    sys.exit(main())
