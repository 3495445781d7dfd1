"""A round of Pai Gow with tiles: 10.2 to 10.4. Wagers, deal and settlement (10.5 and on) are cut off, and custom here.

A tile travels as the number of its place in the whole set, as a card does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial

from feltrig.engine import asks, tells
from feltrig.engine.cards import Card
from feltrig.engine.games.game import Game
from feltrig.engine.games.pai_gow.houseway import strong_low
from feltrig.engine.games.pai_gow.ranking import ZeroZero, set_fault
from feltrig.engine.games.pai_gow.settlement import settle
from feltrig.engine.games.pai_gow.tiles import STACK_SIZE, STACKS, Tile, tile_set
from feltrig.engine.rulings import Order
from feltrig.engine.table.commission import Rounding
from feltrig.engine.table.dealing import deal_cards, deliver_stacks
from feltrig.engine.table.house import DEALER, Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.places import stack_place
from feltrig.engine.table.play import Play, Procedure
from feltrig.engine.table.positions import SEATS as POSITIONS_OF_PLAYERS
from feltrig.engine.table.positions import clockwise, counterclockwise
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script, hear
from feltrig.engine.table.setting import Hands, set_hands
from feltrig.engine.table.starting import Start, find_start
from feltrig.engine.table.steps import close_betting, expose, shuffle
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = len(POSITIONS_OF_PLAYERS)
"""Outside the rule text: six players and the dealer, which leaves one of the eight stacks for nobody."""

TILES = tile_set()
"""10.2(a)."""

BETS = (Bet("wager", (), required=True),)

RULES = TableRules(
    deck=("19:47-10.2(a)",),
    deck_counts=(1,),
    hand_only=("19:47-10.4(d)",),
    shuffle=("19:47-10.4(d)",),
    dice_age=("19:47-10.3(c)",),
    methods={Deal.HAND: Method(close=(), deal=("19:47-10.4(d)",))},
)

REMEDIES = {
    # There is no other tile for the one that was seen.
    Irregularity.FACE_UP: Remedy(Order.VOID, ("19:47-10.4(d)",), policy=True)
}

ROLES = {"dice": "19:47-10.3(a)", "settlement": "19:47-10.2(b)"}


class Direction(Enum):
    """Which way the stacks go around the table."""

    CLOCKWISE = "clockwise"
    COUNTERCLOCKWISE = "counterclockwise"


@dataclass(frozen=True, slots=True)
class Options:
    """How the text is read, and filled in where it is cut off."""

    zero_zero: ZeroZero = ZeroZero.HIGHEST_TILE
    equal_is_legal: bool = True
    """Whether both hands may be of one rank: PG-01."""
    delivery: Direction = Direction.CLOCKWISE
    """Outside the rule text."""
    vigorish: Rounding = Rounding.EXACT
    """Outside the rule text."""


WASHED = {"deal": "hand", "machine_shuffle": False, "shuffler_counts": False}

WAYS = (
    Way(WASHED),
    Way(WASHED, {"zero_zero": "copy", "vigorish": "round_up_to_25_cents"}),
    Way(WASHED, {"delivery": "counterclockwise", "equal_is_legal": False}),
)


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check = partial(check_bets, BETS, house, SEATS, ())
    codes = tuple(Card(code) for code in range(len(TILES)))
    return Procedure("pai_gow", codes, SEATS, RULES, REMEDIES, script, check)


def tiles(cards: Sequence[Card]) -> tuple[Tile, ...]:
    """The tiles that these numbers stand for."""
    return tuple(TILES[card] for card in cards)


def house_way(options: Options, cards: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The high and the low hand as the house sets them: outside the rule text."""
    hands = strong_low(tiles(cards))
    left = list(cards)
    high = []
    for tile in hands.high:
        high.append(next(card for card in left if TILES[card] == tile))
        left.remove(high[-1])
    return tuple(high), tuple(left)


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """From the wash to the last wager."""
    yield from shuffle(play)
    play.loaded = True
    yield from deal_cards(play, [stack_place(stack) for stack in range(1, STACKS + 1) for _ in range(STACK_SIZE)])
    yield from close_betting(play)
    start = yield from find_start(play, Start.DICE, ("19:47-10.3(a)",))
    yield from _deliver(play, start)
    hands = yield from _set_all(play)
    yield from expose(play, DEALER, ())
    for seat in play.counterclockwise:
        yield from expose(play, seat, ())
    return losers_first(_settle(play, seat, hands) for seat in play.counterclockwise)


# Outside the rule text


def _deliver(play: Play, start: int) -> Script[None]:
    """The stack farthest to the dealer's left goes to the starting position; the last one goes to nobody."""
    around = clockwise(start) if play.options.delivery is Direction.CLOCKWISE else counterclockwise(start)
    yield from deliver_stacks(play, enumerate(around, start=1), ())
    unbet = tuple(seat for seat in POSITIONS_OF_PLAYERS if seat not in play.wagers)
    if unbet:
        yield from hear(asks.CollectUnbet(unbet, ()))


def _set_all(play: Play) -> Script[dict[int, Hands[Tile]]]:
    """The players set their hands, and the dealer by the house way after them."""

    def foul(laid: tells.HandSet) -> Irregularity | None:
        fault = set_fault(tiles(laid.high), tiles(laid.low), play.options.equal_is_legal)
        return Irregularity.FOUL if fault else None

    def mis_set(laid: tells.HandSet) -> Irregularity | None:
        # Like tiles of a set are not told apart.
        way = [sorted(tiles(hand)) for hand in house_way(play.options, play.hand(DEALER))]
        return None if way == [sorted(tiles(laid.high)), sorted(tiles(laid.low))] else Irregularity.MIS_SET

    high, low = "19:47-10.1[High hand]", "19:47-10.1[Second highest or low hand]"
    rules = ("19:47-10.1[Setting the hands]", high, low)
    hands = {}
    for seat in play.seats:
        laid = yield from set_hands(play, seat, rules, foul)
        hands[seat] = Hands(tiles(laid.high), tiles(laid.low))
    laid = yield from set_hands(play, DEALER, rules, mis_set, house_way=True)
    hands[DEALER] = Hands(tiles(laid.high), tiles(laid.low))
    return hands


def _settle(play: Play, seat: int, hands: dict[int, Hands[Tile]]) -> Settlement:
    stake, options = play.stake(seat, "wager"), play.options
    found = settle(
        hands[seat],
        hands[DEALER],
        stake,
        options.vigorish.value,
        equal_is_legal=options.equal_is_legal,
        zero_zero=options.zero_zero,
    )
    return Settlement(seat, "wager", stake, found.outcome.value, found.net, found.rules)


GAME = Game(
    name="pai_gow",
    title="Pai Gow",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    bets=lambda options: BETS,
    own_roles=ROLES,
    start=lambda options: Start.DICE,
    house_way=house_way,
)
