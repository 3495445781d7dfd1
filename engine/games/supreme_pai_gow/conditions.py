"""How an irregularity is recognised: each condition looks at the round and at what was just seen."""

from feltrig.engine import asks, tells
from feltrig.engine.asks import Rules
from feltrig.engine.decks import accounted, conserved
from feltrig.engine.games.supreme_pai_gow.delivery import HAND_SIZE
from feltrig.engine.games.supreme_pai_gow.options import Deal
from feltrig.engine.games.supreme_pai_gow.play import DEALT, DECK, Play
from feltrig.engine.games.supreme_pai_gow.ranking import set_fault
from feltrig.engine.games.supreme_pai_gow.sequence import NUMBERS, SHAKES, delivery_rule, method
from feltrig.engine.table.house import DEALER


def always(play: Play, seen: object) -> bool:
    """Nothing more is needed."""
    return True


# The shuffle and the count


def machine_miscounted(play: Play, seen: tells.Shuffled) -> bool:
    """The shuffler reports another number than the deck has."""
    return play.options.machine_shuffle and hand_miscounted(play, seen)


def hand_miscounted(play: Play, seen: tells.Shuffled) -> bool:
    """Somebody counted another number than the deck has."""
    return seen.count not in (None, len(DECK))


def stub_miscounted(play: Play, seen: tells.StubRacked) -> bool:
    """The stub was counted and is not what is left of a whole deck."""
    return seen.count not in (None, len(DECK) - DEALT - len(play.discarded))


def stub_of_another_deck(play: Play, seen: tells.StubRacked) -> bool:
    """The cards of the stub were read and are not those that were not dealt."""
    return seen.cards is not None and not accounted(seen.cards, play.undealt)


def miscollected(play: Play, seen: tells.CardsCollected) -> bool:
    """A deck that is to stay was counted and is not whole."""
    return seen.count not in (None, len(DECK)) and seen.deck not in play.decks.removed


# The starting position


def bank_lifted_lid(play: Play, seen: tells.DiceRolled) -> bool:
    """In a banked round, somebody else than the dealer lifted the lid."""
    return play.bank is not None and other_lifted_lid(play, seen)


def other_lifted_lid(play: Play, seen: tells.DiceRolled) -> bool:
    """Somebody else than the dealer lifted the lid."""
    return seen.lid_by != "dealer"


def die_fell_out(play: Play, seen: tells.DiceRolled) -> bool:
    """Fewer dice are in the shaker than belong there."""
    return len(seen.dice) < 3


def no_three_dice(play: Play, seen: tells.DiceRolled) -> bool:
    """What was read cannot be three dice."""
    return len(seen.dice) != 3 or not all(1 <= die <= 6 for die in seen.dice)


def die_not_flat(play: Play, seen: tells.DiceRolled) -> bool:
    """A die leans, or it was not seen how it lies."""
    return len(seen.flat) != 3 or not all(seen.flat)


def too_few_shakes(play: Play, seen: tells.DiceRolled) -> bool:
    """The dice were not mixed."""
    return seen.shakes < SHAKES


def not_shaken(play: Play, seen: tells.ShakerParked) -> bool:
    """The last shake is missing."""
    return seen.shakes < 1


def out_of_range(play: Play, seen: tells.NumberSelected) -> bool:
    """No position has this number."""
    return not NUMBERS[0] <= seen.number <= NUMBERS[1]


def button_astray(play: Play, seen: tells.ButtonSeen) -> bool:
    """The button lies elsewhere than it was moved to."""
    return seen.position != play.memory.button


# The deal


def strange_card(play: Play, seen: tells.CardDealt) -> bool:
    """The card is not in the deck, or was seen before."""
    return seen.card not in play.undealt


def strange_draw(play: Play, seen: tells.CardDrawnInError) -> bool:
    """The card is not in the deck, or was seen before."""
    return not conserved((*play.drawn, seen.card), play.undealt)


def strange_stack(play: Play, seen: tells.StackDispensed) -> bool:
    """One of the cards is not in the deck, or was seen before."""
    return not conserved(seen.cards, play.undealt)


def another_face_up(play: Play, seen: tells.CardDealt) -> bool:
    """The card lay face up, and is not the first one."""
    return seen.face_up and bool(play.discarded)


def face_up(play: Play, seen: tells.CardDealt) -> bool:
    """The card lay face up in the shoe or deck."""
    return seen.face_up


def shown_on_stack(play: Play, seen: tells.CardDealt) -> bool:
    """The card was exposed while stacks are built."""
    return seen.exposed and by_hand(play)


def wrong_stack(play: Play, seen: tells.CardDealt) -> bool:
    """The card lies on another stack than its own."""
    return by_hand(play) and seen.stack not in (None, _asked(play).stack)


def first_misplaced(play: Play, seen: tells.CardDealt | tells.StackDispensed) -> bool:
    """The dice were totalled wrongly and the first card or stack is not at the starting position."""
    return play.mis_totalled and not play.hands and misplaced(play, seen)


def misplaced(play: Play, seen: tells.CardDealt | tells.StackDispensed) -> bool:
    """The card or stack went to another position than it should."""
    return not by_hand(play) and seen.position not in (None, _asked(play).position)


def fifth_card(play: Play, seen: tells.CardDealt) -> bool:
    """The position has its four cards already."""
    return not by_hand(play) and len(play.hands.get(position_of(play, seen), ())) == HAND_SIZE


def nothing_dispensed(play: Play, seen: tells.StackDispensed) -> bool:
    """The shoe did as if it had dispensed."""
    return not seen.cards


def several_face_up(play: Play, seen: tells.StackDispensed) -> bool:
    """More than one card of the stack lay face up."""
    return len(seen.face_up) > 1


def one_face_up(play: Play, seen: tells.StackDispensed) -> bool:
    """A card of the stack lay face up."""
    return bool(seen.face_up)


def wrong_size(play: Play, seen: tells.StackDispensed) -> bool:
    """The stack has more or less cards than a hand."""
    return len(seen.cards) != HAND_SIZE


def second_stack(play: Play, seen: tells.StackDispensed | tells.StackDelivered) -> bool:
    """The position has its four cards already."""
    return position_of(play, seen) in play.hands


def first_misdelivered(play: Play, seen: tells.StackDelivered) -> bool:
    """The dice were totalled wrongly and the first stack is not at the starting position."""
    return play.mis_totalled and not play.hands and seen.position != _asked(play).position


def misdelivered(play: Play, seen: tells.StackDelivered) -> bool:
    """Another stack, or to another position, than it should be."""
    return (seen.stack, seen.position) != (_asked(play).stack, _asked(play).position)


# Exposed cards


def house_card_shown(play: Play, seen: tells.CardDealt | tells.CardExposed) -> bool:
    """A card of the dealer or the bank was exposed."""
    return _shown(play, seen) and position_of(play, seen) in (DEALER, play.bank)


def player_card_shown(play: Play, seen: tells.CardDealt | tells.CardExposed) -> bool:
    """A card of a player who is in the round, and has not set the hands, was exposed."""
    position = position_of(play, seen) if _shown(play, seen) else None
    return position in play.players and position not in play.settings


def set_card_shown(play: Play, seen: tells.CardExposed) -> bool:
    """A card of hands that were set was exposed; their holder has looked at all four."""
    return seen.position in play.settings and seen.position in play.players


def _shown(play: Play, seen: tells.CardDealt | tells.CardExposed) -> bool:
    return not play.void and (isinstance(seen, tells.CardExposed) or seen.exposed)


# The hands


def dealer_mis_set(play: Play, seen: tells.HandSet) -> bool:
    """The dealer set another way than the house's."""
    return seen.position == DEALER and not _house_way(play, seen)


def bank_mis_set(play: Play, seen: tells.HandSet) -> bool:
    """The bank set foul; or the dealer, who sets for the bank, another way than the house's."""
    if seen.position != play.bank:
        return False
    if play.co_bank or play.bank_reset:
        return not _house_way(play, seen)
    return _fault(play, seen) is not None


def player_foul(play: Play, seen: tells.HandSet) -> bool:
    """A player set foul."""
    return seen.position in play.players and _fault(play, seen) is not None


def _house_way(play: Play, seen: tells.HandSet) -> bool:
    way = play.options.house_way.set(play.hands[seen.position])
    return sorted(seen.high) == sorted(way.high) and sorted(seen.low) == sorted(way.low)


def _fault(play: Play, seen: tells.HandSet) -> str | None:
    return set_fault(seen.high, seen.low, play.options.equal_is_legal)


# Rules that depend on the round


def bank_shakes(play: Play, seen: tells.DiceRolled) -> Rules:
    """What the bank may do with the shaker."""
    return (method(play).bank_shakes,)


def shakes(play: Play, seen: tells.DiceRolled) -> Rules:
    """How often the shaker is shaken."""
    return ("34.11(b)",) if play.bank is None else ("34.11(b)", method(play).bank_shakes)


def places(play: Play, seen: object) -> Rules:
    """Where the cards go."""
    return (delivery_rule(play) if by_hand(play) else method(play).deal,)


def bank_setting(play: Play, seen: tells.HandSet) -> Rules:
    """How the bank's hands are set."""
    return ("34.16(j)", "34.13(e)") if play.co_bank else ("34.16(j)",)


def foul(play: Play, seen: tells.HandSet) -> Rules:
    """What makes the setting foul."""
    fault = _fault(play, seen)
    return () if fault is None else (fault,)


# Where it happened


def by_hand(play: Play) -> bool:
    """Whether single cards go onto stacks first."""
    return play.options.deal is Deal.HAND


def position_of(
    play: Play, seen: tells.CardDealt | tells.StackDispensed | tells.StackDelivered | tells.CardExposed
) -> int:
    """Where the cards really are: as asked unless seen elsewhere."""
    position = _asked(play).position if seen.position is None else seen.position
    assert position is not None
    return position


def _asked(play: Play) -> asks.DealCard | asks.DeliverStack:
    """The place that the present ask names."""
    match play.ask:
        case asks.DealCard() | asks.DeliverStack():
            return play.ask
        case asks.Dispense(number=number, position=position, rules=rules):
            return asks.DealCard(number, position, None, rules)
    raise AssertionError(f"no cards were asked for by {play.ask}")
