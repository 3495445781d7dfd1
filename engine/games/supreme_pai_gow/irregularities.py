"""What goes wrong at the table, and what the rules order then: 34.16 and its like, one row each."""

from collections.abc import Mapping

from feltrig.engine import asks, tells
from feltrig.engine.asks import Rules
from feltrig.engine.games.supreme_pai_gow.delivery import HAND_SIZE
from feltrig.engine.games.supreme_pai_gow.methods import METHODS, delivery_rules
from feltrig.engine.games.supreme_pai_gow.ranking import set_fault
from feltrig.engine.games.supreme_pai_gow.state import players, state
from feltrig.engine.rulings import Order
from feltrig.engine.table.house import DEALER, Deal
from feltrig.engine.table.irregular import Irregularity, Row
from feltrig.engine.table.places import asked_place, shown, went
from feltrig.engine.table.play import Play
from feltrig.engine.table.positions import POSITIONS
from feltrig.engine.tells import Tell


def _bank_shakes(play: Play, seen: object) -> Rules:
    """What the bank may do with the shaker."""
    return METHODS[play.house.deal].bank_shakes


def _shakes(play: Play, seen: object) -> Rules:
    """How often the shaker is shaken."""
    return ("34.11(b)",) if state(play).bank is None else ("34.11(b)", *_bank_shakes(play, seen))


def _places(play: Play, seen: object) -> Rules:
    """Where the cards go."""
    return delivery_rules(play) if _by_hand(play) else play.method.deal


def _by_hand(play: Play) -> bool:
    """Whether single cards go onto stacks first."""
    return play.house.deal is Deal.HAND


def _first_misplaced(play: Play, seen: tells.CardDealt | tells.StackDispensed | tells.StackDelivered) -> bool:
    """The dice were totalled wrongly and the first card or stack is not at the starting position."""
    first = not any(play.hand(position) for position in range(POSITIONS))
    asked = play.ask.position if isinstance(play.ask, asks.DealCard | asks.Dispense | asks.DeliverStack) else None
    return state(play).mis_totalled and first and seen.position not in (None, asked)


def _fifth_card(play: Play, seen: tells.CardDealt) -> bool:
    return not _by_hand(play) and len(play.hand(went(play, seen))) == HAND_SIZE


def _house_card_shown(play: Play, seen: tells.CardDealt | tells.CardExposed) -> bool:
    return not play.void and shown(seen) and went(play, seen) in (DEALER, state(play).bank)


def _player_card_shown(play: Play, seen: tells.CardDealt | tells.CardExposed) -> bool:
    """The player is in the round, and has not set the hands."""
    hidden = play.void or not shown(seen)
    return not hidden and went(play, seen) in players(play) and went(play, seen) not in state(play).settings


def _set_card_shown(play: Play, seen: tells.CardExposed) -> bool:
    return seen.position in state(play).settings and seen.position in players(play)


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


_STRANGE = Row(Irregularity.STRANGE_CARD, Order.VOID_REMOVE_DECK, ("34.2(a)",))
_SHOWN_HOUSE = Row(
    "a card of the dealer or the bank was exposed", Order.VOID_KEEP_BONUS, ("34.16(e)",), _house_card_shown
)
_SHOWN = Row("a card of a player was exposed", Order.OFFER_VOID, ("34.16(d)",), _player_card_shown)
_TOTAL = Row(
    "the dice were totalled wrongly and the first cards went to a wrong position",
    Order.VOID,
    ("34.16(c)",),
    _first_misplaced,
)
_PLACE = Row(Irregularity.MISPLACED, Order.STANDS, _places, policy=True)
_TWO_STACKS = "two stacks went to one position", Order.VOID, ("34.16(h)",)

TABLE: Mapping[type[Tell], tuple[Row, ...]] = {
    tells.ShufflerFailed: (Row(Irregularity.SHUFFLER_FAILED, Order.RESHUFFLE, ("34.16(m)",)),),
    tells.Shuffled: (
        Row(Irregularity.SHUFFLER_MISCOUNTED, Order.REMOVE_DECK, ("34.8(e)",)),
        Row(Irregularity.DECK_MISCOUNTED, Order.REMOVE_DECK, ("34.2(a)",), policy=True),
    ),
    tells.RecutOrdered: (Row(Irregularity.RECUT_ORDERED, Order.RECUT, ("34.6(f)",)),),
    tells.DiceRolled: (
        Row(
            Irregularity.LID_BY_ANOTHER,
            Order.RESHAKE,
            _bank_shakes,
            lambda play, seen: state(play).bank is not None and seen.lid_by != "dealer",
        ),
        Row(Irregularity.LID_BY_ANOTHER, Order.RESHAKE, ("34.11(b)1",), policy=True),
        Row(Irregularity.DIE_FELL_OUT, Order.NO_ROLL, ("34.16(b)",)),
        Row(Irregularity.NOT_THREE_DICE, Order.NO_ROLL, ("34.4(a)1",), policy=True),
        Row(Irregularity.DIE_NOT_FLAT, Order.NO_ROLL, ("34.16(a)",)),
        Row(Irregularity.SHAKEN_TOO_LITTLE, Order.RESHAKE, _shakes),
    ),
    tells.NumberSelected: (Row(Irregularity.NUMBER_OUT_OF_RANGE, Order.SELECT_AGAIN, ("34.11(c)",), policy=True),),
    tells.ButtonSeen: (Row(Irregularity.BUTTON_ASTRAY, Order.MOVE_BUTTON, ("34.11(d)",), policy=True),),
    tells.ShakerParked: (
        Row(
            "put aside without a shake", Order.RESHAKE, ("34.11(b)4",), lambda play, seen: seen.shakes < 1, policy=True
        ),
    ),
    tells.CardDrawnInError: (_STRANGE, Row(Irregularity.DRAWN_IN_ERROR, Order.USE_AS_NEXT, ("34.16(g)",))),
    tells.CardDealt: (
        _STRANGE,
        Row(Irregularity.FACE_UP_AGAIN, Order.VOID, ("34.16(f)",)),
        Row(Irregularity.FACE_UP, Order.DISCARD_CARD, ("34.16(f)",)),
        Row(
            "a card was exposed on its way to a stack",
            Order.RESHUFFLE,
            ("34.16(k)",),
            lambda play, seen: _by_hand(play) and seen.exposed,
        ),
        Row(
            "a card went onto a wrong stack",
            Order.RESHUFFLE,
            ("34.16(l)",),
            lambda play, seen: _by_hand(play) and went(play, seen) != asked_place(play.ask),
        ),
        _TOTAL,
        Row("a position was dealt a fifth card", Order.VOID, ("34.16(h)",), _fifth_card),
        _SHOWN_HOUSE,
        _SHOWN,
        _PLACE,
    ),
    tells.ShoeFailed: (Row(Irregularity.SHOE_FAILED, Order.VOID, ("34.16(n)",)),),
    tells.StackDispensed: (
        Row(Irregularity.NOTHING_DISPENSED, Order.VOID, ("34.16(n)",)),
        _STRANGE,
        Row(Irregularity.FACE_UP_AGAIN, Order.VOID, ("34.16(f)",)),
        # The shoe has no card to replace the one that may not be used.
        Row(Irregularity.FACE_UP_IN_STACK, Order.VOID, ("34.16(f)", "34.16(h)")),
        Row(Irregularity.STACK_SIZE, Order.VOID, ("34.16(h)",)),
        _TOTAL,
        Row(*_TWO_STACKS, lambda play, seen: bool(play.hand(went(play, seen)))),
        _PLACE,
    ),
    tells.StackDelivered: (_TOTAL, Row(*_TWO_STACKS, lambda play, seen: bool(play.hand(seen.position))), _PLACE),
    tells.StubRacked: (
        # Every hand has four cards here. A hand that had not was ruled on when it was dealt.
        Row(Irregularity.STUB_MISCOUNTED, Order.VOID_REMOVE_DECK, ("34.8(d)2",)),
        Row(Irregularity.STUB_STRANGE, Order.VOID_REMOVE_DECK, ("34.2(a)",)),
    ),
    tells.CardExposed: (
        _SHOWN_HOUSE,
        # A player who has set the hands has seen all four cards, and the choice must be made without a look.
        Row(f"{_SHOWN.what} after it was set", Order.STANDS, ("34.16(d)",), _set_card_shown, policy=True),
        _SHOWN,
    ),
    tells.HandSet: (
        Row(
            "the dealer did not set by the house way",
            Order.RESET_HANDS,
            ("34.16(i)",),
            lambda play, seen: seen.position == DEALER and not _house_way(play, seen),
        ),
        Row("the bank's hands are not set correctly", Order.RESET_HANDS, _bank_setting, _bank_mis_set),
        Row(Irregularity.FOUL, Order.WAGER_LOSES, _foul, _player_foul),
    ),
    tells.CardsCollected: (Row(Irregularity.MISCOLLECTED, Order.REMOVE_DECK, ("34.2(a)",), policy=True),),
}
