"""What comes next. A round is a row of steps; each says what it still wants, or that it is done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from feltrig.engine import asks
from feltrig.engine.asks import Ask, Rules
from feltrig.engine.decks import Stage
from feltrig.engine.games.supreme_pai_gow.delivery import HAND_SIZE, bank_delivery, hand_deal_stacks, hand_delivery
from feltrig.engine.games.supreme_pai_gow.options import Deal, Start
from feltrig.engine.games.supreme_pai_gow.play import DEALT, DECK, Play
from feltrig.engine.games.supreme_pai_gow.wagers import areas, holder, setting_order
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.positions import POSITIONS, Delivery, clockwise

SHAKES = 3
"""34.11(b)."""
NUMBERS = (1, 7)
"""34.11(c)."""

Step = Callable[[Play], Ask | None]


# Before the deal


def clear_device(play: Play) -> Ask | None:
    """A device that failed is cleared before anything else."""
    rules = {"shuffler": ("34.16(m)",), "shoe": ("34.16(n)",)}
    return asks.ClearDevice(play.jammed[0], rules[play.jammed[0]]) if play.jammed else None


def replace_deck(play: Play) -> Ask | None:
    """A deck that was removed is replaced."""
    return next((asks.ReplaceDeck(name, rules) for name, rules in play.decks.removed.items()), None)


def offer_bank(play: Play) -> Ask | None:
    """The bank goes around until somebody takes it."""
    if play.bank is not None or not play.offers:
        return None
    return asks.OfferBank(play.offers[0], play.options.co_banking, ("34.13(c)",))


def shuffle(play: Play) -> Ask | None:
    """The deck of this round is shuffled; a machine that is busy with the other deck finishes that first."""
    deck, waiting = play.deck, play.decks.waiting
    match play.decks.stages[deck]:
        case Stage.SHUFFLED:
            return None
        case Stage.SHUFFLING:
            return _finish(play, deck, ("34.6(a)",))
    if waiting is not None and play.decks.stages[waiting] is Stage.SHUFFLING:
        return _finish(play, waiting, ("34.2(b)3",))
    return asks.StartShuffle(deck, _by(play), ("34.6(a)",))


def cut(play: Play) -> Ask | None:
    """Cards shuffled by hand are cut."""
    if play.options.machine_shuffle or play.cut_by is not None:
        return None
    if play.recut_from is not None:
        rules: Rules = ("34.6(f)",)
    elif play.bank is not None:
        rules = ("34.6(b)2", "34.6(d)2")
    elif play.memory.banks.start_of_game:
        rules = ("34.6(b)2", "34.6(d)1")
    else:
        rules = ("34.6(b)2", "34.6(d)3")
    return asks.Cut(play.cut_offer(), len(DECK), rules)


def dealer_wager(play: Play) -> Ask | None:
    """The dealer stakes against a bank, but not as its partner."""
    if play.bank is None or play.co_bank or play.dealer_wager is not None:
        return None
    who = holder(play.bank, play.wagers[play.bank])
    return asks.PlaceDealerWager(play.memory.banks.dealer_wager(play.options, who), ("34.13(g)",))


def load_shoe(play: Play) -> Ask | None:
    """The deck goes into the shoe."""
    if play.loaded:
        return None
    automated = play.options.deal is Deal.AUTOMATED_SHOE
    return asks.LoadShoe(play.deck, automated, (method(play).load,))


def shuffle_waiting(play: Play) -> Ask | None:
    """Of two decks, one is shuffled while the other is in play."""
    waiting = play.decks.waiting
    if waiting is None or play.decks.stages[waiting] is not Stage.USED:
        return None
    return asks.StartShuffle(waiting, _by(play), ("34.2(b)3",))


def no_more_bets(play: Play) -> Ask | None:
    """The betting is closed."""
    return None if play.bets_closed else asks.CallNoMoreBets((method(play).no_more_bets,))


# The deal


def find_start(play: Play) -> Ask | None:
    """Dice, generator or button give the starting position."""
    if play.start is not None:
        return None
    rules = method(play)
    banked = play.bank is not None
    match play.options.start:
        case Start.DICE:
            called_for = ("34.11(b)", rules.start, *((rules.bank_shakes, rules.bank_is_one) if banked else ()))
            return asks.ShakeDice("bank" if banked else "dealer", SHAKES, called_for)
        case Start.RNG:
            called_for = ("34.11(c)", rules.start, *((rules.bank_selects, rules.bank_is_one) if banked else ()))
            return asks.SelectNumber(*NUMBERS, called_for)
        case Start.BUTTON:
            return asks.ReadButton(play.memory.button, ("34.11(d)", rules.start))


def deal_around(play: Play) -> Ask | None:
    """Single cards go clockwise until each position has four."""
    if play.dealt == DEALT:
        return None
    position = clockwise(_start(play))[play.dealt % POSITIONS]
    return asks.DealCard(play.dealt + 1, position, None, (method(play).deal,))


def deal_stacks(play: Play) -> Ask | None:
    """Single cards go onto seven stacks, there and back."""
    if play.dealt == DEALT:
        return None
    return asks.DealCard(play.dealt + 1, None, HAND_DEAL[play.dealt], (method(play).deal,))


def dispense_stacks(play: Play) -> Ask | None:
    """The shoe dispenses a stack for each position, clockwise."""
    empty = [position for position in clockwise(_start(play)) if position not in play.hands]
    if not empty:
        return None
    return asks.Dispense(len(play.hands) + 1, HAND_SIZE, empty[0], (method(play).deal,))


def rack_stub(play: Play) -> Ask | None:
    """The undealt cards go into the rack; at least every fifth round they are counted, unless the shuffler does it."""
    if play.stub_racked:
        return None
    waived = play.deck in play.decks.counted
    count = not waived and play.memory.stub.due
    rules = (method(play).stub, "34.8(e)" if waived else "34.8(d)")
    return asks.RackStub(len(DECK) - DEALT - len(play.discarded), count, rules)


def choose_stack(play: Play) -> Ask | None:
    """A bank chooses the first stack."""
    if play.bank is None or play.first_stack is not None:
        return None
    return asks.ChooseStack(play.bank, POSITIONS, ("34.13(i)1",))


def deliver_stacks(play: Play) -> Ask | None:
    """The stacks go to the positions."""
    if not play.stacks:
        return None
    order = _delivery(play)
    stack = next(stack for stack, _ in order if stack in play.stacks)
    position = next(position for _, position in order if position not in play.hands)
    return asks.DeliverStack(stack, position, (delivery_rule(play),))


def collect_unbet(play: Play) -> Ask | None:
    """Cards at positions that nobody plays are taken away unseen."""
    if play.unbet_collected or not play.unbet:
        return None
    return asks.CollectUnbet(play.unbet, (method(play).unbet,))


# After the deal


def park_shaker(play: Play) -> Ask | None:
    """The shaker is covered, shaken once and put aside."""
    if play.options.start is not Start.DICE or play.shaker_parked:
        return None
    return asks.ParkShaker(("34.11(b)4",))


def decide_exposed(play: Play) -> Ask | None:
    """Who had a card exposed decides at once, before a look at the others."""
    return asks.DecideExposed(play.undecided[0], ("34.16(d)",)) if play.undecided else None


def set_players(play: Play) -> Ask | None:
    """The players set their hands."""
    if play.void:
        return None
    order = setting_order(play.wagers, play.players)
    seat = next((seat for seat in order if seat not in play.settings), None)
    if seat is None:
        return None
    two = len(areas(play.wagers, seat)) > 1
    return _set(play, seat, False, ("34.12(a)", "34.15(b)") if two else ("34.12(a)",))


def set_bank(play: Play) -> Ask | None:
    """The bank sets its hands; a co-bank's, and those that a bank set wrongly, the dealer sets by the house way."""
    if play.void or play.bank is None or play.bank in play.settings:
        return None
    if play.co_bank:
        return _set(play, play.bank, True, ("34.13(e)", "34.12(d)"))
    if play.bank_reset:
        return _set(play, play.bank, True, ("34.16(j)", "34.12(d)"))
    return _set(play, play.bank, False, ("34.12(a)",))


def set_dealer(play: Play) -> Ask | None:
    """The dealer's hands are set by the house way, after all others."""
    if play.void or not play.dealer_plays or DEALER in play.settings:
        return None
    return _set(play, DEALER, True, ("34.12(c)" if play.bank is None else "34.13(k)", "34.12(d)"))


def expose_bank(play: Play) -> Ask | None:
    """The bank's hands are seen first; a co-bank's were, when the dealer set them, but are turned over here."""
    if play.void or play.bank is None or play.bank in play.exposed:
        return None
    return asks.Expose(play.bank, ("34.13(m)" if play.co_bank else "34.13(k)",))


def expose_players(play: Play) -> Ask | None:
    """The players' hands are seen from the dealer's right, counterclockwise."""
    if play.void:
        return None
    rule = "34.12(f)" if play.bank is None else "34.13(m)" if play.co_bank else "34.13(l)"
    return next((asks.Expose(seat, (rule,)) for seat in play.players if seat not in play.exposed), None)


def expose_bonuses(play: Play) -> Ask | None:
    """Cards that lie under a bonus wager are seen last: after a surrender, or when only the bonus is settled."""
    rule = "34.16(e)" if play.void else "34.12(e)2"
    return next((asks.Expose(seat, (rule,)) for seat in play.bonuses if seat not in play.exposed), None)


def collect_cards(play: Play) -> Ask | None:
    """All cards of the deck are gathered."""
    if play.cards_collected:
        return None
    return asks.CollectCards(play.deck, play.void.rules if play.void else ("34.12(j)",))


# The tables


@dataclass(frozen=True, slots=True)
class Method:
    """The steps of a dealing method, and the rule of each thing that is done in its own way."""

    steps: tuple[Step, ...]
    no_more_bets: str
    start: str
    deal: str
    stub: str
    unbet: str
    bank_shakes: str
    bank_selects: str
    bank_is_one: str
    load: str = ""


_FIRST = (clear_device, replace_deck, decide_exposed, offer_bank, shuffle, cut, dealer_wager)
_LAST = (
    collect_unbet,
    park_shaker,
    set_players,
    set_bank,
    set_dealer,
    expose_bank,
    expose_players,
    expose_bonuses,
    collect_cards,
)

METHODS: Mapping[Deal, Method] = {
    Deal.MANUAL_SHOE: Method(
        (*_FIRST, load_shoe, shuffle_waiting, no_more_bets, find_start, deal_around, rack_stub, *_LAST),
        load="34.8(a)",
        no_more_bets="34.8(a)",
        start="34.8(b)",
        deal="34.8(c)",
        stub="34.8(d)1",
        unbet="34.8(f)",
        bank_shakes="34.13(h)1",
        bank_selects="34.13(h)2",
        bank_is_one="34.13(h)3",
    ),
    Deal.HAND: Method(
        (
            *_FIRST,
            *(shuffle_waiting, no_more_bets),
            *(deal_stacks, rack_stub, choose_stack, find_start, deliver_stacks),
            *_LAST,
        ),
        no_more_bets="34.9(b)2",
        start="34.9(e)",
        deal="34.9(c)",
        stub="34.9(d)",
        unbet="34.9(g)",
        bank_shakes="34.13(i)2",
        bank_selects="34.13(i)3",
        bank_is_one="34.13(i)4",
    ),
    Deal.AUTOMATED_SHOE: Method(
        (*_FIRST, load_shoe, shuffle_waiting, no_more_bets, find_start, dispense_stacks, rack_stub, *_LAST),
        load="34.10(b)1",
        no_more_bets="34.10(b)2",
        start="34.10(c)",
        deal="34.10(d)",
        stub="34.10(e)",
        unbet="34.10(f)",
        bank_shakes="34.13(j)1",
        bank_selects="34.13(j)2",
        bank_is_one="34.13(j)3",
    ),
}

CLEARING: tuple[Step, ...] = (clear_device, collect_cards, replace_deck)
"""What is left when the round is void, or over."""

HAND_DEAL = hand_deal_stacks()


def next_ask(play: Play) -> Ask | None:
    """What the round wants next, None when it is over."""
    steps = CLEARING if play.dead or play.cards_collected else method(play).steps
    for step in steps:
        ask = step(play)
        if ask is not None:
            return ask
    return None


def method(play: Play) -> Method:
    """The dealing method of the round."""
    return METHODS[play.options.deal]


def delivery_rule(play: Play) -> str:
    """The rule that says which stack goes where."""
    return "34.9(f)" if play.bank is None else "34.13(i)5"


def _delivery(play: Play) -> Delivery:
    if play.first_stack is None:
        return hand_delivery(_start(play))
    return bank_delivery(_start(play), play.first_stack)


def _start(play: Play) -> int:
    assert play.start is not None
    return play.start


def _by(play: Play) -> str:
    return "machine" if play.options.machine_shuffle else "hand"


def _finish(play: Play, deck: str, rules: Rules) -> Ask:
    return asks.FinishShuffle(deck, _by(play), len(DECK), rules)


def _set(play: Play, position: int, house_way: bool, rules: Rules) -> Ask:
    return asks.SetHands(position, tuple(play.hands[position]), house_way, rules)
