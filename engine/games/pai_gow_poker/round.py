"""A round of Pai Gow Poker: 11.4 to 11.8A. The rest, with setting and settlement, is cut off, and custom here."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from feltrig.engine import asks, tells
from feltrig.engine.asks import Rules
from feltrig.engine.cards import Card, deck
from feltrig.engine.games.game import Game
from feltrig.engine.games.pai_gow_poker.delivery import hand_deal_stacks, hand_delivery, shoe_deal
from feltrig.engine.games.pai_gow_poker.houseway import pairs_apart
from feltrig.engine.games.pai_gow_poker.ranking import Readings, set_fault
from feltrig.engine.games.pai_gow_poker.settlement import Copies, settle
from feltrig.engine.rulings import Order
from feltrig.engine.table.commission import Rounding
from feltrig.engine.table.dealing import deal_cards, deliver_stacks
from feltrig.engine.table.house import DEALER, Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.places import stack_place
from feltrig.engine.table.play import Play, Procedure
from feltrig.engine.table.positions import SEATS as POSITIONS_OF_PLAYERS
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script, hear
from feltrig.engine.table.setting import Hands, set_hands
from feltrig.engine.table.starting import Start, find_start
from feltrig.engine.table.steps import close_betting, expose, rack_stub, ready_deck, rotating_cut
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = len(POSITIONS_OF_PLAYERS)

BETS = (Bet("wager", ("19:47-11.7(a)",), required=True),)

RULES = TableRules(
    deck=("19:47-11.5(a)",),
    second_deck=("19:47-11.2(b)",),
    backs=("19:47-11.2(b)2",),
    shuffle_waiting=("19:47-11.2(b)3",),
    alternate=("19:47-11.2(b)4",),
    shuffle=("19:47-11.6(a)",),
    cut=("19:47-11.6(b)2", "19:47-11.6(c)"),
    cut_depth=("19:47-11.6(e)",),
    recut=("19:47-11.6(f)",),
    idle=("19:47-11.6(g)",),
    age=("19:47-11.5(e)",),
    dice_age=("19:47-11.4(a)2",),
    methods={
        Deal.MANUAL_SHOE: Method(
            load=("19:47-11.8(a)",),
            close=("19:47-11.8(a)",),
            deal=("19:47-11.8(c)",),
            stub=("19:47-11.8(d)", "19:47-11.8(d)1"),
            age=8,
        ),
        Deal.HAND: Method(
            close=("19:47-11.8A(b)2",),
            deal=("19:47-11.8A(b)2", "19:47-11.8A(c)"),
            stub=("19:47-11.8A(d)", "19:47-11.8A(d)1"),
            age=4,
        ),
    },
)

WRONG_REMAINDER = {Deal.MANUAL_SHOE: ("19:47-11.8(d)2",), Deal.HAND: ("19:47-11.8A(d)2",)}
"""What orders a void round when not four cards are left. The other irregularities are cut off."""

START = {Deal.MANUAL_SHOE: ("19:47-11.8(b)",), Deal.HAND: ("19:47-11.8A(e)",)}
"""When the starting position is determined."""
STARTED_BY = {Start.DICE: ("19:47-11.4(a)",), Start.RNG: ("19:47-11.4(b)",)}

ROLES = {
    "deck": "19:47-11.8(d)",
    "dice": "19:47-11.4(a)",
    "range": "19:47-11.4(b)",
    "display": "19:47-11.4(b)",
    "settlement": "19:47-11.3(b)",
}


@dataclass(frozen=True, slots=True)
class Options(Readings):
    """What the licensee chooses, and how the text is read or filled in."""

    start: Start = Start.DICE
    """11.4."""
    copies: Copies = Copies.DEALER
    """Outside the rule text."""
    vigorish: Rounding = Rounding.EXACT
    """Outside the rule text."""


WAYS = (
    Way({"deal": "manual_shoe"}),
    Way({"deal": "hand"}, {"start": "rng"}),
    Way({"deal": "hand", "shuffler_counts": False}, {"wheel": "lowest"}),
    Way({"deal": "manual_shoe", "decks": ["red", "blue"]}, {"start": "rng", "copies": "player"}),
    Way({"deal": "hand", "decks": ["red", "blue"], "shuffler_counts": False}, {"flush_joker": "ace"}),
    Way({"deal": "manual_shoe", "shuffler_counts": False}, {"start": "rng", "tie_break": "literal"}),
    Way({"deal": "manual_shoe", "machine_shuffle": False, "shuffler_counts": False}),
    Way(
        {"deal": "hand", "machine_shuffle": False, "shuffler_counts": False, "recut_by": "next"},
        {"vigorish": "round_up_to_25_cents"},
    ),
)


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check = partial(check_bets, BETS, house, SEATS, ("19:47-11.7(a)",))
    rules = RULES if options.start is Start.DICE else replace(RULES, dice_age=())
    return Procedure("pai_gow_poker", deck(jokers=1), SEATS, rules, _remedies(house), script, check, rotating_cut)


def _remedies(house: House) -> dict[Irregularity, Remedy]:
    """A hand or stack without its seven cards voids the round; if each has them, this is not a full deck."""
    cited = WRONG_REMAINDER.get(house.deal, ())
    return {
        Irregularity.WRONG_NUMBER: Remedy(Order.VOID, cited),
        Irregularity.STUB_MISCOUNTED: Remedy(Order.VOID_REMOVE_DECK, cited),
    }


def house_way(options: Options, cards: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The high and the low hand as the house sets them: outside the rule text."""
    hands = pairs_apart(cards, options)
    return hands.high, hands.low


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """From the shuffle to the last wager."""
    yield from ready_deck(play)
    yield from close_betting(play)
    yield from DEALS[play.house.deal](play)
    hands = yield from _set_all(play)
    yield from expose(play, DEALER, ())
    for seat in play.counterclockwise:
        yield from expose(play, seat, ())
    return losers_first(_settle(play, seat, hands) for seat in play.counterclockwise)


# The two deals


def _start(play: Play) -> Script[int]:
    """11.8(b), 11.8A(e). How the number leads to a position (11.8C) is cut off: as in the sister game, 34.11."""
    start = play.options.start
    return (yield from find_start(play, start, (*STARTED_BY[start], *START[play.house.deal])))


def _from_the_shoe(play: Play) -> Script[None]:
    """Seven single cards to each position, whether or not there is a wager: 11.8(b) to (d)."""
    start = yield from _start(play)
    yield from deal_cards(play, shoe_deal(start))
    yield from rack_stub(play, always=True)
    yield from _collect_unbet(play, ("19:47-11.8(d)1",))


def _from_the_hand(play: Play) -> Script[None]:
    """Seven stacks of seven are built, and delivered to each position: 11.8A(b) to (f)."""
    yield from deal_cards(play, map(stack_place, hand_deal_stacks()))
    yield from rack_stub(play, always=True)
    start = yield from _start(play)
    yield from deliver_stacks(play, hand_delivery(start), ("19:47-11.8A(f)",))
    yield from _collect_unbet(play, ())


DEALS = {Deal.MANUAL_SHOE: _from_the_shoe, Deal.HAND: _from_the_hand}


def _collect_unbet(play: Play, rules: Rules) -> Script[None]:
    """Cards at positions without a wager are taken away unseen."""
    unbet = tuple(seat for seat in POSITIONS_OF_PLAYERS if seat not in play.wagers)
    if unbet:
        yield from hear(asks.CollectUnbet(unbet, rules))


# Outside the rule text


def _set_all(play: Play) -> Script[dict[int, Hands[Card]]]:
    """The players set their hands, and the dealer by the house way after them."""
    options = play.options

    def foul(laid: tells.HandSet) -> Irregularity | None:
        return Irregularity.FOUL if set_fault(laid.high, laid.low, options) else None

    def mis_set(laid: tells.HandSet) -> Irregularity | None:
        way = house_way(options, play.hand(DEALER))
        same = [sorted(hand) for hand in way] == [sorted(laid.high), sorted(laid.low)]
        return None if same else Irregularity.MIS_SET

    rules = ("19:47-11.3(b)", "19:47-11.3(c)")
    hands = {}
    for seat in play.seats:
        laid = yield from set_hands(play, seat, rules, foul)
        hands[seat] = Hands(laid.high, laid.low)
    laid = yield from set_hands(play, DEALER, rules, mis_set, house_way=True)
    hands[DEALER] = Hands(laid.high, laid.low)
    return hands


def _settle(play: Play, seat: int, hands: dict[int, Hands[Card]]) -> Settlement:
    stake, options = play.stake(seat, "wager"), play.options
    found = settle(hands[seat], hands[DEALER], stake, options.vigorish.value, copies=options.copies, readings=options)
    return Settlement(seat, "wager", stake, found.outcome.value, found.net, found.rules)


GAME = Game(
    name="pai_gow_poker",
    title="Pai Gow Poker",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    bets=lambda options: BETS,
    own_roles=ROLES,
    start=lambda options: options.start,
    house_way=house_way,
)
