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
from typing import TYPE_CHECKING, Any

from feltrig.engine import tells
from feltrig.engine.asks import Rules
from feltrig.engine.rulings import Order, Ruling
from feltrig.engine.table import conditions as when
from feltrig.engine.tells import Tell

if TYPE_CHECKING:
    from feltrig.engine.table.play import Play


class Irregularity(Enum):
    """What can go wrong: in words, what the rig orders where no rule does, and the kind of device whose fault it is.

    The rig's own policy conserves the cards and lets nobody profit from an error.
    """

    SHUFFLER_FAILED = "the shuffle was not completed", Order.RESHUFFLE, "shuffler", True
    SHUFFLER_MISCOUNTED = "the shuffler counted no full deck", Order.REMOVE_DECK, "shuffler"
    DECK_MISCOUNTED = "this is no full deck", Order.REMOVE_DECK
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
    NUMBER_OUT_OF_RANGE = "the number displayed is no position", Order.SELECT_AGAIN, "rng"
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

    when: Callable[["Play", Any], bool]
    """Looks at the round and at what was just seen; changes nothing."""
    what: Irregularity | str
    """An irregularity of any table, or in words what only this game knows."""
    order: Order | None = None
    """None: as the game's remedies have it, or else the rig's policy."""
    rules: Cited = ()
    policy: bool = False
    """No clause orders this; the rig does."""
    if_ordered: bool = False
    """It counts only where the game's remedies speak of it."""

    def applies(self, play: "Play", seen: Tell) -> bool:
        """Whether this went wrong."""
        return (not self.if_ordered or self.what in play.procedure.remedies) and self.when(play, seen)

    def ruling(self, play: "Play", seen: Tell) -> Ruling:
        """The order as given for this observation."""
        rules = self.rules(play, seen) if callable(self.rules) else self.rules
        position = when.position_of(play, seen)
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


_SEEN_EARLY = (
    Row(when.dealer_card_seen, Irregularity.DEALER_CARD_SEEN),
    Row(when.player_card_seen, Irregularity.PLAYER_CARD_SEEN),
    Row(when.shared_card_seen, Irregularity.SHARED_CARD_SEEN),
)

TABLE: Mapping[type[Tell], tuple[Row, ...]] = {
    tells.ShufflerFailed: (Row(when.always, Irregularity.SHUFFLER_FAILED),),
    tells.Shuffled: (
        Row(when.machine_miscounted, Irregularity.SHUFFLER_MISCOUNTED),
        Row(when.miscounted, Irregularity.DECK_MISCOUNTED),
    ),
    tells.RecutOrdered: (Row(when.always, Irregularity.RECUT_ORDERED, rules=when.of_the_recut),),
    tells.CuttingCardSeen: (Row(when.always, Irregularity.CUTTING_CARD_SEEN),),
    tells.DiceRolled: (
        Row(when.lid_by_another, Irregularity.LID_BY_ANOTHER, rules=when.of_the_ask),
        Row(when.die_fell_out, Irregularity.DIE_FELL_OUT, rules=when.of_the_ask),
        Row(when.not_three_dice, Irregularity.NOT_THREE_DICE, rules=when.of_the_ask),
        Row(when.die_not_flat, Irregularity.DIE_NOT_FLAT, rules=when.of_the_ask),
        Row(when.shaken_too_little, Irregularity.SHAKEN_TOO_LITTLE, rules=when.of_the_ask),
    ),
    tells.NumberSelected: (Row(when.out_of_range, Irregularity.NUMBER_OUT_OF_RANGE, rules=when.of_the_ask),),
    tells.ButtonSeen: (Row(when.button_astray, Irregularity.BUTTON_ASTRAY, rules=when.of_the_ask),),
    tells.CardDrawnInError: (
        Row(when.strange_draw, Irregularity.STRANGE_CARD),
        Row(when.always, Irregularity.DRAWN_IN_ERROR),
    ),
    tells.CardBurned: (Row(when.strange_card, Irregularity.STRANGE_CARD),),
    tells.CardDealt: (
        Row(when.strange_card, Irregularity.STRANGE_CARD),
        Row(when.face_up_again, Irregularity.FACE_UP_AGAIN, if_ordered=True),
        Row(when.face_up, Irregularity.FACE_UP),
        Row(when.misplaced, Irregularity.MISPLACED, rules=when.of_the_deal),
        *_SEEN_EARLY,
    ),
    tells.ShoeFailed: (Row(when.always, Irregularity.SHOE_FAILED),),
    tells.StackDispensed: (
        Row(when.nothing_dispensed, Irregularity.NOTHING_DISPENSED),
        Row(when.strange_stack, Irregularity.STRANGE_CARD),
        Row(when.several_face_up, Irregularity.FACE_UP_AGAIN),
        Row(when.one_face_up, Irregularity.FACE_UP_IN_STACK),
        Row(when.wrong_size, Irregularity.STACK_SIZE),
        Row(when.misplaced, Irregularity.MISPLACED, rules=when.of_the_deal),
    ),
    tells.StackDelivered: (
        Row(when.second_stack, Irregularity.WRONG_NUMBER),
        Row(when.misdelivered, Irregularity.MISPLACED, rules=when.of_the_ask),
    ),
    tells.StubRacked: (
        Row(when.stub_miscounted, Irregularity.STUB_MISCOUNTED),
        Row(when.stub_strange, Irregularity.STUB_STRANGE),
    ),
    tells.CardExposed: (
        Row(when.shown_before_bets, Irregularity.SHOWN_BEFORE_BETS, if_ordered=True),
        Row(when.strange_next_card, Irregularity.STRANGE_CARD),
        Row(when.next_card_seen, Irregularity.NEXT_CARD_SEEN),
        *_SEEN_EARLY,
    ),
    tells.CardsCollected: (Row(when.miscollected, Irregularity.MISCOLLECTED),),
}


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
