"""Fulfils what a round asks for: by a device that can, else by the operator's hands, else by the players."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Any

from feltrig.engine import asks, tells
from feltrig.engine.cards import Card
from feltrig.harness.devices import DEVICES, tray
from feltrig.harness.devices.hands import Driver, Hands, Operator
from feltrig.harness.devices.play import Dealing, Play, place_of
from feltrig.harness.journal.writer import Journal
from feltrig.harness.table.players import Players


class Dealer:
    """Plays the dealer's part of each ask in a session, of which it has the record. `devices` are by kind; of them the
    session puts to use those that `uses` names."""

    def __init__(
        self,
        devices: Mapping[str, Driver],
        uses: Collection[str],
        operator: Operator,
        players: Players,
        journal: Journal,
        session: Mapping[str, Any],
    ) -> None:
        self._devices = devices
        self._operator = operator
        self._players = players
        self._dealing = Dealing(operator, tray(devices, journal), journal, session)
        self._machines: list[tuple[Play, Any]] = [
            (play, play.sit(driver, self._dealing))
            for kind, driver in devices.items()
            if kind in uses and (play := DEVICES[kind].play) is not None
        ]
        self._behind_cutting_card: int = session.get("behind_cutting_card", 0)
        self._cutting_card_seen = False
        self.wagers: Mapping[int, Any] = {}
        self._by_hand: dict[type, Callable[[Any], Awaitable[tells.Tell]]] = {
            asks.StartShuffle: self._start_shuffle,
            asks.FinishShuffle: self._finish_shuffle,
            asks.Cut: self._cut,
            asks.LoadShoe: self._load_shoe,
            asks.CallNoMoreBets: self._call_no_more_bets,
            asks.ReadButton: self._read_button,
            asks.DealCard: self._deal_card,
            asks.Burn: self._burn,
            asks.RackStub: self._rack_stub,
            asks.DeliverStack: self._deliver_stack,
            asks.CollectUnbet: self._collect_unbet,
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
        """Do what is asked and tell what was seen."""
        await self._prepare(ask)
        for play, machine in self._machines:
            action = play.asks.get(type(ask))
            told = None if action is None else await action(machine, ask)
            if told is not None:
                return told
        if type(ask) in self._by_hand:
            return await self._by_hand[type(ask)](ask)
        return self._players.answer(ask, self.wagers)

    def instead(self, ask: asks.Ask) -> tells.Tell:
        """What is told when the rules refused what a player wanted."""
        return self._players.instead(ask)

    def notices(self, ask: asks.Ask) -> list[tells.Tell]:
        """What the dealer sees without being asked, before this is done: the cutting card in front of the shoe."""
        drawing = isinstance(ask, asks.DealCard | asks.Burn)
        if not drawing or self._cutting_card_seen or self._dealing.left > self._behind_cutting_card:
            return []
        self._cutting_card_seen = True
        return [tells.CuttingCardSeen()] if self._behind_cutting_card else []

    async def _prepare(self, ask: asks.Ask) -> None:
        """What comes before a shuffle and before a new deck is in play, whoever shuffles."""
        match ask:
            case asks.StartShuffle() if self._behind_cutting_card:
                await self._operator.gather(ask.deck)  # what is left of the shoe, and the discards
            case asks.FinishShuffle():
                self._dealing.deck, self._dealing.left, self._dealing.stub_in = ask.deck, ask.expect, None
                self._cutting_card_seen = False

    # the start of a round

    async def _start_shuffle(self, ask: asks.StartShuffle) -> tells.Tell:
        await self._operator.shuffle_by_hand(ask.deck)
        return tells.ShuffleStarted(ask.deck)

    async def _finish_shuffle(self, ask: asks.FinishShuffle) -> tells.Tell:
        await self._dealing.read_deck("deck after the shuffle by hand", ask.deck)
        return tells.Shuffled(ask.deck)

    async def _cut(self, ask: asks.Cut) -> tells.Tell:
        told = self._players.answer(ask, self.wagers)
        assert isinstance(told, tells.DeckCut)
        await self._operator.cut(self._dealing.deck, told.depth)
        return told

    async def _load_shoe(self, ask: asks.LoadShoe) -> tells.Tell:
        return tells.ShoeLoaded(ask.deck)

    async def _call_no_more_bets(self, ask: asks.CallNoMoreBets) -> tells.Tell:
        return tells.NoMoreBets()

    async def _read_button(self, ask: asks.ReadButton) -> tells.Tell:
        return tells.ButtonSeen(await self._operator.button())

    # dealing

    async def _deal_card(self, ask: asks.DealCard) -> tells.Tell:
        card, face_up = await self._draw("card")
        await self._operator.from_reader("discard" if face_up else place_of(ask.position, ask.area, ask.stack))
        return tells.CardDealt(card, face_up=face_up)

    async def _burn(self, ask: asks.Burn) -> tells.Tell:
        card, _ = await self._draw("burned card")
        await self._operator.from_reader("discard")
        return tells.CardBurned(card)

    async def _draw(self, what: str) -> tuple[Card, bool]:
        """The next card of the deck, on the reader's tray, and whether it lies face up."""
        await self._operator.show_card(self._dealing.deck)
        drawn = await self._dealing.tray.read_one(what, self._dealing.deck)
        self._dealing.left -= 1
        return drawn

    async def _rack_stub(self, ask: asks.RackStub) -> tells.Tell:
        await self._operator.show_stub(self._dealing.deck, self._dealing.stub_in)
        seen = await self._dealing.tray.read("stub", self._dealing.deck)
        await self._operator.from_reader("discard")
        return tells.StubRacked(len(seen.cards) if ask.count else None, seen.cards)

    async def _deliver_stack(self, ask: asks.DeliverStack) -> tells.Tell:
        await self._operator.move(f"stack.{ask.stack}", f"felt.{ask.position}")
        return tells.StackDelivered(ask.stack, ask.position)

    async def _collect_unbet(self, ask: asks.CollectUnbet) -> tells.Tell:
        for position in ask.positions:
            await self._operator.move(f"felt.{position}", "discard")
        return tells.UnbetCollected()

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
        else:
            await self._operator.gather(ask.deck)
        return tells.CardsCollected(ask.deck)

    async def _clear_device(self, ask: asks.ClearDevice) -> tells.Tell:
        await Hands(self._devices[ask.device], self._operator, self._dealing.tray).recover()
        return tells.DeviceCleared(ask.device)

    async def _replace_deck(self, ask: asks.ReplaceDeck) -> tells.Tell:
        await self._operator.bring_deck(ask.deck)
        return tells.DeckReplaced(ask.deck)

    async def put_away(self, decks: Iterable[str]) -> None:
        """The session is over: put the machines away, and gather the decks."""
        for play, machine in self._machines:
            if play.put_away is not None:
                await play.put_away(machine)
        for deck in decks:
            await self._operator.gather(deck)
