"""The dealer at a felt without wires: what each ask does to devices and cards, and what is told of it."""

import random

import pytest

from feltrig.emulators.models.faults import Fault
from feltrig.engine import asks, tells
from feltrig.engine.cards import deck, parse_all
from feltrig.engine.games.game import Habits
from feltrig.engine.games.supreme_pai_gow import houseway
from feltrig.engine.games.supreme_pai_gow.game import GAME
from feltrig.harness.table.dealer import Dealer
from feltrig.harness.table.players import Players
from feltrig.protocols.errors import Garbage
from feltrig.protocols.messages import Reply

CODES = deck(jokers=2)
FOUR = parse_all(["As", "Kd", "X1", "2c"])
RULES = ("34",)

EXAMPLES = (
    (asks.OfferBank(2, False, RULES), tells.BankAccepted),
    (asks.StartShuffle("red", "machine", RULES), tells.ShuffleStarted),
    (asks.FinishShuffle("red", "hand", 54, RULES), tells.Shuffled),
    (asks.Cut((1, 2), 54, RULES), tells.DeckCut),
    (asks.PlaceDealerWager(5000, RULES), tells.DealerWagered),
    (asks.LoadShoe("red", True, RULES), tells.ShoeLoaded),
    (asks.CallNoMoreBets(RULES), tells.NoMoreBets),
    (asks.ShakeDice("dealer", 3, RULES), tells.DiceRolled),
    (asks.SelectNumber(1, 7, RULES), tells.NumberSelected),
    (asks.ReadButton(0, RULES), tells.ButtonSeen),
    (asks.DealCard(1, 3, None, RULES), tells.CardDealt),
    (asks.DealCard(1, None, None, RULES, "community"), tells.CardDealt),
    (asks.Burn(RULES), tells.CardBurned),
    (asks.Dispense(1, 4, 3, RULES), tells.ShoeFailed),  # nobody has loaded the shoe
    (asks.RackStub(26, True, RULES), tells.StubRacked),
    (asks.ChooseStack(2, 7, RULES), tells.StackChosen),
    (asks.DeliverStack(4, 3, RULES), tells.StackDelivered),
    (asks.CollectUnbet((4, 5), RULES), tells.UnbetCollected),
    (asks.ParkShaker(RULES), tells.ShakerParked),
    (asks.DecideExposed(2, RULES), (tells.HandVoided, tells.PlayedOn)),
    (asks.SetHands(2, FOUR, False, RULES), tells.HandSet),
    (asks.Expose(2, RULES), tells.Exposed),
    (asks.Reveal("community", RULES), tells.Revealed),
    (asks.CheckHoleCard(True, RULES), tells.HoleCardChecked),
    (asks.CountSensors("bonus", (1, 4), RULES), tells.SensorsRead),
    (asks.ReadMeter(10_000, RULES), tells.MeterRead),
    (asks.SpinBall(RULES), tells.BallSpun),
    (asks.SpinWheel(3, ("1", "2"), RULES), tells.WheelSpun),
    (asks.CollectCards("red", RULES), tells.CardsCollected),
    (asks.ClearDevice("shoe", RULES), tells.DeviceCleared),
    (asks.ReplaceDeck("red", RULES), tells.DeckReplaced),
)

START = asks.StartShuffle("red", "machine", RULES)
FINISH = asks.FinishShuffle("red", "machine", 54, RULES)
LOAD = asks.LoadShoe("red", True, RULES)
SHAKE = asks.ShakeDice("dealer", 3, RULES)


def dealer_at(felt, habits=None, counts=True):
    habits = habits or Habits(surrender=0.0, takes_bank=1.0)
    record = {"house": {}, "options": {}}
    players = Players(GAME, 6, record, random.Random(1), {"main": 2500, "bonus": 500}, habits)
    session = {"shuffler_counts": counts}
    return Dealer(felt.devices, felt.devices, felt.operator, players, felt.journal, session)


async def with_deck(felt, **more):
    """A dealer who has just shuffled the red deck by hand."""
    dealer = dealer_at(felt, **more)
    await felt.operator.bring_deck("red")
    await dealer.fulfil(asks.FinishShuffle("red", "hand", 54, RULES))
    return dealer


def codes(felt, place):
    return tuple(card.code for card in felt.bench.peek(place))


@pytest.mark.parametrize(("ask", "told"), EXAMPLES, ids=lambda x: type(x).__name__)
async def test_every_ask_is_fulfilled(felt, ask, told):
    dealer = await with_deck(felt())
    assert isinstance(await dealer.fulfil(ask), told)


def test_there_is_an_example_of_every_ask():
    # Nobody is asked to decide in this game beyond how the hands are set.
    assert {type(ask) for ask, _ in EXAMPLES} | {asks.Decide} == set(asks.ASKS)


# the reader


@pytest.mark.parametrize("cards", [0, 59, 60, 61, 120, 130])
async def test_the_reader_is_read_page_by_page_to_the_last_card(felt, cards):
    table = felt()
    dealer = await with_deck(table)
    table.bench.remove("deck.red", "red")
    pile = tuple((*CODES, *CODES, *CODES)[:cards])
    table.bench.put_new_deck("deck.red", "red", pile)
    told = await dealer.fulfil(asks.RackStub(cards, True, RULES))
    assert told == tells.StubRacked(cards, pile)
    assert table.noted("read")[-1] == {"what": "stub", "deck": "red", "cards": list(pile), "face_up": []}
    assert codes(table, "discard") == pile


async def test_the_stub_is_not_counted_when_that_was_not_asked(felt):
    dealer = await with_deck(felt())
    assert await dealer.fulfil(asks.RackStub(54, False, RULES)) == tells.StubRacked(None, CODES)


async def test_faces_that_never_come_are_garbage_under_the_readers_name(felt, monkeypatch):
    table = felt()
    dealer = await with_deck(table)
    reader = table.machines["reader"]
    handle = reader.handle
    blind = Reply(values={"cards": ()})
    monkeypatch.setattr(reader, "handle", lambda r, now: blind if r.command == "faces" else handle(r, now))
    with pytest.raises(Garbage, match="reader: 0 faces for 54 cards"):
        await dealer.fulfil(asks.RackStub(54, True, RULES))
    assert [(t["device"], t["what"]) for t in table.noted("trouble")] == [("reader", "garbage")]


async def test_a_code_that_is_no_card_is_garbage_under_the_readers_name(felt):
    table = felt()
    dealer = await with_deck(table)
    table.bench.put_new_card("deck.red", "red", 99)
    with pytest.raises(Garbage, match="reader: 99 is not a card"):
        await dealer.fulfil(asks.DealCard(1, 3, None, RULES))
    assert [(t["device"], t["what"]) for t in table.noted("trouble")] == [("reader", "garbage")]


@pytest.mark.parametrize(("left", "forgotten", "seen"), [(0, 0, 0), (53, 1, 2)])
async def test_not_one_card_where_one_was_drawn_is_garbage_under_the_readers_name(felt, left, forgotten, seen):
    table = felt()
    dealer = await with_deck(table)
    table.bench.move("deck.red", "discard", 54 - left - forgotten)
    table.bench.move("deck.red", "reader.tray", forgotten)
    with pytest.raises(Garbage, match=f"reader: {seen} cards on the tray where one was drawn"):
        await dealer.fulfil(asks.DealCard(1, 3, None, RULES))
    assert [(t["device"], t["what"]) for t in table.noted("trouble")] == [("reader", "garbage")]


# shuffling


async def test_a_machine_shuffle_is_read_before_and_after_and_told_with_its_count(felt):
    table = felt()
    dealer = dealer_at(table)
    await table.operator.bring_deck("red")
    assert await dealer.fulfil(START) == tells.ShuffleStarted("red")
    assert await dealer.fulfil(FINISH) == tells.Shuffled("red", 54)
    before, after = table.noted("read")
    assert (before["what"], before["cards"]) == ("deck before the shuffle", list(CODES))
    assert (after["what"], after["cards"]) == ("deck after the shuffle", list(codes(table, "deck.red")))
    assert after["cards"] != before["cards"]


async def test_a_shuffler_that_does_not_count_tells_no_count(felt):
    table = felt()
    dealer = dealer_at(table, counts=False)
    await table.operator.bring_deck("red")
    await dealer.fulfil(START)
    assert await dealer.fulfil(FINISH) == tells.Shuffled("red", None)


FAILURES = (
    ({"faults": {"shuffler": Fault("jam")}}, "jam"),
    ({"faults": {"shuffler": Fault("stop")}}, "stopped"),
    ({"faults": {"shuffler": Fault("incomplete")}}, "incomplete"),
    ({"slow": ["shuffler"], "patience": 0.001}, "stalled"),
)


@pytest.mark.parametrize(("conditions", "word"), FAILURES, ids=[word for _, word in FAILURES])
async def test_a_shuffler_that_fails_is_told_in_a_word_and_can_be_cleared(felt, conditions, word):
    table = felt(**conditions)
    dealer = dealer_at(table)
    await table.operator.bring_deck("red")
    assert await dealer.fulfil(START) == tells.ShuffleStarted("red")
    assert await dealer.fulfil(FINISH) == tells.ShufflerFailed("red", word)
    assert [(t["device"], t["what"]) for t in table.noted("trouble")] == [("shuffler", word)]

    assert await dealer.fulfil(asks.ClearDevice("shuffler", RULES)) == tells.DeviceCleared("shuffler")
    assert sorted(codes(table, "deck.red")) == list(CODES)
    assert await dealer.fulfil(START) == tells.ShuffleStarted("red")


async def test_a_shuffler_that_refuses_to_begin_has_failed(felt):
    table = felt()
    dealer = dealer_at(table)
    assert await dealer.fulfil(START) == tells.ShufflerFailed("red", "refused")
    assert table.noted("trouble") == [
        {"device": "shuffler", "what": "refused", "detail": "shuffler: shuffle: refused: empty", "requirements": []}
    ]


async def test_a_cut_is_made_as_it_is_told(felt):
    table = felt()
    dealer = await with_deck(table)
    told = await dealer.fulfil(asks.Cut((1, 2), 54, RULES))
    assert codes(table, "deck.red") == (*CODES[told.depth :], *CODES[: told.depth])


@pytest.mark.parametrize("faults", [{}, {"shuffler": Fault("jam")}], ids=["good", "jammed"])
async def test_a_deck_left_in_the_shuffler_is_gathered_when_the_session_ends(felt, faults):
    table = felt(faults)
    dealer = dealer_at(table)
    await table.operator.bring_deck("red")
    await dealer.fulfil(START)
    await dealer.put_away(("red",))
    assert sorted(codes(table, "deck.red")) == list(CODES)
    assert [t["what"] for t in table.noted("trouble")] == (["jam"] if faults else [])
    assert await dealer.fulfil(START) == tells.ShuffleStarted("red")


# shoe, dice and numbers


async def test_a_stack_goes_from_the_shoe_past_the_reader_to_its_position(felt):
    table = felt()
    dealer = await with_deck(table)
    await dealer.fulfil(LOAD)
    assert await dealer.fulfil(asks.Dispense(1, 4, 3, RULES)) == tells.StackDispensed(CODES[:4])
    assert await dealer.fulfil(asks.Dispense(2, 4, 2, RULES)) == tells.StackDispensed(CODES[4:8])
    assert (codes(table, "felt.3"), codes(table, "felt.2")) == (CODES[:4], CODES[4:8])
    commands = [call["command"] for call in table.noted("call") if call["device"] == "shoe"]
    assert commands == ["lock", "unlock", "dispense", "dispense"]


async def test_a_card_that_comes_out_face_up_is_told(felt):
    dealer = await with_deck(felt({"shoe": Fault("face_up_card")}))
    await dealer.fulfil(LOAD)
    told = await dealer.fulfil(asks.Dispense(1, 4, 3, RULES))
    assert told.cards == CODES[:4]
    assert len(told.face_up) == 1
    assert set(told.face_up) < set(told.cards)


async def test_a_shoe_that_jams_has_failed(felt):
    table = felt({"shoe": Fault("jam")})
    dealer = await with_deck(table)
    await dealer.fulfil(LOAD)
    assert await dealer.fulfil(asks.Dispense(1, 4, 3, RULES)) == tells.ShoeFailed("jam")
    assert [(t["device"], t["what"]) for t in table.noted("trouble")] == [("shoe", "jam")]


async def test_a_stack_that_came_out_too_early_is_not_taken_for_the_one_asked_for(felt):
    table = felt({"shoe": Fault("early_dispense")})
    dealer = await with_deck(table)
    await dealer.fulfil(LOAD)
    await dealer.fulfil(asks.CallNoMoreBets(RULES))
    assert [e["event"] for e in table.noted("event") if e["device"] == "shoe"][-1] == "dispensed"
    calls = [call["command"] for call in table.noted("call") if call["device"] == "shoe"]
    assert "dispense" not in calls


async def test_a_single_card_goes_to_its_position_or_stack(felt):
    table = felt()
    dealer = await with_deck(table)
    assert await dealer.fulfil(asks.DealCard(1, 3, None, RULES)) == tells.CardDealt(CODES[0])
    assert await dealer.fulfil(asks.DealCard(2, None, 7, RULES)) == tells.CardDealt(CODES[1])
    assert (codes(table, "felt.3"), codes(table, "stack.7")) == (CODES[:1], CODES[1:2])


async def test_a_card_that_lies_face_up_is_told_and_discarded(felt):
    table = felt()
    dealer = await with_deck(table)
    table.bench.turn("deck.red", 0)
    assert await dealer.fulfil(asks.DealCard(1, 3, None, RULES)) == tells.CardDealt(CODES[0], face_up=True)
    assert (codes(table, "discard"), codes(table, "felt.3")) == (CODES[:1], ())


@pytest.mark.parametrize("batch", [1, 32])
@pytest.mark.parametrize(("by", "lid_by"), [("bank", "bank"), ("dealer", "hand")])
async def test_a_lid_that_comes_off_untold_is_told_with_whose_hand_it_was(felt, by, lid_by, batch):
    table = felt({"shaker": Fault("lid_lifted")}, batch=batch)
    dealer = dealer_at(table)
    told = await dealer.fulfil(asks.ShakeDice(by, 3, RULES))
    assert (told.lid_by, told.shakes, len(told.dice)) == (lid_by, 3, 3)
    assert "uncover" not in [call["command"] for call in table.noted("call")]
    assert (await dealer.fulfil(asks.ShakeDice(by, 3, RULES))).lid_by == "dealer"


async def test_the_dice_are_told_as_they_lie_and_the_lid_is_closed_before_the_next_shake(felt):
    table = felt({"shaker": Fault("cocked_die")})
    dealer = dealer_at(table)
    told = await dealer.fulfil(SHAKE)
    assert (sorted(told.flat), told.shakes, told.lid_by) == ([False, True, True], 3, "dealer")
    assert told.announced == sum(told.dice)
    assert all((await dealer.fulfil(SHAKE)).flat)
    assert await dealer.fulfil(asks.ParkShaker(RULES)) == tells.ShakerParked(1)
    commands = [call["command"] for call in table.noted("call")]
    assert commands == ["shake", "uncover", "cover", "shake", "uncover", "cover", "shake"]


async def test_the_table_goes_by_the_number_displayed(felt):
    table = felt({"rng": Fault("display_differs")})
    told = await dealer_at(table).fulfil(asks.SelectNumber(1, 7, RULES))
    shown = next(reply["values"]["number"] for reply in table.noted("reply") if reply["command"] == "display")
    selected = next(event["values"]["number"] for event in table.noted("event") if event["event"] == "selected")
    assert told == tells.NumberSelected(shown)
    assert shown != selected


async def test_the_button_is_where_the_operator_sees_it(felt):
    table = felt()
    await table.operator.place_button(5)
    assert await dealer_at(table).fulfil(asks.ReadButton(0, RULES)) == tells.ButtonSeen(5)


# people


async def test_a_bank_is_taken_with_chips_that_cover_the_others_or_declined(felt):
    table = felt()
    taking, declining = dealer_at(table), dealer_at(table, Habits(takes_bank=0.0))
    taking.wagers = {1: {"main": 10_000}, 2: {"main": 5000}}
    told = await taking.fulfil(asks.OfferBank(2, True, RULES))
    assert (told.seat, told.co_bank, told.chips >= 20_000) == (2, True, True)
    assert await declining.fulfil(asks.OfferBank(2, True, RULES)) == tells.BankDeclined(2)


async def test_a_player_may_surrender_and_the_house_may_not(felt):
    dealer = dealer_at(felt(), Habits(surrender=1.0))
    assert await dealer.fulfil(asks.SetHands(2, FOUR, False, RULES)) == tells.Surrendered(2)
    assert isinstance(await dealer.fulfil(asks.SetHands(0, FOUR, True, RULES)), tells.HandSet)


async def test_what_the_rules_refuse_a_player_is_done_by_the_house_way_instead(felt):
    dealer = dealer_at(felt(), Habits(surrender=1.0))
    hands = houseway.DEFAULT.set(FOUR)
    assert dealer.instead(asks.OfferBank(2, True, RULES)) == tells.BankDeclined(2)
    assert dealer.instead(asks.SetHands(2, FOUR, False, RULES)) == tells.HandSet(2, hands.high, hands.low)
    with pytest.raises(LookupError, match="nothing to do instead of ParkShaker"):
        dealer.instead(asks.ParkShaker(RULES))


async def test_cards_move_on_the_felt_as_they_are_delivered_and_collected(felt):
    table = felt()
    dealer = await with_deck(table)
    table.bench.move("deck.red", "stack.4", 4)
    assert await dealer.fulfil(asks.DeliverStack(4, 2, RULES)) == tells.StackDelivered(4, 2)
    assert codes(table, "felt.2") == CODES[:4]
    await dealer.fulfil(asks.CollectUnbet((2,), RULES))
    assert codes(table, "discard") == CODES[:4]
    await dealer.fulfil(asks.CollectCards("red", RULES))
    assert sorted(codes(table, "deck.red")) == list(CODES)
