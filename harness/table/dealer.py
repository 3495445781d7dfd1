"""Fulfils what a round asks for: by a device that can, else by the operator's hands, else by the players."""

from collections.abc import Collection, Iterable, Mapping
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

    async def fulfil(self, ask: asks.Ask) -> tells.Tell:
        """Do what is asked and tell what was seen."""
        await self._prepare(ask)
        for play, machine in self._machines:
            action = play.asks.get(type(ask))
            told = None if action is None else await action(machine, ask)
            if told is not None:
                return told
        return await self._by_hand(ask) or self._players.answer(ask, self.wagers)

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

    async def _by_hand(self, ask: asks.Ask) -> tells.Tell | None:
        """Do with hands and eyes what is asked; None when it is for the players."""
        operator, dealing = self._operator, self._dealing
        match ask:
            # the start of a round
            case asks.StartShuffle():
                await operator.shuffle_by_hand(ask.deck)
                return tells.ShuffleStarted(ask.deck)
            case asks.FinishShuffle():
                await dealing.read_deck("deck after the shuffle by hand", ask.deck)
                return tells.Shuffled(ask.deck)
            case asks.Cut():
                told = self._players.answer(ask, self.wagers)
                assert isinstance(told, tells.DeckCut)
                await operator.cut(dealing.deck, told.depth)
                return told
            case asks.LoadShoe():
                return tells.ShoeLoaded(ask.deck)
            case asks.CallNoMoreBets():
                return tells.NoMoreBets()
            case asks.ReadButton():
                return tells.ButtonSeen(await operator.button())
            # dealing
            case asks.DealCard():
                card, face_up = await self._draw("card")
                await operator.from_reader("discard" if face_up else place_of(ask.position, ask.area, ask.stack))
                return tells.CardDealt(card, face_up=face_up)
            case asks.Burn():
                card, _ = await self._draw("burned card")
                await operator.from_reader("discard")
                return tells.CardBurned(card)
            case asks.RackStub():
                await operator.show_stub(dealing.deck, dealing.stub_in)
                seen = await dealing.tray.read("stub", dealing.deck)
                await operator.from_reader("discard")
                return tells.StubRacked(len(seen.cards) if ask.count else None, seen.cards)
            case asks.DeliverStack():
                await operator.move(f"stack.{ask.stack}", f"felt.{ask.position}")
                return tells.StackDelivered(ask.stack, ask.position)
            case asks.CollectUnbet():
                for position in ask.positions:
                    await operator.move(f"felt.{position}", "discard")
                return tells.UnbetCollected()
            # what lies on the layout
            case asks.Expose():
                return tells.Exposed(ask.position)
            case asks.Reveal():
                return tells.Revealed(ask.area)
            case asks.CheckHoleCard():
                return tells.HoleCardChecked(await operator.hole_card(ask.expect))
            case asks.CountSensors():
                return tells.SensorsRead(await operator.sensors(ask.bet, ask.seats))
            case asks.ReadMeter():
                return tells.MeterRead(await operator.meter(ask.expect))
            case asks.SpinBall():
                return tells.BallSpun()
            case asks.SpinWheel():
                return tells.WheelSpun(*await operator.spin(ask.results, ask.turns))
            # after the round
            case asks.CollectCards():
                await (operator.clear_layout() if ask.keep else operator.gather(ask.deck))
                return tells.CardsCollected(ask.deck)
            case asks.ClearDevice():
                await Hands(self._devices[ask.device], operator, dealing.tray).recover()
                return tells.DeviceCleared(ask.device)
            case asks.ReplaceDeck():
                await operator.bring_deck(ask.deck)
                return tells.DeckReplaced(ask.deck)
        return None

    async def _draw(self, what: str) -> tuple[Card, bool]:
        """The next card of the deck, on the reader's tray, and whether it lies face up."""
        await self._operator.show_card(self._dealing.deck)
        drawn = await self._dealing.tray.read_one(what, self._dealing.deck)
        self._dealing.left -= 1
        return drawn

    async def put_away(self, decks: Iterable[str]) -> None:
        """The session is over: put the machines away, and gather the decks."""
        for play, machine in self._machines:
            if play.put_away is not None:
                await play.put_away(machine)
        for deck in decks:
            await self._operator.gather(deck)
