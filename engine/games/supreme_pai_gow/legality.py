"""Which observations a round accepts at a moment: one that answers its ask, or one that may come at any time.

What the rules forbid raises Illegal; what does not fit the moment raises OutOfTurn. Nothing here changes a round.
"""

from collections.abc import Mapping

from feltrig.engine import asks, tells
from feltrig.engine.answers import ANSWERS
from feltrig.engine.answers import expect as _expect
from feltrig.engine.asks import Ask
from feltrig.engine.decks import Stage
from feltrig.engine.games.supreme_pai_gow.banking import check_cover
from feltrig.engine.games.supreme_pai_gow.options import Deal
from feltrig.engine.games.supreme_pai_gow.play import DEALT, DECK, Play
from feltrig.engine.games.supreme_pai_gow.sequence import method
from feltrig.engine.games.supreme_pai_gow.wagers import Wager, areas, check, check_bonus
from feltrig.engine.rulings import Illegal, OutOfTurn
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.positions import POSITIONS, SEATS, STACKS
from feltrig.engine.tells import Tell

LEAST_CUT = 10
"""Cards above and below the cut card: 34.6(e)."""


def verify(play: Play, seen: Tell) -> None:
    """Raise Illegal or OutOfTurn unless the observation can be told now."""
    ask = play.ask
    if ask is None:
        raise OutOfTurn("the round is over")
    match seen:
        case tells.WagerPlaced():
            _in_play(play, seen)
            _check_wager(play, seen)
        case tells.RecutOrdered():
            _in_play(play, seen)
            _check_recut(play)
        case tells.Surrendered():
            _in_play(play, seen)
            _check_surrender(play, seen.seat)
        case tells.CardExposed():
            _in_play(play, seen)
            _check_exposed_card(play, seen)
        case tells.CardDrawnInError():
            _expect(_card_can_be_drawn(play), ask, seen)
        case tells.ShufflerFailed():
            _expect(_shuffler_works_on(play, ask, seen.deck), ask, seen)
        case tells.ShoeFailed():
            _expect(_shoe_works(play, ask), ask, seen)
        case tells.CardDealt() | tells.StackDispensed():
            _check_bets_closed(play)
            _expect(isinstance(seen, ANSWERS[type(ask)]), ask, seen)
            _check_dealt(play, ask, seen)
        case tells.BankAccepted():
            _in_play(play, seen)
            _check_bank(play, ask, seen)
        case tells.HandSet():
            _in_play(play, seen)
            _check_setting(play, ask, seen)
        case _:
            _expect(isinstance(seen, ANSWERS[type(ask)]), ask, seen)
            _check_answer(play, ask, seen)


def _in_play(play: Play, seen: Tell) -> None:
    if play.void:
        raise OutOfTurn(f"{seen}: the round is void")


def _check_answer(play: Play, ask: Ask, seen: Tell) -> None:
    """Whether an answer of the right kind fits what was asked."""
    match ask, seen:
        case asks.OfferBank(), tells.BankDeclined():
            _expect(seen.seat == ask.seat, ask, seen)
        case asks.StartShuffle() | asks.FinishShuffle(), tells.ShuffleStarted() | tells.Shuffled():
            _check_deck(play, ask.deck, seen.deck, "34.2(b)3")
        case asks.LoadShoe(), tells.ShoeLoaded():
            _check_deck(play, ask.deck, seen.deck, "34.2(b)4")
        case asks.Cut(), tells.DeckCut():
            _check_cut(ask, seen)
        case asks.PlaceDealerWager(), tells.DealerWagered():
            if not 0 <= seen.amount <= ask.most:
                raise Illegal(f"dealer wager of {seen.amount}, expected at most {ask.most}", "34.13(g)")
        case asks.RackStub(), tells.StubRacked():
            if ask.count and seen.count is None:
                raise Illegal("the stub must be counted this round", "34.8(d)")
        case asks.ChooseStack(), tells.StackChosen():
            if seen.stack not in STACKS:
                raise Illegal(f"stack {seen.stack}: there are {ask.stacks}", "34.13(i)1")
        case asks.DeliverStack(), tells.StackDelivered():
            _expect(seen.stack in play.stacks and _is_position(seen.position), ask, seen)
        case asks.DecideExposed(), tells.PlayedOn() | tells.HandVoided():
            _expect(seen.seat == ask.seat, ask, seen)
        case asks.Expose(), tells.Exposed():
            _check_exposure(play, ask, seen)
        case asks.CollectCards() | asks.ReplaceDeck(), tells.CardsCollected() | tells.DeckReplaced():
            _expect(seen.deck == ask.deck, ask, seen)
        case asks.ClearDevice(), tells.DeviceCleared():
            _expect(seen.device == ask.device, ask, seen)


def _check_deck(play: Play, asked: str, seen: str, rule: str) -> None:
    if seen != asked:
        raise Illegal(f"deck {seen}, expected {asked}", rule if len(play.decks.names) > 1 else "34.2(a)")


def _check_cut(ask: asks.Cut, seen: tells.DeckCut) -> None:
    if seen.by != DEALER and seen.by not in ask.offer:
        raise Illegal(f"seat {seen.by} cut, the cut was offered to {ask.offer}", "34.6(c)", ask.rules[-1])
    if not LEAST_CUT <= seen.depth <= len(DECK) - LEAST_CUT:
        raise Illegal(f"cut at {seen.depth}: at least {LEAST_CUT} cards from either end", "34.6(e)")


def _check_recut(play: Play) -> None:
    if play.cut_by is None:
        raise Illegal("the cards have not been cut", "34.6(f)")
    if play.dealt or play.discarded:
        raise Illegal("cards have been dealt", "34.6(f)")


def _check_wager(play: Play, seen: tells.WagerPlaced) -> None:
    if play.bets_closed:
        raise Illegal("no more bets", "34.7(c)")
    after = with_wager(play.wagers, play.bank, seen)
    if seen.seat == play.bank:
        if seen.main:
            raise Illegal(f"seat {seen.seat}: the bank plays against all wagers and makes none", "34.1 Bank")
        check_bonus(play.options, seen.seat, seen.bonus)
        return
    if not seen.main and seen.bonus:
        raise Illegal(f"seat {seen.seat}: a bonus wager goes with a main wager only", "34.7(d)")
    check(play.options, {seat: wager for seat, wager in after.items() if seat != play.bank})
    if play.bank is not None:
        check_cover(play.bank_chips, after, play.bank)


def with_wager(wagers: Mapping[int, Wager], bank: int | None, seen: tells.WagerPlaced) -> dict[int, Wager]:
    """The wagers after one was made, changed or withdrawn."""
    after = dict(wagers)
    before = after.pop(seen.seat, None)
    if seen.main or seen.seat == bank:
        after[seen.seat] = Wager(seen.main, seen.bonus, before.player if before else None)
    return after


def _check_bank(play: Play, ask: Ask, seen: tells.BankAccepted) -> None:
    refusal = play.memory.banks.refusal(play.options, play.wagers, seen.seat)
    if refusal is not None:
        raise refusal
    if not isinstance(ask, asks.OfferBank):
        raise OutOfTurn(f"{seen} does not answer {ask}")
    if seen.seat != ask.seat:
        raise Illegal(f"seat {seen.seat}: the bank is offered to seat {ask.seat}", "34.13(c)")
    if seen.co_bank and not play.options.co_banking:
        raise Illegal("this table does not offer co-banking", "34.13(e)")
    check_cover(seen.chips, play.wagers, seen.seat)


def _check_bets_closed(play: Play) -> None:
    if not play.bets_closed:
        raise Illegal("cards came out before the betting was closed", method(play).no_more_bets)


def _check_dealt(play: Play, ask: Ask, seen: tells.CardDealt | tells.StackDispensed) -> None:
    if seen.position is not None:
        _expect(_is_position(seen.position) and play.options.deal is not Deal.HAND, ask, seen)
    if isinstance(seen, tells.CardDealt):
        if seen.stack is not None:
            _expect(seen.stack in STACKS and play.options.deal is Deal.HAND, ask, seen)
        if play.drawn and seen.card != play.drawn[0]:
            raise Illegal("the card drawn in error is the next card", "34.16(g)")


def _card_can_be_drawn(play: Play) -> bool:
    """From the shoe or the hand, once the deck is ready and until the last card."""
    if play.dead or play.options.deal is Deal.AUTOMATED_SHOE or play.dealt + len(play.drawn) >= DEALT:
        return False
    ready = play.loaded if play.options.deal is Deal.MANUAL_SHOE else play.decks.stages[play.deck] is Stage.SHUFFLED
    return ready and (play.options.machine_shuffle or play.cut_by is not None)


def _shuffler_works_on(play: Play, ask: Ask, deck: str) -> bool:
    if not play.options.machine_shuffle:
        return False
    starting = isinstance(ask, asks.StartShuffle) and ask.deck == deck
    return starting or play.decks.stages.get(deck) is Stage.SHUFFLING


def _shoe_works(play: Play, ask: Ask) -> bool:
    automated = play.options.deal is Deal.AUTOMATED_SHOE and not play.dead
    return automated and not play.dealt_out and (play.loaded or isinstance(ask, asks.LoadShoe))


def _check_surrender(play: Play, seat: int) -> None:
    if not play.dealt_out:
        raise Illegal("the cards have not been dealt", "34.12(e)")
    if seat not in play.players:
        raise Illegal(f"seat {seat}: no wager to surrender", "34.12(e)")
    if seat in play.exposed:
        raise Illegal(f"seat {seat}: the hands have been exposed", "34.12(e)")


def _check_exposed_card(play: Play, seen: tells.CardExposed) -> None:
    if seen.position is None:
        raise OutOfTurn(f"{seen}: no card lies there")
    held = play.holds(seen.position)
    if not held or (seen.card is not None and seen.card not in play.hands[seen.position]):
        raise OutOfTurn(f"{seen}: no such card lies face down there")


def _check_setting(play: Play, ask: Ask, seen: tells.HandSet) -> None:
    if seen.position in play.settings:
        raise Illegal(f"position {seen.position}: the hands have been set", "34.12(b)")
    if not isinstance(ask, asks.SetHands):
        raise OutOfTurn(f"{seen} does not answer {ask}")
    if seen.position != ask.position:
        if seen.position == DEALER and play.dealer_plays:
            raise Illegal("the dealer sets after all players", "34.12(c)")
        if ask.position in SEATS and seen.position in areas(play.wagers, ask.position):
            raise Illegal(f"the player sets the hands at {ask.position} first", "34.15(b)")
        raise OutOfTurn(f"{seen} does not answer {ask}")
    if sorted((*seen.high, *seen.low)) != sorted(ask.cards):
        raise Illegal(f"position {seen.position}: hands are formed from the four cards dealt to it", "34.12(a)")


def _check_exposure(play: Play, ask: asks.Expose, seen: tells.Exposed) -> None:
    if seen.position != ask.position:
        if play.holds(seen.position):
            raise Illegal(f"position {seen.position}: position {ask.position} comes first", *ask.rules)
        raise OutOfTurn(f"{seen} does not answer {ask}")


def _is_position(position: int) -> bool:
    return 0 <= position < POSITIONS
