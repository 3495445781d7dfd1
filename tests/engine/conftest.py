"""A table of any game of the shared round machine, with honest people and machines unless a test says otherwise."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Game, from_plain
from feltrig.engine.rulings import Illegal, Ruling
from feltrig.engine.table.house import House
from feltrig.engine.table.table import Table
from feltrig.engine.table.ways import Way


class Felt:
    """Plays rounds at a table. `cards` are dealt from the front; whatever a test does not say is drawn by chance."""

    def __init__(self, game: Game, way: Way, seed: int = 1, **options: Any) -> None:
        self.game = game
        self.chance = random.Random(seed)
        house: House = from_plain(House, way.house)
        self.table = Table(game.procedure, from_plain(game.options, {**way.options, **options}), house)
        self.round: Any = None
        self.asked: list[asks.Ask] = []
        self.rulings: list[Ruling] = []
        self.cards: list[int] = []
        self.choices: dict[tuple[int, str] | int, str | tuple[str, int]] = {}
        """What seats decide, by seat, or by seat and what is asked; the first choice otherwise."""
        self.shuffle()

    def shuffle(self) -> None:
        """A whole deck, or shoe, in any order."""
        self.cards = list(self.table.procedure.cards)
        self.chance.shuffle(self.cards)

    def stack(self, *cards: int) -> None:
        """These cards are dealt next, in this order; the others after them."""
        left = Counter(self.cards)
        left.subtract(cards)
        assert min(left.values()) >= 0, "not in the deck"
        rest = list(left.elements())
        self.chance.shuffle(rest)
        self.cards = [*cards, *rest]

    def open(self, wagers: Mapping[int, Mapping[str, int]]) -> None:
        """Begin a round."""
        self.asked, self.rulings = [], []
        self.round = self.table.open_round(wagers)

    @property
    def ask(self) -> Any:
        """What the round wants."""
        return self.round.ask

    @property
    def result(self) -> Any:
        """How it ended."""
        return self.round.result

    def tell(self, seen: tells.Tell) -> tuple[Ruling, ...]:
        """Tell the round, whatever it wants."""
        if isinstance(seen, tells.CardDealt | tells.CardBurned) and seen.card in self.cards:
            self.cards.remove(seen.card)
        rulings: tuple[Ruling, ...] = self.round.tell(seen)
        self.rulings += rulings
        return rulings

    def refused(self, seen: tells.Tell) -> tuple[str, ...]:
        """The rules by which the round refuses this, which changes nothing."""
        before = self.ask
        with pytest.raises(Illegal) as refusal:
            self.round.tell(seen)
        assert self.ask == before
        return refusal.value.rules

    def honest(self, ask: Any) -> tells.Tell:
        """What good people and machines would show."""
        size = len(self.table.procedure.cards)
        match ask:
            case asks.StartShuffle():
                self.shuffle()
                return tells.ShuffleStarted(ask.deck)
            case asks.FinishShuffle():
                counts = ask.by == "machine" and self.table.house.shuffler_counts
                return tells.Shuffled(ask.deck, size if counts else None)
            case asks.Cut():
                return tells.DeckCut(self.chance.choice((*ask.offer, 0)), self.chance.randint(10, ask.size - 10))
            case asks.LoadShoe():
                return tells.ShoeLoaded(ask.deck)
            case asks.CallNoMoreBets():
                return tells.NoMoreBets()
            case asks.ShakeDice():
                dice = tuple(self.chance.randint(1, 6) for _ in range(3))
                return tells.DiceRolled(dice, (True, True, True), ask.shakes, "dealer", sum(dice))
            case asks.SelectNumber():
                return tells.NumberSelected(self.chance.randint(ask.low, ask.high))
            case asks.ReadButton():
                return tells.ButtonSeen(ask.expect)
            case asks.DealCard():
                return tells.CardDealt(self.cards[0])
            case asks.Burn():
                return tells.CardBurned(self.cards[0])
            case asks.Dispense():
                stack, self.cards = self.cards[: ask.size], self.cards[ask.size :]
                return tells.StackDispensed(tuple(stack))
            case asks.RackStub():
                return tells.StubRacked(len(self.cards) if ask.count else None, tuple(self.cards))
            case asks.DeliverStack():
                return tells.StackDelivered(ask.stack, ask.position)
            case asks.CollectUnbet():
                return tells.UnbetCollected()
            case asks.ParkShaker():
                return tells.ShakerParked()
            case asks.Decide():
                return self._decide(ask)
            case asks.SetHands():
                assert self.game.house_way is not None
                high, low = self.game.house_way(self.table.options, ask.cards)
                return tells.HandSet(ask.position, high, low)
            case asks.DecideExposed():
                return tells.PlayedOn(ask.seat)
            case asks.Expose():
                return tells.Exposed(ask.position)
            case asks.Reveal():
                return tells.Revealed(ask.area)
            case asks.CheckHoleCard():
                return tells.HoleCardChecked(ask.expect)
            case asks.CountSensors():
                return tells.SensorsRead(ask.seats)
            case asks.ReadMeter():
                return tells.MeterRead(ask.expect)
            case asks.SpinBall():
                return tells.BallSpun()
            case asks.SpinWheel():
                return tells.WheelSpun(self.chance.choice(ask.results), ask.turns)
            case asks.CollectCards():
                return tells.CardsCollected(ask.deck)
            case asks.ClearDevice():
                return tells.DeviceCleared(ask.device)
            case asks.ReplaceDeck():
                return tells.DeckReplaced(ask.deck)
        raise AssertionError(f"nobody knows how to answer {ask}")

    def _decide(self, ask: asks.Decide) -> tells.Tell:
        chosen = self.choices.get((ask.seat, ask.what), self.choices.get(ask.seat, ask.choices[0]))
        choice, amount = chosen if isinstance(chosen, tuple) else (chosen, None)
        if choice not in ask.choices:
            choice = ask.choices[0]
        if choice in ask.amounts and amount is None:
            amount = ask.amounts[choice][1]
        return tells.Decided(ask.seat, choice, amount if choice in ask.amounts else None)

    def step(self) -> None:
        """Answer the present ask honestly."""
        self.asked.append(self.ask)
        self.tell(self.honest(self.ask))

    def until(self, kind: type, times: int = 1) -> Any:
        """Play on until this is asked for the n-th time from here; returns the ask."""
        for _ in range(500):
            assert self.ask is not None, f"the round ended without {kind.__name__}"
            if isinstance(self.ask, kind):
                times -= 1
                if not times:
                    return self.ask
            self.step()
        raise AssertionError("the round does not end")

    def finish(self) -> Any:
        """Play the round to its end; returns the result."""
        for _ in range(500):
            if self.ask is None:
                return self.result
            self.step()
        raise AssertionError("the round does not end")

    def cited(self) -> Iterator[str]:
        """Every clause that asks, rulings and settlements of the round name."""
        for ask in self.asked:
            yield from ask.rules
        for ruling in self.rulings:
            yield from ruling.rules
        if self.result is not None:
            for settled in self.result.settlements:
                yield from settled.rules

    def strangers(self) -> set[str]:
        """Cited clauses that the register of the game does not know."""
        return set(self.cited()) - set(GAMES[self.table.procedure.game].clauses)


@pytest.fixture
def felt() -> Callable[..., Felt]:
    """`felt(game, way, seed=…, option=…)` opens a table."""
    return Felt
