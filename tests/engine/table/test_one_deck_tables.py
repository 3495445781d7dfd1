"""What all games with one deck a round have in common: shuffle, cut, load, closing call, deal, stub, irregularities.

One row of facts for each game; the text of each has the same procedures under its own numbers.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Game
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.house import DEALER, Deal, House
from feltrig.engine.table.table import Table
from feltrig.engine.table.ways import Way

MANUAL, HAND, AUTOMATED = "manual_shoe", "hand", "automated_shoe"


@dataclass(frozen=True)
class Facts:
    """What a game's text says of the shared procedures, by the end of the clause's number."""

    game: str
    prefix: str
    wagers: dict[int, dict[str, int]]
    """Of seats 2 and 5."""
    stub: int | None
    """Cards left with two players; None when the text has no stub."""
    load: dict[str, str]
    close: dict[str, str]
    racked: dict[str, str] = field(default_factory=dict)
    hours: dict[str, float] = field(default_factory=dict)
    age: str = ""
    two_areas: str = ""
    shuffle: str = ""
    hand: str = ""
    """The clauses that allow dealing from the hand."""
    after_cut: str = ""
    """The clause by which the deal follows the cut."""
    second_deck: str = ""
    backs: str = ""
    machine_only: str = ""
    remove: str = ""
    recut: str = ""
    depth: str = ""
    alternate: tuple[str, ...] = ()
    collect: str = ""
    closed: str = ""
    """The clause by which no wager changes after the closing call."""
    number: str = ""
    """The clause on hands with a wrong number of cards."""
    count: tuple[str, ...] = ()
    """The clauses on the count of the stub, and on the machine that replaces it."""
    unknown: str = ""
    """The clause by which a bet that the game does not have is refused."""
    wrong: tuple[tuple[Any, ...], ...] = ()
    """What goes wrong: the deal, the moment, what is seen, the order, and the clauses that are cited; then any that
    only say that these apply."""

    decks: tuple[str, ...] = ("red",)
    """Where the text asks for two."""

    @property
    def record(self) -> Game:
        return GAMES[self.game]

    def of(self, number: str) -> str:
        return number if number.startswith("13:69E") else self.prefix + number

    def way(self, deal: str, **house: Any) -> Way:
        return Way({"deal": deal, "decks": list(self.decks), **house})

    def when(self, seen: Any) -> tuple[str, ...]:
        """The clauses by which something seen is ruled on."""
        return tuple(end for row in self.wrong if row[2] is seen for end in row[4])


def face_up(t):
    return tells.CardDealt(t.cards[0], face_up=True)


def drawn(t):
    return tells.CardDrawnInError(t.cards[0])


def misplaced(t):
    return tells.CardDealt(t.cards[0], position=2 if t.ask.position != 2 else 5)


def miscount(t):
    return tells.StubRacked(t.ask.expect - 1)


def short_deck(t):
    return tells.Shuffled(t.ask.deck, 51)


def jam(t):
    return tells.ShufflerFailed(t.ask.deck, "jam")


def shoe_jam(t):
    return tells.ShoeFailed("jam")


def nothing(t):
    return tells.StackDispensed(())


def stack_of(more):
    return lambda t: tells.StackDispensed(tuple(t.cards[: t.ask.size + more]))


def stack_face_up(count):
    return lambda t: tells.StackDispensed(tuple(t.cards[: t.ask.size]), tuple(t.cards[:count]))


def shoe_rows(face: str, number: str, failed: str) -> tuple[Any, ...]:
    """What goes wrong with an automated shoe."""
    return (
        (AUTOMATED, asks.Dispense, shoe_jam, Order.VOID, (failed,)),
        (AUTOMATED, asks.Dispense, nothing, Order.VOID, (failed,)),
        (AUTOMATED, asks.Dispense, stack_of(+1), Order.VOID, (number,)),
        (AUTOMATED, asks.Dispense, stack_of(-1), Order.VOID, (number,)),
        (AUTOMATED, asks.Dispense, stack_face_up(1), Order.VOID, (face, number)),
        (AUTOMATED, asks.Dispense, stack_face_up(2), Order.VOID, (face,)),
    )


FACTS = (
    Facts(
        "three_card_poker",
        "19:47-20.",
        {2: {"ante": 500}, 5: {"ante": 500, "pair_plus": 500}},
        stub=43,
        load={MANUAL: "7(a)", AUTOMATED: "9(b)1"},
        close={MANUAL: "7(b)", HAND: "8(b)3", AUTOMATED: "9(b)2"},
        racked={MANUAL: "7(d)", HAND: "8(d)", AUTOMATED: "9(d)"},
        hours={MANUAL: 8, HAND: 4, AUTOMATED: 8},
        age="4(e)",
        two_areas="6(e)",
        hand="8(a)",
        after_cut="5(c)2",
        shuffle="5(a)",
        second_deck="2(b)",
        backs="2(b)2",
        machine_only="8(b)1",
        remove="12(g)",
        recut="5(d)",
        depth="5(c)1ii",
        alternate=("2(b)3", "2(b)4"),
        collect="10(c)2",
        number="12(c)",
        count=("7(e)", "7(e)1", "8(e)", "9(e)", "7(f)", "1[Stub]"),
        closed="6(d)",
        unknown="6(b)",
        wrong=(
            (MANUAL, asks.DealCard, face_up, Order.DISCARD_CARD, ("12(a)",)),
            (MANUAL, asks.DealCard, drawn, Order.USE_AS_NEXT, ("12(b)",)),
            (MANUAL, asks.RackStub, lambda t: tells.CardExposed(DEALER), Order.VOID, ("12(d)",)),
            (MANUAL, asks.RackStub, miscount, Order.VOID_REMOVE_DECK, ("7(e)2",)),
            (MANUAL, asks.FinishShuffle, short_deck, Order.REMOVE_DECK, ("7(f)",)),
            (MANUAL, asks.FinishShuffle, jam, Order.RESHUFFLE, ("12(e)",)),
            *shoe_rows("12(a)", "12(c)", "12(f)"),
        ),
    ),
    Facts(
        "let_it_ride",
        "19:47-18.",
        {
            2: {"bet_1": 500, "bet_2": 500, "bet_3": 500},
            5: {"bet_1": 1000, "bet_2": 1000, "bet_3": 1000, "bonus": 100},
        },
        stub=43,
        load={MANUAL: "7(a)", AUTOMATED: "9(b)1"},
        close={MANUAL: "7(b)", HAND: "8(b)3", AUTOMATED: "9(b)2"},
        racked={MANUAL: "7(d)", HAND: "8(d)", AUTOMATED: "9(d)"},
        hours={MANUAL: 8, HAND: 4, AUTOMATED: 8},
        age="4(e)",
        two_areas="6(e)",
        hand="8(a)",
        after_cut="5(c)2",
        shuffle="5(a)",
        second_deck="2(b)",
        backs="2(b)2",
        machine_only="8(b)1",
        remove="12(f)",
        recut="5(d)",
        depth="5(c)1ii",
        alternate=("2(b)3", "2(b)4"),
        collect="10(i)2",
        number="12(c)",
        count=("7(e)", "7(e)1", "8(e)", "9(e)", "7(f)", "1[Stub]"),
        closed="6(c)",
        unknown="6(a)",
        wrong=(
            (MANUAL, asks.DealCard, face_up, Order.DISCARD_CARD, ("12(a)",)),
            (MANUAL, asks.DealCard, drawn, Order.USE_AS_NEXT, ("12(b)",)),
            (MANUAL, asks.RackStub, miscount, Order.VOID_REMOVE_DECK, ("7(e)2",)),
            (MANUAL, asks.FinishShuffle, short_deck, Order.REMOVE_DECK, ("7(f)",)),
            (MANUAL, asks.FinishShuffle, jam, Order.RESHUFFLE, ("12(d)",)),
            *shoe_rows("12(a)", "12(c)", "12(e)"),
        ),
    ),
    Facts(
        "heads_up_holdem",
        "13:69F-39.",
        {2: {"ante": 500, "odds": 500}, 5: {"ante": 500, "odds": 500, "trips_plus": 500, "pocket_bonus": 500}},
        stub=41,
        load={MANUAL: "7(a)", AUTOMATED: "9(b)1"},
        close={MANUAL: "7(b)", HAND: "8(b)3", AUTOMATED: "9(b)2"},
        racked={MANUAL: "7(e)", HAND: "8(d)", AUTOMATED: "9(d)"},
        hand="8(a)",
        after_cut="4(c)2",
        shuffle="4(a)",
        second_deck="2(b)",
        backs="2(b)2",
        machine_only="8(b)1",
        remove="12(g)",
        recut="4(d)",
        depth="4(c)1ii",
        alternate=("2(b)3", "2(b)4"),
        collect="1[round-of-play]",
        number="12(c)",
        count=("7(f)", "7(f)1", "8(e)", "9(e)", "7(g)", "8(f)", "9(f)", "1[stub]"),
        closed="6(b)",
        unknown="6(a)",
        wrong=(
            (MANUAL, asks.DealCard, face_up, Order.DISCARD_CARD, ("12(a)",)),
            (MANUAL, asks.DealCard, drawn, Order.USE_AS_NEXT, ("12(b)",)),
            (MANUAL, asks.Decide, lambda t: tells.CardExposed(DEALER), Order.VOID, ("12(d)",)),
            (MANUAL, asks.RackStub, miscount, Order.VOID_REMOVE_DECK, ("7(f)2",)),
            (MANUAL, asks.FinishShuffle, short_deck, Order.REMOVE_DECK, ("7(g)",)),
            (HAND, asks.FinishShuffle, short_deck, Order.REMOVE_DECK, ("7(g)",), "8(f)"),
            (AUTOMATED, asks.FinishShuffle, short_deck, Order.REMOVE_DECK, ("7(g)",), "9(f)"),
            (MANUAL, asks.FinishShuffle, jam, Order.RESHUFFLE, ("12(e)",)),
            *shoe_rows("12(a)", "12(c)", "12(f)"),
        ),
    ),
    Facts(
        "packs_poker",
        "13:69F-43.",
        {2: {"pack_1": 500}, 5: {"pack_1": 500, "pack_3": 500, "five_card_1": 100, "seven_card_3": 100}},
        stub=31,
        load={MANUAL: "7(a)", AUTOMATED: "9(b)1"},
        close={MANUAL: "7(b)", HAND: "8(b)2", AUTOMATED: "9(b)2"},
        racked={MANUAL: "7(f)", HAND: "8(e)", AUTOMATED: "9(e)"},
        hours={MANUAL: 8, HAND: 4, AUTOMATED: 8},
        age="13:69E-1.18(g) 13:69E-1.18(g)2 13:69E-1.18(g)3",
        hand="8(a) 13:69E-1.19(b)1",
        shuffle="4(a)",
        second_deck="4(a)",
        backs="2(b)",
        machine_only="4(a)",
        remove="13(f)",
        alternate=("2(c)", "2(d)"),
        collect="10(k)",
        number="7(g)2",
        count=("7(g)", "7(g)1", "7(h)", "8(f)", "8(g)", "1[stub]"),
        closed="6(b)",
        unknown="6(a)",
        decks=("red", "blue"),
        wrong=(
            (MANUAL, asks.StartShuffle, lambda t: tells.CardExposed(None, area="deck"), Order.VOID, ("13(a)",)),
            (MANUAL, asks.DealCard, face_up, Order.DISCARD_CARD, ("13(b)",)),
            (MANUAL, asks.DealCard, drawn, Order.USE_AS_NEXT, ("13(c)",)),
            (MANUAL, asks.RackStub, miscount, Order.VOID_REMOVE_DECK, ("7(g)2",)),
            (MANUAL, asks.FinishShuffle, short_deck, Order.REMOVE_DECK, ("7(h)",)),
            (HAND, asks.FinishShuffle, short_deck, Order.REMOVE_DECK, ("7(h)",), "8(g)"),
            (MANUAL, asks.FinishShuffle, jam, Order.RESHUFFLE, ("13(d)",)),
            (AUTOMATED, asks.Dispense, shoe_jam, Order.VOID, ("13(e)",)),
            (AUTOMATED, asks.Dispense, nothing, Order.VOID, ("13(e)",)),
        ),
    ),
    Facts(
        "double_down_stud",
        "19:47-17.",
        {2: {"wager": 500}, 5: {"wager": 1000}},
        stub=None,
        load={MANUAL: "8(a)1"},
        close={MANUAL: "8(a)1", HAND: "8(a)2iv"},
        hours={MANUAL: 24, HAND: 8},
        age="3(e)",
        two_areas="6(c)",
        hand="8(a)",
        shuffle="4(a)",
        second_deck="2(b)",
        backs="2(b)2",
        machine_only="8(a)2i",
        remove="11(f)",
        recut="4(f)",
        depth="4(e)",
        alternate=("2(b)3", "2(b)4"),
        collect="9(c)",
        number="11(d)",
        closed="6(b)",
        unknown="6(a)",
        wrong=(
            (MANUAL, asks.Decide, lambda t: tells.CardExposed(None, area="hole"), Order.VOID, ("11(a)",)),
            (MANUAL, asks.DealCard, face_up, Order.DISCARD_CARD, ("11(b)",)),
            (MANUAL, asks.DealCard, drawn, Order.USE_AS_NEXT, ("11(c)",)),
            (MANUAL, asks.FinishShuffle, jam, Order.RESHUFFLE, ("11(e)",)),
        ),
    ),
)


def _param(facts, *more, ends=()):
    """A row of facts, with the clauses that a test proves by it."""
    name = " ".join(map(str, (facts.game, *more)))
    return pytest.param(facts, *more, id=name, marks=pytest.mark.clause(facts.game, *(facts.of(end) for end in ends)))


def by_game(ends):
    """The games whose text has clauses on something."""
    return pytest.mark.parametrize("facts", [_param(f, ends=ends(f)) for f in FACTS if any(ends(f))])


def by_deal(ends):
    """Every game with each of its dealing methods, and the clauses on something in each."""
    rows = [_param(f, deal, ends=filter(None, ends(f, deal))) for f in FACTS for deal in f.close]
    return pytest.mark.parametrize(("facts", "deal"), rows)


BY_GAME = pytest.mark.parametrize("facts", [_param(f) for f in FACTS])
BY_WAY = pytest.mark.parametrize(
    ("facts", "way"), [_param(f, way, ends=(f.collect, f.shuffle)) for f in FACTS for way in f.record.ways]
)
WRONG = pytest.mark.parametrize(
    ("facts", "deal", "moment", "seen", "order", "rules"),
    [
        pytest.param(
            f,
            *row[:5],
            id=f"{f.game} {row[4][0]} {row[0]}",
            marks=pytest.mark.clause(f.game, *map(f.of, (*row[4], *row[5:]))),
        )
        for f in FACTS
        for row in f.wrong
    ],
)


@BY_WAY
def test_good_people_and_machines_play_round_after_round_without_a_ruling(felt, facts, way):
    table = felt(facts.record, way)
    for number in range(8):
        table.choices = {seat: ("fold", "withdraw", "double down")[(seat + number) % 3] for seat in (2, 5)}
        offered = {bet.name for bet in table.game.bets(table.table.options)} if hasattr(table.game, "bets") else None
        table.open({seat: {b: a for b, a in bets.items() if b in offered} for seat, bets in facts.wagers.items()})
        deck = table.round.deck
        result = table.finish()
        assert not result.void
        assert table.rulings == []
        assert table.strangers() == set()
        assert result.rules == ()
        kinds = [type(ask) for ask in table.asked]
        shuffled = table.asked[kinds.index(asks.FinishShuffle)]
        assert (shuffled.deck, shuffled.rules) == (deck, (facts.of(facts.shuffle),))
        assert kinds.index(asks.FinishShuffle) < kinds.index(asks.CallNoMoreBets)
        assert table.asked[-1] == asks.CollectCards(table.asked[-1].deck, (facts.of(facts.collect),))


@by_deal(lambda f, deal: (f.close[deal], f.closed, *(f.hand.split() if deal == HAND else ())))
def test_no_card_comes_before_the_betting_is_closed_and_no_bet_after(felt, facts, deal):
    table = felt(facts.record, facts.way(deal))
    table.open(facts.wagers)
    close = table.until(asks.CallNoMoreBets)
    assert close.rules == (facts.of(facts.close[deal]),)
    more = {bet: 2 * amount for bet, amount in facts.wagers[2].items()}
    with pytest.raises(Illegal) as refusal:
        table.tell(tells.BetPlaced(2, "no such bet", 500))
    assert refusal.value.rules == (facts.of(facts.unknown),)
    if len(more) == 1:
        table.tell(tells.BetPlaced(2, *more.copy().popitem()))
    table.step()
    assert table.refused(tells.BetPlaced(2, *more.popitem())) == close.rules


@by_deal(lambda f, deal: (f.load.get(deal, ""), f.racked.get(deal, "")))
def test_the_deck_is_loaded_into_a_shoe_and_what_is_left_of_it_racked(felt, facts, deal):
    table = felt(facts.record, facts.way(deal))
    table.open(facts.wagers)
    table.finish()
    stacks = {ask.size for ask in table.asked if isinstance(ask, asks.Dispense)}
    assert stacks == (set(facts.record.stacks) if deal == AUTOMATED else set())
    loads = [(ask.automated, ask.rules) for ask in table.asked if isinstance(ask, asks.LoadShoe)]
    expected = [(deal == AUTOMATED, (facts.of(facts.load[deal]),))] if deal in facts.load else []
    assert loads == expected
    stubs = [(ask.expect, ask.rules[0]) for ask in table.asked if isinstance(ask, asks.RackStub)]
    assert stubs == ([(facts.stub, facts.of(facts.racked[deal]))] if facts.stub else [])


@by_game(lambda f: f.depth and tuple(filter(None, (f.depth, f.after_cut))))
def test_cards_shuffled_by_hand_are_cut_ten_cards_from_either_end(felt, facts):
    table = felt(facts.record, facts.way(MANUAL, machine_shuffle=False))
    table.open(facts.wagers)
    ask = table.until(asks.Cut)
    assert ask.size == 52
    for depth, legal in ((9, False), (10, True), (42, True), (43, False)):
        assert table.round.can(tells.DeckCut(DEALER, depth)) is legal
    assert table.refused(tells.DeckCut(DEALER, 9)) == (facts.of(facts.depth),)
    assert table.refused(tells.DeckCut(7, 20)) == ask.rules
    table.tell(tells.DeckCut(DEALER, 20))
    table.until(asks.DealCard)


@by_game(lambda f: f.recut and (f.recut,))
def test_a_supervisor_can_order_a_recut_until_the_first_card(felt, facts):
    table = felt(facts.record, facts.way(MANUAL, machine_shuffle=False))
    table.open(facts.wagers)
    assert table.refused(tells.RecutOrdered()) == (facts.of(facts.recut),)
    table.until(asks.LoadShoe)
    (ruling,) = table.tell(tells.RecutOrdered())
    assert (ruling.order, ruling.rules) == (Order.RECUT, (facts.of(facts.recut),))
    assert isinstance(table.ask, asks.Cut)
    assert table.ask.rules == (facts.of(facts.recut),)
    table.until(asks.DealCard, 2)
    assert table.refused(tells.RecutOrdered()) == (facts.of(facts.recut),)


@pytest.mark.parametrize(
    ("facts", "deal"),
    [
        pytest.param(f, d, id=f"{f.game} {d}", marks=pytest.mark.clause(f.game, *(f.of(n) for n in f.count)))
        for f in FACTS
        if f.stub
        for d in f.close
    ],
)
def test_the_stub_is_counted_every_fifth_round_unless_the_shuffler_counts(felt, facts, deal):
    table = felt(facts.record, facts.way(deal, shuffler_counts=False))
    counted = []
    for _ in range(11):
        table.open(facts.wagers)
        counted.append(table.until(asks.RackStub).count)
        if table.ask.count:
            assert table.refused(tells.StubRacked()) == table.ask.rules
        assert not table.finish().void
    assert counted == [False, False, False, False, True] * 2 + [False]
    counting = felt(facts.record, facts.way(deal))
    for _ in range(6):
        counting.open(facts.wagers)
        assert counting.until(asks.RackStub).count is False
        counting.finish()


@by_game(lambda f: f.alternate)
def test_two_decks_alternate_and_one_is_shuffled_while_the_other_is_in_play(felt, facts):
    table = felt(facts.record, facts.way(HAND, decks=["red", "blue"]))
    decks = []
    for _ in range(4):
        table.open(facts.wagers)
        decks.append(table.round.deck)
        table.until(asks.CallNoMoreBets)
        started = [ask for ask in table.asked if isinstance(ask, asks.StartShuffle)]
        assert started[-1].deck != decks[-1]
        assert started[-1].rules == (facts.of(facts.alternate[0]),)
        table.finish()
    assert decks == ["red", "blue", "red", "blue"]


@WRONG
def test_what_goes_wrong_is_ruled_on_by_its_clause(felt, facts, deal, moment, seen, order, rules):
    table = felt(facts.record, facts.way(deal))
    table.open(facts.wagers)
    table.until(moment)
    (ruling,) = table.tell(seen(table))
    assert (ruling.order, ruling.rules, ruling.policy) == (order, tuple(facts.of(number) for number in rules), False)
    result = table.finish()
    assert result.void is (order in (Order.VOID, Order.VOID_REMOVE_DECK))
    if result.void:
        staked = {(seat, bet, "void", 0) for seat, bets in facts.wagers.items() for bet in bets}
        assert {(s.seat, s.bet, s.outcome, s.net) for s in result.settlements} == staked
        assert result.rules == ruling.rules
    removed = order in (Order.REMOVE_DECK, Order.VOID_REMOVE_DECK)
    assert any(isinstance(ask, asks.ReplaceDeck) for ask in table.asked) is removed
    cleared = seen in (jam, shoe_jam, nothing)
    assert any(isinstance(ask, asks.ClearDevice) for ask in table.asked) is cleared


@by_game(lambda f: f.when(face_up))
def test_a_second_card_that_lies_face_up_voids_the_round(felt, facts):
    table = felt(facts.record, facts.way(MANUAL))
    table.open(facts.wagers)
    table.until(asks.DealCard)
    (first,) = table.tell(tells.CardDealt(table.cards[0], face_up=True))
    table.step()
    (second,) = table.tell(tells.CardDealt(table.cards[0], face_up=True))
    assert (first.order, second.order) == (Order.DISCARD_CARD, Order.VOID)
    assert first.rules == second.rules
    assert table.finish().void


@by_game(lambda f: f.when(drawn))
def test_a_card_drawn_in_error_is_the_next_card(felt, facts):
    table = felt(facts.record, facts.way(MANUAL))
    table.open(facts.wagers)
    table.until(asks.DealCard)
    next_card = table.cards[0]
    (ruling,) = table.tell(tells.CardDrawnInError(next_card))
    assert table.refused(tells.CardDealt(table.cards[1])) == ruling.rules
    assert table.tell(tells.CardDealt(next_card)) == ()


@by_game(lambda f: (f.number,))
def test_cards_at_a_wrong_place_leave_hands_with_a_wrong_number(felt, facts):
    table = felt(facts.record, facts.way(MANUAL))
    table.open(facts.wagers)
    table.until(asks.DealCard)
    (noted,) = table.tell(misplaced(table))
    assert (noted.order, noted.policy) == (Order.STANDS, True)
    result = table.finish()
    assert result.order is Order.VOID
    assert result.rulings[-1].why == "a hand has a wrong number of cards"
    assert result.rules == (facts.of(facts.number),)


@BY_GAME
def test_a_card_that_is_not_in_the_deck_removes_the_deck(felt, facts):
    table = felt(facts.record, facts.way(MANUAL))
    table.open(facts.wagers)
    table.until(asks.DealCard)
    card = table.cards[0]
    table.step()
    (ruling,) = table.round.tell(tells.CardDealt(card))
    assert (ruling.order, ruling.policy) == (Order.VOID_REMOVE_DECK, True)
    assert any(isinstance(ask, asks.ReplaceDeck) for ask in (table.finish() and table.asked))


@by_game(lambda f: (f.second_deck, f.backs, f.machine_only))
def test_a_table_that_the_rules_forbid_is_not_opened(facts):
    forbidden = {
        # In the order in which they are looked at: a text may have one clause for two of them.
        facts.second_deck: House(decks=("red", "blue"), machine_shuffle=False),
        facts.backs: House(decks=("red", "red")),
        facts.machine_only: House(deal=Deal.HAND, machine_shuffle=False, decks=facts.decks),
    }
    for rule, house in forbidden.items():
        with pytest.raises(Illegal) as refusal:
            Table(facts.record.procedure, facts.record.options(), house)
        assert refusal.value.rules == (facts.of(rule),)


@by_game(lambda f: (f.remove,))
def test_a_device_leaves_the_table_before_another_method_is_used(felt, facts):
    options = facts.record.options()
    if facts.recut:  # the shuffle can be by hand
        device, before, after = "shuffler", MANUAL, House(machine_shuffle=False)
    else:
        device, before, after = "shoe", AUTOMATED, House(deal=Deal.HAND, decks=facts.decks)
    table = felt(facts.record, facts.way(before)).table
    with pytest.raises(Illegal, match=f"{device} is still at the table") as refusal:
        table.change(options, after)
    assert refusal.value.rules == (facts.of(facts.remove),)
    table.remove_device(device)
    with pytest.raises(Illegal, match=f"{device} was removed") as refusal:
        table.open_round(facts.wagers)
    assert refusal.value.rules == (facts.of(facts.remove),)
    table.change(options, after)
    assert table.open_round(facts.wagers).ask is not None


@pytest.mark.parametrize(
    ("facts", "deal"), [pytest.param(f, deal, id=f"{f.game} {deal}") for f in FACTS for deal in f.hours]
)
def test_cards_are_replaced_after_some_hours(felt, facts, deal):
    table = felt(facts.record, facts.way(deal))
    table.table.time_passes(facts.hours[deal] - 0.1)
    table.open(facts.wagers)
    table.finish()
    table.table.time_passes(0.1)
    with pytest.raises(Illegal) as refusal:
        table.open(facts.wagers)
    assert refusal.value.rules == tuple(facts.of(end) for end in facts.age.split())
    table.table.new_cards()
    table.open(facts.wagers)


@by_game(lambda f: f.two_areas and (f.two_areas,))
def test_a_player_has_one_betting_area_or_two_adjacent_ones_if_the_house_allows(facts):
    two = dict(zip((1, 2), facts.wagers.values(), strict=True))
    three = two | {3: facts.wagers[2]}
    for allowed, wagers, owners, legal in (
        (False, facts.wagers, {2: "Ann", 5: "Bob"}, True),
        (False, two, {1: "Ann", 2: "Ann"}, False),
        (True, two, {1: "Ann", 2: "Ann"}, True),
        (True, facts.wagers, {2: "Ann", 5: "Ann"}, False),
        (True, three, {1: "Ann", 2: "Ann", 3: "Ann"}, False),
    ):
        table = Table(facts.record.procedure, facts.record.options(), House(two_areas=allowed))
        if legal:
            assert table.open_round(wagers, owners).ask is not None
            continue
        with pytest.raises(Illegal) as refusal:
            table.open_round(wagers, owners)
        assert refusal.value.rules == (facts.of(facts.two_areas),)
