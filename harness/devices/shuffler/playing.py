"""A shuffler in the rounds: shuffles a deck, which may be the idle one while the other is in play."""

from feltrig.engine import asks, tells
from feltrig.harness.devices.failures import DEVICE_FAILURES
from feltrig.harness.devices.hands import COMPARTMENTS, Driver, Hands
from feltrig.harness.devices.play import Dealing, Play
from feltrig.harness.devices.values import int_of


class _AtTable:
    """A shuffler in a session: which deck is in it, and which one it failed with."""

    def __init__(self, shuffler: Driver, dealing: Dealing) -> None:
        self._shuffler = shuffler
        self._dealing = dealing
        self._counts = bool(dealing.session["shuffler_counts"])
        self._holds: str | None = None
        self._failed_deck = ""

    async def start(self, ask: asks.StartShuffle) -> tells.Tell | None:
        if ask.by == "hand":
            return None
        await self._dealing.read_deck("deck before the shuffle", ask.deck)
        await self._dealing.operator.load(self._shuffler.kind.name, ask.deck)
        self._holds = ask.deck
        try:
            await self._shuffler.pending()
            await self._shuffler.call("shuffle", deck=COMPARTMENTS[ask.deck])
        except DEVICE_FAILURES as failure:
            return self._failed(ask.deck, failure)
        return tells.ShuffleStarted(ask.deck)

    async def finish(self, ask: asks.FinishShuffle) -> tells.Tell | None:
        if ask.by == "hand":
            return None
        try:
            count = await self._end()
        except DEVICE_FAILURES as failure:
            return self._failed(ask.deck, failure)
        await self._take_out(ask.deck)
        return tells.Shuffled(ask.deck, count)

    async def clear(self, ask: asks.ClearDevice) -> tells.Tell | None:
        if ask.device != self._shuffler.kind.name:
            return None
        await self._recover()
        await self._dealing.operator.gather(self._failed_deck)
        return tells.DeviceCleared(ask.device)

    async def put_away(self) -> None:
        """Let it finish the idle deck, and look at that as at any other."""
        if self._holds is None:
            return
        deck = self._holds
        try:
            await self._end()
        except DEVICE_FAILURES as failure:
            self._failed(deck, failure)
            await self._recover()
        else:
            await self._take_out(deck)

    async def _end(self) -> int | None:
        """The count that it reports once it is done; None when it is one that does not count."""
        await self._shuffler.until("shuffled")
        self._holds = None
        if not self._counts:
            await self._shuffler.rest()  # it may count all the same
            return None
        return int_of((await self._shuffler.until("counted")).values["count"])

    async def _take_out(self, deck: str) -> None:
        await self._dealing.operator.unload(self._shuffler.kind.name, deck)
        await self._dealing.read_deck("deck after the shuffle", deck)

    async def _recover(self) -> None:
        await Hands(self._shuffler, self._dealing.operator, self._dealing.tray).recover()

    def _failed(self, deck: str, failure: Exception) -> tells.Tell:
        self._failed_deck, self._holds = deck, None
        return tells.ShufflerFailed(deck, self._dealing.failed(failure))


PLAY = Play(
    _AtTable,
    {asks.StartShuffle: _AtTable.start, asks.FinishShuffle: _AtTable.finish, asks.ClearDevice: _AtTable.clear},
    put_away=_AtTable.put_away,
)
