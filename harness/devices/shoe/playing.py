"""A shoe in a round."""

from feltrig.engine import asks, tells
from feltrig.harness.devices.failures import DEVICE_FAILURES
from feltrig.harness.devices.hands import Driver
from feltrig.harness.devices.play import Dealing, Play, place_of


class _AtTable:
    """A shoe in a session."""

    def __init__(self, shoe: Driver, dealing: Dealing) -> None:
        self._shoe = shoe
        self._dealing = dealing

    @property
    def _loaded(self) -> bool:
        return self._dealing.stub_in == self._shoe.kind.name

    async def load(self, ask: asks.LoadShoe) -> tells.Tell | None:
        if not ask.automated:
            return None
        await self._shoe.call("lock")
        await self._dealing.operator.load(self._shoe.kind.name, ask.deck)
        self._dealing.stub_in = self._shoe.kind.name
        return tells.ShoeLoaded(ask.deck)

    async def look(self, _: asks.CallNoMoreBets) -> tells.Tell | None:
        """Whatever the shoe did by itself before this moment is on record as such. The dealer makes the call."""
        if self._loaded:
            await self._shoe.pending()
        return None

    async def dispense(self, ask: asks.Dispense) -> tells.Tell:
        try:
            if ask.number == 1:
                await self._shoe.call("unlock")
            await self._shoe.perform("dispense", "dispensed", size=ask.size)
        except DEVICE_FAILURES as failure:
            return tells.ShoeFailed(self._dealing.failed(failure))
        await self._dealing.operator.show_stack(self._shoe.kind.name)
        seen = await self._dealing.tray.read("stack", self._dealing.deck)
        await self._dealing.operator.from_reader(place_of(ask.position, ask.area))
        return tells.StackDispensed(seen.cards, seen.face_up)

    async def hand_over(self, _: asks.DealCard) -> tells.Tell | None:
        """What the shoe has not dispensed is dealt by hand."""
        if self._loaded:
            await self._shoe.call("lock")
            await self._dealing.operator.show_stub(self._dealing.deck, self._dealing.stub_in)
            seen = await self._dealing.tray.read("rest of the deck", self._dealing.deck)
            await self._dealing.operator.from_reader(f"deck.{self._dealing.deck}")
            self._dealing.stub_in, self._dealing.left = None, len(seen.cards)
        return None

    async def lock(self, _: asks.RackStub) -> tells.Tell | None:
        """No more stacks come. The dealer takes the rest out."""
        if self._loaded:
            await self._shoe.call("lock")
        return None


PLAY = Play(
    _AtTable,
    {
        asks.LoadShoe: _AtTable.load,
        asks.CallNoMoreBets: _AtTable.look,
        asks.Dispense: _AtTable.dispense,
        asks.DealCard: _AtTable.hand_over,
        asks.RackStub: _AtTable.lock,
    },
)
