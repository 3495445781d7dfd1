"""Rigs for whole runs: all five devices emulated, on the wire and with the faults that a test asks for."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import pytest
import rigs
from rigs import nobody, rig_text

from feltrig.harness.rig.model import Rig
from feltrig.harness.run import Run, run

KINDS = ("rng", "shaker", "shuffler", "shoe", "reader")

WIRES: Mapping[str, str] = {
    "serial": 'wire = "serial"',
    "modbus-rtu": 'wire = "modbus-rtu"',
    "modbus-tcp": 'wire = "modbus-tcp"',
    "modbus-tls": 'wire = "modbus-tls"',
    "mqtt-3.1.1": 'wire = "mqtt"\nmqtt = "3.1.1"',
    "mqtt-5": 'wire = "mqtt"\nmqtt = "5"',
}


class MakeRig(Protocol):
    """Makes a rig; `extra` is TOML for the emulator of one kind of device."""

    def __call__(
        self,
        wire: str = "serial",
        *,
        start: Sequence[str] = ("dice",),
        deal: Sequence[str] = ("automated_shoe",),
        bank: Sequence[str] = ("none",),
        decks: int = 1,
        jurisdiction: str = "NJ",
        machine_shuffle: bool = True,
        extra: Mapping[str, str] = {},
        deadline: float = 5.0,
    ) -> Rig: ...


Play = Callable[[Rig, int], Awaitable[Run]]


@pytest.fixture
def make_rig() -> MakeRig:
    def make(
        wire: str = "serial",
        *,
        start: Sequence[str] = ("dice",),
        deal: Sequence[str] = ("automated_shoe",),
        bank: Sequence[str] = ("none",),
        decks: int = 1,
        jurisdiction: str = "NJ",
        machine_shuffle: bool = True,
        extra: Mapping[str, str] = {},
        deadline: float = 5.0,
    ) -> Rig:
        game = f"start = {list(start)}\ndeal = {list(deal)}\nbank = {list(bank)}\ndecks = {decks}\n"
        game += f"machine_shuffle = {str(machine_shuffle).lower()}"
        text = rig_text(emulators=extra, wire=f"{WIRES[wire]}\ndeadline = {deadline}", game=game)
        return rigs.make_rig(text.replace('jurisdiction = "NJ"', f'jurisdiction = "{jurisdiction}"'))

    return make


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Runs a rig to its verdict; nobody is there to answer a prompt."""

    async def play_rounds(rig: Rig, rounds: int) -> Run:
        assert rig.seed is not None
        return await run(rig, rounds, rig.seed, tmp_path, lambda _: None, nobody)

    return play_rounds
