"""An rng in a round."""

from feltrig.engine import asks, tells
from feltrig.harness.devices.hands import Driver
from feltrig.harness.devices.play import Play
from feltrig.harness.devices.values import int_of


async def _select(rng: Driver, _: asks.SelectNumber) -> tells.Tell:
    """The rule counts to the number displayed, so that is what the table goes by."""
    return tells.NumberSelected(await selected(rng))


async def selected(rng: Driver) -> int:
    """The number that the display shows after a selection."""
    await rng.perform("select", "selected")
    return int_of((await rng.call("display"))["number"])


PLAY = Play(lambda rng, _: rng, {asks.SelectNumber: _select})
