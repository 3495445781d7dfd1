"""What a person must see of an rng: its display. On the wire there is only its own word for it."""

from feltrig.harness.devices.device import Eye
from feltrig.harness.devices.hands import Hands
from feltrig.harness.devices.rng.playing import selected


async def _select(hands: Hands) -> str:
    return str(await selected(hands.driver))


EYES = (Eye("display", "display", _select),)
