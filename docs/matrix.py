"""Plays every device on every wire, first quiet and then disturbed, and writes matrix.md: `make matrix`."""

import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

from feltrig.emulators.relays.noise import LINE, NOISES
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.records import NoiseEnded
from feltrig.harness.judge.outcome import NOT_UNDER_TEST
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.keys import wires_with
from feltrig.harness.rig.model import Rig
from feltrig.harness.run import Run, run
from feltrig.harness.wires import WIRES as RECORDS

PAGE = Path(__file__).with_name("matrix.md")
ROUNDS = 8
SEED = 3
FIRST, APART, APART_ON_TLS = 5, 4, 12
"""The first chunk of bytes that is struck, and the distance to the next. The driver must have recovered by then: it
asks three times, and on TLS a handshake and an identification come first."""

KINDS = ("rng", "shaker", "shuffler", "shoe", "reader")

WIRES: Mapping[str, str] = {
    "serial": 'wire = "serial"',
    "Modbus RTU": 'wire = "modbus-rtu"',
    "Modbus TCP": 'wire = "modbus-tcp"',
    "Modbus TLS": 'wire = "modbus-tls"',
    "MQTT 3.1.1": 'wire = "mqtt"\nmqtt = "3.1.1"',
    "MQTT 5": 'wire = "mqtt"\nmqtt = "5"',
}
"""The columns, as a rig file says them."""

SECONDS: Mapping[str, float] = {
    "delay": 0.02,
    "split": 0.001,
    "half_open": 0.05,
    "disconnect": 0.02,
    "broker_restart": 0.02,
    "wrong_baud": 0.02,
}
"""How long each lasting sort of noise lasts."""


class Cell(NamedTuple):
    """One device on one wire; the other four are on serial lines without noise."""

    kind: str
    wire: str

    @property
    def noises(self) -> tuple[str, ...]:
        """The sorts of noise that this wire can meet. Noise that changes bytes is included only where the wire shows
        it, by a CRC or by TLS."""
        name = self.wire.lower().replace(" ", "-")
        wire = "mqtt" if name.startswith("mqtt") else name
        shows = LINE in RECORDS[wire].media or RECORDS[wire].hidden
        return tuple(
            what for what, noise in NOISES.items() if wire in wires_with(noise) and (shows or not noise.alters)
        )


CELLS = [Cell(kind, wire) for kind, wire in product(KINDS, WIRES)]


@dataclass(frozen=True, slots=True)
class Played:
    """What a cell came to: the verdicts of its two runs, and the noise that struck in the second."""

    rounds: int
    quiet: str
    faults: int
    noisy: str

    def __str__(self) -> str:
        return f"{self.rounds} rounds: {self.quiet}<br>{self.faults} faults: {self.noisy}"


def make_rig(cell: Cell, noises: tuple[str, ...] = ()) -> Rig:
    """The rig of a cell, with noise on the wire of its device."""
    text = f"""
feltrig = 1
name = "matrix"
seed = {SEED}
[game]
name = "supreme_pai_gow"
house_way = "balanced"
jurisdiction = "NJ"
start = ["{"rng" if cell.kind == "rng" else "dice"}"]
deal = ["automated_shoe"]
"""
    for kind in KINDS:
        mine = kind == cell.kind
        wire = WIRES[cell.wire if mine else "serial"]
        text += f'[devices.{kind}]\nkind = "{kind}"\n{wire}\ndeadline = 3\nreconnect = 20\n'
        apart = APART_ON_TLS if cell.wire == "Modbus TLS" else APART
        rows = [
            f'{{ what = "{what}", at = {FIRST + apart * place}{_seconds(what)} }}'
            for place, what in enumerate(noises if mine else ())
        ]
        text += f"noise = [{', '.join(rows)}]\n[devices.{kind}.emulator]\n"
    return rigfile.loads(text, f"{cell.kind} on {cell.wire}.toml")


def _seconds(what: str) -> str:
    return f", seconds = {SECONDS[what]}" if what in SECONDS else ""


async def play(cell: Cell, folder: Path) -> Played:
    """Both runs of a cell."""
    quiet = await _run(make_rig(cell), folder)
    noisy = await _run(make_rig(cell, cell.noises), folder)
    return Played(quiet.verdict["rounds"]["played"], _verdict(quiet, cell), _struck(noisy), _verdict(noisy, cell))


async def _run(rig: Rig, folder: Path) -> Run:
    return await run(rig, ROUNDS, SEED, folder, lambda _: None, _nobody)


async def _nobody(prompt: str) -> str:
    raise AssertionError(f"a prompt on an emulated bench: {prompt}")


def _verdict(finished: Run, cell: Cell) -> str:
    """The verdict on the device, unless that on the rig is worse."""
    device = finished.verdict["devices"].get(cell.kind, {"verdict": "inconclusive"})  # one that never said who it is
    verdicts: tuple[str, str] = device["verdict"], finished.verdict["verdict"]
    ranks = (NOT_UNDER_TEST, "no failure seen", "inconclusive", "refused")
    return max(verdicts, key=ranks.index)


def _struck(finished: Run) -> int:
    records = journals.read(finished.folder / "journal.jsonl").records
    return sum(sum(record.body.times.values()) for record in records if isinstance(record.body, NoiseEnded))


def rendered(played: Mapping[Cell, Played]) -> str:
    """The page."""
    lines = [f"| | {' | '.join(WIRES)} |", "|---" * (1 + len(WIRES)) + "|"]
    lines += [f"| {kind} | {' | '.join(str(played[Cell(kind, wire)]) for wire in WIRES)} |" for kind in KINDS]
    sorts = ["| wire | noise |", "|---|---|"]
    sorts += [f"| {wire} | {', '.join(Cell(KINDS[0], wire).noises)} |" for wire in WIRES]
    return TEXT.format(rounds=ROUNDS, cells="\n".join(lines), sorts="\n".join(sorts))


TEXT = """\
# Every device on every wire

Each cell shows two runs of {rounds} rounds: one on a quiet wire, one on a disturbed wire.

{cells}

* All five devices are emulated, and the drills are included. The device of the row is on the wire of the column. The
  other four are on serial lines.
* In the second run, each sort of noise of that wire strikes the device's wire once, below any protocol.
* The driver must recover, lose no event and run no command twice. Otherwise the device would fail.

## The noise of each wire

[rig-file.md](rig-file.md#noise-on-wires) says what each sort does.

{sorts}

TCP never changes a byte, but a broken gateway can. TLS then ends the connection or falls silent. The driver opens a new
one and continues, so the cells of Modbus TLS include that noise. On Modbus TCP and MQTT without TLS nothing shows it,
and such a run is inconclusive. `benchmarks/wire_faults.py` plays these cases too.

`make matrix` writes this page. The tests play every cell again.
"""


async def play_all(cells: Sequence[Cell]) -> dict[Cell, Played]:
    """The cells, all at once: most of the time they wait for answers that noise has swallowed."""
    with tempfile.TemporaryDirectory(prefix="feltrig-") as folder:
        async with asyncio.TaskGroup() as group:
            tasks = {cell: group.create_task(play(cell, Path(folder, *cell))) for cell in cells}
    return {cell: task.result() for cell, task in tasks.items()}


def main() -> int:
    """Play, write the page, and say whether a failure was seen in any cell."""
    played: dict[Cell, Played] = {}
    for wire in WIRES:
        played |= asyncio.run(play_all([cell for cell in CELLS if cell.wire == wire]))
        print(f"{wire}: {', '.join(sorted({str(played[cell]) for cell in played if cell.wire == wire}))}", flush=True)
    PAGE.write_text(rendered(played))
    verdicts = {verdict for cell in played.values() for verdict in (cell.quiet, cell.noisy)}
    return 0 if verdicts == {"no failure seen"} else 1


if __name__ == "__main__":
    sys.exit(main())
