"""What an observation changes in a round, and what an order does. Both expect that the observation was verified."""

from feltrig.engine import asks, tells
from feltrig.engine.games.supreme_pai_gow.conditions import position_of
from feltrig.engine.games.supreme_pai_gow.irregularities import Irregularity
from feltrig.engine.games.supreme_pai_gow.legality import with_wager
from feltrig.engine.games.supreme_pai_gow.play import Play
from feltrig.engine.games.supreme_pai_gow.wagers import Wager
from feltrig.engine.rulings import Order, Ruling
from feltrig.engine.table.hands import Hands
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.positions import start_position
from feltrig.engine.tells import Tell


def do(play: Play, seen: Tell) -> None:
    """Take what was seen into the round."""
    match seen:
        case tells.WagerPlaced():
            play.wagers = with_wager(play.wagers, play.bank, seen)
            play.offers = tuple(seat for seat in play.offers if seat in play.wagers)
        case tells.BankAccepted():
            _bank(play, seen)
        case tells.BankDeclined():
            play.offers = play.offers[1:]
        case tells.ShuffleStarted():
            play.decks.start(seen.deck)
        case tells.Shuffled():
            counts = play.options.machine_shuffle and play.options.shuffler_counts
            play.decks.finish(seen.deck, counted=counts and seen.count is not None)
        case tells.DeckCut():
            play.cut_by = seen.by
        case tells.DealerWagered():
            play.dealer_wager = seen.amount
        case tells.ShoeLoaded():
            play.loaded = True
        case tells.NoMoreBets():
            play.bets_closed = True
        case tells.DiceRolled():
            play.start = start_position(sum(seen.dice), _first(play))
            play.mis_totalled = seen.announced not in (None, sum(seen.dice))
        case tells.NumberSelected():
            play.start = start_position(seen.number, _first(play))
        case tells.ButtonSeen():
            play.start = seen.position
        case tells.CardDealt() | tells.StackDispensed() | tells.StackDelivered():
            _deal(play, seen)
        case tells.StubRacked():
            play.stub_racked = True
            play.stub_counted = seen.count is not None
        case tells.StackChosen():
            play.first_stack = seen.stack
        case tells.UnbetCollected():
            play.unbet_collected = True
        case tells.ShakerParked():
            play.shaker_parked = True
        case tells.PlayedOn():
            play.undecided.remove(seen.seat)
        case tells.HandVoided():
            play.undecided.remove(seen.seat)
            play.voided.add(seen.seat)
        case tells.HandSet():
            play.settings[seen.position] = Hands(seen.high, seen.low)
        case tells.Surrendered():
            play.surrendered.add(seen.seat)
            play.undecided = [seat for seat in play.undecided if seat != seen.seat]
        case tells.Exposed():
            play.exposed.add(seen.position)
        case tells.CardsCollected():
            play.cards_collected = True
        case tells.DeviceCleared():
            play.jammed.remove(seen.device)
        case tells.DeckReplaced():
            play.decks.replace(seen.deck)
            play.new_deck |= play.cards_collected


def carry_out(play: Play, seen: Tell, row: Irregularity, ruling: Ruling) -> None:
    """Do what was ordered."""
    if row.jams and row.device is not None:
        play.jammed.append(row.device)
    match ruling.order, seen:
        case Order.RESHUFFLE, tells.ShufflerFailed():
            play.decks.use(seen.deck)
        case Order.RESHUFFLE, _:
            play.gather()
        case ((Order.VOID | Order.VOID_KEEP_BONUS), _):
            _void(play, ruling)
        case Order.VOID_REMOVE_DECK, _:
            _void(play, ruling)
            play.decks.remove(play.deck, ruling.rules)
        case Order.REMOVE_DECK, (tells.Shuffled() | tells.CardsCollected()):
            play.decks.remove(seen.deck, ruling.rules)
            play.cards_collected = isinstance(seen, tells.CardsCollected)
        case Order.DISCARD_CARD, tells.CardDealt():
            play.undealt.remove(seen.card)
            play.discarded.append(seen.card)
            play.drawn = play.drawn[1:]
        case Order.USE_AS_NEXT, tells.CardDrawnInError():
            play.drawn.append(seen.card)
        case Order.OFFER_VOID, _:
            if ruling.position is not None and ruling.position not in play.undecided:
                play.undecided.append(ruling.position)
        case Order.RESET_HANDS, tells.HandSet():
            play.bank_reset |= seen.position == play.bank
        case Order.RECUT, _:
            play.recut_from, play.cut_by = play.cut_by, None
            play.loaded = False
            play.drawn.clear()


def _bank(play: Play, seen: tells.BankAccepted) -> None:
    """The bank's own main wager comes back: it plays against the others'."""
    before = play.wagers[seen.seat]
    play.wagers[seen.seat] = Wager(0, before.bonus, before.player)
    play.bank, play.co_bank, play.bank_chips = seen.seat, seen.co_bank, seen.chips


def _first(play: Play) -> int:
    """Who is number one when positions are counted."""
    return DEALER if play.bank is None else play.bank


def _deal(play: Play, seen: tells.CardDealt | tells.StackDispensed | tells.StackDelivered) -> None:
    match seen, play.ask:
        case tells.CardDealt(), asks.DealCard(stack=int(stack)):
            play.stacks.setdefault(stack, []).append(seen.card)
        case tells.CardDealt(), _:
            play.hands.setdefault(position_of(play, seen), []).append(seen.card)
        case tells.StackDispensed(), _:
            play.hands[position_of(play, seen)] = list(seen.cards)
            play.undealt.difference_update(seen.cards)
        case tells.StackDelivered(), _:
            play.hands[seen.position] = play.stacks.pop(seen.stack)
    if isinstance(seen, tells.CardDealt):
        play.undealt.remove(seen.card)
        play.drawn = play.drawn[1:]


def _void(play: Play, ruling: Ruling) -> None:
    play.void = ruling
    play.undecided.clear()
