"""Rounds per second of every game, in the engine alone and on the embedded rig.

    python benchmarks/rounds.py [--games NAME ...] [--seconds N] [--rounds N] [--json]
    python benchmarks/rounds.py --against PYTHON SCRIPT [--turns N] [--games NAME ...]

The engine alone is asked and told with everything at hand. On the rig each round goes over the wires of emulated
devices in this same process and into the journal. Both play the ways of the game in turn and are timed by the
processor time of the process; what comes before the first round and after the last is not counted. The ratio is how
much of the engine's rate is left on the rig.

With --against, this commit is compared with another: PYTHON is an interpreter with that commit installed, and SCRIPT is
its own benchmarks/rounds.py. Both play each game in processes of their own, by turns, so that a busy machine is busy
for both. The figures are medians of the ratios of one turn: above 1, this commit is faster.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from fair_table import FairTable

from feltrig.engine.games import GAMES
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import Rig
from feltrig.harness.run import run
from feltrig.harness.table.rounds import RoundProgress
from feltrig.harness.table.sessions import variants

SEED = 1


class Rate(NamedTuple):
    """Rounds per second of one game."""

    game: str
    ways: int
    asks: float
    """Of the engine, in one round."""
    engine: float
    rig: float

    @property
    def ratio(self) -> float:
        """What is left of the engine's rate on the rig."""
        return self.rig / self.engine


def in_the_engine(rig: Rig, seconds: float) -> tuple[float, float]:
    """Rounds per second, and asks per round."""
    tables = [FairTable(rig.game, way, SEED) for way in variants(rig.game)]
    for table in tables:
        table.play()  # what is imported, cached or made once
    rounds = asked = 0
    begin = time.process_time()
    for table in cycle(tables):
        asked += table.play()
        rounds += 1
        taken = time.process_time() - begin
        if taken >= seconds and rounds >= len(tables):
            break
    return rounds / taken, asked / rounds


async def on_the_rig(rig: Rig, rounds: int) -> float:
    """Rounds per second, from the end of the first round to the end of the last."""
    ends: list[float] = []

    def note(_: RoundProgress) -> None:
        ends.append(time.process_time())

    with tempfile.TemporaryDirectory() as folder:
        finished = await run(rig, rounds, SEED, Path(folder), note, _nobody, drills=False)
    if finished.verdict["rounds"]["played"] != rounds:
        sys.exit(f"{rig.game.name}: {finished.verdict['ended']} after {len(ends)} of {rounds} rounds")
    return (rounds - 1) / (ends[-1] - ends[0])


async def _nobody(prompt: str) -> str:
    raise AssertionError(f"a prompt on an emulated bench: {prompt}")


def measure(game: str, seconds: float, rounds: int) -> Rate:
    """Both rates of one game."""
    rig = rigfile.embedded(game)
    ways = len(variants(rig.game))
    engine, asked = in_the_engine(rig, seconds)
    return Rate(game, ways, asked, engine, asyncio.run(on_the_rig(rig, max(rounds, ways))))


def compare(game: str, others: list[str], turns: int, sizes: list[str]) -> tuple[float, float]:
    """How much faster this commit is than another, in the engine and on the rig."""
    ratios = []
    for turn in range(turns):
        rates = {}
        pair = {"ours": [sys.executable, __file__], "theirs": others}
        for side, script in pair.items() if turn % 2 else reversed(pair.items()):
            command = [*script, "--games", game, "--json", *sizes]
            rates[side] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        ratios.append([rates["ours"][of] / rates["theirs"][of] for of in ("engine", "rig")])
    engine, rig = map(statistics.median, zip(*ratios, strict=True))
    return engine, rig


def main() -> None:
    """Prints a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES), metavar="NAME")
    parser.add_argument("--seconds", type=float, default=0.5, help="of each game in the engine")
    parser.add_argument("--rounds", type=int, default=24, help="of each game on the rig, at least one of each way")
    parser.add_argument("--json", action="store_true", help="print an object for each game instead of a table")
    parser.add_argument("--against", nargs=2, metavar=("PYTHON", "SCRIPT"), help="compare with another commit")
    parser.add_argument("--turns", type=int, default=5, help="of each game, in a comparison")
    options = parser.parse_args()
    if options.against:
        print(f"{'this / the other':20} {'engine':>9} {'rig':>7}")
        sizes = ["--seconds", str(options.seconds), "--rounds", str(options.rounds)]
        for game in options.games:
            engine, rig = compare(game, options.against, options.turns, sizes)
            print(f"{game:20} {engine:9.2f} {rig:7.2f}", flush=True)
        return
    if not options.json:
        print(f"{'rounds per second':20} {'ways':>5} {'asks':>6} {'engine':>9} {'rig':>7} {'rig/engine':>11}")
    for game in options.games:
        rate = measure(game, options.seconds, max(2, options.rounds))
        if options.json:
            print(json.dumps({**rate._asdict(), "ratio": rate.ratio}), flush=True)
        else:
            figures = f"{rate.ways:5} {rate.asks:6.1f} {rate.engine:9.0f} {rate.rig:7.1f} {rate.ratio:11.4f}"
            print(f"{game:20} {figures}", flush=True)


if __name__ == "__main__":
    main()
