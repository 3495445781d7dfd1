"""What goes wrong at a table, and what is ordered then. Three tables, each of which a person can check with a finger:

* `Irregularity` names what can go wrong at any table, the device that it speaks against, and what the rig orders where
  a game's text is silent.
* `TABLE` says how each is recognised: by kind of observation, one `Row` per irregularity, with its condition.
* A game's `Procedure.remedies` says what its own rules order for an irregularity. A game whose rules are finer puts
  rows of its own, with order and rules, in place of those of `TABLE`: `Procedure.irregularities`.

`judge` goes through the rows of an observation, in order, up to the first whose order undoes what was seen.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any

from feltrig.engine import tells
from feltrig.engine.asks import Rules
from feltrig.engine.rulings import Order, Ruling
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.places import asked_place, position_of, shown, went
from feltrig.engine.tells import Tell

if TYPE_CHECKING:
    from feltrig.engine.table.play import Play


DICE = 3


class Irregularity(Enum):
    """What can go wrong: in words, what the rig orders where no rule does, and the kind of device whose fault it is.

    The rig's own policy conserves the cards and lets nobody profit from an error.
    """

    SHUFFLER_FAILED = "the shuffle was not completed", Order.RESHUFFLE, "shuffler", True
    SHUFFLER_MISCOUNTED = "the shuffler counted no full deck", Order.REMOVE_DECK, "shuffler"
    DECK_MISCOUNTED = "this is not a full deck", Order.REMOVE_DECK
    SHOE_FAILED = "the shoe did not deal all cards", Order.VOID, "shoe", True
    NOTHING_DISPENSED = "the shoe dispensed nothing", Order.VOID, "shoe", True
    STACK_SIZE = "the shoe dispensed a stack of a wrong size", Order.VOID, "shoe"
    STRANGE_CARD = "a card that is not in the deck, or was seen before", Order.VOID_REMOVE_DECK
    FACE_UP = "a card lay face up", Order.DISCARD_CARD
    FACE_UP_AGAIN = "more than one card lay face up", Order.VOID
    FACE_UP_IN_STACK = "a card lay face up in a stack, which leaves a hand without its cards", Order.VOID
    DRAWN_IN_ERROR = "a card was drawn in error, not exposed", Order.USE_AS_NEXT
    WRONG_NUMBER = "a hand has a wrong number of cards", Order.VOID
    MISPLACED = "a card went to a wrong place", Order.STANDS
    DEALER_CARD_SEEN = "a card of the dealer was exposed before its time", Order.STANDS
    PLAYER_CARD_SEEN = "a card of a player was exposed before its time", Order.STANDS
    SHARED_CARD_SEEN = "a shared card was exposed before its time", Order.STANDS
    STUB_MISCOUNTED = "a wrong stub, and no hand was misdealt", Order.VOID_REMOVE_DECK
    STUB_STRANGE = "cards dealt and stub are not one deck", Order.VOID_REMOVE_DECK
    MISCOLLECTED = "no full deck was collected", Order.REMOVE_DECK
    RECUT_ORDERED = "a supervisor ordered a recut", Order.RECUT
    CUTTING_CARD_SEEN = "the cutting card came out of the shoe", Order.LAST_ROUND
    DIE_FELL_OUT = "a die fell out of the shaker", Order.NO_ROLL, "shaker"
    NOT_THREE_DICE = "these are not three dice", Order.NO_ROLL, "shaker"
    DIE_NOT_FLAT = "a die does not lie flat", Order.NO_ROLL, "shaker"
    SHAKEN_TOO_LITTLE = "shaken too few times", Order.RESHAKE
    LID_BY_ANOTHER = "the lid was not lifted by the dealer", Order.RESHAKE
    NUMBER_OUT_OF_RANGE = "the number displayed is not a position", Order.SELECT_AGAIN, "rng"
    BUTTON_ASTRAY = "the button lies at a wrong position", Order.MOVE_BUTTON
    SENSOR_WRONG = "the sensors do not show the wagers that lie there", Order.RETURN_BET
    NEXT_CARD_SEEN = "the next card was exposed before its time", Order.DISCARD_CARD
    SAME_DIRECTION = "ball and wheel went in the same direction", Order.NO_SPIN
    TOO_FEW_TURNS = "too few turns", Order.NO_SPIN
    FOREIGN_OBJECT = "a foreign object was in the wheel", Order.NO_SPIN
    BETWEEN_STOPS = "the clapper rests between two stops", Order.NO_SPIN
    DOUBLE_ZERO = "double zero on a wheel that is used as a single zero wheel", Order.NO_SPIN
    NO_RESULT = "nothing on this wheel", Order.NO_SPIN
    READER_WRONG = "the card reader says another thing than the cards", Order.STANDS
    METER_WRONG = "the meter shows less than it must", Order.STANDS
    SHOWN_BEFORE_BETS = "a card was exposed before the betting was closed", Order.VOID
    MIS_SET = "the hands are not set as the house does", Order.RESET_HANDS
    FOUL = "the hands are set foul", Order.WAGER_LOSES

    def __init__(self, why: str, policy: Order, device: str | None = None, jams: bool = False) -> None:
        self.why = why
        self.policy = policy
        self.device = device
        self.jams = jams
        """Whether the device must be cleared."""


STILL_DONE = frozenset({Order.VOID_KEEP_BONUS, Order.OFFER_VOID, Order.WAGER_LOSES, Order.STANDS, Order.LAST_ROUND})
"""Orders that leave what was seen in force: the card stays dealt, the hand stays set."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """What a game's rules order, and which of them."""

    order: Order
    rules: Rules
    policy: bool = False
    """No clause orders this; the rig does."""


Cited = Rules | Callable[["Play", Any], Rules]
"""Rules, or what finds them for a round and an observation."""


@dataclass(frozen=True, slots=True)
class Row:
    """How an irregularity is recognised, and in a game's own table also what its rules order."""

    what: Irregularity | str
    """An irregularity of any table, or in words what only this game knows."""
    order: Order | None = None
    """None: as the game's remedies have it, or else the rig's policy."""
    rules: Cited = ()
    when: Callable[[Any, Any], bool] | None = None
    """Looks at the round, whose `ask` is what it had asked for, and at what was just seen; changes nothing. None: as
    the row of `TABLE` does for this irregularity."""
    policy: bool = False
    """No clause orders this; the rig does."""
    if_ordered: bool = False
    """It counts only where the game's remedies speak of it."""

    def applies(self, play: "Play", seen: Tell) -> bool:
        """Whether this went wrong."""
        counts = not self.if_ordered or self.what in play.procedure.remedies
        when = self.when or _CONDITIONS[type(seen), self.what]
        return counts and when is not None and when(play, seen)

    def ruling(self, play: "Play", seen: Tell) -> Ruling:
        """The order as given for this observation."""
        rules = self.rules(play, seen) if callable(self.rules) else self.rules
        position = position_of(play, seen)
        if isinstance(self.what, str):
            assert self.order is not None
            return Ruling(self.order, rules, self.what, None, position, self.policy)
        remedy = None if self.order is None else Remedy(self.order, rules, self.policy)
        return ruling(play, self.what, position, rules, remedy)


def ruling(
    play: "Play", what: Irregularity, position: int | None, rules: Rules = (), remedy: Remedy | None = None
) -> Ruling:
    """What is ordered by the game's remedies, or else by the rig's policy, which then cites `rules`."""
    found = remedy or play.procedure.remedies.get(what) or Remedy(what.policy, rules or play.rules.deck, policy=True)
    return Ruling(found.order, found.rules, what.why, what.device, position, found.policy)


# Rules that the policy cites


def _of_the_ask(play: "Play", seen: object) -> Rules:
    return play.ask.rules if play.ask else ()


_cites_ask = partial(Row, rules=_of_the_ask)


def _of_the_deal(play: "Play", seen: object) -> Rules:
    return play.method.deal


# Conditions that several rows share, or that do not fit in a line


def always(play: "Play", seen: object) -> bool:
    """Nothing more is needed."""
    return True


def _wrong_count(play: "Play", seen: tells.Shuffled | tells.CardsCollected) -> bool:
    return seen.count not in (None, len(play.procedure.cards))


def _strange_card(play: "Play", seen: tells.CardDealt | tells.CardBurned) -> bool:
    return not play.holds((seen.card,))


def _misplaced(play: "Play", seen: tells.CardDealt | tells.StackDispensed) -> bool:
    return went(play, seen) != asked_place(play.ask)


def next_card_seen(play: "Play", seen: tells.CardExposed) -> bool:
    """Whether it is the card that comes next, out of the shoe too early and seen by everybody."""
    return seen.area is not None and seen.card is not None and seen.area == play.procedure.next_area(play)


def _not_three_dice(play: "Play", seen: tells.DiceRolled) -> bool:
    return len(seen.dice) != DICE or not all(1 <= die <= 6 for die in seen.dice)


def _stub_strange(play: "Play", seen: tells.StubRacked) -> bool:
    return seen.cards is not None and (len(seen.cards) != play.left or not play.holds(seen.cards))


def _miscollected(play: "Play", seen: tells.CardsCollected) -> bool:
    """A deck that is to stay was counted and is not whole. A shoe that stays for the next round is not counted."""
    return _wrong_count(play, seen) and not play.memory.shoe.ready and seen.deck not in play.decks.removed


_SEEN_EARLY = (
    Row(Irregularity.DEALER_CARD_SEEN, when=lambda play, seen: shown(seen) and went(play, seen) == DEALER),
    Row(Irregularity.PLAYER_CARD_SEEN, when=lambda play, seen: shown(seen) and isinstance(went(play, seen), int)),
    Row(Irregularity.SHARED_CARD_SEEN, when=lambda play, seen: shown(seen) and isinstance(went(play, seen), str)),
)

TABLE: Mapping[type[Tell], tuple[Row, ...]] = {
    tells.ShufflerFailed: (Row(Irregularity.SHUFFLER_FAILED, when=always),),
    tells.Shuffled: (
        Row(
            Irregularity.SHUFFLER_MISCOUNTED,
            when=lambda play, seen: play.house.machine_shuffle and _wrong_count(play, seen),
        ),
        Row(Irregularity.DECK_MISCOUNTED, when=_wrong_count),
    ),
    tells.RecutOrdered: (Row(Irregularity.RECUT_ORDERED, None, lambda play, seen: play.rules.recut, always),),
    tells.CuttingCardSeen: (Row(Irregularity.CUTTING_CARD_SEEN, when=always),),
    tells.DiceRolled: (
        _cites_ask(Irregularity.LID_BY_ANOTHER, when=lambda play, seen: seen.lid_by != "dealer"),
        _cites_ask(Irregularity.DIE_FELL_OUT, when=lambda play, seen: len(seen.dice) < DICE),
        _cites_ask(Irregularity.NOT_THREE_DICE, when=_not_three_dice),
        _cites_ask(Irregularity.DIE_NOT_FLAT, when=lambda play, seen: len(seen.flat) != DICE or not all(seen.flat)),
        _cites_ask(Irregularity.SHAKEN_TOO_LITTLE, when=lambda play, seen: seen.shakes < play.ask.shakes),
    ),
    tells.NumberSelected: (
        _cites_ask(
            Irregularity.NUMBER_OUT_OF_RANGE, when=lambda play, seen: not play.ask.low <= seen.number <= play.ask.high
        ),
    ),
    tells.ButtonSeen: (
        _cites_ask(Irregularity.BUTTON_ASTRAY, when=lambda play, seen: seen.position != play.ask.expect),
    ),
    tells.CardDrawnInError: (
        Row(Irregularity.STRANGE_CARD, when=lambda play, seen: not play.holds((*play.drawn, seen.card))),
        Row(Irregularity.DRAWN_IN_ERROR, when=always),
    ),
    tells.CardBurned: (Row(Irregularity.STRANGE_CARD, when=_strange_card),),
    tells.CardDealt: (
        Row(Irregularity.STRANGE_CARD, when=_strange_card),
        Row(Irregularity.FACE_UP_AGAIN, when=lambda play, seen: seen.face_up and play.face_up > 0, if_ordered=True),
        Row(Irregularity.FACE_UP, when=lambda play, seen: seen.face_up),
        Row(Irregularity.MISPLACED, None, _of_the_deal, _misplaced),
        *_SEEN_EARLY,
    ),
    tells.ShoeFailed: (Row(Irregularity.SHOE_FAILED, when=always),),
    tells.StackDispensed: (
        Row(Irregularity.NOTHING_DISPENSED, when=lambda play, seen: not seen.cards),
        Row(Irregularity.STRANGE_CARD, when=lambda play, seen: not play.holds(seen.cards)),
        Row(Irregularity.FACE_UP_AGAIN, when=lambda play, seen: len(seen.face_up) > 1),
        Row(Irregularity.FACE_UP_IN_STACK, when=lambda play, seen: bool(seen.face_up)),
        Row(Irregularity.STACK_SIZE, when=lambda play, seen: len(seen.cards) != play.ask.size),
        Row(Irregularity.MISPLACED, None, _of_the_deal, _misplaced),
    ),
    tells.StackDelivered: (
        Row(Irregularity.WRONG_NUMBER, when=lambda play, seen: bool(play.hand(seen.position))),
        _cites_ask(
            Irregularity.MISPLACED,
            when=lambda play, seen: (seen.stack, seen.position) != (play.ask.stack, play.ask.position),
        ),
    ),
    tells.StubRacked: (
        Row(Irregularity.STUB_MISCOUNTED, when=lambda play, seen: seen.count not in (None, play.left)),
        Row(Irregularity.STUB_STRANGE, when=_stub_strange),
    ),
    tells.CardExposed: (
        Row(Irregularity.SHOWN_BEFORE_BETS, when=lambda play, seen: not play.bets_closed, if_ordered=True),
        Row(
            Irregularity.STRANGE_CARD,
            when=lambda play, seen: next_card_seen(play, seen) and not play.holds((seen.card,)),
        ),
        Row(Irregularity.NEXT_CARD_SEEN, when=next_card_seen),
        *_SEEN_EARLY,
    ),
    tells.CardsCollected: (Row(Irregularity.MISCOLLECTED, when=_miscollected),),
}

_CONDITIONS = {(kind, row.what): row.when for kind, rows in TABLE.items() for row in rows}


def judge(play: "Play", seen: Tell) -> tuple[Ruling, ...]:
    """Note what is wrong with an observation, and return what is ordered."""
    rulings = []
    for row in play.procedure.irregularities.get(type(seen), TABLE.get(type(seen), ())):
        if row.applies(play, seen):
            given = row.ruling(play, seen)
            rulings.append(play.note(given, jams=isinstance(row.what, Irregularity) and row.what.jams))
            if given.order not in STILL_DONE:
                break
    return tuple(rulings)
