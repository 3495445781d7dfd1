"""A round of Red Dog: 6.3 to 6.9."""

from dataclasses import dataclass
from functools import partial

from feltrig.engine import asks
from feltrig.engine.cards import deck
from feltrig.engine.games.game import Game
from feltrig.engine.games.red_dog.settlement import Opening, RaiseAmount, opening, settle
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.dealing import deal_card
from feltrig.engine.table.house import Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.play import Play, Procedure
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script, hear
from feltrig.engine.table.steps import close_betting, decide, load, ready_shoe, shuffle
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = 7
LEFT, MIDDLE, RIGHT = "box.left", "box.middle", "box.right"

BETS = (Bet("wager", ("19:47-6.5(a)",), required=True),)

RULES = TableRules(
    deck=("19:47-6.1(a)",),
    shuffle=("19:47-6.3(a)",),
    cut=("19:47-6.3(b)",),
    cut_depth=("19:47-6.3(c)",),
    recut=("19:47-6.3(d)",),
    two_areas=("19:47-6.8",),
    collect=("19:47-6.5(j)",),
    deck_counts=(1,),
    methods={Deal.MANUAL_SHOE: Method(load=("19:47-6.3(c)",), close=("19:47-6.5(a)",), deal=("19:47-6.5(c)",))},
)

REMEDIES = {
    Irregularity.FACE_UP: Remedy(Order.DISCARD_CARD, ("19:47-6.7(a)",)),
    Irregularity.DRAWN_IN_ERROR: Remedy(Order.USE_AS_NEXT, ("19:47-6.7(b)",)),
    Irregularity.NEXT_CARD_SEEN: Remedy(Order.DISCARD_CARD, ("19:47-6.7(c)",)),
    Irregularity.CUTTING_CARD_SEEN: Remedy(Order.LAST_ROUND, ("19:47-6.5(k)",)),
}


@dataclass(frozen=True, slots=True)
class Options:
    """How many decks, from which shoe, and how the text is read."""

    decks: int = 1
    raise_amount: RaiseAmount = RaiseAmount.UP_TO
    continuous: bool = False
    """A device returns the cards after every round and shuffles them: 6.9."""

    def __post_init__(self) -> None:
        if self.decks < 1:
            raise Illegal(f"{self.decks} decks: expected one or more", "19:47-6.1(a)")


_BY_HAND = {"deal": "manual_shoe", "machine_shuffle": False, "shuffler_counts": False}

WAYS = (
    Way(_BY_HAND),
    Way(_BY_HAND, {"decks": 6}),
    Way(_BY_HAND, {"decks": 2, "raise_amount": "exactly_equal"}),
    Way(_BY_HAND, {"decks": 4, "continuous": True}),
)


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check = partial(check_bets, BETS, house, SEATS, ("19:47-6.5(b)",))
    cards = deck() * options.decks
    return Procedure(
        "red_dog",
        cards,
        SEATS,
        RULES,
        REMEDIES,
        script,
        check,
        cut_offer=_cut_offer,
        next_area=_awaited,
        behind_cutting_card=0 if options.continuous else len(cards) // 4,
    )


def _cut_offer(play: Play) -> tuple[int, ...]:
    """The first player when the game begins; later the far right, then clockwise: 6.3(b)."""
    if play.memory.start_of_game:
        return (play.first_player,) if play.first_player in play.wagers else ()
    first, *others = play.counterclockwise
    return (first, *reversed(others))


def _awaited(play: Play) -> str | None:
    """The third card may not be seen until the raises are closed: 6.7(c)."""
    return MIDDLE if play.own.get("raising") else None


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """From the shuffle to the last wager."""
    if play.options.continuous:
        yield from shuffle(play)
        yield from load(play)
    else:
        yield from ready_shoe(play, ("19:47-6.4(a)",))
    yield from close_betting(play)
    yield from deal_card(play, LEFT, ("19:47-6.5(c)",))
    yield from deal_card(play, RIGHT, ("19:47-6.5(c)",))
    play.seen.update((LEFT, RIGHT, MIDDLE))  # all cards are dealt face up
    (first,), (second,) = play.hand(LEFT), play.hand(RIGHT)
    raised: dict[int, int] = {}
    voided: set[int] = set()
    match opening(first, second):
        case Opening.PAIR:
            yield from deal_card(play, MIDDLE, ("19:47-6.5(f)",))
        case Opening.SPREAD:
            raised = yield from _raise(play)
            voided = yield from _go_on_or_void(play)
            yield from hear(asks.CallNoMoreBets(("19:47-6.5(i)",)))
            yield from deal_card(play, MIDDLE, ("19:47-6.5(i)",))
    return losers_first(_settle(play, seat, raised.get(seat, 0), seat in voided) for seat in play.counterclockwise)


def _raise(play: Play) -> Script[dict[int, int]]:
    """On a spread each player may raise, up to the wager: 6.5(h)."""
    raised = {}
    play.own["raising"] = True
    for seat in play.seats:
        stake = play.stake(seat, "wager")
        least = stake if play.options.raise_amount is RaiseAmount.EXACTLY_EQUAL else 1
        told = yield from decide(
            play,
            seat,
            "raise",
            ("stand", "raise"),
            ("19:47-6.5(h)",),
            cards=(*play.hand(LEFT), *play.hand(RIGHT)),
            amounts={"raise": (least, stake)},
        )
        if told.amount is not None:
            raised[seat] = told.amount
    play.own["raising"] = False
    return raised


def _go_on_or_void(play: Play) -> Script[set[int]]:
    """When the third card was seen too early, every player chooses: 6.7(c)."""
    voided = set()
    if play.next_card_seen:
        for seat in play.seats:
            told = yield from decide(play, seat, "go on", ("go on", "void"), ("19:47-6.7(c)",))
            if told.choice == "void":
                voided.add(seat)
    return voided


def _settle(play: Play, seat: int, raised: int, void: bool) -> Settlement:
    stake = play.stake(seat, "wager")
    if void:
        return Settlement(seat, "wager", stake + raised, "void", 0, ("19:47-6.7(c)",))
    (first,), (second,), third = play.hand(LEFT), play.hand(RIGHT), next(iter(play.hand(MIDDLE)), None)
    settled = settle(first, second, third, stake, raised, play.options.raise_amount)
    return Settlement(seat, "wager", stake + raised, settled.outcome.value, settled.net, settled.rules)


GAME = Game(
    name="red_dog",
    title="Red Dog",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    bets=lambda options: BETS,
    own_roles={"settlement": "19:47-6.5(i)2"},
)
