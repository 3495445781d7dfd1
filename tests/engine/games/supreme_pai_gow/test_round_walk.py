"""Whatever is told, in whatever order: nothing but Illegal and OutOfTurn is raised, and the round can be ended."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from supreme_pai_gow_table import Options, Wager

from feltrig.engine import asks, tells
from feltrig.engine.cards import Card
from feltrig.engine.games.supreme_pai_gow.options import Start
from feltrig.engine.rulings import Illegal, Order, OutOfTurn
from feltrig.engine.table.house import Deal

cards = st.integers(0, 54).map(Card)
hands = st.lists(cards, max_size=5).map(tuple)
positions = st.integers(-1, 7)
decks = st.sampled_from(["red", "blue", "green"])
counts = st.none() | st.integers(24, 55)
money = st.sampled_from([-100, 0, 50, 100, 500, 1000, 5000])
few = st.integers(0, 4)

OBSERVATIONS = st.one_of(
    st.builds(tells.BankAccepted, positions, money.map(lambda cents: cents * 100), st.booleans()),
    st.builds(tells.BankDeclined, positions),
    st.builds(tells.ShuffleStarted, decks),
    st.builds(tells.Shuffled, decks, counts),
    st.builds(tells.ShufflerFailed, decks, st.just("jam")),
    st.builds(tells.DeckCut, positions, st.integers(0, 54)),
    st.just(tells.RecutOrdered()),
    st.builds(tells.DealerWagered, money),
    st.builds(tells.ShoeLoaded, decks),
    st.builds(tells.WagerPlaced, positions, money, money),
    st.just(tells.NoMoreBets()),
    st.builds(
        tells.DiceRolled,
        st.lists(st.integers(0, 7), max_size=4).map(tuple),
        st.lists(st.booleans(), max_size=4).map(tuple),
        few,
        st.sampled_from(["dealer", "bank", "hand"]),
        st.none() | st.integers(3, 18),
    ),
    st.builds(tells.NumberSelected, st.integers(-1, 9)),
    st.builds(tells.ButtonSeen, positions),
    st.builds(tells.CardDealt, cards, st.none() | positions, st.none() | positions, st.booleans(), st.booleans()),
    st.builds(tells.CardDrawnInError, cards),
    st.builds(tells.StackDispensed, hands, hands, st.none() | positions),
    st.builds(tells.ShoeFailed, st.just("jam")),
    st.builds(tells.StubRacked, counts, st.none() | hands),
    st.builds(tells.StackChosen, positions),
    st.builds(tells.StackDelivered, positions, positions),
    st.just(tells.UnbetCollected()),
    st.builds(tells.ShakerParked, few),
    st.builds(tells.CardExposed, positions, st.none() | cards),
    st.builds(tells.PlayedOn, positions),
    st.builds(tells.HandVoided, positions),
    st.builds(tells.HandSet, positions, hands, hands),
    st.builds(tells.Surrendered, positions),
    st.builds(tells.Exposed, positions),
    st.builds(tells.CardsCollected, decks, counts),
    st.builds(tells.DeviceCleared, st.sampled_from(["shuffler", "shoe", "rng"])),
    st.builds(tells.DeckReplaced, decks),
)


def mishaps(ask, answer, position):
    """What can happen instead of the right answer, or beside it, at this moment."""
    yield from (tells.CardExposed(position), tells.Surrendered(position), tells.RecutOrdered())
    yield from (tells.ShoeFailed("jam"), tells.ShufflerFailed("red", "jam"), tells.ShufflerFailed("blue", "jam"))
    yield from (tells.WagerPlaced(position, 900, 100), tells.WagerPlaced(position, 0))
    match answer:
        case tells.CardDealt():
            yield from (replace(answer, face_up=True), replace(answer, exposed=True), replace(answer, card=Card(54)))
            yield from (replace(answer, position=position), replace(answer, stack=position))
            yield tells.CardDrawnInError(answer.card)
        case tells.StackDispensed():
            yield from (replace(answer, face_up=answer.cards[:1]), replace(answer, cards=answer.cards[1:]))
            yield replace(answer, position=position)
        case tells.StackDelivered():
            yield from (replace(answer, position=position), replace(answer, stack=position))
        case tells.DiceRolled():
            yield from (replace(answer, lid_by="bank"), replace(answer, dice=answer.dice[1:]))
            yield from (replace(answer, flat=(True, False, True)), replace(answer, shakes=2))
            yield replace(answer, announced=position + 3)
        case tells.Shuffled() | tells.StubRacked() | tells.CardsCollected():
            yield replace(answer, count=53)
        case tells.HandSet():
            yield from (replace(answer, high=answer.low, low=answer.high), replace(answer, high=ask.cards, low=()))
        case tells.PlayedOn():
            yield tells.HandVoided(answer.seat)


MISHAPS = st.tuples(st.integers(0, 50), st.integers(0, 6))
SOMETHING = st.integers(0, 4).flatmap(lambda wild: MISHAPS if wild else OBSERVATIONS)


@st.composite
def tables(draw):
    """Any legal set of choices."""
    deal, machine = draw(st.sampled_from(Deal)), draw(st.booleans())
    button = machine and deal is Deal.AUTOMATED_SHOE
    return Options(
        deal=deal,
        start=draw(st.sampled_from(list(Start) if button else [Start.DICE, Start.RNG])),
        machine_shuffle=machine,
        shuffler_counts=draw(st.booleans()),
        decks=("red", "blue") if machine and draw(st.booleans()) else ("red",),
        banking=True,
        co_banking=draw(st.booleans()),
        two_areas=True,
    )


class Walk:
    """A round that is told anything, and its cards as far as they can be followed."""

    def __init__(self, dealer, game):
        self.dealer = dealer
        self.game = game
        self.drawn = []

    def tell(self, seen):
        """Tell it; when it is refused, see that nothing changed."""
        before = repr(self.game._play)
        accepted = self.game.can(seen)
        try:
            rulings = self.game.tell(seen)
        except (Illegal, OutOfTurn):
            assert not accepted
            assert repr(self.game._play) == before
            return
        assert accepted
        orders = {ruling.order for ruling in rulings}
        if orders & {Order.RECUT, Order.RESHUFFLE}:
            self.drawn.clear()
        match seen:
            case tells.Shuffled() if not rulings:
                self.dealer.shuffle(seen.deck)
            case tells.CardDrawnInError() if Order.USE_AS_NEXT in orders:
                self.drawn.append(seen.card)
            case tells.CardDealt():
                self.drawn = self.drawn[1:]

    def mishap(self, which, position):
        """Have one of the mishaps that this moment allows."""
        if self.game.ask is None:
            return
        before = list(self.dealer.cards)
        choice = list(mishaps(self.game.ask, self.dealer.answer(self.game.ask), position))
        seen = choice[which % len(choice)]
        if not isinstance(seen, tells.CardDealt | tells.StackDispensed) or not self.game.can(seen):
            self.dealer.cards[:] = before
        self.tell(seen)

    def step(self):
        """Answer the present ask as it should be."""
        if isinstance(self.game.ask, asks.DealCard) and self.drawn:
            self.tell(tells.CardDealt(self.drawn[0]))
        else:
            self.tell(self.dealer.answer(self.game.ask))

    def steps(self, most):
        """Answer so many asks as they should be, or all that are left."""
        for _ in range(most):
            if self.game.ask is not None:
                self.step()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    options=tables(),
    seed=st.integers(0, 1000),
    told=st.lists(st.tuples(st.integers(0, 20), SOMETHING), min_size=2, max_size=20),
    banks=st.booleans(),
)
def test_any_walk_ends_and_refusals_change_nothing(fair_dealer, options, seed, told, banks):
    dealer = fair_dealer(options, seed)
    wagers = {1: Wager(1000, 100), 3: Wager(500, player="ann"), 4: Wager(700, 100, player="ann"), 6: Wager(500)}
    dealer.play(wagers)
    dealer.takes_bank = lambda seat: banks
    walk = Walk(dealer, dealer.open(wagers))
    for steps, what in told:
        walk.steps(steps)
        if isinstance(what, tuple):
            walk.mishap(*what)
        else:
            walk.tell(what)
    walk.steps(250)
    result = walk.game.result
    assert result is not None
    dealt = [card for hand in result.hands.values() for card in hand]
    assert len(dealt) == len(set(dealt))
    assert all(0 <= card < 54 for card in dealt)
    assert {settlement.seat for settlement in result.settlements} <= {1, 2, 3, 4, 5, 6}
    assert not dealer.play(wagers).void
