"""A round of Let It Ride: 18.4 to 18.12."""

from dataclasses import dataclass
from functools import partial

from feltrig.engine import asks, tells
from feltrig.engine.cards import deck
from feltrig.engine.games.game import Game
from feltrig.engine.games.let_it_ride import settlement
from feltrig.engine.games.let_it_ride.community import Community, dealt_as_stack, dealt_singly, hand
from feltrig.engine.games.let_it_ride.paytables import BONUS_WAGER
from feltrig.engine.rulings import Order
from feltrig.engine.table.dealing import Stack, by_stacks, deal_cards, dispense
from feltrig.engine.table.house import Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.play import Place, Play, Procedure
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script, hear
from feltrig.engine.table.steps import close_betting, decide, expose, rack_stub, ready_deck, reveal
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = 7
HAND = 3
COMMUNITY = "community"

RIDING = (
    Bet("bet_1", ("19:47-18.6(d)",), required=True),
    Bet("bet_2", ("19:47-18.6(d)",), required=True, equals="bet_1"),
    Bet("bet_3", ("19:47-18.6(d)",), required=True, equals="bet_1"),
)
"""Three equal bets."""
BONUS = Bet("bonus", ("19:47-18.6A(b)",), needs=("bet_1",), fixed=BONUS_WAGER)

RULES = TableRules(
    deck=("19:47-18.2(a)",),
    second_deck=("19:47-18.2(b)",),
    backs=("19:47-18.2(b)2",),
    shuffle_waiting=("19:47-18.2(b)3",),
    alternate=("19:47-18.2(b)4",),
    shuffle=("19:47-18.5(a)",),
    cut=("19:47-18.5(b)2", "19:47-18.5(c)1"),
    cut_depth=("19:47-18.5(c)1ii",),
    recut=("19:47-18.5(d)",),
    idle=("19:47-18.5(e)",),
    age=("19:47-18.4(e)",),
    two_areas=("19:47-18.6(e)",),
    remove_device=("19:47-18.12(f)",),
    machine_only={Deal.HAND: ("19:47-18.8(b)1",)},
    collect=("19:47-18.10(i)2",),
    methods={
        Deal.MANUAL_SHOE: Method(
            load=("19:47-18.7(a)",),
            close=("19:47-18.7(b)",),
            deal=("19:47-18.7(c)",),
            stub=("19:47-18.7(d)",),
            count=("19:47-18.7(e)",),
            counted_by_machine=("19:47-18.7(f)",),
            age=8,
        ),
        Deal.HAND: Method(
            close=("19:47-18.8(b)3",),
            deal=("19:47-18.8(c)",),
            stub=("19:47-18.8(d)",),
            count=("19:47-18.8(e)",),
            counted_by_machine=("19:47-18.8(e)", "19:47-18.7(f)"),
            age=4,
        ),
        Deal.AUTOMATED_SHOE: Method(
            load=("19:47-18.9(b)1",),
            close=("19:47-18.9(b)2",),
            deal=("19:47-18.9(c)",),
            stub=("19:47-18.9(d)",),
            count=("19:47-18.9(e)",),
            counted_by_machine=("19:47-18.9(e)", "19:47-18.7(f)"),
            age=8,
        ),
    },
)

REMEDIES = {
    Irregularity.SHUFFLER_MISCOUNTED: Remedy(Order.REMOVE_DECK, ("19:47-18.7(f)",)),
    Irregularity.STUB_MISCOUNTED: Remedy(Order.VOID_REMOVE_DECK, ("19:47-18.7(e)2",)),
    Irregularity.FACE_UP: Remedy(Order.DISCARD_CARD, ("19:47-18.12(a)",)),
    Irregularity.FACE_UP_AGAIN: Remedy(Order.VOID, ("19:47-18.12(a)",)),
    # A stack has no other card for the one that may not be used.
    Irregularity.FACE_UP_IN_STACK: Remedy(Order.VOID, ("19:47-18.12(a)", "19:47-18.12(c)")),
    Irregularity.DRAWN_IN_ERROR: Remedy(Order.USE_AS_NEXT, ("19:47-18.12(b)",)),
    Irregularity.WRONG_NUMBER: Remedy(Order.VOID, ("19:47-18.12(c)",)),
    Irregularity.STACK_SIZE: Remedy(Order.VOID, ("19:47-18.12(c)",)),
    Irregularity.SHUFFLER_FAILED: Remedy(Order.RESHUFFLE, ("19:47-18.12(d)",)),
    Irregularity.SHOE_FAILED: Remedy(Order.VOID, ("19:47-18.12(e)",)),
    Irregularity.NOTHING_DISPENSED: Remedy(Order.VOID, ("19:47-18.12(e)",)),
}


@dataclass(frozen=True, slots=True)
class Options:
    """What the licensee offers, and how the text is read."""

    bonus_offered: bool = True
    """18.6A(a)."""
    payout_limit: int | None = None
    """The most that a hand is paid, in cents: 18.11(c)."""
    limit_applies: settlement.LimitApplies = settlement.LimitApplies.AGGREGATE
    bonus_stake: settlement.BonusStake = settlement.BonusStake.NOT_RETURNED

    def __post_init__(self) -> None:
        settlement.check_limit(self.payout_limit)


WAYS = (
    Way({"deal": "manual_shoe"}),
    Way({"deal": "manual_shoe", "machine_shuffle": False, "shuffler_counts": False}, {"bonus_offered": False}),
    Way({"deal": "hand", "shuffler_counts": False}, {"payout_limit": 50_000_00}),
    Way({"deal": "hand", "decks": ["red", "blue"]}, {"bonus_stake": "returned"}),
    Way({"deal": "automated_shoe"}, {"payout_limit": 75_000_00, "limit_applies": "per_bet"}),
    Way({"deal": "automated_shoe", "decks": ["red", "blue"], "shuffler_counts": False}),
)


def bets(options: Options) -> tuple[Bet, ...]:
    """The bets on offer."""
    return (*RIDING, BONUS) if options.bonus_offered else RIDING


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check = partial(check_bets, bets(options), house, SEATS, ("19:47-18.6(a)",))
    return Procedure("let_it_ride", deck(), SEATS, RULES, REMEDIES, script, check)


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """From the shuffle to the last wager."""
    yield from ready_deck(play)
    yield from close_betting(play)
    yield from _reconcile_bonus(play)
    yield from _deal(play)
    yield from rack_stub(play)
    first_rides = yield from _let_ride(play, "bet number one", ("19:47-18.10(b)",))
    yield from reveal(play, "community.first", ("19:47-18.10(c)", "19:47-18.10(d)"))
    second_rides = yield from _let_ride(play, "bet number two", ("19:47-18.10(e)",))
    yield from reveal(play, "community.second", ("19:47-18.10(f)",))
    for seat in play.counterclockwise:
        yield from expose(play, seat, ("19:47-18.10(g)",))
    laid = play.hand(COMMUNITY)
    community = dealt_as_stack(laid) if by_stacks(play) else dealt_singly(laid)
    rows = (
        row
        for seat in play.counterclockwise
        for row in _settle(play, seat, community, seat in first_rides, seat in second_rides)
    )
    return losers_first(rows)


def _reconcile_bonus(play: Play) -> Script[None]:
    """The bonus chips are collected, and there are as many as sensors lit; otherwise they go back, as rig policy."""
    seats = tuple(seat for seat in play.seats if play.stake(seat, "bonus"))
    if not play.options.bonus_offered or play.own.get("reconciled"):
        return
    ask = asks.CountSensors("bonus", seats, play.method.close)
    seen: tells.SensorsRead = yield from hear(ask)
    play.own["reconciled"] = True
    unlit = sorted(set(seats) ^ set(seen.seats))
    if unlit:
        play.rule(Irregularity.SENSOR_WRONG, unlit[0], play.method.close)
        for seat in unlit:
            play.wagers.get(seat, {}).pop("bonus", None)


def _deal(play: Play) -> Script[None]:
    places: tuple[Place, ...] = (*play.seats, COMMUNITY)
    if by_stacks(play):
        yield from dispense(play, [Stack(place, HAND) for place in places])
    else:
        yield from deal_cards(play, places * HAND)


def _let_ride(play: Play, what: str, rules: tuple[str, ...]) -> Script[set[int]]:
    """Each player, clockwise, leaves a bet or takes it back; returns who leaves it."""
    riding = set()
    for seat in play.seats:
        told = yield from decide(play, seat, what, ("let it ride", "withdraw"), rules)
        if told.choice == "let it ride":
            riding.add(seat)
    return riding


def _settle(play: Play, seat: int, community: Community, first: bool, second: bool) -> list[Settlement]:
    five = hand(play.hand(seat), community)
    unit, options = play.stake(seat, "bet_1"), play.options
    settled = settlement.settle_bets(
        five,
        unit,
        first_rides=first,
        second_rides=second,
        limit=options.payout_limit,
        limit_applies=options.limit_applies,
    )
    outcome = "lose" if settled.odds is None else "win"
    name = settled.category.name.lower()
    rows = [Settlement(seat, "bets", unit * settled.at_risk, outcome, settled.net, settled.rules, name)]
    stake = play.stake(seat, "bonus")
    if stake:
        bonus = settlement.settle_bonus(five, stake, options.bonus_stake)
        won = "win" if bonus.payout else "lose"
        rows.append(Settlement(seat, "bonus", stake, won, bonus.net, bonus.rules, name))
    return rows


GAME = Game(
    name="let_it_ride",
    title="Let It Ride",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    bets=bets,
    own_roles={"settlement": "19:47-18.11(b)"},
    stacks=(HAND,),
)
