"""Rig files of the tests: one way to write them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from feltrig.harness.rig import loading
from feltrig.harness.rig.model import Rig

KINDS = ("rng", "shaker", "shuffler", "shoe", "reader")
EVERY_DEVICE = 'start = ["dice", "rng"]\ndeal = "automated_shoe"'
"""Options of the game that put all of them to use."""
RNG_ONLY = 'start = "rng"\ndeal = "hand"\nmachine_shuffle = false\nshuffler_counts = false'
"""Options of the game that need a generator and the reader."""


def rig_text(
    devices: Mapping[str, str] = {},
    emulators: Mapping[str, str | None] = {},
    *,
    kinds: Sequence[str] = KINDS,
    wire: str = 'wire = "serial"',
    game: str = EVERY_DEVICE,
    top: str = "seed = 3",
    more: str = "",
) -> str:
    """A rig file with devices that are named as their kinds, all emulated on one wire. `devices` has TOML for the table
    of a device in place of the wire, `emulators` for its emulator, None to make it real. `top` goes before the tables,
    `more` behind them."""
    lines = ["feltrig = 1", 'name = "test"', top, "[game]", 'name = "supreme_pai_gow"', 'house_way = "balanced"']
    lines += ['jurisdiction = "NJ"', game]
    for kind in kinds:
        lines += [f"[devices.{kind}]", f'kind = "{kind}"', devices.get(kind, wire)]
        if (emulator := emulators.get(kind, "")) is not None:
            lines += [f"[devices.{kind}.emulator]", emulator]
    return "\n".join([*lines, more, ""])


def rng_rig_text(device: str = 'wire = "serial"', emulator: str | None = "", *, top: str = "", more: str = "") -> str:
    """A rig file with a generator and the reader only."""
    return rig_text({"rng": device}, {"rng": emulator}, kinds=("reader", "rng"), game=RNG_ONLY, top=top, more=more)


def make_rig(text: str | None = None, source: str | Path = "test.toml") -> Rig:
    """The rig of a file; without text, of all five devices on serial lines."""
    return loading.loads(rig_text() if text is None else text, str(source))


async def nobody(prompt: str) -> str:
    """Stands where a technician would: on an emulated bench nobody is asked for anything."""
    raise AssertionError(f"a prompt on an emulated bench: {prompt}")
