"""What goes wrong at the table, and what the rules order then: 34.16 and its like, one row each."""

from collections.abc import Mapping

from feltrig.engine import asks, tells
from feltrig.engine.asks import Rules
from feltrig.engine.games.supreme_pai_gow.delivery import HAND_SIZE
from feltrig.engine.games.supreme_pai_gow.methods import METHODS, delivery_rules
from feltrig.engine.games.supreme_pai_gow.ranking import set_fault
from feltrig.engine.games.supreme_pai_gow.state import players, state
from feltrig.engine.rulings import Order
from feltrig.engine.table import conditions as when
from feltrig.engine.table.house import DEALER, Deal
from feltrig.engine.table.irregular import Irregularity, Row
from feltrig.engine.table.play import Play
from feltrig.engine.tells import Tell

# The starting position


def _bank_lifted_lid(play: Play, seen: tells.DiceRolled) -> bool:
    return state(play).bank is not None and when.lid_by_another(play, seen)


def _not_shaken(play: Play, seen: tells.ShakerParked) -> bool:
    return seen.shakes < 1


def _bank_shakes(play: Play, seen: object) -> Rules:
    """What the bank may do with the shaker."""
    return METHODS[play.house.deal].bank_shakes


def _shakes(play: Play, seen: object) -> Rules:
    """How often the shaker is shaken."""
    return ("34.11(b)",) if state(play).bank is None else ("34.11(b)", *_bank_shakes(play, seen))


# The deal


def _shown_on_stack(play: Play, seen: tells.CardDealt) -> bool:
    return seen.exposed and _by_hand(play)


def _wrong_stack(play: Play, seen: tells.CardDealt) -> bool:
    return _by_hand(play) and when.misplaced(play, seen)


def _first_misplaced(play: Play, seen: tells.CardDealt | tells.StackDispensed) -> bool:
    """The dice were totalled wrongly and the first card or stack is not at the starting position."""
    return state(play).mis_totalled and not play.hands and when.misplaced(play, seen)


def _first_misdelivered(play: Play, seen: tells.StackDelivered) -> bool:
    assert isinstance(play.ask, asks.DeliverStack)
    first = not any(isinstance(place, int) for place in play.hands)
    return state(play).mis_totalled and first and seen.position != play.ask.position


def _fifth_card(play: Play, seen: tells.CardDealt) -> bool:
    return not _by_hand(play) and len(play.hand(when.went(play, seen))) == HAND_SIZE


def _places(play: Play, seen: object) -> Rules:
    """Where the cards go."""
    return delivery_rules(play) if _by_hand(play) else play.method.deal


def _by_hand(play: Play) -> bool:
    """Whether single cards go onto stacks first."""
    return play.house.deal is Deal.HAND


# Exposed cards


def _house_card_shown(play: Play, seen: tells.CardDealt | tells.CardExposed) -> bool:
    """A card of the dealer or the bank was exposed."""
    return not play.void and when.shown(seen) and when.went(play, seen) in (DEALER, state(play).bank)


def _player_card_shown(play: Play, seen: tells.CardDealt | tells.CardExposed) -> bool:
    """A card of a player who is in the round, and has not set the hands, was exposed."""
    if play.void or not when.shown(seen):
        return False
    place = when.went(play, seen)
    return place in players(play) and place not in state(play).settings


def _set_card_shown(play: Play, seen: tells.CardExposed) -> bool:
    """A card of hands that were set was exposed; their holder has looked at all four."""
    return seen.position in state(play).settings and seen.position in players(play)


# The hands


def _dealer_mis_set(play: Play, seen: tells.HandSet) -> bool:
    return seen.position == DEALER and not _house_way(play, seen)


def _bank_mis_set(play: Play, seen: tells.HandSet) -> bool:
    """The bank set foul; or the dealer, who sets for the bank, another way than the house's."""
    if seen.position != state(play).bank:
        return False
    if state(play).co_bank or bank_reset(play):
        return not _house_way(play, seen)
    return _fault(play, seen) is not None


def bank_reset(play: Play) -> bool:
    """Whether the dealer must set the bank's hands, because the bank did not do so correctly: 34.16(j)."""
    bank = state(play).bank
    return any(given.order is Order.RESET_HANDS and given.position == bank for given in play.rulings)


def _player_foul(play: Play, seen: tells.HandSet) -> bool:
    return seen.position in players(play) and _fault(play, seen) is not None


def _house_way(play: Play, seen: tells.HandSet) -> bool:
    way = play.options.house_way.set(play.hand(seen.position))
    return sorted(seen.high) == sorted(way.high) and sorted(seen.low) == sorted(way.low)


def _fault(play: Play, seen: tells.HandSet) -> str | None:
    return set_fault(seen.high, seen.low, play.options.equal_is_legal)


def _bank_setting(play: Play, seen: tells.HandSet) -> Rules:
    return ("34.16(j)", "34.13(e)") if state(play).co_bank else ("34.16(j)",)


def _foul(play: Play, seen: tells.HandSet) -> Rules:
    """What makes the setting foul."""
    fault = _fault(play, seen)
    return () if fault is None else (fault,)


_STRANGE = Irregularity.STRANGE_CARD, Order.VOID_REMOVE_DECK, ("34.2(a)",)
_SHOWN_HOUSE = "a card of the dealer or the bank was exposed", Order.VOID_KEEP_BONUS, ("34.16(e)",)
_SHOWN = "a card of a player was exposed"
_TOTAL = (
    "the dice were totalled wrongly and the first cards went to a wrong position",
    Order.VOID,
    ("34.16(c)",),
)
_SECOND = "two stacks went to one position", Order.VOID, ("34.16(h)",)
_PLACE = "cards went to a wrong position, and no clause says what follows", Order.STANDS, _places, True
_LID = Irregularity.LID_BY_ANOTHER, Order.RESHAKE

TABLE: Mapping[type[Tell], tuple[Row, ...]] = {
    tells.ShufflerFailed: (Row(when.always, Irregularity.SHUFFLER_FAILED, Order.RESHUFFLE, ("34.16(m)",)),),
    tells.Shuffled: (
        Row(when.machine_miscounted, Irregularity.SHUFFLER_MISCOUNTED, Order.REMOVE_DECK, ("34.8(e)",)),
        Row(when.miscounted, Irregularity.DECK_MISCOUNTED, Order.REMOVE_DECK, ("34.2(a)",), policy=True),
    ),
    tells.RecutOrdered: (Row(when.always, Irregularity.RECUT_ORDERED, Order.RECUT, ("34.6(f)",)),),
    tells.DiceRolled: (
        Row(_bank_lifted_lid, *_LID, _bank_shakes),
        Row(when.lid_by_another, *_LID, ("34.11(b)1",), policy=True),
        Row(when.die_fell_out, Irregularity.DIE_FELL_OUT, Order.NO_ROLL, ("34.16(b)",)),
        Row(when.not_three_dice, Irregularity.NOT_THREE_DICE, Order.NO_ROLL, ("34.4(a)1",), policy=True),
        Row(when.die_not_flat, Irregularity.DIE_NOT_FLAT, Order.NO_ROLL, ("34.16(a)",)),
        Row(when.shaken_too_little, "shaken fewer than three times", Order.RESHAKE, _shakes),
    ),
    tells.NumberSelected: (
        Row(when.out_of_range, Irregularity.NUMBER_OUT_OF_RANGE, Order.SELECT_AGAIN, ("34.11(c)",), policy=True),
    ),
    tells.ButtonSeen: (
        Row(when.button_astray, Irregularity.BUTTON_ASTRAY, Order.MOVE_BUTTON, ("34.11(d)",), policy=True),
    ),
    tells.ShakerParked: (Row(_not_shaken, "put aside without a shake", Order.RESHAKE, ("34.11(b)4",), policy=True),),
    tells.CardDrawnInError: (
        Row(when.strange_draw, *_STRANGE),
        Row(when.always, Irregularity.DRAWN_IN_ERROR, Order.USE_AS_NEXT, ("34.16(g)",)),
    ),
    tells.CardDealt: (
        Row(when.strange_card, *_STRANGE),
        Row(when.face_up_again, Irregularity.FACE_UP_AGAIN, Order.VOID, ("34.16(f)",)),
        Row(when.face_up, Irregularity.FACE_UP, Order.DISCARD_CARD, ("34.16(f)",)),
        Row(_shown_on_stack, "a card was exposed on its way to a stack", Order.RESHUFFLE, ("34.16(k)",)),
        Row(_wrong_stack, "a card went onto a wrong stack", Order.RESHUFFLE, ("34.16(l)",)),
        Row(_first_misplaced, *_TOTAL),
        Row(_fifth_card, "a position was dealt a fifth card", Order.VOID, ("34.16(h)",)),
        Row(_house_card_shown, *_SHOWN_HOUSE),
        Row(_player_card_shown, _SHOWN, Order.OFFER_VOID, ("34.16(d)",)),
        Row(when.misplaced, *_PLACE),
    ),
    tells.ShoeFailed: (Row(when.always, Irregularity.SHOE_FAILED, Order.VOID, ("34.16(n)",)),),
    tells.StackDispensed: (
        Row(when.nothing_dispensed, Irregularity.NOTHING_DISPENSED, Order.VOID, ("34.16(n)",)),
        Row(when.strange_stack, *_STRANGE),
        Row(when.several_face_up, Irregularity.FACE_UP_AGAIN, Order.VOID, ("34.16(f)",)),
        # A stack has no other card for the one that may not be used.
        Row(when.one_face_up, Irregularity.FACE_UP_IN_STACK, Order.VOID, ("34.16(f)", "34.16(h)")),
        Row(when.wrong_size, Irregularity.STACK_SIZE, Order.VOID, ("34.16(h)",)),
        Row(_first_misplaced, *_TOTAL),
        Row(when.second_stack, *_SECOND),
        Row(when.misplaced, *_PLACE),
    ),
    tells.StackDelivered: (
        Row(_first_misdelivered, *_TOTAL),
        Row(when.second_stack, *_SECOND),
        Row(when.misdelivered, *_PLACE),
    ),
    tells.StubRacked: (
        # Every hand has four cards here: one that has not was ruled on when it was dealt.
        Row(when.stub_miscounted, Irregularity.STUB_MISCOUNTED, Order.VOID_REMOVE_DECK, ("34.8(d)2",)),
        Row(when.stub_strange, Irregularity.STUB_STRANGE, Order.VOID_REMOVE_DECK, ("34.2(a)",)),
    ),
    tells.CardExposed: (
        Row(_house_card_shown, *_SHOWN_HOUSE),
        # Who has set the hands has looked at all four cards, and cannot decide without.
        Row(_set_card_shown, f"{_SHOWN} after it was set", Order.STANDS, ("34.16(d)",), policy=True),
        Row(_player_card_shown, _SHOWN, Order.OFFER_VOID, ("34.16(d)",)),
    ),
    tells.HandSet: (
        Row(_dealer_mis_set, "the dealer did not set by the house way", Order.RESET_HANDS, ("34.16(i)",)),
        Row(_bank_mis_set, "the bank's hands are not set correctly", Order.RESET_HANDS, _bank_setting),
        Row(_player_foul, Irregularity.FOUL, Order.WAGER_LOSES, _foul),
    ),
    tells.CardsCollected: (
        Row(when.miscollected, Irregularity.MISCOLLECTED, Order.REMOVE_DECK, ("34.2(a)",), policy=True),
    ),
}
