"""What a person must see of a shaker: its dice. On the wire there is only its own word for them."""

from feltrig.harness.devices.device import Eye
from feltrig.harness.devices.hands import Hands
from feltrig.harness.devices.shaker.playing import SHAKES
from feltrig.harness.devices.values import bytes_of

ROLLS = 5
"""At most, until all three dice lie flat: a die that does not has no face to read."""


async def _roll(hands: Hands) -> str:
    for left in reversed(range(ROLLS)):
        await hands.driver.perform("shake", "shaken", times=SHAKES)
        rolled = await hands.driver.perform("uncover", "rolled")
        dice, flat = bytes_of(rolled.values["dice"]), bytes_of(rolled.values["flat"])
        if (len(dice) == 3 and all(flat)) or not left:
            break
        await _cover(hands)
    return " ".join(map(str, sorted(dice)))


async def _cover(hands: Hands) -> None:
    await hands.driver.perform("cover", "covered")


EYES = (Eye("dice", "faces", _roll, _cover),)
