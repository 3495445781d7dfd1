"""What goes wrong at any card table: how it is called, and which device it speaks against.

What is ordered then, each game says in its own table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from feltrig.engine.asks import Rules
from feltrig.engine.rulings import Order


class Irregularity(Enum):
    """What can go wrong. The value says it in words."""

    SHUFFLER_FAILED = "the shuffle was not completed"
    SHUFFLER_MISCOUNTED = "the shuffler counted no full deck"
    DECK_MISCOUNTED = "this is no full deck"
    SHOE_FAILED = "the shoe did not deal all cards"
    NOTHING_DISPENSED = "the shoe dispensed nothing"
    STACK_SIZE = "the shoe dispensed a stack of a wrong size"
    STRANGE_CARD = "a card that is not in the deck, or was seen before"
    FACE_UP = "a card lay face up"
    FACE_UP_AGAIN = "more than one card lay face up"
    FACE_UP_IN_STACK = "a card lay face up in a stack, which leaves a hand without its cards"
    DRAWN_IN_ERROR = "a card was drawn in error, not exposed"
    WRONG_NUMBER = "a hand has a wrong number of cards"
    MISPLACED = "a card went to a wrong place"
    DEALER_CARD_SEEN = "a card of the dealer was exposed before its time"
    PLAYER_CARD_SEEN = "a card of a player was exposed before its time"
    SHARED_CARD_SEEN = "a shared card was exposed before its time"
    STUB_MISCOUNTED = "a wrong stub, and no hand was misdealt"
    STUB_STRANGE = "cards dealt and stub are not one deck"
    MISCOLLECTED = "no full deck was collected"
    RECUT_ORDERED = "a supervisor ordered a recut"
    CUTTING_CARD_SEEN = "the cutting card came out of the shoe"
    DIE_FELL_OUT = "a die fell out of the shaker"
    NOT_THREE_DICE = "these are not three dice"
    DIE_NOT_FLAT = "a die does not lie flat"
    SHAKEN_TOO_LITTLE = "shaken too few times"
    LID_BY_ANOTHER = "the lid was not lifted by the dealer"
    NUMBER_OUT_OF_RANGE = "the number displayed is no position"
    BUTTON_ASTRAY = "the button lies at a wrong position"
    SENSOR_WRONG = "the sensors do not show the wagers that lie there"
    NEXT_CARD_SEEN = "the next card was exposed before its time"
    SAME_DIRECTION = "ball and wheel went in the same direction"
    TOO_FEW_TURNS = "too few turns"
    FOREIGN_OBJECT = "a foreign object was in the wheel"
    BETWEEN_STOPS = "the clapper rests between two stops"
    DOUBLE_ZERO = "double zero on a wheel that is used as a single zero wheel"
    NO_RESULT = "nothing on this wheel"
    READER_WRONG = "the card reader says another thing than the cards"
    METER_WRONG = "the meter shows less than it must"
    SHOWN_BEFORE_BETS = "a card was exposed before the betting was closed"
    MIS_SET = "the hands are not set as the house does"
    FOUL = "the hands are set foul"


DEVICE: Mapping[Irregularity, str] = {
    Irregularity.SHUFFLER_FAILED: "shuffler",
    Irregularity.SHUFFLER_MISCOUNTED: "shuffler",
    Irregularity.SHOE_FAILED: "shoe",
    Irregularity.NOTHING_DISPENSED: "shoe",
    Irregularity.STACK_SIZE: "shoe",
    Irregularity.DIE_FELL_OUT: "shaker",
    Irregularity.NOT_THREE_DICE: "shaker",
    Irregularity.DIE_NOT_FLAT: "shaker",
    Irregularity.NUMBER_OUT_OF_RANGE: "rng",
}
"""The kind of device that each speaks against; the others are people's errors, or nobody's."""

JAMS = frozenset({Irregularity.SHUFFLER_FAILED, Irregularity.SHOE_FAILED, Irregularity.NOTHING_DISPENSED})
"""After these the device must be cleared."""

STILL_DONE = frozenset({Order.VOID_KEEP_BONUS, Order.OFFER_VOID, Order.WAGER_LOSES, Order.STANDS, Order.LAST_ROUND})
"""Orders that leave what was seen in force: the card stays dealt, the hand stays set."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """What a game's rules order, and which of them."""

    order: Order
    rules: Rules
    policy: bool = False
    """No clause orders this; the rig does."""


POLICY: Mapping[Irregularity, Order] = {
    Irregularity.SHUFFLER_FAILED: Order.RESHUFFLE,
    Irregularity.SHUFFLER_MISCOUNTED: Order.REMOVE_DECK,
    Irregularity.DECK_MISCOUNTED: Order.REMOVE_DECK,
    Irregularity.SHOE_FAILED: Order.VOID,
    Irregularity.NOTHING_DISPENSED: Order.VOID,
    Irregularity.STACK_SIZE: Order.VOID,
    Irregularity.STRANGE_CARD: Order.VOID_REMOVE_DECK,
    Irregularity.FACE_UP: Order.DISCARD_CARD,
    Irregularity.FACE_UP_AGAIN: Order.VOID,
    Irregularity.FACE_UP_IN_STACK: Order.VOID,
    Irregularity.DRAWN_IN_ERROR: Order.USE_AS_NEXT,
    Irregularity.WRONG_NUMBER: Order.VOID,
    Irregularity.MISPLACED: Order.STANDS,
    Irregularity.DEALER_CARD_SEEN: Order.STANDS,
    Irregularity.PLAYER_CARD_SEEN: Order.STANDS,
    Irregularity.SHARED_CARD_SEEN: Order.STANDS,
    Irregularity.STUB_MISCOUNTED: Order.VOID_REMOVE_DECK,
    Irregularity.STUB_STRANGE: Order.VOID_REMOVE_DECK,
    Irregularity.MISCOLLECTED: Order.REMOVE_DECK,
    Irregularity.RECUT_ORDERED: Order.RECUT,
    Irregularity.CUTTING_CARD_SEEN: Order.LAST_ROUND,
    Irregularity.DIE_FELL_OUT: Order.NO_ROLL,
    Irregularity.NOT_THREE_DICE: Order.NO_ROLL,
    Irregularity.DIE_NOT_FLAT: Order.NO_ROLL,
    Irregularity.SHAKEN_TOO_LITTLE: Order.RESHAKE,
    Irregularity.LID_BY_ANOTHER: Order.RESHAKE,
    Irregularity.NUMBER_OUT_OF_RANGE: Order.SELECT_AGAIN,
    Irregularity.BUTTON_ASTRAY: Order.MOVE_BUTTON,
    Irregularity.SENSOR_WRONG: Order.RETURN_BET,
    Irregularity.NEXT_CARD_SEEN: Order.DISCARD_CARD,
    Irregularity.SAME_DIRECTION: Order.NO_SPIN,
    Irregularity.TOO_FEW_TURNS: Order.NO_SPIN,
    Irregularity.FOREIGN_OBJECT: Order.NO_SPIN,
    Irregularity.BETWEEN_STOPS: Order.NO_SPIN,
    Irregularity.DOUBLE_ZERO: Order.NO_SPIN,
    Irregularity.NO_RESULT: Order.NO_SPIN,
    Irregularity.READER_WRONG: Order.STANDS,
    Irregularity.METER_WRONG: Order.STANDS,
    Irregularity.SHOWN_BEFORE_BETS: Order.VOID,
    Irregularity.MIS_SET: Order.RESET_HANDS,
    Irregularity.FOUL: Order.WAGER_LOSES,
}
"""What the rig orders where a game's text is silent: cards are conserved, and nobody profits from an error."""
