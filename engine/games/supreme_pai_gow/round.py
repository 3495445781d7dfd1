"""A round of Supreme Pai Gow: 34.6 to 34.13.

Where no clause decides, the rig does:

* The button moves only after a completed round. A banked round starts at the button, too.
* A surrender stands in a round that becomes void later.
* Cards at wrong positions are noted, unless a clause voids the round.
* A player who has the bank keeps it when a deck is replaced before the deal.
"""

from collections.abc import Callable, Mapping
from functools import partial

from feltrig.engine import asks, tells
from feltrig.engine.asks import Ask, Rules
from feltrig.engine.cards import deck
from feltrig.engine.games.supreme_pai_gow import banking
from feltrig.engine.games.supreme_pai_gow.banking import offer_bank, wager_of_dealer
from feltrig.engine.games.supreme_pai_gow.delivery import HAND_SIZE, bank_delivery, hand_deal_stacks, hand_delivery
from feltrig.engine.games.supreme_pai_gow.irregularities import TABLE, bank_reset
from feltrig.engine.games.supreme_pai_gow.methods import METHODS, RULES, cut_rules, delivery_rules
from feltrig.engine.games.supreme_pai_gow.options import Options, Start, check_table
from feltrig.engine.games.supreme_pai_gow.result import settle
from feltrig.engine.games.supreme_pai_gow.state import areas, bonuses, dealer_plays, dealt_out, players, state, unbet
from feltrig.engine.games.supreme_pai_gow.wagers import check, check_wager, place_wager, setting_order
from feltrig.engine.rulings import Illegal, OutOfTurn
from feltrig.engine.table import steps
from feltrig.engine.table.dealing import Stack, deal_cards, deliver_stacks, dispense
from feltrig.engine.table.house import DEALER, Deal, House
from feltrig.engine.table.interjections import Interjection, check_draw, check_exposed, check_recut
from feltrig.engine.table.places import stack_place
from feltrig.engine.table.play import Play, Procedure
from feltrig.engine.table.positions import POSITIONS, SEATS, STACKS, clockwise, next_button, start_position
from feltrig.engine.table.result import Settlement
from feltrig.engine.table.rotation import around
from feltrig.engine.table.script import Script, heed
from feltrig.engine.table.setting import Hands
from feltrig.engine.table.starting import read_button, roll, select
from feltrig.engine.tells import Tell


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check_table(options, house)
    return Procedure(
        "supreme_pai_gow",
        deck(jokers=2),
        len(SEATS),
        RULES,
        {},
        script,
        partial(check, options, house),
        cut_offer=_cut_offer,
        cut_rules=cut_rules,
        irregularities=TABLE,
        interjections=INTERJECTIONS,
        refuse=_refuse,
        survives=lambda play: bool(bonuses(play)),
        begin=banking.begin,
        result=settle,
        round_over=_round_over,
        marker=options.start is Start.BUTTON,
    )


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """From the offer of the bank to the last hand that is seen."""
    yield from offer_bank(play)
    yield from steps.shuffle(play)
    yield from steps.cut(play)
    yield from wager_of_dealer(play)
    yield from steps.load(play)
    yield from steps.shuffle_waiting(play)
    yield from steps.close_betting(play)
    yield from DEALS[play.house.deal](play)
    yield from steps.collect_unbet(play, unbet(play), METHODS[play.house.deal].unbet)
    if play.options.start is Start.DICE:
        yield from heed(play, lambda: asks.ParkShaker(("34.11(b)4",)))
    yield from _set_hands(play)
    while (yield from steps.turn_over(play, partial(_to_expose, play))):
        pass
    return ()


def _cut_offer(play: Play) -> tuple[int, ...]:
    bank = state(play).bank
    return steps.rotating_cut(play) if bank is None else around(play.wagers, bank)


def _round_over(play: Play) -> None:
    banking.remember(play)
    memory = play.memory
    if play.void is None:
        memory.own["marker"] = next_button(_button(play))
    if play.new_deck:
        memory.start_of_game = True
        memory.cuts.restart()


def _button(play: Play) -> int:
    return int(play.memory.own.get("marker", DEALER))


# The deal


def _find_start(play: Play) -> Script[int]:
    """Dice, generator or button give the starting position. A bank counts as number one, and shakes or selects."""
    own, rules = state(play), METHODS[play.house.deal]
    if own.start is not None:
        return own.start
    banked = own.bank is not None
    first = DEALER if own.bank is None else own.bank
    match play.options.start:
        case Start.DICE:
            bank = (*rules.bank_shakes, *rules.bank_is_one) if banked else ()
            seen = yield from roll(play, ("34.11(b)", *rules.start, *bank), "bank" if banked else "dealer")
            own.start = start_position(sum(seen.dice), first)
            own.mis_totalled = seen.announced not in (None, sum(seen.dice))
        case Start.RNG:
            bank = (*rules.bank_selects, *rules.bank_is_one) if banked else ()
            own.start = start_position((yield from select(play, ("34.11(c)", *rules.start, *bank))), first)
        case _:
            yield from read_button(play, _button(play), ("34.11(d)", *rules.start))
            own.start = _button(play)
    return own.start


def _from_the_shoe(play: Play) -> Script[None]:
    """Single cards clockwise until each position has four: 34.8."""
    start = yield from _find_start(play)
    yield from deal_cards(play, clockwise(start) * HAND_SIZE)
    yield from steps.rack_stub(play)


def _from_the_hand(play: Play) -> Script[None]:
    """Single cards onto seven stacks, there and back; then the stacks go to the positions: 34.9, 34.13(i)."""
    yield from deal_cards(play, map(stack_place, hand_deal_stacks()))
    yield from steps.rack_stub(play)
    yield from _choose_stack(play)
    start, first = (yield from _find_start(play)), state(play).first_stack
    order = hand_delivery(start) if first is None else bank_delivery(start, first)
    yield from deliver_stacks(play, order, delivery_rules(play))


def _choose_stack(play: Play) -> Script[None]:
    """A bank chooses the first stack."""
    own, bank = state(play), state(play).bank
    if bank is None or own.first_stack is not None:
        return

    def choose(seen: tells.StackChosen) -> None:
        own.first_stack = seen.stack

    def check_stack(ask: Ask, seen: tells.StackChosen) -> None:
        if seen.stack not in STACKS:
            raise Illegal(f"stack {seen.stack}: there are {len(STACKS)}", *ask.rules)

    yield from heed(play, lambda: asks.ChooseStack(bank, POSITIONS, ("34.13(i)1",)), choose, check_stack)


def _by_stacks(play: Play) -> Script[None]:
    """The shoe dispenses a stack for each position, clockwise: 34.10."""
    start = yield from _find_start(play)
    yield from dispense(play, (Stack(position, HAND_SIZE) for position in clockwise(start)))
    yield from steps.rack_stub(play)


DEALS: Mapping[Deal, Callable[[Play], Script[None]]] = {
    Deal.MANUAL_SHOE: _from_the_shoe,
    Deal.HAND: _from_the_hand,
    Deal.AUTOMATED_SHOE: _by_stacks,
}


# The hands


def _set_hands(play: Play) -> Script[None]:
    def do(seen: tells.HandSet) -> None:
        state(play).settings[seen.position] = Hands(seen.high, seen.low)
        if seen.position == DEALER:
            play.seen.add(DEALER)

    while (yield from heed(play, partial(_to_set, play), do, partial(_check_setting, play))) is not None:
        pass


def _to_set(play: Play) -> Ask | None:
    """The players set their hands, then the bank, then the dealer by the house way. The dealer also sets a co-bank's
    hands, and those that a bank set wrongly."""
    own = state(play)
    if play.void:
        return None
    seat = next((seat for seat in setting_order(play) if seat not in own.settings), None)
    if seat is not None:
        return _set(play, seat, False, "34.12(a)", *(("34.15(b)",) if len(areas(play, seat)) > 1 else ()))
    if own.bank is not None and own.bank not in own.settings:
        if own.co_bank or bank_reset(play):
            return _set(play, own.bank, True, "34.13(e)" if own.co_bank else "34.16(j)", "34.12(d)")
        return _set(play, own.bank, False, "34.12(a)")
    if dealer_plays(play) and DEALER not in own.settings:
        return _set(play, DEALER, True, "34.12(c)" if own.bank is None else "34.13(k)", "34.12(d)")
    return None


def _set(play: Play, position: int, house_way: bool, *rules: str) -> Ask:
    return asks.SetHands(position, play.hand(position), house_way, rules)


def _check_setting(play: Play, ask: asks.SetHands, seen: tells.HandSet) -> None:
    if seen.position != ask.position:
        if seen.position == DEALER and dealer_plays(play):
            raise Illegal("the dealer sets after all players", "34.12(c)")
        if ask.position in SEATS and seen.position in areas(play, ask.position):
            raise Illegal(f"the player sets the hands at {ask.position} first", "34.15(b)")
        raise OutOfTurn(f"{seen} does not answer {ask}")
    if sorted((*seen.high, *seen.low)) != sorted(ask.cards):
        raise Illegal(f"position {seen.position}: hands are formed from the four cards dealt to it", "34.12(a)")


def _to_expose(play: Play) -> asks.Expose | None:
    """The bank's hands are seen first, then the players' from the dealer's right; last the cards that lie under a
    bonus wager, after a surrender, or when only the bonus is settled."""
    own = state(play)
    of_bank: Rules = ("34.13(m)",) if own.co_bank else ("34.13(k)",)
    against: Rules = ("34.12(f)",) if own.bank is None else ("34.13(m)",) if own.co_bank else ("34.13(l)",)
    order = [] if play.void else [(own.bank, of_bank), *((seat, against) for seat in players(play))]
    order += [(seat, ("34.16(e)",) if play.void else ("34.12(e)2",)) for seat in bonuses(play)]
    return next((asks.Expose(seat, rules) for seat, rules in order if seat is not None and seat not in play.seen), None)


# What may be told between two asks, and what is refused at any moment


def _refuse(play: Play, seen: Tell) -> None:
    match seen:
        case tells.BankAccepted() | tells.HandSet() if play.void:
            raise OutOfTurn(f"{seen}: the round is void")
        case tells.BankAccepted():
            refusal = banking.refusal(play, seen.seat)
            if refusal is not None:
                raise refusal
        case tells.HandSet() if seen.position in state(play).settings:
            raise Illegal(f"position {seen.position}: the hands have been set", "34.12(b)")
        case tells.StubRacked(count=None) if isinstance(play.ask, asks.RackStub) and play.ask.count:
            raise Illegal("the stub must be counted this round", "34.8(d)")


def _check_surrender(play: Play, seen: tells.Surrendered) -> None:
    if not dealt_out(play):
        raise Illegal("the cards have not been dealt", "34.12(e)")
    if seen.seat not in players(play):
        raise Illegal(f"seat {seen.seat}: no wager to surrender", "34.12(e)")
    if seen.seat in play.seen:
        raise Illegal(f"seat {seen.seat}: the hands have been exposed", "34.12(e)")


def _surrender(play: Play, seen: tells.Surrendered) -> None:
    state(play).surrendered.add(seen.seat)
    play.undecided.pop(seen.seat, None)
    if seen.seat not in bonuses(play):
        play.seen.add(seen.seat)


def _check_draw(play: Play, seen: tells.CardDrawnInError) -> None:
    check_draw(play, seen)
    if play.dealt + len(play.drawn) >= POSITIONS * HAND_SIZE:
        raise OutOfTurn(f"{seen}: no card comes after the last")


def _check_shoe(play: Play, seen: tells.ShoeFailed) -> None:
    """The shoe works from the load to the last stack."""
    automated = play.house.deal is Deal.AUTOMATED_SHOE and not play.over and not dealt_out(play)
    if not automated or not (play.loaded or isinstance(play.ask, asks.LoadShoe)):
        raise OutOfTurn(f"{seen}: no shoe is at work")


def _check_exposed(play: Play, seen: tells.CardExposed) -> None:
    if seen.position is None:
        raise OutOfTurn(f"{seen}: no card lies there")
    check_exposed(play, seen)


INTERJECTIONS: Mapping[type[Tell], Interjection] = {
    tells.WagerPlaced: Interjection(check_wager, place_wager),
    tells.Surrendered: Interjection(_check_surrender, _surrender),
    tells.CardExposed: Interjection(_check_exposed),
    tells.RecutOrdered: Interjection(check_recut),
    tells.CardDrawnInError: Interjection(_check_draw, in_play=False),
    tells.ShoeFailed: Interjection(_check_shoe, in_play=False),
}
