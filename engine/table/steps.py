"""The steps around the deal that the card games share: shuffle, cut, load, close the betting, decide, rack the stub."""

from collections.abc import Iterable, Mapping

from feltrig.engine import asks, tells
from feltrig.engine.answers import expect
from feltrig.engine.asks import Ask, Rules
from feltrig.engine.cards import Card
from feltrig.engine.decks import Stage
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.dealing import burn
from feltrig.engine.table.house import DEALER, Deal
from feltrig.engine.table.irregular import Irregularity
from feltrig.engine.table.play import Place, Play
from feltrig.engine.table.script import Script, clear_devices, hear, obey, replace_decks
from feltrig.engine.tells import Tell


def ready_deck(play: Play) -> Script[None]:
    """The deck of this round is shuffled, cut and loaded, and the other one goes into the shuffler."""
    yield from shuffle(play)
    yield from cut(play)
    yield from load(play)
    yield from shuffle_waiting(play)


def ready_shoe(play: Play, burn_rules: Rules = ()) -> Script[None]:
    """A shoe that lasts for many rounds is shuffled, cut and loaded when it is due, and a card is burned then."""
    shoe = play.memory.shoe
    if not shoe.ready:
        yield from shuffle(play)
        yield from cut(play)
        yield from load(play)
        shoe.left, shoe.ready = play.undealt, True
    play.loaded = True
    if shoe.burn_due and burn_rules:
        yield from burn(play, burn_rules)
    shoe.burn_due = False


def shuffle(play: Play) -> Script[None]:
    """The deck of this round is shuffled; a machine that is busy with the other deck finishes that first."""
    while True:
        yield from clear_devices(play)
        yield from replace_decks(play)
        deck, waiting = play.deck, play.decks.waiting
        stage = play.decks.stages[deck]
        if stage is Stage.SHUFFLED:
            return
        if stage is Stage.SHUFFLING:
            yield from _finish(play, deck, play.rules.shuffle)
        elif waiting is not None and play.decks.stages[waiting] is Stage.SHUFFLING:
            yield from _finish(play, waiting, play.rules.shuffle_waiting)
        else:
            yield from _start(play, deck, play.rules.shuffle)


def shuffle_waiting(play: Play) -> Script[None]:
    """Of two decks, one is shuffled while the other is in play."""
    waiting = play.decks.waiting
    if waiting is not None and play.decks.stages[waiting] is Stage.USED and waiting not in play.decks.removed:
        yield from _start(play, waiting, play.rules.shuffle_waiting)


def _start(play: Play, deck: str, rules: Rules) -> Script[None]:
    ask = asks.StartShuffle(deck, _by(play), rules)
    seen = yield from hear(ask, lambda seen: _check_deck(play, ask, deck, seen))
    if isinstance(seen, tells.ShufflerFailed):
        _shuffler_failed(play, seen)
    else:
        play.decks.start(deck)


def _finish(play: Play, deck: str, rules: Rules) -> Script[None]:
    ask = asks.FinishShuffle(deck, _by(play), len(play.procedure.cards), rules)
    seen = yield from hear(ask, lambda seen: _check_deck(play, ask, deck, seen))
    if isinstance(seen, tells.ShufflerFailed):
        _shuffler_failed(play, seen)
        return
    assert isinstance(seen, tells.Shuffled)
    if seen.count not in (None, len(play.procedure.cards)):
        machine = play.house.machine_shuffle
        wrong = Irregularity.SHUFFLER_MISCOUNTED if machine else Irregularity.DECK_MISCOUNTED
        play.decks.remove(deck, play.rule(wrong).rules)
        return
    counts = play.house.machine_shuffle and play.house.shuffler_counts
    play.decks.finish(deck, counted=counts and seen.count is not None)


def _shuffler_failed(play: Play, seen: tells.ShufflerFailed) -> None:
    play.rule(Irregularity.SHUFFLER_FAILED)
    play.decks.use(seen.deck)


def _check_deck(play: Play, ask: Ask, deck: str, seen: Tell) -> None:
    assert isinstance(seen, tells.ShuffleStarted | tells.Shuffled | tells.ShufflerFailed | tells.ShoeLoaded)
    if isinstance(seen, tells.ShufflerFailed):
        expect(play.house.machine_shuffle and seen.deck == deck, ask, seen)
    elif seen.deck != deck:
        rules = play.rules.alternate if len(play.decks.names) > 1 else play.rules.deck
        raise Illegal(f"deck {seen.deck}, expected {deck}", *rules)


def cut(play: Play) -> Script[None]:
    """Cards shuffled by hand are cut, and in some games a stack from the machine, too."""
    fed = play.house.machine_shuffle and not play.rules.cut_after_machine
    if fed or play.cut_by is not None:
        return
    recut = play.recut_from is not None
    ask = asks.Cut(_cut_offer(play), play.left, play.rules.recut if recut else play.rules.cut)
    seen = yield from hear(ask, lambda seen: _check_cut(play, ask, seen))
    assert isinstance(seen, tells.DeckCut)
    play.cut_by = seen.by


def rotating_cut(play: Play) -> tuple[int, ...]:
    """The cut is offered to the first player at the start of a game, and then to one seat after the other,
    counterclockwise from the dealer's far right."""
    if play.memory.start_of_game:
        return (play.first_player,) if play.first_player in play.wagers else ()
    return play.memory.cuts.order(play.wagers)[:1]


def _cut_offer(play: Play) -> tuple[int, ...]:
    cutter = play.recut_from
    if cutter is None:
        return play.procedure.cut_offer(play)
    if play.house.recut_by == "last" or not play.procedure.cut_offer(play):
        return (cutter,) if cutter != DEALER else ()
    return play.memory.cuts.order(play.wagers)[:1]


def _check_cut(play: Play, ask: asks.Cut, seen: Tell) -> None:
    assert isinstance(seen, tells.DeckCut)
    if seen.by != DEALER and seen.by not in ask.offer:
        raise Illegal(f"seat {seen.by} cut, the cut was offered to {ask.offer}", *ask.rules)
    least = play.rules.least_cut
    if not least <= seen.depth <= ask.size - least:
        raise Illegal(f"cut at {seen.depth}: at least {least} cards from either end", *play.rules.cut_depth)


def load(play: Play) -> Script[None]:
    """The deck goes into the shoe, when there is one."""
    if play.loaded:
        return
    if play.method.load:
        ask = asks.LoadShoe(play.deck, play.house.deal is Deal.AUTOMATED_SHOE, play.method.load)
        seen = yield from hear(ask, lambda seen: _check_load(play, ask, seen))
        if isinstance(seen, tells.ShoeFailed):
            obey(play, play.rule(Irregularity.SHOE_FAILED))
    play.loaded = True


def _check_load(play: Play, ask: asks.LoadShoe, seen: Tell) -> None:
    if isinstance(seen, tells.ShoeFailed):
        expect(ask.automated, ask, seen)
    else:
        _check_deck(play, ask, ask.deck, seen)


def close_betting(play: Play, rules: Rules = ()) -> Script[None]:
    """The betting is closed."""
    if not play.bets_closed:
        yield from hear(asks.CallNoMoreBets(rules or play.method.close))
        play.bets_closed = True


def rack_stub(play: Play, *, always: bool = False) -> Script[None]:
    """The undealt cards go into the rack; every so many rounds they are counted, unless the shuffler does it. In some
    games they are counted `always`."""
    waived = play.deck in play.decks.counted and not always
    count = always or (not waived and play.memory.stub.due)
    rules = (*play.method.stub, *(play.method.counted_by_machine if waived else play.method.count))
    expected = play.left
    ask = asks.RackStub(expected, count, rules)
    seen = yield from hear(ask, lambda seen: _check_stub(ask, seen))
    assert isinstance(seen, tells.StubRacked)
    play.stub_racked, play.stub_counted = True, seen.count is not None
    play.memory.stub.round_over(play.stub_counted or waived)
    if seen.count not in (None, expected):
        obey(play, play.rule(Irregularity.STUB_MISCOUNTED))
    if seen.cards is not None and (len(seen.cards) != expected or not play.holds(seen.cards)):
        obey(play, play.rule(Irregularity.STUB_STRANGE))


def _check_stub(ask: asks.RackStub, seen: Tell) -> None:
    assert isinstance(seen, tells.StubRacked)
    if ask.count and seen.count is None:
        raise Illegal("the stub must be counted this round", *ask.rules)


def decide(
    play: Play,
    seat: int,
    what: str,
    choices: tuple[str, ...],
    rules: Rules,
    *,
    cards: Iterable[Card] | None = None,
    amounts: Mapping[str, tuple[int, int]] | None = None,
) -> Script[tells.Decided]:
    """A seat chooses one of these, with an amount between two limits where the choice needs one."""
    held = play.hand(seat) if cards is None else tuple(cards)
    ask = asks.Decide(seat, what, choices, held, rules, amounts or {})
    seen = yield from hear(ask, lambda seen: _check_decision(ask, seen))
    assert isinstance(seen, tells.Decided)
    return seen


def _check_decision(ask: asks.Decide, seen: Tell) -> None:
    assert isinstance(seen, tells.Decided)
    expect(seen.seat == ask.seat, ask, seen)
    if seen.choice not in ask.choices:
        raise Illegal(f"seat {seen.seat}: {seen.choice!r} is not {' or '.join(ask.choices)}", *ask.rules)
    if seen.choice not in ask.amounts:
        expect(seen.amount is None, ask, seen)
        return
    least, most = ask.amounts[seen.choice]
    if seen.amount is None or not least <= seen.amount <= most:
        raise Illegal(f"seat {seen.seat}: {seen.choice} of {seen.amount}, expected {least} to {most}", *ask.rules)


def expose(play: Play, position: int, rules: Rules) -> Script[None]:
    """The hand of a position is turned over."""
    ask = asks.Expose(position, rules)
    yield from hear(ask, lambda seen: _check_turned(play, ask, ask.position, seen))
    play.seen.add(position)


def reveal(play: Play, area: str, rules: Rules) -> Script[None]:
    """The cards of another place of the layout are turned over."""
    ask = asks.Reveal(area, rules)
    yield from hear(ask, lambda seen: _check_turned(play, ask, ask.area, seen))
    play.seen.add(area)


def _check_turned(play: Play, ask: asks.Expose | asks.Reveal, place: Place, seen: Tell) -> None:
    assert isinstance(seen, tells.Exposed | tells.Revealed)
    told: Place = seen.position if isinstance(seen, tells.Exposed) else seen.area
    if told != place:
        if play.hand(told) and told not in play.seen:
            raise Illegal(f"{told}: {place} comes first", *ask.rules)
        expect(False, ask, seen)


def _by(play: Play) -> str:
    return "machine" if play.house.machine_shuffle else "hand"
