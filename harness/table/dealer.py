"""Fulfils what a round asks for: commands the devices, has the operator move cards, lets the players decide."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from feltrig.engine import asks, tells
from feltrig.engine.cards import Card
from feltrig.harness.devices.failures import DEVICE_FAILURES, word
from feltrig.harness.devices.hands import Operator
from feltrig.harness.devices.tray import tray
from feltrig.harness.devices.values import bytes_of, int_of
from feltrig.harness.journal.journal import Journal
from feltrig.harness.table.driver import Driver
from feltrig.harness.table.players import Players
from feltrig.protocols.messages import Event


class Dealer:
    """Plays the dealer's part of each ask. `devices` and `compartments` are by kind and by deck."""

    def __init__(
        self,
        devices: Mapping[str, Driver],
        operator: Operator,
        players: Players,
        journal: Journal,
        compartments: Mapping[str, int],
        shuffler_counts: bool,
        behind_cutting_card: int = 0,
    ) -> None:
        self._devices = devices
        self._operator = operator
        self._players = players
        self._journal = journal
        self._compartments = compartments
        self._shuffler_counts = shuffler_counts
        self._automated = False
        self._deck = ""
        self._behind_cutting_card = behind_cutting_card
        self._left = 0
        """Cards of the deck in play that have not been drawn."""
        self._cutting_card_seen = False
        self._failed_deck = ""
        self._in_shuffler: str | None = None
        self._lid_open = False
        self.wagers: Mapping[int, Any] = {}
        self._fulfil: dict[type, Callable[[Any], Awaitable[tells.Tell]]] = {
            asks.StartShuffle: self._start_shuffle,
            asks.FinishShuffle: self._finish_shuffle,
            asks.Cut: self._cut,
            asks.LoadShoe: self._load_shoe,
            asks.CallNoMoreBets: self._call_no_more_bets,
            asks.ShakeDice: self._shake_dice,
            asks.SelectNumber: self._select_number,
            asks.ReadButton: self._read_button,
            asks.DealCard: self._deal_card,
            asks.Burn: self._burn,
            asks.Dispense: self._dispense,
            asks.RackStub: self._rack_stub,
            asks.DeliverStack: self._deliver_stack,
            asks.CollectUnbet: self._collect_unbet,
            asks.ParkShaker: self._park_shaker,
            asks.Expose: self._expose,
            asks.Reveal: self._reveal,
            asks.CheckHoleCard: self._check_hole_card,
            asks.CountSensors: self._count_sensors,
            asks.ReadMeter: self._read_meter,
            asks.SpinWheel: self._spin_wheel,
            asks.CollectCards: self._collect_cards,
            asks.ClearDevice: self._clear_device,
            asks.ReplaceDeck: self._replace_deck,
        }

    async def fulfil(self, ask: asks.Ask) -> tells.Tell:
        """Do what is asked and tell what was seen. What is not a dealer's to do, the players are asked."""
        if type(ask) in self._fulfil:
            return await self._fulfil[type(ask)](ask)
        return self._players.answer(ask, self.wagers)

    def instead(self, ask: asks.Ask) -> tells.Tell:
        """What is told when the rules refused what a player wanted."""
        return self._players.instead(ask)

    def notices(self, ask: asks.Ask) -> list[tells.Tell]:
        """What the dealer sees without being asked, before this is done: the cutting card in front of the shoe."""
        drawing = isinstance(ask, asks.DealCard | asks.Burn)
        if not drawing or self._cutting_card_seen or self._left > self._behind_cutting_card:
            return []
        self._cutting_card_seen = True
        return [tells.CuttingCardSeen()] if self._behind_cutting_card else []

    # shuffling

    async def _start_shuffle(self, ask: asks.StartShuffle) -> tells.Tell:
        if self._behind_cutting_card:
            await self._operator.gather(ask.deck)  # what is left of the shoe, and the discards
        if ask.by == "hand":
            await self._operator.shuffle_by_hand(ask.deck)
            return tells.ShuffleStarted(ask.deck)
        await self._read_deck("deck before the shuffle", ask.deck)
        await self._operator.load_shuffler(ask.deck)
        self._in_shuffler = ask.deck
        try:
            await self._devices["shuffler"].pending()
            await self._devices["shuffler"].call("shuffle", deck=self._compartments[ask.deck])
        except DEVICE_FAILURES as failure:
            return self._shuffler_failed(ask.deck, failure)
        return tells.ShuffleStarted(ask.deck)

    async def _finish_shuffle(self, ask: asks.FinishShuffle) -> tells.Tell:
        self._deck, self._left, self._automated = ask.deck, ask.expect, False
        self._cutting_card_seen = False
        if ask.by == "hand":
            await self._read_deck("deck after the shuffle by hand", ask.deck)
            return tells.Shuffled(ask.deck)
        try:
            count = await self._shuffle_ends()
        except DEVICE_FAILURES as failure:
            return self._shuffler_failed(ask.deck, failure)
        await self._take_out(ask.deck)
        return tells.Shuffled(ask.deck, count)

    async def _shuffle_ends(self) -> int | None:
        """The count that the shuffler reports once it is done; None when it is one that does not count."""
        shuffler = self._devices["shuffler"]
        await shuffler.until("shuffled")
        self._in_shuffler = None
        if not self._shuffler_counts:
            return None
        return int_of((await shuffler.until("counted")).values["count"])

    async def _take_out(self, deck: str) -> None:
        """Let the reader see what the shuffler has made of a deck."""
        await self._operator.unload_shuffler(deck)
        await self._read_deck("deck after the shuffle", deck)

    def _shuffler_failed(self, deck: str, failure: Exception) -> tells.Tell:
        self._failed_deck = deck
        self._in_shuffler = None
        self._trouble(failure)
        return tells.ShufflerFailed(deck, word(failure))

    async def _cut(self, ask: asks.Cut) -> tells.Tell:
        told = self._players.answer(ask, self.wagers)
        assert isinstance(told, tells.DeckCut)
        await self._operator.cut(self._deck, told.depth)
        return told

    # the start of a round

    async def _load_shoe(self, ask: asks.LoadShoe) -> tells.Tell:
        self._automated = ask.automated
        if ask.automated:
            await self._devices["shoe"].call("lock")
            await self._operator.load_shoe(ask.deck)
        return tells.ShoeLoaded(ask.deck)

    async def _call_no_more_bets(self, ask: asks.CallNoMoreBets) -> tells.Tell:
        if self._automated:
            # Whatever the shoe did by itself before this moment is on record as such.
            await self._devices["shoe"].pending()
        return tells.NoMoreBets()

    async def _shake_dice(self, ask: asks.ShakeDice) -> tells.Tell:
        shaker = self._devices["shaker"]
        await self._close_lid()
        shaken = await shaker.perform("shake", "shaken", times=ask.shakes)
        lifted = [event for event in await shaker.pending() if event.name in ("uncovered", "rolled")]
        if lifted:
            self._lid_open = True
            return _dice(shaken, lifted[-1], lid_by=ask.by if ask.by == "bank" else "hand")
        self._lid_open = True
        rolled = await shaker.perform("uncover", "rolled")
        return _dice(shaken, rolled, lid_by="dealer")

    async def _close_lid(self) -> None:
        if self._lid_open:
            await self._devices["shaker"].perform("cover", "covered")
            self._lid_open = False

    async def _select_number(self, ask: asks.SelectNumber) -> tells.Tell:
        rng = self._devices["rng"]
        await rng.perform("select", "selected")
        # The rule counts to the number displayed, so that is what the table goes by.
        return tells.NumberSelected(int_of((await rng.call("display"))["number"]))

    async def _read_button(self, ask: asks.ReadButton) -> tells.Tell:
        return tells.ButtonSeen(await self._operator.button())

    # dealing

    async def _deal_card(self, ask: asks.DealCard) -> tells.Tell:
        if self._automated:
            await self._take_stub_in_hand()
        card, face_up = await self._draw("card")
        await self._operator.from_reader("discard" if face_up else _place(ask))
        return tells.CardDealt(card, face_up=face_up)

    async def _take_stub_in_hand(self) -> None:
        """What the automated shoe has not dispensed is dealt by hand."""
        await self._devices["shoe"].call("lock")
        await self._operator.show_stub(self._deck, automated=True)
        seen, _ = await self._read("rest of the deck", self._deck)
        await self._operator.from_reader(f"deck.{self._deck}")
        self._automated, self._left = False, len(seen)

    async def _burn(self, ask: asks.Burn) -> tells.Tell:
        card, _ = await self._draw("burned card")
        await self._operator.from_reader("discard")
        return tells.CardBurned(card)

    async def _draw(self, what: str) -> tuple[Card, bool]:
        """The next card of the deck, on the reader's tray, and whether it lies face up."""
        await self._operator.show_card(self._deck)
        seen, face_up = await self._read(what, self._deck)
        if len(seen) != 1:
            raise self._devices["reader"].garbage(f"{len(seen)} cards on the tray where one was drawn")
        self._left -= 1
        return seen[0], bool(face_up)

    async def _dispense(self, ask: asks.Dispense) -> tells.Tell:
        shoe = self._devices["shoe"]
        try:
            if ask.number == 1:
                await shoe.call("unlock")
            await shoe.perform("dispense", "dispensed", size=ask.size)
        except DEVICE_FAILURES as failure:
            self._trouble(failure)
            return tells.ShoeFailed(word(failure))
        await self._operator.show_stack()
        seen, face_up = await self._read("stack", self._deck)
        await self._operator.from_reader(_place(ask))
        return tells.StackDispensed(seen, face_up)

    async def _rack_stub(self, ask: asks.RackStub) -> tells.Tell:
        if self._automated:
            await self._devices["shoe"].call("lock")
        await self._operator.show_stub(self._deck, self._automated)
        seen, _ = await self._read("stub", self._deck)
        await self._operator.from_reader("discard")
        return tells.StubRacked(len(seen) if ask.count else None, seen)

    async def _deliver_stack(self, ask: asks.DeliverStack) -> tells.Tell:
        await self._operator.move(f"stack.{ask.stack}", f"felt.{ask.position}")
        return tells.StackDelivered(ask.stack, ask.position)

    async def _collect_unbet(self, ask: asks.CollectUnbet) -> tells.Tell:
        for position in ask.positions:
            await self._operator.move(f"felt.{position}", "discard")
        return tells.UnbetCollected()

    async def _park_shaker(self, ask: asks.ParkShaker) -> tells.Tell:
        shaker = self._devices["shaker"]
        await self._close_lid()
        shaken = await shaker.perform("shake", "shaken", times=1)
        return tells.ShakerParked(int_of(shaken.values["times"]))

    # what lies on the layout

    async def _expose(self, ask: asks.Expose) -> tells.Tell:
        return tells.Exposed(ask.position)

    async def _reveal(self, ask: asks.Reveal) -> tells.Tell:
        return tells.Revealed(ask.area)

    async def _check_hole_card(self, ask: asks.CheckHoleCard) -> tells.Tell:
        return tells.HoleCardChecked(await self._operator.hole_card(ask.expect))

    async def _count_sensors(self, ask: asks.CountSensors) -> tells.Tell:
        return tells.SensorsRead(await self._operator.sensors(ask.bet, ask.seats))

    async def _read_meter(self, ask: asks.ReadMeter) -> tells.Tell:
        return tells.MeterRead(await self._operator.meter(ask.expect))

    async def _spin_wheel(self, ask: asks.SpinWheel) -> tells.Tell:
        result, turns = await self._operator.spin(ask.results, ask.turns)
        return tells.WheelSpun(result, turns)

    # after the round

    async def _collect_cards(self, ask: asks.CollectCards) -> tells.Tell:
        if ask.keep:
            await self._operator.clear_layout()
            return tells.CardsCollected(ask.deck)
        await self._operator.gather(ask.deck)
        return tells.CardsCollected(ask.deck)

    async def _clear_device(self, ask: asks.ClearDevice) -> tells.Tell:
        await self._operator.clear(ask.device)
        await self._devices[ask.device].perform("reset", "cleared")
        if ask.device == "shuffler":
            await self._operator.gather(self._failed_deck)
        return tells.DeviceCleared(ask.device)

    async def _replace_deck(self, ask: asks.ReplaceDeck) -> tells.Tell:
        await self._operator.bring_deck(ask.deck)
        return tells.DeckReplaced(ask.deck)

    async def put_away(self, decks: Iterable[str]) -> None:
        """The session is over: close a lid that a void round left off, let the shuffler finish the idle deck, look at
        it as at any other, and gather the decks."""
        await self._close_lid()
        if self._in_shuffler is not None:
            deck = self._in_shuffler
            try:
                await self._shuffle_ends()
            except DEVICE_FAILURES as failure:
                self._trouble(failure)
                self._in_shuffler = None
                await self._operator.clear("shuffler")
                await self._devices["shuffler"].perform("reset", "cleared")
            else:
                await self._take_out(deck)
        for deck in decks:
            await self._operator.gather(deck)

    async def _read_deck(self, what: str, deck: str) -> None:
        await self._operator.show_deck(deck)
        await self._read(what, deck)
        await self._operator.from_reader(f"deck.{deck}")

    async def _read(self, what: str, deck: str) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """The cards on the reader's tray, and those of them that lie face up; on record."""
        seen, face_up, _ = await tray(self._devices, self._journal)(what, deck)
        return seen, face_up

    def _trouble(self, failure: Exception) -> None:
        device = getattr(failure, "device", "")
        self._journal.append("trouble", {"device": device, "what": word(failure), "detail": str(failure)})


def _place(ask: asks.DealCard | asks.Dispense) -> str:
    """Where on the table the cards go."""
    if ask.position is not None:
        return f"felt.{ask.position}"
    if ask.area is not None:
        return f"area.{ask.area}"
    assert isinstance(ask, asks.DealCard)
    return f"stack.{ask.stack}"


def _dice(shaken: Event, rolled: Event, lid_by: str) -> tells.DiceRolled:
    dice = bytes_of(rolled.values.get("dice", ()))
    flat = tuple(bool(die) for die in bytes_of(rolled.values.get("flat", ())))
    return tells.DiceRolled(dice, flat, int_of(shaken.values["times"]), lid_by, sum(dice))
