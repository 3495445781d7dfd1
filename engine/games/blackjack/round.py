"""A round of Blackjack, as far as the text goes: 2.6 to 2.11."""

from dataclasses import dataclass, field
from functools import partial

from feltrig.engine import asks, tells
from feltrig.engine.cards import Card, deck
from feltrig.engine.games.blackjack import settlement
from feltrig.engine.games.blackjack.dealing import dealer_draws, dealing_ends, initial_deal, reader_asked
from feltrig.engine.games.blackjack.decisions import Decision, PlayerHand, decisions, insurance_limit
from feltrig.engine.games.blackjack.options import InsuranceUntil, Options, SecondCard
from feltrig.engine.games.blackjack.options import Shoe as ShoeKind
from feltrig.engine.games.blackjack.points import count, gives_blackjack, is_ace, may_become_blackjack
from feltrig.engine.games.blackjack.shoe import Side, Use, determine
from feltrig.engine.games.game import Game
from feltrig.engine.rulings import Order
from feltrig.engine.table.dealing import deal_card
from feltrig.engine.table.house import DEALER, Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.play import Place, Play, Procedure
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script, hear
from feltrig.engine.table.steps import close_betting, decide, ready_shoe
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = 7
DETERMINANT, APART = "determinant", "burned apart"
RED_SUITS = Side.LEFT
"""Which side of a double shoe hearts and diamonds stand for: outside the rule text, a configuration of the table."""
BEHIND = 52
"""Cards behind the cutting card: outside the rule text."""

BETS = (Bet("wager", ("19:47-2.6(e)1",), required=True),)

RULES = TableRules(
    deck=("19:47-2.6(l)2i",),
    shuffle=("19:47-2.6(l)3",),
    cut=("19:47-2.6(l)3",),
    cut_depth=("19:47-2.6(l)3",),
    collect=("19:47-2.6(i)",),
    deck_counts=(1,),
    methods={Deal.MANUAL_SHOE: Method(load=("19:47-2.6(a)",), close=("19:47-2.6(e)",), deal=("19:47-2.6(e)",))},
)

REMEDIES = {Irregularity.CUTTING_CARD_SEEN: Remedy(Order.LAST_ROUND, ("19:47-2.6(l)",))}

_BY_HAND = {"deal": "manual_shoe", "machine_shuffle": False, "shuffler_counts": False}
_NOTICED = {"surrender": True, "notices": ["surrender"]}

WAYS = (
    Way(_BY_HAND),
    Way(_BY_HAND, {**_NOTICED, "decks": 6}),
    Way(_BY_HAND, {"second_card": "face_down", "card_reader": True}),
    Way(_BY_HAND, {"second_card": "face_down", "dealer_hits_soft_17": True, "split_aces_draw": True}),
    Way(_BY_HAND, {"second_card": "face_up", "notices": ["second_card"]}),
    Way(_BY_HAND, {"shoe": "double", "splits_lose_original_only": True}),
    Way(_BY_HAND, {"consolidated_payout": True, "notices": ["consolidated_payout"]}),
    Way(_BY_HAND, {"insurance_at_decision": True, "notices": ["insurance_at_decision"], "shoe": "bart_carter"}),
)


@dataclass(slots=True)
class Box:
    """One hand of a player, with what is staked on it."""

    seat: int
    place: Place
    stake: int
    split: bool = False
    added: int = 0
    """In doubling down."""
    settled: settlement.Settlement | None = None
    """What was settled before the dealer's hand was complete."""
    surrendered: bool = False
    done: list[str] = field(default_factory=list)
    """The clauses of what was done with it."""


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check = partial(check_bets, BETS, house, SEATS, ("19:47-2.6(e)1",))
    sides = 2 if options.shoe is ShoeKind.DOUBLE else 1
    cards = deck() * (options.decks * sides)
    return Procedure("blackjack", cards, SEATS, RULES, REMEDIES, script, check, behind_cutting_card=BEHIND)


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """From the shoe to the last wager."""
    burned = ("19:47-2.6(c)",) if play.options.shoe is ShoeKind.SINGLE else ()
    yield from ready_shoe(play, burned)
    yield from close_betting(play)
    yield from _deal(play)
    boxes = [Box(seat, seat, play.stake(seat, "wager")) for seat in play.seats]
    insured: dict[int, int] = {}
    if play.options.insurance_until is not InsuranceUntil.OWN_DECISION:
        for box in boxes:
            yield from _insure(play, box, insured)
    over = yield from _dealer_has_blackjack(play)
    if not over:
        _pay_blackjacks(play, boxes, insured)
        for box in list(boxes):
            if box.settled is None:
                yield from _play_hand(play, box, boxes, insured)
    yield from _dealer_plays(play, boxes, over)
    return losers_first(_settle(play, boxes, insured))


def _deal(play: Play) -> Script[None]:
    """Two cards to each box and one or two to the dealer, face up but for a hole card: 2.6(d), (e), (j), (k)."""
    options, first_is_dealt = play.options, False
    if options.shoe is ShoeKind.DOUBLE:
        yield from deal_card(play, DETERMINANT, ("19:47-2.6(d)", "19:47-2.6(d)1"))
        (card,) = play.hands.pop(DETERMINANT)
        first_is_dealt = determine(card, Side.LEFT, RED_SUITS).use is Use.FIRST_CARD
        play.hands[play.seats[0] if first_is_dealt else APART] = [card]
    rules = {
        SecondCard.AFTER_PLAYERS: ("19:47-2.6(e)2",),
        SecondCard.FACE_DOWN: ("19:47-2.6(e)2", "19:47-2.6(j)"),
        SecondCard.FACE_UP: ("19:47-2.6(e)2", "19:47-2.6(k)"),
    }[options.second_card]
    for place in initial_deal(play.seats, options.second_card, first_is_dealt):
        own = ("19:47-2.6(e)3",) if play.hand(place) else ("19:47-2.6(e)1",)
        yield from deal_card(play, place, rules if place == DEALER else own)
    play.seen.update(play.seats)


def _upcard(play: Play) -> Card:
    return play.hand(DEALER)[0]


def _insure(play: Play, box: Box, insured: dict[int, int]) -> Script[None]:
    """Against an ace, up to half of the wager: 2.9(a), (b)."""
    options = play.options
    if options.face_up or not is_ace(_upcard(play)):
        return
    most = insurance_limit(box.stake, options.chip_unit)
    told = yield from decide(
        play,
        box.seat,
        "insurance",
        ("no insurance", "insure"),
        ("19:47-2.9(a)", "19:47-2.9(b)"),
        amounts={"insure": (options.chip_unit, most)},
    )
    if told.amount is not None:
        insured[box.seat] = told.amount


def _dealer_has_blackjack(play: Play) -> Script[bool]:
    """Whether a reader, or an open hole card, ends the deal at once: 2.6(j)1, (k)6."""
    options, hand = play.options, play.hand(DEALER)
    if len(hand) < 2:
        return False
    known = options.face_up
    if reader_asked(options, hand[0]):
        ask = asks.CheckHoleCard(gives_blackjack(*hand), ("19:47-2.6(j)",))
        seen: tells.HoleCardChecked = yield from hear(ask)
        if seen.blackjack != ask.expect:
            play.rule(Irregularity.READER_WRONG, rules=("19:47-2.6(j)",))
        known = True
    return known and bool(dealing_ends(options, *hand))


def _pay_blackjacks(play: Play, boxes: list[Box], insured: dict[int, int]) -> None:
    """A player's blackjack is paid at once against a low card, or with full insurance where that is offered."""
    upcard = _upcard(play)
    for box in boxes:
        if play.options.face_up or not count(play.hand(box.place)).blackjack:
            continue
        if play.options.consolidated_payout and settlement.consolidates(upcard, box.stake, insured.get(box.seat, 0)):
            box.settled = settlement.settle_consolidated(box.stake)
            del insured[box.seat]
        elif not may_become_blackjack(upcard):
            box.settled = settlement.settle_blackjack(upcard, None, box.stake)


RULE_OF = {
    Decision.SURRENDER: "19:47-2.8(a)",
    Decision.DOUBLE_DOWN: "19:47-2.10(a)",
    Decision.SPLIT: "19:47-2.11(a)",
    Decision.STAND: "19:47-2.6(f)",
    Decision.DRAW: "19:47-2.6(g)",
}


def _play_hand(play: Play, box: Box, boxes: list[Box], insured: dict[int, int]) -> Script[None]:
    """The player decides until the hand is complete: 2.6(f), (g)."""
    if play.options.insurance_until is InsuranceUntil.OWN_DECISION:
        yield from _insure(play, box, insured)
    while not box.surrendered:
        hand = PlayerHand(play.hand(box.place), box.split, bool(box.added))
        if len(hand.cards) == 1:  # the second card of a split hand
            yield from deal_card(play, box.place, ("19:47-2.11(b)",))
            continue
        allowed = decisions(hand, play.options)
        if not allowed:
            return
        rule = "19:47-2.11(c)" if box.split else "19:47-2.6(f)"
        told = yield from decide(
            play,
            box.seat,
            "hand" if not box.split else f"hand at {box.place}",
            tuple(decision.value for decision in allowed),
            (rule,),
            cards=hand.cards,
            amounts={Decision.DOUBLE_DOWN.value: (1, box.stake)},
        )
        chosen = Decision(told.choice)
        box.done.append(RULE_OF[chosen])
        match chosen:
            case Decision.STAND:
                return
            case Decision.SURRENDER:
                box.surrendered = True
            case Decision.DRAW:
                yield from deal_card(play, box.place, ("19:47-2.6(g)",))
            case Decision.DOUBLE_DOWN:
                box.added = told.amount or box.stake
                yield from deal_card(play, box.place, ("19:47-2.10(a)",))
            case Decision.SPLIT:
                yield from _split(play, box, boxes, insured)
                return


def _split(play: Play, box: Box, boxes: list[Box], insured: dict[int, int]) -> Script[None]:
    """Two hands, each with the same stake; the one nearer the dealer's left is finished first: 2.11(a), (b)."""
    first, second = play.hands[box.seat]
    other = Box(box.seat, f"split.{box.seat}", box.stake, split=True)
    box.split = True
    other.done.append(RULE_OF[Decision.SPLIT])
    play.hands[box.seat] = [first]
    play.hands[other.place] = [second]
    play.seen.add(other.place)
    boxes.insert(boxes.index(box) + 1, other)
    for half in (box, other):
        yield from _play_hand(play, half, boxes, insured)


def _dealer_plays(play: Play, boxes: list[Box], over: bool) -> Script[None]:
    """The dealer's second card comes when all players are done: 2.6(h). How the dealer draws is outside the text."""
    if len(play.hand(DEALER)) < 2:
        yield from deal_card(play, DEALER, ("19:47-2.6(h)",))
    play.seen.add(DEALER)
    live = [box for box in boxes if box.settled is None and not box.surrendered]
    waiting = any(not count(play.hand(box.place), box.split).bust for box in live)
    while waiting and not over and dealer_draws(play.hand(DEALER), play.options.dealer_hits_soft_17):
        yield from deal_card(play, DEALER, ("19:47-2.6(h)",))


def _settle(play: Play, boxes: list[Box], insured: dict[int, int]) -> list[Settlement]:
    rows = []
    for box in reversed(boxes):
        settled = box.settled or _judge(play, box)
        staked = box.stake + box.added
        outcome = "win" if settled.net > 0 else "push" if settled.net == 0 else "lose"
        bet = "split" if isinstance(box.place, str) else "wager"
        rules = tuple(dict.fromkeys((*settled.rules, *box.done))) or ("19:47-2.6(f)",)
        rows.append(Settlement(box.seat, bet, staked, outcome, settled.net, rules))
    second = play.hand(DEALER)[1]
    for seat, stake in sorted(insured.items()):
        paid = settlement.settle_insurance(second, stake)
        rows.append(Settlement(seat, "insurance", stake, "win" if paid.net > 0 else "lose", paid.net, paid.rules))
    return rows


def _judge(play: Play, box: Box) -> settlement.Settlement:
    """A hand that waited for the dealer's."""
    options, hand = play.options, play.hand(DEALER)
    upcard, second = hand[:2]
    player, dealer = count(play.hand(box.place), box.split), count(hand)
    staked = box.stake + box.added
    if box.surrendered:
        return settlement.settle_surrender(upcard, second, box.stake)
    if options.face_up:
        return settlement.settle_face_up(player, dealer, staked)
    if player.blackjack:
        return settlement.settle_blackjack(upcard, second, box.stake)
    if dealer.blackjack and not player.bust:
        original = 0 if isinstance(box.place, str) and options.splits_lose_original_only else box.stake
        return settlement.lost_to_blackjack(original)
    return settlement.settle_hand(player, dealer, staked)


GAME = Game(
    name="blackjack",
    title="Blackjack",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    bets=lambda options: BETS,
    own_roles={"settlement": "19:47-2.7(a)"},
)
