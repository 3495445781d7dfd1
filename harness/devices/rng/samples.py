"""Samples of an rng."""

from collections.abc import Mapping
from typing import Any

from feltrig.harness.devices.device import Sampler, Turn
from feltrig.harness.devices.hands import Hands
from feltrig.harness.devices.rng.playing import selected


async def _number(hands: Hands, _: Turn) -> dict[str, Any]:
    return {"number": await selected(hands.driver)}


def _row(sample: Mapping[str, Any]) -> tuple[int, ...]:
    number = sample["number"]
    return (number,) if isinstance(number, int) and 1 <= number <= 7 else ()


NUMBERS = Sampler(
    unit="numbers",
    requirements=("DEV-55",),
    role="range",
    batch=512,
    attended_batch=512,
    seconds=1.5,
    take=_number,
    samples="numbers",
    played=lambda evidence: evidence.tells("NumberSelected"),
    row=_row,
    pictures=("feltrig.harness.reports.plots:numbers",),
)
