"""A round of Minibaccarat: 7.5 to 7.9."""

from functools import partial

from feltrig.engine.cards import RANKS, Card, deck, rank
from feltrig.engine.games.game import Game
from feltrig.engine.games.minibaccarat.coup import Coup, Hand, Result, next_card
from feltrig.engine.games.minibaccarat.options import Deal as Layout
from feltrig.engine.games.minibaccarat.options import Options
from feltrig.engine.games.minibaccarat.settlement import settle
from feltrig.engine.games.minibaccarat.shoe import BURN, LEAST_STOP, cut_offer
from feltrig.engine.rulings import Order
from feltrig.engine.table.dealing import burn, deal_card
from feltrig.engine.table.house import DEALER, Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.play import Play, Procedure
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script
from feltrig.engine.table.steps import close_betting, ready_shoe, reveal
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = 7
PLAYER, BANKER = Hand.PLAYER.value, Hand.BANKER.value

BETS = tuple(Bet(result.value, ("19:47-7.7(b)",)) for result in Result)

RULES = TableRules(
    deck=("19:47-7.1(a)",),
    shuffle=("19:47-7.5(b)1",),
    cut=("19:47-7.5(d)",),
    cut_depth=("19:47-7.5(e)",),
    recut=("19:47-7.5(g)",),
    collect=("19:47-7.8(e)",),
    deck_counts=(1,),
    after_cutting_card=1,
    methods={
        Deal.MANUAL_SHOE: Method(load=("19:47-7.5(f)",), close=("19:47-7.7(b)",), deal=("19:47-7.7(c)",)),
    },
)

REMEDIES = {Irregularity.CUTTING_CARD_SEEN: Remedy(Order.LAST_ROUND, ("19:47-7.8(e)",))}

LAYOUT = {
    Layout.FACE_UP: "19:47-7.7(c)1",
    Layout.UNDER_SHOE: "19:47-7.7(c)2",
    Layout.VIEWED: "19:47-7.7(c)3",
}
"""How the first four cards are laid out."""

_BY_HAND = {"deal": "manual_shoe", "machine_shuffle": False, "shuffler_counts": False}

WAYS = (
    Way(_BY_HAND),
    Way(_BY_HAND, {"decks": 6, "deal": "under_shoe"}),
    Way({**_BY_HAND, "recut_by": "next"}, {"deal": "viewed", "shuffle": "laced"}),
    Way(_BY_HAND, {"shuffle": "laced", "reshuffle_laced": True}),
)


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check = partial(check_bets, BETS, house, SEATS, ("19:47-7.7(b)",))
    return Procedure(
        "minibaccarat",
        deck() * options.decks,
        SEATS,
        RULES,
        REMEDIES,
        script,
        check,
        cut_offer=lambda play: tuple(seat for seat in cut_offer(play.wagers) if seat != DEALER),
        behind_cutting_card=LEAST_STOP,
    )


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """From the shuffle to the last wager."""
    fresh = not play.memory.shoe.ready
    yield from ready_shoe(play)
    if fresh:
        yield from _burn(play)
    yield from close_betting(play)
    coup = yield from _deal(play)
    return losers_first(_settle(play, seat, bet, coup) for seat in play.counterclockwise for bet in play.wagers[seat])


def _burn(play: Play) -> Script[None]:
    """The first card is shown, and as many more burned as it counts: 7.5(f)."""
    yield from burn(play, ("19:47-7.5(f)",), show=True)
    for _ in range(BURN[RANKS[rank(play.discarded[-1])]]):
        yield from burn(play, ("19:47-7.5(f)",), show=True)


def _deal(play: Play) -> Script[Coup]:
    options = play.options
    order: list[Card] = []
    while (hand := next_card(order, options.banker_table)) is not None:
        initial = len(order) < 4
        rules = ("19:47-7.7(c)", LAYOUT[options.deal]) if initial else ("19:47-7.8(b)", "19:47-7.8(c)")
        yield from deal_card(play, hand.value, rules)
        order.append(play.hand(hand.value)[-1])
        if len(order) == 4:
            yield from _turn(play)
    return Coup(play.hand(PLAYER), play.hand(BANKER))


def _turn(play: Play) -> Script[None]:
    """Cards that were dealt face down are turned, the Player's first; in one mode the highest bettors see them."""
    viewed = play.options.deal is Layout.VIEWED
    if play.options.deal is not Layout.FACE_UP:
        yield from reveal(play, PLAYER, ("19:47-7.7(c)3i",) if viewed else ("19:47-7.7(c)2",))
        yield from reveal(play, BANKER, ("19:47-7.7(c)3ii",) if viewed else ("19:47-7.7(c)2",))
    play.seen.update((PLAYER, BANKER))


def _settle(play: Play, seat: int, bet: str, coup: Coup) -> Settlement:
    """Outside the rule text, which ends before the payouts; the drawing of the cards is cited."""
    stake = play.stake(seat, bet)
    settled = settle(Result(bet), coup.result, stake, play.options.payouts)
    outcome = "win" if settled.net > 0 else "push" if settled.net == 0 else "lose"
    return Settlement(seat, bet, stake, outcome, settled.net, coup.rules, coup.result.value)


GAME = Game(
    name="minibaccarat",
    title="Minibaccarat",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    bets=lambda options: BETS,
    own_roles={"settlement": "19:47-7.9(b)"},
)
