"""The steps around the deal that the card games share: shuffle, cut, load, close the betting, decide, rack the stub."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from feltrig.engine import asks, tells
from feltrig.engine.answers import expect
from feltrig.engine.asks import Ask, Rules
from feltrig.engine.cards import Card
from feltrig.engine.decks import Stage
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.dealing import burn
from feltrig.engine.table.house import DEALER, Deal
from feltrig.engine.table.play import Place, Play
from feltrig.engine.table.rotation import around
from feltrig.engine.table.script import Script, hear, heed, same_deck, to_replace
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
    want, do = partial(_to_shuffle, play), partial(do_shuffle, play)
    while (yield from heed(play, want, do, partial(check_shuffle, play))) is not None:
        pass


def _to_shuffle(play: Play) -> Ask | None:
    deck, waiting = play.deck, play.decks.waiting
    removed = to_replace(play)
    if removed is not None:
        return removed
    match play.decks.stages[deck]:
        case Stage.SHUFFLED:
            return None
        case Stage.SHUFFLING:
            return _finish(play, deck, play.rules.shuffle)
    if waiting is not None and play.decks.stages[waiting] is Stage.SHUFFLING:
        return _finish(play, waiting, play.rules.shuffle_waiting)
    return asks.StartShuffle(deck, _by(play), play.rules.shuffle)


def shuffle_waiting(play: Play) -> Script[None]:
    """Of two decks, one is shuffled while the other is in play."""
    want, do = partial(to_shuffle_waiting, play), partial(do_shuffle, play)
    yield from heed(play, want, do, partial(check_shuffle, play))
    play.waiting_begun = True


def to_shuffle_waiting(play: Play) -> Ask | None:
    """The deck that waits goes into the shuffler."""
    waiting = play.decks.waiting
    if waiting is None or play.decks.stages[waiting] is not Stage.USED or waiting in play.decks.removed:
        return None
    return asks.StartShuffle(waiting, _by(play), play.rules.shuffle_waiting)


def _finish(play: Play, deck: str, rules: Rules) -> Ask:
    return asks.FinishShuffle(deck, _by(play), len(play.procedure.cards), rules)


def do_shuffle(play: Play, seen: Tell) -> None:
    """Take the beginning or the end of a shuffle into the round, or a new deck."""
    match seen:
        case tells.ShuffleStarted():
            play.decks.start(seen.deck)
        case tells.Shuffled():
            counts = play.house.machine_shuffle and play.house.shuffler_counts
            play.decks.finish(seen.deck, counted=counts and seen.count is not None)
        case tells.DeckReplaced():
            play.decks.replace(seen.deck)


def check_shuffle(play: Play, ask: Ask, seen: Tell) -> None:
    """Raise Illegal when another deck is shuffled, loaded or replaced than the one that was asked for."""
    if isinstance(ask, asks.ReplaceDeck):
        same_deck(ask, seen)
        return
    assert isinstance(ask, asks.StartShuffle | asks.FinishShuffle | asks.LoadShoe)
    assert isinstance(seen, tells.ShuffleStarted | tells.Shuffled | tells.ShoeLoaded)
    if seen.deck != ask.deck:
        several = (
            play.rules.alternate if isinstance(ask, asks.LoadShoe) else play.rules.wrong_deck or play.rules.alternate
        )
        raise Illegal(
            f"deck {seen.deck}, expected {ask.deck}", *(several if len(play.decks.names) > 1 else play.rules.deck)
        )


def cut(play: Play) -> Script[None]:
    """Cards shuffled by hand are cut, and in some games a stack from the machine, too."""

    def want() -> Ask | None:
        fed = play.house.machine_shuffle and not play.rules.cut_after_machine
        if fed or play.cut_by is not None:
            return None
        rules = play.procedure.cut_rules(play) if play.recut_from is None else play.rules.recut
        return asks.Cut(_cut_offer(play), play.left, rules)

    def do(seen: tells.DeckCut) -> None:
        play.cut_by = seen.by

    yield from heed(play, want, do, partial(_check_cut, play))


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
    return around(play.wagers, cutter + 1)[:1]


def _check_cut(play: Play, ask: asks.Cut, seen: tells.DeckCut) -> None:
    if seen.by != DEALER and seen.by not in ask.offer:
        who = (*play.rules.cut_by, ask.rules[-1]) if play.rules.cut_by else ask.rules
        raise Illegal(f"seat {seen.by} cut, the cut was offered to {ask.offer}", *who)
    least = play.rules.least_cut
    if not least <= seen.depth <= ask.size - least:
        raise Illegal(f"cut at {seen.depth}: at least {least} cards from either end", *play.rules.cut_depth)


def load(play: Play) -> Script[None]:
    """The deck goes into the shoe, when there is one."""

    def want() -> Ask | None:
        if play.loaded or not play.method.load:
            return None
        return asks.LoadShoe(play.deck, play.house.deal is Deal.AUTOMATED_SHOE, play.method.load)

    yield from heed(play, want, check=partial(_check_load, play))
    play.loaded = True


def _check_load(play: Play, ask: asks.LoadShoe, seen: Tell) -> None:
    if isinstance(seen, tells.ShoeFailed):
        expect(ask.automated, ask, seen)
    else:
        check_shuffle(play, ask, seen)


def close_betting(play: Play, rules: Rules = ()) -> Script[None]:
    """The betting is closed."""
    if not play.bets_closed:
        yield from hear(asks.CallNoMoreBets(rules or play.method.close))
        play.bets_closed = True


def rack_stub(play: Play, *, always: bool = False) -> Script[None]:
    """The undealt cards go into the rack; every few rounds they are counted, unless the shuffler does it. In some
    games they are counted `always`."""

    def want() -> Ask | None:
        waived = play.deck in play.decks.counted and not always
        count = always or (not waived and play.memory.stub.due)
        rules = (*play.method.stub, *(play.method.counted_by_machine if waived else play.method.count))
        return None if play.stub_racked else asks.RackStub(play.left, count, rules)

    def do(seen: tells.StubRacked) -> None:
        play.stub_racked, play.stub_counted = True, seen.count is not None

    yield from heed(play, want, do, partial(_check_stub, play))


def _check_stub(play: Play, ask: asks.RackStub, seen: tells.StubRacked) -> None:
    if ask.count and seen.count is None:
        raise Illegal("the stub must be counted this round", *ask.rules)


def collect_unbet(play: Play, positions: tuple[int, ...], rules: Rules) -> Script[None]:
    """Cards at positions that nobody plays are taken away unseen."""
    if positions:
        yield from hear(asks.CollectUnbet(positions, rules))
        play.seen.update(positions)


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
    seen: tells.Decided = yield from hear(ask, lambda seen: _check_decision(ask, seen))
    return seen


def _check_decision(ask: asks.Decide, seen: tells.Decided) -> None:
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
    yield from turn_over(play, lambda: asks.Expose(position, rules))


def reveal(play: Play, area: str, rules: Rules) -> Script[None]:
    """The cards of another place of the layout are turned over."""
    yield from turn_over(play, lambda: asks.Reveal(area, rules))


def turn_over(play: Play, want: Callable[[], asks.Expose | asks.Reveal | None]) -> Script[bool]:
    """The cards that are wanted now are turned over. Whether any were."""

    def do(seen: tells.Exposed | tells.Revealed) -> None:
        play.seen.add(_turned(seen))

    return (yield from heed(play, want, do, partial(_check_turned, play))) is not None


def _check_turned(play: Play, ask: asks.Expose | asks.Reveal, seen: tells.Exposed | tells.Revealed) -> None:
    place: Place = ask.position if isinstance(ask, asks.Expose) else ask.area
    told = _turned(seen)
    if told != place:
        if play.hand(told) and told not in play.seen:
            raise Illegal(f"{told}: {place} comes first", *ask.rules)
        expect(False, ask, seen)


def _turned(seen: tells.Exposed | tells.Revealed) -> Place:
    return seen.position if isinstance(seen, tells.Exposed) else seen.area


def _by(play: Play) -> str:
    return "machine" if play.house.machine_shuffle else "hand"
