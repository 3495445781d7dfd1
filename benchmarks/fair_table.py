"""A table without machines: the engine's rounds with scripted players, and with cards, dice and wheels by chance."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from feltrig.engine import asks, tells
from feltrig.engine.cards import Card
from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Variant
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.round import Round
from feltrig.harness.rig.model import GameConfig
from feltrig.harness.table.players import players
from feltrig.harness.table.sessions import Session, session_record


class FairTable:
    """One way to play a game, in the engine alone: nothing goes wrong, and nothing is recorded."""

    def __init__(self, game: GameConfig, way: Variant, seed: int) -> None:
        record = session_record(game, Session(way, 1))
        known = GAMES[game.name]
        self._table = known.table(record)
        self._chance = random.Random(seed)
        self._players = players(game, record, self._chance)
        self._cards = list(known.cards_of(record))
        self._counts: bool = record["shuffler_counts"]
        self._behind_cutting_card: int = record.get("behind_cutting_card", 0)
        self._cutting_card_seen = False
        self._decks: dict[str, list[Card]] = {name: [] for name in record["decks"]}
        self._deck = record["decks"][0]

    def play(self) -> int:
        """One round to its end; returns how often the engine asked."""
        wagers = self._players.wagers()
        round_ = self._table.open_round(wagers)
        asked = 0
        while (ask := round_.ask) is not None:
            self._notice(ask, round_)
            try:
                round_.tell(self._answer(ask, wagers))
            except Illegal:
                round_.tell(self._players.instead(ask))
            asked += 1
        return asked

    def _notice(self, ask: asks.Ask, round_: Round) -> None:
        """The cutting card lies in front of the card that comes next."""
        drawing = isinstance(ask, asks.DealCard | asks.Burn) and self._behind_cutting_card
        if drawing and not self._cutting_card_seen and len(self._decks[self._deck]) <= self._behind_cutting_card:
            self._cutting_card_seen = True
            round_.tell(tells.CuttingCardSeen())

    def _answer(self, ask: asks.Ask, wagers: Mapping[int, Any]) -> tells.Tell:
        answer = ANSWERS.get(type(ask))
        return self._players.answer(ask, wagers) if answer is None else answer(self, ask)

    def _shuffled(self, ask: asks.FinishShuffle) -> tells.Tell:
        self._decks[ask.deck] = self._chance.sample(self._cards, len(self._cards))
        self._deck, self._cutting_card_seen = ask.deck, False
        return tells.Shuffled(ask.deck, ask.expect if self._counts and ask.by == "machine" else None)

    def _dispensed(self, ask: asks.Dispense) -> tells.Tell:
        return tells.StackDispensed(tuple(self._draw() for _ in range(ask.size)))

    def _racked(self, ask: asks.RackStub) -> tells.Tell:
        stub = tuple(self._decks[self._deck])
        return tells.StubRacked(len(stub) if ask.count else None, stub)

    def _rolled(self, ask: asks.ShakeDice) -> tells.Tell:
        dice = tuple(self._chance.randint(1, 6) for _ in range(3))
        return tells.DiceRolled(dice, (True, True, True), ask.shakes, "dealer", sum(dice))

    def _selected(self, ask: asks.SelectNumber) -> tells.Tell:
        return tells.NumberSelected(self._chance.randint(ask.low, ask.high))

    def _spun(self, ask: asks.SpinWheel) -> tells.Tell:
        return tells.WheelSpun(self._chance.choice(ask.results), ask.turns)

    def _draw(self) -> Card:
        return self._decks[self._deck].pop()


ANSWERS: Mapping[type, Callable[[FairTable, Any], tells.Tell]] = {
    asks.StartShuffle: lambda table, ask: tells.ShuffleStarted(ask.deck),
    asks.FinishShuffle: FairTable._shuffled,
    asks.LoadShoe: lambda table, ask: tells.ShoeLoaded(ask.deck),
    asks.CallNoMoreBets: lambda table, ask: tells.NoMoreBets(),
    asks.ShakeDice: FairTable._rolled,
    asks.SelectNumber: FairTable._selected,
    asks.ReadButton: lambda table, ask: tells.ButtonSeen(ask.expect),
    asks.DealCard: lambda table, ask: tells.CardDealt(table._draw()),
    asks.Burn: lambda table, ask: tells.CardBurned(table._draw()),
    asks.Dispense: FairTable._dispensed,
    asks.RackStub: FairTable._racked,
    asks.DeliverStack: lambda table, ask: tells.StackDelivered(ask.stack, ask.position),
    asks.CollectUnbet: lambda table, ask: tells.UnbetCollected(),
    asks.ParkShaker: lambda table, ask: tells.ShakerParked(),
    asks.Expose: lambda table, ask: tells.Exposed(ask.position),
    asks.Reveal: lambda table, ask: tells.Revealed(ask.area),
    asks.CheckHoleCard: lambda table, ask: tells.HoleCardChecked(ask.expect),
    asks.CountSensors: lambda table, ask: tells.SensorsRead(ask.seats),
    asks.ReadMeter: lambda table, ask: tells.MeterRead(ask.expect),
    asks.SpinWheel: FairTable._spun,
    asks.CollectCards: lambda table, ask: tells.CardsCollected(ask.deck),
}
"""What a dealer and good machines show. Every other ask is put to the players."""
