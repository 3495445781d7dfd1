"""A round of Double Down Stud: 17.3 to 17.11."""

from dataclasses import dataclass, replace
from functools import partial

from feltrig.engine import asks
from feltrig.engine.cards import deck
from feltrig.engine.games.double_down_stud.settlement import DoubleDownAmount, LimitApplies, settle
from feltrig.engine.games.game import Game
from feltrig.engine.rulings import Order
from feltrig.engine.table.dealing import deal_cards
from feltrig.engine.table.house import Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.play import Play, Procedure
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script, hear
from feltrig.engine.table.steps import close_betting, decide, ready_deck, reveal, rotating_cut
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = 7
HOLE, SHARED = "hole", "shared"
"""The card that lies face down until the second closing call, and the three beside it."""

BETS = (Bet("wager", ("19:47-17.6(a)",), required=True),)
"""The double down wager comes later: 17.8(c)."""

RULES = TableRules(
    deck=("19:47-17.2(a)",),
    second_deck=("19:47-17.2(b)",),
    backs=("19:47-17.2(b)2",),
    shuffle_waiting=("19:47-17.2(b)3",),
    alternate=("19:47-17.2(b)4",),
    shuffle=("19:47-17.4(a)",),
    cut=("19:47-17.4(b)2", "19:47-17.4(c)"),
    cut_depth=("19:47-17.4(e)",),
    recut=("19:47-17.4(f)",),
    idle=("19:47-17.4(g)",),
    age=("19:47-17.3(e)",),
    two_areas=("19:47-17.6(c)",),
    remove_device=("19:47-17.11(f)",),
    machine_only={Deal.HAND: ("19:47-17.8(a)2i",)},
    collect=("19:47-17.9(c)",),
    methods={
        Deal.MANUAL_SHOE: Method(load=("19:47-17.8(a)1",), close=("19:47-17.8(a)1",), deal=("19:47-17.8(b)",), age=24),
        Deal.HAND: Method(close=("19:47-17.8(a)2iv",), deal=("19:47-17.8(b)",), age=8),
    },
)

REMEDIES = {
    Irregularity.SHARED_CARD_SEEN: Remedy(Order.VOID, ("19:47-17.11(a)",)),
    Irregularity.FACE_UP: Remedy(Order.DISCARD_CARD, ("19:47-17.11(b)",)),
    Irregularity.FACE_UP_AGAIN: Remedy(Order.VOID, ("19:47-17.11(b)",)),
    Irregularity.DRAWN_IN_ERROR: Remedy(Order.USE_AS_NEXT, ("19:47-17.11(c)",)),
    Irregularity.WRONG_NUMBER: Remedy(Order.VOID, ("19:47-17.11(d)",)),
    Irregularity.SHUFFLER_FAILED: Remedy(Order.RESHUFFLE, ("19:47-17.11(e)",)),
}


@dataclass(frozen=True, slots=True)
class Options:
    """How the text is read."""

    double_down: DoubleDownAmount = DoubleDownAmount.UP_TO_EQUAL
    limit_applies: LimitApplies = LimitApplies.AGGREGATE
    feeds_shoe: bool = False
    """The shuffler puts the cards straight into the shoe, and they are not cut: 17.4(b)1."""


WAYS = (
    Way({"deal": "manual_shoe"}, {"feeds_shoe": True}),
    Way({"deal": "manual_shoe"}, {"double_down": "exactly_equal"}),
    Way({"deal": "manual_shoe", "machine_shuffle": False, "shuffler_counts": False}),
    Way({"deal": "hand", "decks": ["red", "blue"]}, {"limit_applies": "per_wager"}),
    Way({"deal": "hand", "shuffler_counts": False}),
)


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check = partial(check_bets, BETS, house, SEATS, ("19:47-17.6(a)",))
    rules = replace(RULES, cut_after_machine=not (options.feeds_shoe and house.deal is Deal.MANUAL_SHOE))
    return Procedure("double_down_stud", deck(), SEATS, rules, REMEDIES, script, check, cut_offer=rotating_cut)


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """From the shuffle to the last wager. The text has no count of the stub."""
    yield from ready_deck(play)
    yield from close_betting(play)
    yield from deal_cards(play, (*play.seats, HOLE, SHARED, SHARED, SHARED))
    play.seen.update((*play.seats, SHARED))  # dealt face up
    doubled = yield from _double_down(play)
    yield from hear(asks.CallNoMoreBets(("19:47-17.8(d)",)))
    yield from reveal(play, HOLE, ("19:47-17.8(d)",))
    return losers_first(_settle(play, seat, doubled.get(seat, 0)) for seat in play.counterclockwise)


def _double_down(play: Play) -> Script[dict[int, int]]:
    """Before the hole card is seen a player may add a wager: 17.8(c)."""
    doubled = {}
    for seat in play.seats:
        stake = play.stake(seat, "wager")
        least = stake if play.options.double_down is DoubleDownAmount.EXACTLY_EQUAL else 1
        told = yield from decide(
            play,
            seat,
            "double down",
            ("stand", "double down"),
            ("19:47-17.8(c)",),
            cards=(*play.hand(seat), *play.hand(SHARED)),
            amounts={"double down": (least, stake)},
        )
        if told.amount is not None:
            doubled[seat] = told.amount
    return doubled


def _settle(play: Play, seat: int, doubled: int) -> Settlement:
    five = (*play.hand(seat), *play.hand(HOLE), *play.hand(SHARED))
    stake, options = play.stake(seat, "wager"), play.options
    settled = settle(five, stake, doubled, options.double_down, options.limit_applies)
    outcome, name = settled.outcome.value, settled.category.name.lower()
    return Settlement(seat, "wager", stake + doubled, outcome, settled.net, settled.rules, name)


GAME = Game(
    name="double_down_stud",
    title="Double Down Stud",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    bets=lambda options: BETS,
    own_roles={"settlement": "19:47-17.10(b)"},
)
