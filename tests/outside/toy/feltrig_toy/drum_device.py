"""What the harness knows of a drum."""

from collections.abc import Iterator
from typing import Any

from feltrig.engine import asks, tells
from feltrig.harness.devices.cases import RESET, CommandCase, StateCases
from feltrig.harness.devices.device import ANSWER, DeviceKind, Limit
from feltrig.harness.devices.play import Play
from feltrig.harness.devices.values import int_of
from feltrig.harness.judge.check import Sighting, check
from feltrig.harness.judge.evidence import Evidence
from feltrig.protocols.vocabulary import State


@check("draws a ball from 1 to 10", role="balls", rests_on=("drawn.ball",))
def ball_in_range(evidence: Evidence, device: str) -> Iterator[Sighting]:
    for record in evidence.events(device, "drawn"):
        ball = record.body.values["ball"]
        yield Sighting(1 <= ball <= 10, (record.seq,), f"drew {ball}")


async def _draw(drum: Any, ask: asks.SpinWheel) -> tells.Tell:
    drawn = await drum.perform("draw", "drawn")
    return tells.WheelSpun(str(int_of(drawn.values["ball"])), ask.turns)


DRAW = CommandCase("draw", events=("drawn",))

DEVICE = DeviceKind(
    kind="drum",
    commands=("draw",),
    events=("drawn",),
    tells=("WheelSpun",),
    play=Play(sit=lambda driver, dealing: driver, asks={asks.SpinWheel: _draw}),
    checks=(ball_in_range,),
    operations={"draw": "drawn"},
    limits=(ANSWER, Limit("draws a ball", "draw", "s", 5.0, 0.8)),
    states=(StateCases("after a reset", (RESET, DRAW)),),
    leaves={"draw": State.READY},
)
