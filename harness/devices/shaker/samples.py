"""Samples of a shaker."""

from collections.abc import Mapping
from typing import Any

from feltrig.harness.devices.device import Sampler, Turn
from feltrig.harness.devices.hands import Hands
from feltrig.harness.devices.shaker.playing import SHAKES
from feltrig.harness.devices.values import bytes_of

DICE = 3
MOST_NO_ROLLS = 8
"""After so many in a row, what there is is the sample: no good machine gives it."""


async def _roll(hands: Hands, _turn: Turn) -> dict[str, Any]:
    """Shake, uncover, read the dice and cover them again; once more if it was a no roll, as the rules have it. How
    many of those there were is for a check."""
    sample: dict[str, Any] = {}
    for _ in range(MOST_NO_ROLLS):
        await hands.driver.perform("shake", "shaken", times=SHAKES)
        rolled = await hands.driver.perform("uncover", "rolled")
        await hands.driver.perform("cover", "covered")
        sample = {"dice": list(bytes_of(rolled.values["dice"])), "flat": list(bytes_of(rolled.values["flat"]))}
        if len(sample["dice"]) == DICE and all(sample["flat"]):
            break
    return sample


def _row(sample: Mapping[str, Any]) -> tuple[int, ...]:
    dice = sample["dice"]
    return tuple(dice) if len(dice) == 3 and all(1 <= die <= 6 for die in dice) else ()


ROLLS = Sampler(
    unit="rolls",
    requirements=("DEV-62",),
    role="shakes",
    batch=256,
    attended_batch=64,
    seconds=6.0,
    take=_roll,
    samples="rolls",
    played=lambda evidence: evidence.tells("DiceRolled"),
    row=_row,
    pictures=("feltrig.harness.reports.plots:faces", "feltrig.harness.reports.plots:totals"),
)
