"""What a game can add to the shared round machine: each hook on a table of Three Card Poker, which needs none."""

from dataclasses import replace

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.games.three_card_poker.round import GAME
from feltrig.engine.rulings import Illegal, Order, OutOfTurn
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.interjections import Interjection
from feltrig.engine.table.irregular import Irregularity, Remedy, Row
from feltrig.engine.table.ways import Way

WAGERS = {2: {"ante": 500}, 5: {"ante": 500}}
TWO_DECKS = Way({"decks": ["red", "blue"]})


@pytest.fixture
def hooked(felt):
    """A table whose game has these hooks: `hooked(way, survives=…)`."""

    def table(way=None, **hooks):
        def procedure(options, house):
            made = GAME.procedure(options, house)
            remedies = {**made.remedies, **hooks.get("remedies", {})}
            return replace(made, **{**hooks, "remedies": remedies})

        opened = felt(replace(GAME, procedure=procedure), way or Way())
        opened.open(WAGERS)
        return opened

    return table


def test_a_player_decides_about_an_exposed_card_before_anything_else(hooked):
    table = hooked(remedies={Irregularity.PLAYER_CARD_SEEN: Remedy(Order.OFFER_VOID, ("1",))})
    asked = table.until(asks.Decide)
    for told in (tells.PlayedOn(2), tells.HandVoided(2)):
        (ruling,) = table.tell(tells.CardExposed(2))
        assert ruling.order is Order.OFFER_VOID
        assert table.ask == asks.DecideExposed(2, ("1",))
        assert not table.round.can(tells.PlayedOn(5))
        assert not table.round.can(tells.Decided(asked.seat, "fold"))
        table.tell(told)
        assert table.ask == asked
    assert table.round._play.voided == {2}


@pytest.mark.parametrize("survives", [True, False])
def test_what_survives_a_void_keeps_the_script_going(hooked, survives):
    kept = Remedy(Order.VOID_KEEP_BONUS, ("1",))
    table = hooked(remedies={Irregularity.DEALER_CARD_SEEN: kept}, survives=lambda play: survives)
    table.until(asks.Decide)
    table.tell(tells.CardExposed(DEALER))
    assert isinstance(table.ask, asks.Decide if survives else asks.CollectCards)
    with pytest.raises(OutOfTurn, match="the round is void"):
        table.round.tell(tells.CardExposed(2))
    result = table.finish()
    assert (result.void, result.order) == (True, Order.VOID_KEEP_BONUS)


def test_an_interjection_of_the_game_is_heard_at_any_moment_and_the_ask_stays(hooked):
    heard = []

    def check(play, seen):
        if not play.bets_closed:
            raise Illegal("too early", "1")

    own = {tells.Surrendered: Interjection(check, lambda play, seen: heard.append(seen.seat))}
    table = hooked(interjections=own)
    assert table.refused(tells.Surrendered(2)) == ("1",)
    for kind in (asks.DealCard, asks.Decide):
        asked = table.until(kind)
        assert table.tell(tells.Surrendered(2)) == ()
        assert table.ask == asked
    assert heard == [2, 2]


def test_what_the_game_refuses_is_refused_whatever_is_asked_for(hooked):
    def refuse(play, seen):
        if isinstance(seen, tells.BankAccepted):
            raise Illegal("no bank here", "1")

    table = hooked(refuse=refuse)
    for kind in (asks.StartShuffle, asks.Decide):
        table.until(kind)
        assert table.refused(tells.BankAccepted(2, 500)) == ("1",)


def test_the_game_notes_what_it_likes_in_a_round_and_remembers_it_after(hooked):
    def remember(play):
        play.memory.own["stakes"] = play.own["stakes"]

    table = hooked(begin=lambda play: {"stakes": len(play.wagers)}, round_over=remember, result=lambda play, rows: rows)
    rows = table.finish()
    assert {row.seat for row in rows} == {2, 5}
    assert table.table._memory.own["stakes"] == 2


def test_a_row_of_the_game_stands_in_place_of_the_shared_ones_of_that_observation(hooked):
    rows = (
        Row(Irregularity.STUB_STRANGE, Order.STANDS, ("1",)),
        Row("the stub was not counted", Order.STANDS, lambda play, seen: ("2",), lambda play, seen: seen.count is None),
    )
    table = hooked(irregularities={tells.StubRacked: rows})
    table.until(asks.RackStub)
    strange, uncounted = table.tell(tells.StubRacked(None, ()))
    assert (strange.why, strange.rules) == (Irregularity.STUB_STRANGE.why, ("1",))
    assert (uncounted.why, uncounted.rules, uncounted.device) == ("the stub was not counted", ("2",), None)
    assert not table.finish().void


def test_a_shuffler_that_fails_during_the_deal_is_cleared_and_shuffles_again(hooked):
    table = hooked(TWO_DECKS)
    asked = table.until(asks.DealCard, 4)
    assert not table.round.can(tells.ShufflerFailed("red", "jam"))
    (ruling,) = table.tell(tells.ShufflerFailed("blue", "jam"))
    assert (ruling.order, ruling.device) == (Order.RESHUFFLE, "shuffler")
    assert table.ask == asks.ClearDevice("shuffler", ruling.rules)
    assert not table.round.can(tells.DeviceCleared("shoe"))
    table.tell(tells.DeviceCleared("shuffler"))
    assert (type(table.ask), table.ask.deck) == (asks.StartShuffle, "blue")
    with pytest.raises(Illegal):
        table.round.tell(tells.ShuffleStarted("red"))
    table.tell(tells.ShuffleStarted("blue"))
    assert table.ask == asked
    assert not table.finish().void


def test_a_shuffler_that_fails_in_a_void_round_is_cleared_and_waits(hooked):
    table = hooked(TWO_DECKS)
    table.until(asks.DealCard)
    table.tell(tells.CardDealt(52))
    assert isinstance(table.ask, asks.CollectCards)
    table.tell(tells.ShufflerFailed("blue", "jam"))
    table.tell(tells.DeviceCleared("shuffler"))
    assert isinstance(table.ask, asks.CollectCards)
    assert table.finish().void


def test_no_card_comes_out_before_the_betting_is_closed(hooked):
    table = hooked()
    for kind in (asks.StartShuffle, asks.CallNoMoreBets):
        table.until(kind)
        assert table.refused(tells.CardDealt(7)) == table.table.procedure.rules.methods[table.table.house.deal].close


def test_a_stack_that_went_elsewhere_leaves_its_place_to_the_next(hooked):
    table = hooked(Way({"deal": "automated_shoe"}))
    first = table.until(asks.Dispense)
    stacks = {first.position: table.cards[:3]}
    elsewhere = next(place for place in (DEALER, 2, 5) if place != first.position)
    (ruling,) = table.tell(tells.StackDispensed(tuple(stacks[first.position]), position=elsewhere))
    assert ruling.order is Order.STANDS
    assert table.ask.position == first.position
    del table.cards[:3]
    table.until(asks.RackStub)
    assert {place: len(cards) for place, cards in table.round._play.hands.items()} == {DEALER: 3, 2: 3, 5: 3}


def test_cards_come_from_what_is_left_of_the_deck_and_only_once(hooked):
    table = hooked()
    table.until(asks.Decide)
    play = table.round._play
    a, b, *_ = table.cards
    assert play.holds((a, b))
    assert not play.holds((a, a))
    assert not play.holds((a, play.hand(DEALER)[0]))


@pytest.mark.parametrize("marked", [True, False])
def test_a_marker_that_comes_to_the_table_begins_at_the_dealer(felt, marked):
    def procedure(options, house):
        return replace(GAME.procedure(options, house), marker=house.two_areas)

    table = felt(replace(GAME, procedure=procedure), Way({"two_areas": not marked})).table
    table._memory.own["marker"] = 4
    table.change(table.options, replace(table.house, two_areas=True))
    assert table.button == (DEALER if marked else 4)
