"""A round of Three Card Poker: 20.4 to 20.12."""

from dataclasses import dataclass
from functools import partial

from feltrig.engine.cards import deck
from feltrig.engine.games.game import Game
from feltrig.engine.games.three_card_poker.settlement import Draw, TieBreak, fold, settle_contest, settle_pair_plus
from feltrig.engine.rulings import Order
from feltrig.engine.table.dealing import Stack, by_stacks, deal_cards, dispense
from feltrig.engine.table.house import DEALER, Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.play import Play, Procedure
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script
from feltrig.engine.table.steps import close_betting, decide, expose, rack_stub, ready_deck
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = 7
HAND = 3
"""20.1 Hand."""

BETS = (
    Bet("ante", ("19:47-20.6(a)1",)),
    Bet("pair_plus", ("19:47-20.6(a)2",)),
)
"""Either, or both: 20.6(a)3. The play wager comes later, 20.10(b)."""

RULES = TableRules(
    deck=("19:47-20.2(a)",),
    second_deck=("19:47-20.2(b)",),
    backs=("19:47-20.2(b)2",),
    shuffle_waiting=("19:47-20.2(b)3",),
    alternate=("19:47-20.2(b)4",),
    shuffle=("19:47-20.5(a)",),
    cut=("19:47-20.5(b)2", "19:47-20.5(c)1"),
    cut_depth=("19:47-20.5(c)1ii",),
    recut=("19:47-20.5(d)",),
    idle=("19:47-20.5(e)",),
    age=("19:47-20.4(e)",),
    two_areas=("19:47-20.6(e)",),
    remove_device=("19:47-20.12(g)",),
    machine_only={Deal.HAND: ("19:47-20.8(b)1",)},
    collect=("19:47-20.10(c)2",),
    methods={
        Deal.MANUAL_SHOE: Method(
            load=("19:47-20.7(a)",),
            close=("19:47-20.7(b)",),
            deal=("19:47-20.7(c)",),
            stub=("19:47-20.7(d)",),
            count=("19:47-20.7(e)",),
            counted_by_machine=("19:47-20.7(f)",),
            age=8,
        ),
        Deal.HAND: Method(
            close=("19:47-20.8(b)3",),
            deal=("19:47-20.8(c)",),
            stub=("19:47-20.8(d)",),
            count=("19:47-20.8(e)",),
            counted_by_machine=("19:47-20.8(e)", "19:47-20.7(f)"),
            age=4,
        ),
        Deal.AUTOMATED_SHOE: Method(
            load=("19:47-20.9(b)1",),
            close=("19:47-20.9(b)2",),
            deal=("19:47-20.9(c)",),
            stub=("19:47-20.9(d)",),
            count=("19:47-20.9(e)",),
            counted_by_machine=("19:47-20.9(e)", "19:47-20.7(f)"),
            age=8,
        ),
    },
)

REMEDIES = {
    Irregularity.SHUFFLER_MISCOUNTED: Remedy(Order.REMOVE_DECK, ("19:47-20.7(f)",)),
    Irregularity.STUB_MISCOUNTED: Remedy(Order.VOID_REMOVE_DECK, ("19:47-20.7(e)2",)),
    Irregularity.FACE_UP: Remedy(Order.DISCARD_CARD, ("19:47-20.12(a)",)),
    Irregularity.FACE_UP_AGAIN: Remedy(Order.VOID, ("19:47-20.12(a)",)),
    # A stack has no other card for the one that may not be used.
    Irregularity.FACE_UP_IN_STACK: Remedy(Order.VOID, ("19:47-20.12(a)", "19:47-20.12(c)")),
    Irregularity.DRAWN_IN_ERROR: Remedy(Order.USE_AS_NEXT, ("19:47-20.12(b)",)),
    Irregularity.WRONG_NUMBER: Remedy(Order.VOID, ("19:47-20.12(c)",)),
    Irregularity.STACK_SIZE: Remedy(Order.VOID, ("19:47-20.12(c)",)),
    Irregularity.DEALER_CARD_SEEN: Remedy(Order.VOID, ("19:47-20.12(d)",)),
    Irregularity.SHUFFLER_FAILED: Remedy(Order.RESHUFFLE, ("19:47-20.12(e)",)),
    Irregularity.SHOE_FAILED: Remedy(Order.VOID, ("19:47-20.12(f)",)),
    Irregularity.NOTHING_DISPENSED: Remedy(Order.VOID, ("19:47-20.12(f)",)),
}


@dataclass(frozen=True, slots=True)
class Options:
    """How the text is read where it is silent."""

    tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST
    draw: Draw = Draw.PUSH


WAYS = (
    Way({"deal": "manual_shoe"}),
    Way({"deal": "manual_shoe", "machine_shuffle": False, "shuffler_counts": False}),
    Way({"deal": "hand", "shuffler_counts": False}),
    Way({"deal": "hand", "decks": ["red", "blue"]}, {"tie_break": "literal", "draw": "lose"}),
    Way({"deal": "automated_shoe"}),
    Way({"deal": "automated_shoe", "decks": ["red", "blue"], "shuffler_counts": False}),
)


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check = partial(check_bets, BETS, house, SEATS, ("19:47-20.6(b)",))
    return Procedure("three_card_poker", deck(), SEATS, RULES, REMEDIES, script, check)


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """From the shuffle to the last wager."""
    yield from ready_deck(play)
    yield from close_betting(play)
    places = (*play.seats, DEALER)
    if by_stacks(play):
        yield from dispense(play, [Stack(place, HAND) for place in places])
    else:
        yield from deal_cards(play, places * HAND)
    yield from rack_stub(play)
    folded = yield from _play_or_fold(play)
    yield from expose(play, DEALER, ("19:47-20.10(b)",))
    for seat in play.counterclockwise:
        if seat not in folded:
            yield from expose(play, seat, ("19:47-20.10(b)",))
    return losers_first(row for seat in play.counterclockwise for row in _settle(play, seat, seat in folded))


def _play_or_fold(play: Play) -> Script[set[int]]:
    """Who made an ante stakes as much again, or gives up all wagers: 20.10(b)."""
    folded = set()
    for seat in play.seats:
        if play.stake(seat, "ante"):
            told = yield from decide(play, seat, "play or fold", ("play", "fold"), ("19:47-20.10(b)",))
            if told.choice == "fold":
                folded.add(seat)
    return folded


def _settle(play: Play, seat: int, folded: bool) -> list[Settlement]:
    hand, dealer = play.hand(seat), play.hand(DEALER)
    ante, pair_plus = play.stake(seat, "ante"), play.stake(seat, "pair_plus")
    rows = []
    if ante:
        options = play.options
        contest = fold(ante) if folded else settle_contest(hand, dealer, ante, options.tie_break, options.draw)
        outcome = contest.outcome.value
        rows.append(Settlement(seat, "ante", ante, outcome, contest.ante_net, contest.rules))
        if not folded:
            rows.append(Settlement(seat, "play", ante, outcome, contest.play_net, contest.rules))
            if contest.ante_bonus_net:
                rows.append(Settlement(seat, "ante_bonus", ante, "win", contest.ante_bonus_net, contest.rules))
    if pair_plus:
        paid = settle_pair_plus(hand, pair_plus, folded=folded)
        rows.append(Settlement(seat, "pair_plus", pair_plus, "win" if paid.net > 0 else "lose", paid.net, paid.rules))
    return rows


GAME = Game(
    name="three_card_poker",
    title="Three Card Poker",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    bets=lambda options: BETS,
    stacks=(HAND,),
)
