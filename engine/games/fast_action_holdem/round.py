"""A round of Fast Action Hold'em: 21.4 to 21.8. What follows 21.8(j) is cut off, and custom here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial

from feltrig.engine import asks, tells
from feltrig.engine.asks import Rules
from feltrig.engine.cards import Card, deck, rank, suit
from feltrig.engine.games.fast_action_holdem import settlement
from feltrig.engine.games.fast_action_holdem.houseway import DEALT, is_natural
from feltrig.engine.games.fast_action_holdem.houseway import house_way as dealer_way
from feltrig.engine.games.fast_action_holdem.ranking import COMMUNITY, KEPT, TieBreak, best_of_seven
from feltrig.engine.games.game import Game
from feltrig.engine.rulings import Order
from feltrig.engine.table.dealing import burn, deal_cards
from feltrig.engine.table.house import DEALER, Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.play import Place, Play, Procedure
from feltrig.engine.table.positions import clockwise, next_button
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script, hear
from feltrig.engine.table.setting import set_hands
from feltrig.engine.table.starting import read_button
from feltrig.engine.table.steps import close_betting, decide, expose, ready_shoe, reveal
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = 6
"""Outside the rule text."""

BETS = (Bet("wager", ("19:47-21.6(a)",), required=True),)
"""A player who splits makes a second one later: 21.8(c)."""

BURN = ("19:47-21.7(a)",)
CHOICES = ("keep two", "split", "surrender")
CHOOSE = ("19:47-21.8(a)", "19:47-21.8(c)", "19:47-21.8(f)")

RULES = TableRules(
    deck=("19:47-21.2(a)",),
    deck_counts=(1,),
    shuffle=("19:47-21.5(a)",),
    cut=("19:47-21.5(b)2", "19:47-21.5(c)", "19:47-21.5(d)"),
    cut_depth=("19:47-21.5(e)",),
    idle=("19:47-21.5(h)",),
    age=("19:47-21.4(e)",),
    methods={
        Deal.MANUAL_SHOE: Method(
            load=("19:47-21.5(f)",),
            close=("19:47-21.7(b)",),
            deal=("19:47-21.7(c)",),
            age=24,  # a gaming day
        )
    },
)

REMEDIES = {Irregularity.CUTTING_CARD_SEEN: Remedy(Order.LAST_ROUND, ("19:47-21.7(d)", "19:47-21.5(g)"))}
"""The rest of the irregularities is cut off."""


class Decks(Enum):
    """How many decks are in the shoe: 21.2(a)."""

    EIGHT = 8
    SIX = 6


@dataclass(frozen=True, slots=True)
class Options:
    """The licensee's shoe, and how the text is read or filled in."""

    decks: Decks = Decks.EIGHT
    copies: settlement.Copies = settlement.Copies.PUSH
    """Outside the rule text: FAH-01."""
    tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST


BY_HAND = {"deal": "manual_shoe", "machine_shuffle": False, "shuffler_counts": False}

WAYS = (
    Way({"deal": "manual_shoe"}),
    Way(BY_HAND, {"decks": 6}),
    Way({"deal": "manual_shoe", "shuffler_counts": False}, {"copies": "dealer_wins"}),
    Way(BY_HAND, {"tie_break": "literal"}),
)


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check = partial(check_bets, BETS, house, SEATS, ("19:47-21.6(a)",))
    shoe = deck() * options.decks.value
    quarter = len(shoe) // 4  # 21.5(f)
    return Procedure(
        "fast_action_holdem", shoe, SEATS, RULES, REMEDIES, script, check, cut_offer, behind_cutting_card=quarter
    )


def house_way(options: Options, cards: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The two cards that are kept and the two that are discarded, as the dealer would: 21.8(i)."""
    kept = dealer_way(cards).kept
    rest = list(cards)
    for card in kept:
        rest.remove(card)
    return kept, tuple(rest)


def cut_offer(play: Play) -> tuple[int, ...]:
    """Who is offered the cut, and then all others clockwise: 21.5(c), (d)."""
    if play.memory.start_of_game:
        first = play.first_player or DEALER
    else:
        # Nobody's hand met it: the dealer's did, or a card for all, or the house wanted a shuffle.
        first = play.memory.own.get("cutting_card_at", DEALER) or min(play.wagers, default=DEALER)
    return tuple(sorted(play.wagers, key=lambda seat: (seat > first, -seat)))


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """From the shuffle to the last wager."""
    if play.memory.start_of_game:
        play.memory.own["marker"] = DEALER  # 21.7(b)
    yield from ready_shoe(play, BURN)
    play.memory.own.pop("cutting_card_at", None)
    yield from close_betting(play)
    yield from read_button(play, _marker(play), ("19:47-21.7(b)",))
    yield from ready_shoe(play, BURN)  # a dealer who has come since burns a card, too
    yield from _deal_four(play)
    playing = yield from _set_players(play)
    yield from expose(play, DEALER, ("19:47-21.8(g)",))
    if is_natural(play.hand(DEALER)):
        rest = [row for seat in play.counterclockwise if seat in playing for row in _collected(play, seat)]
    else:
        kept = yield from _set_dealer(play)
        board = yield from _deal_community(play)
        for seat in play.counterclockwise:  # outside the rule text from here
            if seat in playing:
                yield from expose(play, seat, ())
        rest = list(losers_first(_showdown(play, playing, kept, board)))
    play.memory.own["marker"] = next_button(_marker(play))  # 21.7(b)
    return (*play.settled, *rest)


def _marker(play: Play) -> int:
    return int(play.memory.own["marker"])


def _deal_four(play: Play) -> Script[None]:
    """Single cards clockwise from the marker, to the dealer and to everybody with a wager: 21.7(c)."""
    places = [place for place in clockwise(_marker(play)) if place == DEALER or place in play.wagers]
    yield from _deal(play, places * DEALT, play.method.deal)


def _deal(play: Play, places: Iterable[Place], rules: Rules) -> Script[None]:
    def note(place: Place) -> None:
        """On whose box the cutting card appeared is asked at the next cut: 21.5(c)2, 3."""
        if play.memory.shoe.rounds_left is not None:
            play.memory.own.setdefault("cutting_card_at", place if isinstance(place, int) else DEALER)

    yield from deal_cards(play, places, rules, note)


# The players


@dataclass(frozen=True, slots=True)
class Hand:
    """Two cards that play for a wager."""

    bet: str
    cards: tuple[Card, ...]


def _set_players(play: Play) -> Script[dict[int, tuple[Hand, ...]]]:
    """Naturals are paid; who goes on has one hand, or two."""
    playing: dict[int, tuple[Hand, ...]] = {}
    for seat in play.seats:
        if is_natural(play.hand(seat)):
            yield from _pay_natural(play, seat)
            continue
        stake = play.stake(seat, "wager")
        told = yield from decide(play, seat, "the hand", CHOICES, CHOOSE, amounts={"split": (stake, stake)})
        if told.choice == "surrender":
            yield from _give_up(play, seat)
        elif told.choice == "split":
            laid = yield from set_hands(play, seat, ("19:47-21.8(c)",), _two_and_two)
            play.wagers[seat]["split"] = stake
            playing[seat] = (Hand("wager", laid.high), Hand("split", laid.low))
        else:
            laid = yield from set_hands(play, seat, ("19:47-21.8(a)", "19:47-21.8(e)"), _two_and_two)
            playing[seat] = (Hand("wager", laid.high),)
    return playing


def _two_and_two(laid: tells.HandSet) -> Irregularity | None:
    """Two cards are kept and two discarded, or played for the second wager."""
    return None if len(laid.high) == len(laid.low) == KEPT else Irregularity.MIS_SET


def _pay_natural(play: Play, seat: int) -> Script[None]:
    """It is shown, paid at once, and its cards are racked: 21.8(b)."""
    yield from expose(play, seat, ("19:47-21.8(b)",))
    stake = play.stake(seat, "wager")
    play.settled.append(
        Settlement(seat, "wager", stake, "win", settlement.natural_net(stake), ("19:47-21.8(b)",), "natural")
    )
    yield from hear(asks.CollectUnbet((seat,), ("19:47-21.8(b)",)))


def _give_up(play: Play, seat: int) -> Script[None]:
    """Half of the wager and all four cards are collected: 21.8(f)."""
    stake = play.stake(seat, "wager")
    play.settled.append(
        Settlement(seat, "wager", stake, "surrender", settlement.surrender_net(stake), ("19:47-21.8(f)",))
    )
    yield from hear(asks.CollectUnbet((seat,), ("19:47-21.8(f)",)))


# The dealer


def _set_dealer(play: Play) -> Script[tuple[Card, ...]]:
    """The dealer keeps two cards by the house way: 21.8(g), (i)."""
    way = dealer_way(play.hand(DEALER))

    def judge(laid: tells.HandSet) -> Irregularity | None:
        return None if _worth(laid.high) == _worth(way.kept) else Irregularity.MIS_SET

    laid = yield from set_hands(play, DEALER, ("19:47-21.8(g)", *way.rules), judge, house_way=True)
    return laid.high


def _worth(cards: Sequence[Card]) -> tuple[list[int], int]:
    """What the house way goes by: of three of a kind it is all one which two are kept, when no two are suited."""
    return sorted(map(rank, cards)), len(set(map(suit, cards)))


def _deal_community(play: Play) -> Script[tuple[Card, ...]]:
    """A card is burned, then five are dealt face up from the dealer's left: 21.8(j)."""
    rules = ("19:47-21.8(j)",)
    yield from burn(play, rules)
    areas = [f"community.{number}" for number in range(1, COMMUNITY + 1)]
    for area in areas:
        yield from _deal(play, (area,), rules)
        yield from reveal(play, area, rules)
    return tuple(card for area in areas for card in play.hand(area))


# The wagers


def _collected(play: Play, seat: int) -> list[Settlement]:
    """What a dealer's natural takes: the original wager only, 21.8(h)."""
    stake, split = play.stake(seat, "wager"), play.stake(seat, "split")
    found = settlement.dealer_natural(stake, split)
    rows = [Settlement(seat, "wager", stake, "lose", -found.collected, found.rules)]
    if found.returned:
        rows.append(Settlement(seat, "split", split, "push", 0, found.rules))
    return rows


def _showdown(
    play: Play, playing: dict[int, tuple[Hand, ...]], kept: tuple[Card, ...], board: tuple[Card, ...]
) -> list[Settlement]:
    """Each hand against the dealer's, each with the community cards. Only the ranking is in the rule text."""
    dealer, options = best_of_seven(kept, board), play.options
    rows = []
    for seat in play.counterclockwise:
        for hand in playing.get(seat, ()):
            mine, stake = best_of_seven(hand.cards, board), play.stake(seat, hand.bet)
            found = settlement.settle(mine, dealer, stake, settlement.Showdown(options.copies), options.tie_break)
            name = mine.category.name.lower()
            rows.append(Settlement(seat, hand.bet, stake, found.outcome.value, found.net, found.rules, name))
    return rows


GAME = Game(
    name="fast_action_holdem",
    title="Fast Action Hold'em",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    bets=lambda options: BETS,
    own_roles={"settlement": "19:47-21.3(b)"},
    house_way=house_way,
)
