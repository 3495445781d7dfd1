"""A shaker in a round."""

from feltrig.engine import asks, tells
from feltrig.harness.devices.hands import Driver
from feltrig.harness.devices.play import Dealing, Play
from feltrig.harness.devices.values import bytes_of, int_of
from feltrig.protocols.messages import Event

SHAKES = 3
"""What the rules ask at least."""


class _AtTable:
    """A shaker in a session: whether its lid is off."""

    def __init__(self, shaker: Driver, _: Dealing) -> None:
        self._shaker = shaker
        self._lid_open = False

    async def shake(self, ask: asks.ShakeDice) -> tells.Tell:
        await self.close_lid()
        shaken = await self._shaker.perform("shake", "shaken", times=ask.shakes)
        lifted = [event for event in await self._shaker.pending() if event.name in ("uncovered", "rolled")]
        self._lid_open = True
        if lifted:
            return _rolled(shaken, lifted[-1], lid_by=ask.by if ask.by == "bank" else "hand")
        return _rolled(shaken, await self._shaker.perform("uncover", "rolled"), lid_by="dealer")

    async def park(self, _: asks.ParkShaker) -> tells.Tell:
        await self.close_lid()
        shaken = await self._shaker.perform("shake", "shaken", times=1)
        return tells.ShakerParked(int_of(shaken.values["times"]))

    async def close_lid(self) -> None:
        """A void round may leave it off."""
        if self._lid_open:
            await self._shaker.perform("cover", "covered")
            self._lid_open = False


def _rolled(shaken: Event, rolled: Event, lid_by: str) -> tells.DiceRolled:
    dice = bytes_of(rolled.values.get("dice", ()))
    flat = tuple(bool(die) for die in bytes_of(rolled.values.get("flat", ())))
    return tells.DiceRolled(dice, flat, int_of(shaken.values["times"]), lid_by, sum(dice))


PLAY = Play(
    _AtTable,
    {asks.ShakeDice: _AtTable.shake, asks.ParkShaker: _AtTable.park},
    put_away=_AtTable.close_lid,
)
