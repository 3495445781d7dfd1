"""How an irregularity is recognised: each condition looks at the round and at what was just seen.

`play.ask` is what the round had asked for when it was seen.
"""

from typing import TYPE_CHECKING, Any

from feltrig.engine import asks, tells
from feltrig.engine.asks import Rules
from feltrig.engine.table.house import DEALER
from feltrig.engine.tells import Tell

if TYPE_CHECKING:
    from feltrig.engine.table.play import Place, Play

DICE = 3
STACK = "stack."
"""What the places are called where stacks are built by hand, before their number."""


def always(play: "Play", seen: object) -> bool:
    """Nothing more is needed."""
    return True


# The shuffle and the counts


def machine_miscounted(play: "Play", seen: tells.Shuffled) -> bool:
    """The shuffler reports another number than the deck has."""
    return play.house.machine_shuffle and miscounted(play, seen)


def miscounted(play: "Play", seen: tells.Shuffled) -> bool:
    """Somebody counted another number than the deck has."""
    return seen.count not in (None, len(play.procedure.cards))


def stub_miscounted(play: "Play", seen: tells.StubRacked) -> bool:
    """The stub was counted and is not what is left of a whole deck."""
    return seen.count not in (None, play.left)


def stub_strange(play: "Play", seen: tells.StubRacked) -> bool:
    """The cards of the stub were read and are not those that were not dealt."""
    return seen.cards is not None and (len(seen.cards) != play.left or not play.holds(seen.cards))


def miscollected(play: "Play", seen: tells.CardsCollected) -> bool:
    """A deck that is to stay was counted and is not whole. A shoe that stays as it is is not counted."""
    wrong = seen.count not in (None, len(play.procedure.cards)) and not play.memory.shoe.ready
    return wrong and seen.deck not in play.decks.removed


# The starting position


def lid_by_another(play: "Play", seen: tells.DiceRolled) -> bool:
    """Somebody else than the dealer lifted the lid."""
    return seen.lid_by != "dealer"


def die_fell_out(play: "Play", seen: tells.DiceRolled) -> bool:
    """Fewer dice are in the shaker than belong there."""
    return len(seen.dice) < DICE


def not_three_dice(play: "Play", seen: tells.DiceRolled) -> bool:
    """What was read cannot be three dice."""
    return len(seen.dice) != DICE or not all(1 <= die <= 6 for die in seen.dice)


def die_not_flat(play: "Play", seen: tells.DiceRolled) -> bool:
    """A die leans, or it was not seen how it lies."""
    return len(seen.flat) != DICE or not all(seen.flat)


def shaken_too_little(play: "Play", seen: tells.DiceRolled) -> bool:
    """The dice were not mixed."""
    assert isinstance(play.ask, asks.ShakeDice)
    return seen.shakes < play.ask.shakes


def out_of_range(play: "Play", seen: tells.NumberSelected) -> bool:
    """No position has this number."""
    assert isinstance(play.ask, asks.SelectNumber)
    return not play.ask.low <= seen.number <= play.ask.high


def button_astray(play: "Play", seen: tells.ButtonSeen) -> bool:
    """The button lies elsewhere than it was moved to."""
    assert isinstance(play.ask, asks.ReadButton)
    return seen.position != play.ask.expect


# The deal


def strange_card(play: "Play", seen: tells.CardDealt | tells.CardBurned) -> bool:
    """The card is not in the deck, or was seen before."""
    return not play.holds((seen.card,))


def strange_draw(play: "Play", seen: tells.CardDrawnInError) -> bool:
    """The card is not in the deck, or was seen before."""
    return not play.holds((*play.drawn, seen.card))


def strange_stack(play: "Play", seen: tells.StackDispensed) -> bool:
    """One of the cards is not in the deck, or was seen before."""
    return not play.holds(seen.cards)


def face_up_again(play: "Play", seen: tells.CardDealt) -> bool:
    """The card lay face up, and is not the first one."""
    return seen.face_up and play.face_up > 0


def face_up(play: "Play", seen: tells.CardDealt) -> bool:
    """The card lay face up in the shoe or deck."""
    return seen.face_up


def misplaced(play: "Play", seen: tells.CardDealt | tells.StackDispensed) -> bool:
    """The card or stack went elsewhere than it should."""
    return went(play, seen) != asked_place(play.ask)


def nothing_dispensed(play: "Play", seen: tells.StackDispensed) -> bool:
    """The shoe did as if it had dispensed."""
    return not seen.cards


def several_face_up(play: "Play", seen: tells.StackDispensed) -> bool:
    """More than one card of the stack lay face up."""
    return len(seen.face_up) > 1


def one_face_up(play: "Play", seen: tells.StackDispensed) -> bool:
    """A card of the stack lay face up."""
    return bool(seen.face_up)


def wrong_size(play: "Play", seen: tells.StackDispensed) -> bool:
    """The stack has more or fewer cards than were asked for."""
    assert isinstance(play.ask, asks.Dispense)
    return len(seen.cards) != play.ask.size


def second_stack(play: "Play", seen: tells.StackDispensed | tells.StackDelivered) -> bool:
    """The position has its cards already."""
    place = seen.position if isinstance(seen, tells.StackDelivered) else went(play, seen)
    return bool(play.hand(place))


def misdelivered(play: "Play", seen: tells.StackDelivered) -> bool:
    """Another stack, or to another position, than it should be."""
    assert isinstance(play.ask, asks.DeliverStack)
    return (seen.stack, seen.position) != (play.ask.stack, play.ask.position)


# Exposed cards


def shown_before_bets(play: "Play", seen: tells.CardExposed) -> bool:
    """The betting was not closed."""
    return not play.bets_closed


def next_card_seen(play: "Play", seen: tells.CardExposed) -> bool:
    """It is the card that comes next, out of the shoe too early and seen by everybody."""
    return seen.area is not None and seen.card is not None and seen.area == play.procedure.next_area(play)


def strange_next_card(play: "Play", seen: tells.CardExposed) -> bool:
    """The card that comes next is not in the deck, or was seen before."""
    return next_card_seen(play, seen) and seen.card is not None and not play.holds((seen.card,))


def dealer_card_seen(play: "Play", seen: tells.CardDealt | tells.CardExposed) -> bool:
    """A card of the dealer was exposed before its time."""
    return shown(seen) and went(play, seen) == DEALER


def player_card_seen(play: "Play", seen: tells.CardDealt | tells.CardExposed) -> bool:
    """A card of a player was exposed before its time."""
    place = went(play, seen)
    return shown(seen) and isinstance(place, int) and place != DEALER


def shared_card_seen(play: "Play", seen: tells.CardDealt | tells.CardExposed) -> bool:
    """A card that is no position's was exposed before its time."""
    return shown(seen) and isinstance(went(play, seen), str)


def shown(seen: tells.CardDealt | tells.CardExposed) -> bool:
    """Whether somebody saw the card."""
    return isinstance(seen, tells.CardExposed) or seen.exposed


# Rules that depend on the round


def of_the_ask(play: "Play", seen: object) -> Rules:
    """What was asked for, and was not done."""
    return () if play.ask is None else play.ask.rules


def of_the_deal(play: "Play", seen: object) -> Rules:
    """Where the cards go."""
    return play.method.deal


def of_the_recut(play: "Play", seen: object) -> Rules:
    """When a recut is ordered."""
    return play.rules.recut


# Where it happened


def asked_place(ask: object) -> "Place":
    """Where an ask wants cards to go."""
    assert isinstance(ask, asks.DealCard | asks.Dispense)
    if isinstance(ask, asks.DealCard) and ask.stack is not None:
        return stack_place(ask.stack)
    place = ask.position if ask.area is None else ask.area
    assert place is not None
    return place


def went(play: "Play", seen: tells.CardDealt | tells.StackDispensed | tells.CardExposed) -> "Place":
    """Where cards really are: as asked, unless they were seen elsewhere."""
    told: Any = seen.position if seen.area is None else seen.area
    if told is None and isinstance(seen, tells.CardDealt) and seen.stack is not None:
        told = stack_place(seen.stack)
    return asked_place(play.ask) if told is None else told


def position_of(play: "Play", seen: Tell) -> int | None:
    """The position that an observation concerns, None when it concerns none."""
    match seen:
        case tells.CardDealt() | tells.StackDispensed():
            place = went(play, seen)
            return place if isinstance(place, int) else None
        case tells.StackDelivered() | tells.CardExposed() | tells.HandSet() | tells.ButtonSeen():
            return seen.position
    return None


def stack_place(number: int) -> "Place":
    """The place of a stack that is built by hand, counted from the dealer's left, 1 first."""
    return f"{STACK}{number}"
