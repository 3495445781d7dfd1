"""A round of Heads Up Hold'em: 39.3 to 39.12."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from feltrig.engine.cards import deck
from feltrig.engine.games.game import Game
from feltrig.engine.games.heads_up_holdem.paytables import BAD_BEAT, POCKET_BONUS, TRIPS_PLUS
from feltrig.engine.games.heads_up_holdem.readings import Readings
from feltrig.engine.games.heads_up_holdem.settlement import fold, settle_main, settle_pocket_bonus, settle_trips_plus
from feltrig.engine.games.heads_up_holdem.wagers import MOVES, Street
from feltrig.engine.ranking.poker import category, strength
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.dealing import Stack, by_stacks, deal_cards, dispense
from feltrig.engine.table.house import DEALER, Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.play import Place, Play, Procedure
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script
from feltrig.engine.table.steps import close_betting, decide, expose, rack_stub, ready_deck, reveal
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = 6
HOLE_CARDS, FLOP, LAST = 2, 3, 2
COMMUNITY = "community"

BETS = (
    Bet("ante", ("13:69F-39.10(b)",), required=True),
    Bet("odds", ("13:69F-39.6(c)",), required=True, equals="ante"),
    Bet("trips_plus", ("13:69F-39.6(d)",), needs=("ante",)),
    Bet("pocket_bonus", ("13:69F-39.6(d)",), needs=("ante",)),
)

RULES = TableRules(
    deck=("13:69F-39.2(a)",),
    second_deck=("13:69F-39.2(b)",),
    backs=("13:69F-39.2(b)2",),
    shuffle_waiting=("13:69F-39.2(b)3",),
    alternate=("13:69F-39.2(b)4",),
    shuffle=("13:69F-39.4(a)",),
    cut=("13:69F-39.4(b)2", "13:69F-39.4(c)1"),
    cut_depth=("13:69F-39.4(c)1ii",),
    recut=("13:69F-39.4(d)",),
    idle=("13:69F-39.4(e)",),
    remove_device=("13:69F-39.12(g)",),
    machine_only={Deal.HAND: ("13:69F-39.8(b)1",)},
    collect=("13:69F-39.1[round-of-play]",),
    methods={
        Deal.MANUAL_SHOE: Method(
            load=("13:69F-39.7(a)",),
            close=("13:69F-39.7(b)",),
            deal=("13:69F-39.7(d)",),
            stub=("13:69F-39.7(e)",),
            count=("13:69F-39.7(f)",),
            counted_by_machine=("13:69F-39.7(g)",),
        ),
        Deal.HAND: Method(
            close=("13:69F-39.8(b)3",),
            deal=("13:69F-39.8(c)",),
            stub=("13:69F-39.8(d)",),
            count=("13:69F-39.8(e)",),
            counted_by_machine=("13:69F-39.8(f)",),
        ),
        Deal.AUTOMATED_SHOE: Method(
            load=("13:69F-39.9(b)1",),
            close=("13:69F-39.9(b)2",),
            deal=("13:69F-39.9(c)",),
            stub=("13:69F-39.9(d)",),
            count=("13:69F-39.9(e)",),
            counted_by_machine=("13:69F-39.9(f)",),
        ),
    },
)

REMEDIES = {
    Irregularity.SHUFFLER_MISCOUNTED: Remedy(Order.REMOVE_DECK, ("13:69F-39.7(g)",)),
    Irregularity.STUB_MISCOUNTED: Remedy(Order.VOID_REMOVE_DECK, ("13:69F-39.7(f)2",)),
    Irregularity.FACE_UP: Remedy(Order.DISCARD_CARD, ("13:69F-39.12(a)",)),
    Irregularity.FACE_UP_AGAIN: Remedy(Order.VOID, ("13:69F-39.12(a)",)),
    # A stack has no other card for the one that may not be used.
    Irregularity.FACE_UP_IN_STACK: Remedy(Order.VOID, ("13:69F-39.12(a)", "13:69F-39.12(c)")),
    Irregularity.DRAWN_IN_ERROR: Remedy(Order.USE_AS_NEXT, ("13:69F-39.12(b)",)),
    Irregularity.WRONG_NUMBER: Remedy(Order.VOID, ("13:69F-39.12(c)",)),
    Irregularity.STACK_SIZE: Remedy(Order.VOID, ("13:69F-39.12(c)",)),
    Irregularity.DEALER_CARD_SEEN: Remedy(Order.VOID, ("13:69F-39.12(d)",)),
    Irregularity.SHUFFLER_FAILED: Remedy(Order.RESHUFFLE, ("13:69F-39.12(e)",)),
    Irregularity.SHOE_FAILED: Remedy(Order.VOID, ("13:69F-39.12(f)",)),
    Irregularity.NOTHING_DISPENSED: Remedy(Order.VOID, ("13:69F-39.12(f)",)),
}


@dataclass(frozen=True, slots=True)
class Options(Readings):
    """What the licensee posts, and how the text is read."""

    trips_plus_table: int = 1
    pocket_bonus_table: int = 1
    bad_beat_table: str = "example"
    trips_plus_first: bool = False
    """Trips plus wagers are settled before the others: 39.11(h)."""
    board_first: bool = False
    """From a shoe or the hand, too, the five shared cards are dealt first, and turned when they are needed (HUH-06)."""

    def __post_init__(self) -> None:
        _check("trips plus table", self.trips_plus_table, TRIPS_PLUS, "13:69F-39.11(g)")
        _check("pocket bonus table", self.pocket_bonus_table, POCKET_BONUS, "13:69F-39.11(i)")
        _check("bad beat table", self.bad_beat_table, BAD_BEAT, "13:69F-39.11(f)")


def _check(what: str, chosen: object, tables: Iterable[object], rule: str) -> None:
    if chosen not in tables:
        raise Illegal(f"{what} {chosen!r}: expected one of {', '.join(map(str, tables))}", rule)


WAYS = (
    Way({"deal": "manual_shoe"}, {"board_first": True}),
    Way({"deal": "manual_shoe", "machine_shuffle": False, "shuffler_counts": False}, {"trips_plus_table": 2}),
    Way({"deal": "hand", "shuffler_counts": False}, {"pocket_bonus_table": 2, "trips_plus_first": True}),
    Way({"deal": "hand", "decks": ["red", "blue"]}, {"pocket_bonus_table": 3, "unqualified_higher": "lose"}),
    Way({"deal": "automated_shoe"}, {"trips_plus_on_fold": "lose", "pocket_pairs": "lose"}),
    Way({"deal": "automated_shoe", "decks": ["red", "blue"], "shuffler_counts": False}, {"tie_break": "literal"}),
)


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check = partial(check_bets, BETS, house, SEATS, ("13:69F-39.6(a)",))
    return Procedure("heads_up_holdem", deck(), SEATS, RULES, REMEDIES, script, check)


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """From the shuffle to the last wager."""
    yield from ready_deck(play)
    yield from close_betting(play)
    board_lies = yield from _deal(play)
    raised: dict[int, int] = {}
    yield from _street(play, Street.HOLE_CARDS, raised)
    yield from _show(play, board_lies, FLOP, "community.flop", "13:69F-39.10(e)")
    yield from _street(play, Street.FLOP, raised)
    yield from _show(play, board_lies, LAST, "community.turn and river", "13:69F-39.10(g)")
    yield from rack_stub(play)
    folded = yield from _street(play, Street.RIVER, raised)
    yield from expose(play, DEALER, ("13:69F-39.10(i)",))
    for seat in play.counterclockwise:
        if seat not in folded:
            yield from expose(play, seat, ("13:69F-39.10(i)",))
    rows = [row for seat in play.counterclockwise for row in _settle(play, seat, raised.get(seat))]
    if play.options.trips_plus_first:
        first = [row for row in rows if row.bet == "trips_plus"]
        return (*losers_first(first), *losers_first(row for row in rows if row not in first))
    return losers_first(rows)


def _deal(play: Play) -> Script[bool]:
    """The hole cards, under a cover card for the dealer. Returns whether the shared cards lie already, face down."""
    hands: tuple[Place, ...] = (*play.seats, DEALER)
    if by_stacks(play):
        yield from dispense(play, [Stack(COMMUNITY, FLOP + LAST), *(Stack(place, HOLE_CARDS) for place in hands)])
        return True
    if play.options.board_first:
        yield from deal_cards(play, (COMMUNITY,) * (FLOP + LAST), ("13:69F-39.10(c)",))
    yield from deal_cards(play, hands * HOLE_CARDS)
    return bool(play.options.board_first)


def _show(play: Play, board_lies: bool, count: int, area: str, rule: str) -> Script[None]:
    """The next shared cards are turned over, or dealt now."""
    if not board_lies:
        yield from deal_cards(play, (COMMUNITY,) * count, (rule,))
    yield from reveal(play, area, (rule,))


def _street(play: Play, street: Street, raised: dict[int, int]) -> Script[set[int]]:
    """Who has not raised may do so once; returns who folds."""
    move, folded = MOVES[street], set()
    shown = {Street.HOLE_CARDS: 0, Street.FLOP: FLOP, Street.RIVER: FLOP + LAST}[street]
    for seat in play.seats:
        if seat in raised:
            continue
        choices = (*(f"raise {times}x" for times in move.multiples), move.otherwise)
        cards = (*play.hand(seat), *play.hand(COMMUNITY)[:shown])
        told = yield from decide(play, seat, street.value, choices, (move.rule,), cards=cards)
        if told.choice == "fold":
            folded.add(seat)
        elif told.choice != "check":
            raised[seat] = move.multiples[choices.index(told.choice)] * play.stake(seat, "ante")
    return folded


def _settle(play: Play, seat: int, raised: int | None) -> list[Settlement]:
    options, board = play.options, play.hand(COMMUNITY)
    player, dealer = strength((*play.hand(seat), *board)), strength((*play.hand(DEALER), *board))
    ante, name = play.stake(seat, "ante"), category(player).name.lower()
    if raised is None:
        main = fold(ante)
    else:
        main = settle_main(player, dealer, ante, raised, options, bad_beat=BAD_BEAT[options.bad_beat_table])
    outcome = main.outcome.value
    rows = [
        Settlement(seat, "ante", ante, outcome, main.ante_net, main.rules, name),
        Settlement(seat, "odds", ante, outcome, main.odds_net, main.rules, name),
    ]
    if raised is not None:
        rows.append(Settlement(seat, "raise", raised, outcome, main.raise_net, main.rules, name))
    trips, pocket = play.stake(seat, "trips_plus"), play.stake(seat, "pocket_bonus")
    if trips:
        paid = settle_trips_plus(player, trips, options.trips_plus_table, raised is None, options)
        rows.append(
            Settlement(seat, "trips_plus", trips, "win" if paid.paid_as else "lose", paid.net, paid.rules, name)
        )
    if pocket:
        paid = settle_pocket_bonus(play.hand(seat), pocket, options.pocket_bonus_table, options)
        won = "win" if paid.paid_as else "lose"
        rows.append(Settlement(seat, "pocket_bonus", pocket, won, paid.net, paid.rules, paid.paid_as))
    return rows


GAME = Game(
    name="heads_up_holdem",
    title="Heads Up Hold'em",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    bets=lambda options: BETS,
    own_roles={"settlement": "13:69F-39.11(b)(5)"},
    stacks=(HOLE_CARDS, FLOP + LAST),
)
