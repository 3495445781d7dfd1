"""A laboratory, and a run of a shoe that it has certified."""

import asyncio
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rigs import make_rig, nobody, rig_text

from feltrig.harness.judge import keys
from feltrig.harness.laboratory.signing import Laboratory
from feltrig.harness.plan.order import PlanOrder, plan_order
from feltrig.harness.plan.plan import plan
from feltrig.harness.rig.model import Rig
from feltrig.harness.run import Run, run

SHOE_AND_RNG = 'start = "rng"\ndeal = "automated_shoe"\nmachine_shuffle = false\nshuffler_counts = false'


def new_laboratory(folder: Path) -> Laboratory:
    """A key and the register beside it, in a folder of their own."""
    folder.mkdir(parents=True, exist_ok=True)
    keys.new(folder / "lab.key")
    return Laboratory(folder / "lab.key")


def private(laboratory: Laboratory) -> Ed25519PrivateKey:
    assert laboratory.key is not None
    return keys.private(laboratory.key)


def register_of(laboratory: Laboratory) -> Path:
    return Path(laboratory.command[-1])


def shoe_order(out: Path, emulator: str = "", name: str = "rig.toml") -> tuple[Rig, PlanOrder]:
    """A rig with a shoe and what it needs, and the whole plan for it."""
    out.mkdir(parents=True, exist_ok=True)
    text = rig_text(emulators={"shoe": emulator}, kinds=("shoe", "rng", "reader"), game=SHOE_AND_RNG)
    (out / name).write_text(text)
    rig = make_rig(text, out / name)
    return rig, plan_order(rig, plan("shoe-nj"))


async def certify_shoe(out: Path, laboratory: Laboratory | None, emulator: str = "") -> Run:
    """Run the whole plan on a shoe."""
    rig, order = shoe_order(out, emulator)
    return await run(rig, 2, 1, out, lambda _: None, nobody, plan=order, laboratory=laboratory)


def certified_shoe(out: Path, laboratory: Laboratory) -> Path:
    """The folder of a shoe's run."""
    return asyncio.run(certify_shoe(out, laboratory)).folder
