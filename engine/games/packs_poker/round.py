"""A round of Pack's Poker: 43.2 to 43.13."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial

from feltrig.engine import asks, tells
from feltrig.engine.cards import deck
from feltrig.engine.games.game import Game
from feltrig.engine.games.packs_poker import paytables
from feltrig.engine.games.packs_poker.hands import five_card_hands, seven_card_hands
from feltrig.engine.games.packs_poker.progressive import LEAST_RATE, settle_pack
from feltrig.engine.games.packs_poker.readings import Readings
from feltrig.engine.games.packs_poker.settlement import BonusSettlement, settle_bonus, settle_packs_bet
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.dealing import Stack, by_stacks, deal_cards, dispense
from feltrig.engine.table.house import DEALER, Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.play import Place, Play, Procedure
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script, hear
from feltrig.engine.table.steps import close_betting, expose, rack_stub, ready_deck, reveal
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = 6
HAND, PACK = 5, 2
PACKS = (1, 2, 3)
KINDS = ("five_card", "seven_card")


class Bonus(Enum):
    """How a bonus wager is offered: 43.11(b), (c)."""

    NONE = "none"
    FIXED = "fixed"
    PROGRESSIVE = "progressive"


TABLES: Mapping[tuple[str, Bonus], paytables.PayTables] = {
    ("five_card", Bonus.FIXED): paytables.FIVE_CARD,
    ("five_card", Bonus.PROGRESSIVE): paytables.FIVE_CARD_PROGRESSIVE,
    ("seven_card", Bonus.FIXED): paytables.SEVEN_CARD,
    ("seven_card", Bonus.PROGRESSIVE): paytables.SEVEN_CARD_PROGRESSIVE,
}

RULES = TableRules(
    deck=("13:69F-43.2(a)",),
    second_deck=("13:69F-43.4(a)",),
    backs=("13:69F-43.2(b)",),
    shuffle_waiting=("13:69F-43.2(c)",),
    alternate=("13:69F-43.2(d)",),
    shuffle=("13:69F-43.4(a)",),
    cut=("13:69F-43.4(a)",),
    idle=("13:69F-43.4(c)",),
    age=("13:69E-1.18(g)", "13:69E-1.18(g)2", "13:69E-1.18(g)3"),
    remove_device=("13:69F-43.13(f)",),
    deck_counts=(2,),
    machine_only=dict.fromkeys(Deal, ("13:69F-43.4(a)",)),
    collect=("13:69F-43.10(k)",),
    methods={
        Deal.MANUAL_SHOE: Method(
            load=("13:69F-43.7(a)",),
            close=("13:69F-43.7(b)",),
            deal=("13:69F-43.7(d)",),
            stub=("13:69F-43.7(f)",),
            count=("13:69F-43.7(g)",),
            counted_by_machine=("13:69F-43.7(h)",),
            age=8,
        ),
        Deal.HAND: Method(
            close=("13:69F-43.8(b)2",),
            deal=("13:69F-43.8(c)",),
            stub=("13:69F-43.8(e)",),
            count=("13:69F-43.8(f)",),
            counted_by_machine=("13:69F-43.8(g)",),
            age=4,
        ),
        Deal.AUTOMATED_SHOE: Method(
            load=("13:69F-43.9(b)1",),
            close=("13:69F-43.9(b)2",),
            deal=("13:69F-43.9(c)",),
            stub=("13:69F-43.9(e)", "13:69F-43.8(e)"),
            count=("13:69F-43.8(f)",),
            counted_by_machine=("13:69F-43.8(g)",),
            age=8,
        ),
    },
)

PACK_RULES = {
    Deal.MANUAL_SHOE: ("13:69F-43.7(e)",),
    Deal.HAND: ("13:69F-43.8(d)",),
    Deal.AUTOMATED_SHOE: ("13:69F-43.9(d)",),
}
"""How the three packs are dealt."""

REMEDIES = {
    Irregularity.SHUFFLER_MISCOUNTED: Remedy(Order.REMOVE_DECK, ("13:69F-43.7(h)",)),
    Irregularity.STUB_MISCOUNTED: Remedy(Order.VOID_REMOVE_DECK, ("13:69F-43.7(g)2",)),
    Irregularity.WRONG_NUMBER: Remedy(Order.VOID, ("13:69F-43.7(g)2",)),
    Irregularity.FACE_UP: Remedy(Order.DISCARD_CARD, ("13:69F-43.13(b)",)),
    Irregularity.FACE_UP_AGAIN: Remedy(Order.VOID, ("13:69F-43.13(b)",)),
    Irregularity.DRAWN_IN_ERROR: Remedy(Order.USE_AS_NEXT, ("13:69F-43.13(c)",)),
    Irregularity.SHUFFLER_FAILED: Remedy(Order.RESHUFFLE, ("13:69F-43.13(d)",)),
    Irregularity.SHOE_FAILED: Remedy(Order.VOID, ("13:69F-43.13(e)",)),
    Irregularity.NOTHING_DISPENSED: Remedy(Order.VOID, ("13:69F-43.13(e)",)),
    Irregularity.SHOWN_BEFORE_BETS: Remedy(Order.VOID, ("13:69F-43.13(a)",)),
}


@dataclass(frozen=True, slots=True)
class Options(Readings):
    """What the licensee elects, posts and offers, and how the text is read."""

    five_consecutive: bool = False
    """Five cards at once to each, instead of one at a time: 43.7(d), 43.8(c)."""
    packs_singly: bool = False
    """The packs are dealt one card at a time in rotation: 43.7(e), 43.8(d), 43.9(d)."""
    players_reveal: bool = True
    """The players lay out their own hands, 43.10(a)1; otherwise the dealer turns them over, 43.10(a)2."""
    no_pair_higher_pushes: bool = False
    """43.10(f)."""
    five_card: Bonus = Bonus.FIXED
    five_card_table: str = "A"
    seven_card: Bonus = Bonus.FIXED
    seven_card_table: str = "A"
    five_card_meter: int = 10_000_00
    """What the meter shows at first, and is reset to, in cents."""
    seven_card_meter: int = 50_000_00

    def __post_init__(self) -> None:
        for kind in KINDS:
            tables, letter = self.tables(kind), self.letter(kind)
            if tables is not None and letter not in tables.tables:
                expected = f"{min(tables.tables)} to {max(tables.tables)}"
                raise Illegal(f"{kind} table {letter!r}: expected {expected}", tables.clause)

    def offered(self, kind: str) -> Bonus:
        """How a bonus wager is offered."""
        return self.five_card if kind == "five_card" else self.seven_card

    def letter(self, kind: str) -> str:
        """The pay table that is posted."""
        return self.five_card_table if kind == "five_card" else self.seven_card_table

    def tables(self, kind: str) -> paytables.PayTables | None:
        """The pay tables to select from, None when the wager is not offered."""
        return TABLES.get((kind, self.offered(kind)))

    def reset(self, kind: str) -> int:
        """What a meter begins with."""
        return self.five_card_meter if kind == "five_card" else self.seven_card_meter


_TWO = {"decks": ["red", "blue"]}
_PROGRESSIVE = {"five_card": "progressive", "seven_card": "progressive"}

WAYS = (
    Way({"deal": "manual_shoe", **_TWO}),
    Way({"deal": "manual_shoe", **_TWO, "shuffler_counts": False}, {"five_consecutive": True, **_PROGRESSIVE}),
    Way({"deal": "hand", **_TWO}, {"packs_singly": True, "no_pair_higher_pushes": True, "five_card_table": "C"}),
    Way({"deal": "hand", **_TWO, "shuffler_counts": False}, {"five_card": "none", "seven_card_table": "W"}),
    Way({"deal": "automated_shoe", **_TWO}, {**_PROGRESSIVE, "players_reveal": False, "meter_share": "each"}),
    Way(
        {"deal": "automated_shoe", **_TWO},
        {"packs_singly": True, "seven_card": "none", "kickers": "category_and_group_only"},
    ),
    Way(
        {"deal": "manual_shoe", **_TWO},
        {**_PROGRESSIVE, "multiples": "to_1", "repeated_jackpot": "one_award_per_hand", "seven_card_table": "M"},
    ),
    Way({"deal": "hand", **_TWO}, {"top_hand": "royal", "single_payout": "highest_hand", "five_card_table": "E"}),
)


def bets(options: Options) -> tuple[Bet, ...]:
    """One to three bets, and the bonus wagers on offer, each with its pack: 43.6(b)."""
    main = tuple(Bet(f"pack_{pack}", ("13:69F-43.6(b)",)) for pack in PACKS)
    extra = tuple(
        Bet(f"{kind}_{pack}", ("13:69F-43.6(b)",), needs=(f"pack_{pack}",), minimum=100)
        for kind in KINDS
        if options.offered(kind) is not Bonus.NONE
        for pack in PACKS
    )
    return (*main, *extra)


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check = partial(check_bets, bets(options), house, SEATS, ("13:69F-43.6(a)",))
    return Procedure("packs_poker", deck(), SEATS, RULES, REMEDIES, script, check)


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """From the shuffle to the last wager."""
    yield from ready_deck(play)
    yield from close_betting(play)
    yield from _register(play)
    yield from _deal(play)
    yield from rack_stub(play)
    turned = "13:69F-43.10(a)1" if play.options.players_reveal else "13:69F-43.10(a)2"
    for seat in play.counterclockwise:
        yield from expose(play, seat, ("13:69F-43.10(a)", turned))
    yield from expose(play, DEALER, ("13:69F-43.10(c)",))
    settled: list[Settlement] = []
    for pack in PACKS:
        rule = "13:69F-43.10(d)" if pack == 1 else "13:69F-43.10(i)"
        yield from reveal(play, _area(pack), (rule,))
        settled += losers_first(_settle(play, pack))
    return tuple(settled)


def _register(play: Play) -> Script[None]:
    """The system shows who made progressive wagers, and the meter grows by them: 43.12(a), (b), (e)."""
    meters = play.memory.own.setdefault("meters", {})
    for kind in KINDS:
        if play.options.offered(kind) is not Bonus.PROGRESSIVE or f"{kind} registered" in play.own:
            continue
        for pack in PACKS:
            bet = f"{kind}_{pack}"
            seats = tuple(seat for seat in play.seats if play.stake(seat, bet))
            if not seats:
                continue
            seen: tells.SensorsRead = yield from hear(
                asks.CountSensors(bet, seats, ("13:69F-43.12(a)", "13:69F-43.12(c)2"))
            )
            for seat in sorted(set(seats) ^ set(seen.seats)):
                play.rule(Irregularity.SENSOR_WRONG, seat, ("13:69F-43.12(c)2",))
                play.wagers.get(seat, {}).pop(bet, None)
        wagered = sum(play.stake(seat, f"{kind}_{pack}") for seat in play.seats for pack in PACKS)
        meter = meters.get(kind, play.options.reset(kind)) + int(LEAST_RATE[kind] * wagered)
        meters[kind] = meter
        play.own[f"{kind} registered"] = True
        read: tells.MeterRead = yield from hear(asks.ReadMeter(meter, ("13:69F-43.12(b)", "13:69F-43.12(e)")))
        if read.amount < meter:
            play.rule(Irregularity.METER_WRONG, rules=("13:69F-43.12(e)",))
        meters[kind] = max(meter, read.amount)


def _deal(play: Play) -> Script[None]:
    places: tuple[Place, ...] = (*play.seats, DEALER)
    if by_stacks(play):
        yield from dispense(play, [Stack(place, HAND) for place in places])
    elif play.options.five_consecutive:
        yield from deal_cards(play, [place for place in places for _ in range(HAND)])
    else:
        yield from deal_cards(play, places * HAND)
    areas = [_area(pack) for pack in PACKS]
    order = areas * PACK if play.options.packs_singly else [area for area in areas for _ in range(PACK)]
    yield from deal_cards(play, order, PACK_RULES[play.house.deal])


def _settle(play: Play, pack: int) -> list[Settlement]:
    """All wagers that go with one pack, before the next pack: 43.12(b)."""
    shared, rows = play.hand(_area(pack)), []
    for seat in play.counterclockwise:
        bet = f"pack_{pack}"
        stake = play.stake(seat, bet)
        if stake:
            settled = settle_packs_bet(
                play.hand(seat), play.hand(DEALER), shared, stake, play.options.no_pair_higher_pushes, play.options
            )
            name = settled.player.name.lower()
            rows.append(Settlement(seat, bet, stake, settled.outcome.value, settled.net, settled.rules, name))
    for kind in KINDS:
        for seat, paid in _bonuses(play, kind, pack).items():
            stake = play.stake(seat, f"{kind}_{pack}")
            outcome = "lose" if paid.paid_as is None else "push" if paid.net == 0 else "win"
            rows.append(Settlement(seat, f"{kind}_{pack}", stake, outcome, paid.net, paid.rules, paid.paid_as))
    return rows


def _bonuses(play: Play, kind: str, pack: int) -> Mapping[int, BonusSettlement]:
    options, tables = play.options, play.options.tables(kind)
    wagers = {seat: stake for seat in play.counterclockwise if (stake := play.stake(seat, f"{kind}_{pack}"))}
    if tables is None or not wagers:
        return {}
    hands = {seat: _names(play, kind, seat, pack) for seat in wagers}
    letter = options.letter(kind)
    if options.offered(kind) is Bonus.FIXED:
        return {seat: settle_bonus(hands[seat], tables, letter, stake, options) for seat, stake in wagers.items()}
    paid: set[int] = play.own.setdefault(f"{kind} paid", set())
    meters = play.memory.own["meters"]
    settled = settle_pack(hands, tables, letter, wagers, meters[kind], options, paid)
    meters[kind] = settled.award.next_reading(options.reset(kind))
    paid.update(settled.award.payouts)
    return settled.seats


def _names(play: Play, kind: str, seat: int, pack: int) -> tuple[str, ...]:
    if kind == "five_card":
        return five_card_hands(play.hand(seat))
    return seven_card_hands((*play.hand(seat), *play.hand(_area(pack))), play.options.top_hand)


def _area(pack: int) -> str:
    return f"pack.{pack}"


GAME = Game(
    name="packs_poker",
    title="Pack's Poker",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    bets=bets,
    own_roles={"settlement": "13:69F-43.10(e)"},
    stacks=(HAND,),
)
