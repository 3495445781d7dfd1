"""What goes wrong at the table, and what the rules order then: 34.16 and its like, one row each."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.engine import tells
from feltrig.engine.asks import Rules
from feltrig.engine.games.supreme_pai_gow import conditions as when
from feltrig.engine.games.supreme_pai_gow.play import Play
from feltrig.engine.rulings import Order, Ruling
from feltrig.engine.tells import Tell

STILL_DONE = frozenset({Order.VOID_KEEP_BONUS, Order.OFFER_VOID, Order.WAGER_LOSES, Order.STANDS})
"""Orders that leave what was seen in force: the card stays dealt, the hand stays set."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Under this condition the order is given."""

    condition: Callable[[Play, Any], bool]
    order: Order
    rules: Rules | Callable[[Play, Any], Rules]
    why: str
    device: str | None = None
    jams: bool = False
    """Whether the device must be cleared."""
    policy: bool = False
    """No clause orders this; the rig does."""

    def ruling(self, play: Play, seen: Tell) -> Ruling:
        """The order as given for this observation."""
        rules = self.rules(play, seen) if callable(self.rules) else self.rules
        return Ruling(self.order, rules, self.why, self.device, _where(play, seen), self.policy)


_STRANGE = "a card that is not in the deck, or was seen before"
_SHOWN_HOUSE = "a card of the dealer or the bank was exposed"
_SHOWN = "a card of a player was exposed"
_LID = "the lid was not lifted by the dealer"
_TOTAL = "the dice were totalled wrongly and the first cards went to a wrong position"
_PLACE = "cards went to a wrong position, and no clause says what follows"

TABLE: Mapping[type[Tell], tuple[Irregularity, ...]] = {
    tells.ShufflerFailed: (
        Irregularity(
            when.always, Order.RESHUFFLE, ("34.16(m)",), "the shuffle was not completed", "shuffler", jams=True
        ),
    ),
    tells.Shuffled: (
        Irregularity(
            when.machine_miscounted, Order.REMOVE_DECK, ("34.8(e)",), "the shuffler counted no full deck", "shuffler"
        ),
        Irregularity(when.hand_miscounted, Order.REMOVE_DECK, ("34.2(a)",), "this is no full deck", policy=True),
    ),
    tells.RecutOrdered: (Irregularity(when.always, Order.RECUT, ("34.6(f)",), "a supervisor ordered a recut"),),
    tells.DiceRolled: (
        Irregularity(when.bank_lifted_lid, Order.RESHAKE, when.bank_shakes, _LID),
        Irregularity(when.other_lifted_lid, Order.RESHAKE, ("34.11(b)1",), _LID, policy=True),
        Irregularity(when.die_fell_out, Order.NO_ROLL, ("34.16(b)",), "a die fell out of the shaker", "shaker"),
        Irregularity(
            when.no_three_dice, Order.NO_ROLL, ("34.4(a)1",), "these are not three dice", "shaker", policy=True
        ),
        Irregularity(when.die_not_flat, Order.NO_ROLL, ("34.16(a)",), "a die does not lie flat", "shaker"),
        Irregularity(when.too_few_shakes, Order.RESHAKE, when.shakes, "shaken fewer than three times"),
    ),
    tells.NumberSelected: (
        Irregularity(
            when.out_of_range,
            Order.SELECT_AGAIN,
            ("34.11(c)",),
            "no number from 1 to 7 is displayed",
            "rng",
            policy=True,
        ),
    ),
    tells.ButtonSeen: (
        Irregularity(
            when.button_astray, Order.MOVE_BUTTON, ("34.11(d)",), "the button lies at a wrong position", policy=True
        ),
    ),
    tells.ShakerParked: (
        Irregularity(when.not_shaken, Order.RESHAKE, ("34.11(b)4",), "put aside without a shake", policy=True),
    ),
    tells.CardDrawnInError: (
        Irregularity(when.strange_draw, Order.VOID_REMOVE_DECK, ("34.2(a)",), _STRANGE),
        Irregularity(when.always, Order.USE_AS_NEXT, ("34.16(g)",), "a card was drawn in error, not exposed"),
    ),
    tells.CardDealt: (
        Irregularity(when.strange_card, Order.VOID_REMOVE_DECK, ("34.2(a)",), _STRANGE),
        Irregularity(when.another_face_up, Order.VOID, ("34.16(f)",), "more than one card lay face up"),
        Irregularity(when.face_up, Order.DISCARD_CARD, ("34.16(f)",), "a card lay face up"),
        Irregularity(when.shown_on_stack, Order.RESHUFFLE, ("34.16(k)",), "a card was exposed on its way to a stack"),
        Irregularity(when.wrong_stack, Order.RESHUFFLE, ("34.16(l)",), "a card went onto a wrong stack"),
        Irregularity(when.first_misplaced, Order.VOID, ("34.16(c)",), _TOTAL),
        Irregularity(when.fifth_card, Order.VOID, ("34.16(h)",), "a position was dealt a fifth card"),
        Irregularity(when.house_card_shown, Order.VOID_KEEP_BONUS, ("34.16(e)",), _SHOWN_HOUSE),
        Irregularity(when.player_card_shown, Order.OFFER_VOID, ("34.16(d)",), _SHOWN),
        Irregularity(when.misplaced, Order.STANDS, when.places, _PLACE, policy=True),
    ),
    tells.ShoeFailed: (
        Irregularity(when.always, Order.VOID, ("34.16(n)",), "the shoe did not deal all cards", "shoe", jams=True),
    ),
    tells.StackDispensed: (
        Irregularity(
            when.nothing_dispensed, Order.VOID, ("34.16(n)",), "the shoe dispensed nothing", "shoe", jams=True
        ),
        Irregularity(when.strange_stack, Order.VOID_REMOVE_DECK, ("34.2(a)",), _STRANGE),
        Irregularity(when.several_face_up, Order.VOID, ("34.16(f)",), "more than one card lay face up"),
        # A stack has no other card for the one that may not be used.
        Irregularity(
            when.one_face_up, Order.VOID, ("34.16(f)", "34.16(h)"), "a card lay face up, which leaves a hand of three"
        ),
        Irregularity(when.wrong_size, Order.VOID, ("34.16(h)",), "the shoe dispensed not four cards", "shoe"),
        Irregularity(when.first_misplaced, Order.VOID, ("34.16(c)",), _TOTAL),
        Irregularity(when.second_stack, Order.VOID, ("34.16(h)",), "two stacks went to one position"),
        Irregularity(when.misplaced, Order.STANDS, when.places, _PLACE, policy=True),
    ),
    tells.StackDelivered: (
        Irregularity(when.first_misdelivered, Order.VOID, ("34.16(c)",), _TOTAL),
        Irregularity(when.second_stack, Order.VOID, ("34.16(h)",), "two stacks went to one position"),
        Irregularity(when.misdelivered, Order.STANDS, when.places, _PLACE, policy=True),
    ),
    tells.StubRacked: (
        # Every hand has four cards here: one that has not was ruled on when it was dealt.
        Irregularity(
            when.stub_miscounted, Order.VOID_REMOVE_DECK, ("34.8(d)2",), "a wrong stub, and no hand was misdealt"
        ),
        Irregularity(
            when.stub_of_another_deck, Order.VOID_REMOVE_DECK, ("34.2(a)",), "cards dealt and stub are not one deck"
        ),
    ),
    tells.CardExposed: (
        Irregularity(when.house_card_shown, Order.VOID_KEEP_BONUS, ("34.16(e)",), _SHOWN_HOUSE),
        # Who has set the hands has looked at all four cards, and cannot decide without.
        Irregularity(when.set_card_shown, Order.STANDS, ("34.16(d)",), f"{_SHOWN} after it was set", policy=True),
        Irregularity(when.player_card_shown, Order.OFFER_VOID, ("34.16(d)",), _SHOWN),
    ),
    tells.HandSet: (
        Irregularity(when.dealer_mis_set, Order.RESET_HANDS, ("34.16(i)",), "the dealer did not set by the house way"),
        Irregularity(when.bank_mis_set, Order.RESET_HANDS, when.bank_setting, "the bank's hands are not set correctly"),
        Irregularity(when.player_foul, Order.WAGER_LOSES, when.foul, "the hands are set foul"),
    ),
    tells.CardsCollected: (
        Irregularity(when.miscollected, Order.REMOVE_DECK, ("34.2(a)",), "no full deck was collected", policy=True),
    ),
}


def irregularities(play: Play, seen: Tell) -> Iterator[Irregularity]:
    """The rows that apply, up to the first whose order undoes what was seen."""
    for row in TABLE.get(type(seen), ()):
        if row.condition(play, seen):
            yield row
            if row.order not in STILL_DONE:
                return


def _where(play: Play, seen: Tell) -> int | None:
    """The position that an observation concerns."""
    match seen:
        case tells.CardDealt() | tells.StackDispensed():
            return None if when.by_hand(play) else when.position_of(play, seen)
        case tells.StackDelivered() | tells.CardExposed() | tells.HandSet():
            return seen.position
    return None
