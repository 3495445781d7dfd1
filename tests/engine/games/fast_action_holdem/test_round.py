"""A round of Fast Action Hold'em as the text orders it, up to where it is cut off, and as custom has it from there."""

from fractions import Fraction

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.cards import names, parse_all
from feltrig.engine.games.fast_action_holdem import round as game
from feltrig.engine.games.game import from_plain
from feltrig.engine.rulings import Illegal, Order, OutOfTurn
from feltrig.engine.table.house import DEALER, House
from feltrig.engine.table.table import Table
from feltrig.engine.table.ways import Way

GAME = "fast_action_holdem"
MANUAL = Way({"deal": "manual_shoe"})
BY_HAND = Way({"machine_shuffle": False})
SIX = Way({"deal": "manual_shoe"}, {"decks": 6})
WAYS = pytest.mark.parametrize("way", [*game.WAYS, SIX], ids=str)
TWO = {2: {"wager": 500}, 5: {"wager": 1001}}
ONE = {3: {"wager": 500}}


def of(number):
    return f"19:47-21.{number}"


def clause(*numbers):
    return pytest.mark.clause(GAME, *map(of, numbers))


def laid(table, hands, burned=("2c", "3c"), board=("4d", "7h", "9s", "Jc", "Kd")):
    """The shoe, from the burn on, so that the places get these hands whatever the marker says."""
    table.until(asks.Burn)
    marker = table.table.button
    order = [p for p in [(marker - step) % 7 for step in range(7)] if p in hands]
    rows = {place: parse_all(cards.split()) for place, cards in hands.items()}
    dealt = [rows[place][layer] for layer in range(4) for place in order]
    table.stack(*parse_all(burned[:1]), *dealt, *parse_all(burned[1:]), *parse_all(board))


def asked(table, kind):
    return [ask for ask in table.asked if isinstance(ask, kind)]


def settled(result):
    return [(s.seat, s.bet, s.outcome, s.net) for s in result.settlements]


@clause("1[Round of play or round]", "5(a)", "7(a)")
@WAYS
def test_good_people_and_machines_play_round_after_round_without_a_ruling(felt, way):
    table = felt(game.GAME, way)
    decided = ("keep two", "split", "surrender")
    shuffles = 0
    for number in range(9):
        table.choices = {seat: decided[(seat + number) % 3] for seat in range(1, 7)}
        table.open({seat: {"wager": 500 * seat} for seat in range(1, 7)})
        result = table.finish()
        assert not result.void
        assert table.rulings == []
        assert table.strangers() == set()
        assert {s.seat for s in result.settlements} == set(range(1, 7))
        shuffles += len(asked(table, asks.StartShuffle))
        assert len(asked(table, asks.Burn)) == (2 if number == 0 else 1)
        assert table.asked[-1].keep
    assert shuffles == 1


@clause("2(a)", "5(f)")
@pytest.mark.parametrize(("decks", "cards", "behind"), [(8, 416, 104), (6, 312, 78)])
def test_the_shoe_has_six_or_eight_decks_and_the_cutting_card_lies_a_quarter_from_its_back(decks, cards, behind):
    procedure = game.procedure(from_plain(game.Options, {"decks": decks}), House())
    assert len(procedure.cards) == cards
    assert {procedure.cards.count(card) for card in range(52)} == {decks}
    assert procedure.behind_cutting_card == behind


def test_no_other_shoe_is_accepted():
    with pytest.raises(ValueError, match="7"):
        from_plain(game.Options, {"decks": 7})
    for house in (House(deal=game.Deal.HAND), House(deal=game.Deal.AUTOMATED_SHOE), House(decks=("red", "blue"))):
        with pytest.raises(Illegal):
            Table(game.procedure, game.Options(), house)


# The shuffle and the cut


@clause("5(b)1", "5(b)2", "5(e)")
def test_only_cards_shuffled_by_hand_are_cut_ten_cards_from_either_end(felt):
    table = felt(game.GAME, BY_HAND)
    table.open(TWO)
    ask = table.until(asks.Cut)
    assert ask.size == 416
    for depth, legal in ((9, False), (10, True), (406, True), (407, False)):
        assert table.round.can(tells.DeckCut(DEALER, depth)) is legal
    assert table.refused(tells.DeckCut(DEALER, 9)) == (of("5(e)"),)
    assert table.refused(tells.DeckCut(1, 20)) == ask.rules == (of("5(b)2"), of("5(c)"), of("5(d)"))
    by_machine = felt(game.GAME, MANUAL)
    by_machine.open(TWO)
    by_machine.finish()
    assert asked(by_machine, asks.Cut) == []
    assert [ask.rules for ask in asked(by_machine, asks.LoadShoe)] == [(of("5(f)"),)]


@clause("5(c)", "5(c)1", "5(c)2", "5(c)3", "5(c)4", "5(d)", "5(g)", "7(d)")
@pytest.mark.parametrize(
    ("seen_at", "offer"),
    [
        pytest.param(4, (4, 3, 2, 1, 6), id="on a player's box"),
        pytest.param(6, (6, 4, 3, 2, 1), id="on another's"),
        pytest.param(DEALER, (1, 6, 4, 3, 2), id="on the dealer's hand"),
        pytest.param("community.2", (1, 6, 4, 3, 2), id="on a card for all"),
        pytest.param(None, (1, 6, 4, 3, 2), id="nowhere: the house wants a shuffle"),
    ],
)
def test_the_cut_goes_to_whom_the_cutting_card_met_and_then_clockwise(felt, seen_at, offer):
    table = felt(game.GAME, BY_HAND)
    wagers = {seat: {"wager": 500} for seat in (3, 1, 2, 4, 6)}
    table.open(wagers)
    assert table.until(asks.Cut).offer == (3, 2, 1, 6, 4)  # the first player to the table, 21.5(c)1
    table.finish()
    table.open(wagers)
    while seen_at is not None and (table.ask is not None):
        at = getattr(table.ask, "area", None) or getattr(table.ask, "position", None)
        if isinstance(table.ask, asks.DealCard) and at == seen_at:
            (ruling,) = table.tell(tells.CuttingCardSeen())
            assert (ruling.order, ruling.rules) == (Order.LAST_ROUND, (of("7(d)"), of("5(g)")))
            break
        table.step()
    assert not table.finish().void
    assert asked(table, asks.Cut) == []
    if seen_at is None:
        table.table.reshuffle()
    table.open(wagers)
    assert table.until(asks.Cut).offer == offer


@clause("5(g)", "7(d)", "5(a)")
def test_the_cutting_card_lets_the_round_be_finished_and_then_the_shoe_is_shuffled(felt):
    table = felt(game.GAME, MANUAL)
    shuffled = []
    for number in range(3):
        table.open(TWO)
        table.until(asks.DealCard, 3)
        if number == 1:
            table.tell(tells.CuttingCardSeen())
            with pytest.raises(OutOfTurn):
                table.tell(tells.CuttingCardSeen())
        assert not table.finish().void
        shuffled.append(bool(asked(table, asks.StartShuffle)))
    assert shuffled == [True, False, True]


@clause("5(a)", "5(g)")
def test_the_house_may_shuffle_after_any_round_but_not_during_one(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    with pytest.raises(OutOfTurn):
        table.table.reshuffle()
    table.finish()
    table.table.reshuffle()
    table.open(TWO)
    table.finish()
    assert len(asked(table, asks.StartShuffle)) == len(asked(table, asks.LoadShoe)) == 1


@clause("5(h)")
def test_cards_are_changed_every_gaming_day_and_an_idle_table_starts_anew(felt):
    table = felt(game.GAME, BY_HAND)
    table.open(TWO)
    table.finish()
    table.table.time_passes(24)
    with pytest.raises(Illegal) as refusal:
        table.open(TWO)
    assert refusal.value.rules == (of("4(e)"),)
    table.table.new_cards()
    table.open(ONE)
    assert table.until(asks.Cut).offer == (3,)


# The burn, the marker, the deal


@clause("7(a)")
def test_a_card_is_burned_unseen_after_each_shuffle_and_by_each_new_dealer(felt):
    table = felt(game.GAME, MANUAL)
    burned = []
    for moment in (None, asks.CallNoMoreBets, asks.ReadButton, None):
        table.open(TWO)
        if moment is not None:
            table.until(moment)
            table.tell(tells.DealerChanged())
        table.until(asks.DealCard)
        assert all(ask.rules == (of("7(a)"),) and not ask.show for ask in asked(table, asks.Burn))
        burned.append(len(asked(table, asks.Burn)))
        with pytest.raises(OutOfTurn):
            table.tell(tells.DealerChanged())
        table.finish()
    assert burned == [1, 1, 1, 0]


@clause("7(b)", "7(c)", "1[Dealing marker]")
def test_the_marker_starts_at_the_dealer_and_moves_clockwise_and_the_deal_begins_there(felt):
    table = felt(game.GAME, MANUAL)
    firsts, markers = [], []
    for _ in range(8):
        table.open(TWO)
        table.finish()
        markers.append(asked(table, asks.ReadButton)[0].expect)
        dealt = [ask.position for ask in asked(table, asks.DealCard) if ask.position is not None]
        assert dealt == dealt[:3] * 4
        firsts.append(tuple(dealt[:3]))
    assert markers == [0, 6, 5, 4, 3, 2, 1, 0]
    assert firsts == [(0, 5, 2), (5, 2, 0), (5, 2, 0), (2, 0, 5), (2, 0, 5), (2, 0, 5), (0, 5, 2), (0, 5, 2)]
    table.table.idle()
    table.open(TWO)
    assert table.until(asks.ReadButton).expect == DEALER


@clause("7(b)")
def test_a_marker_that_lies_elsewhere_is_put_right(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    table.until(asks.ReadButton)
    (ruling,) = table.tell(tells.ButtonSeen(4))
    assert (ruling.order, ruling.rules, ruling.position) == (Order.MOVE_BUTTON, (of("7(b)"),), 4)
    assert ruling.policy
    assert isinstance(table.ask, asks.ReadButton)
    assert table.table.button == DEALER
    table.finish()
    assert table.table.button == 6


@clause("6(c)", "7(b)")
def test_no_wager_changes_after_the_closing_call(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    close = table.until(asks.CallNoMoreBets)
    assert close.rules == (of("7(b)"),)
    table.tell(tells.BetPlaced(2, "wager", 700))
    table.step()
    for amount in (900, 0):
        assert table.refused(tells.BetPlaced(2, "wager", amount)) == (of("7(b)"),)
    assert [s.stake for s in table.finish().settlements if s.seat == 2] == [700]


@pytest.mark.parametrize(
    ("wagers", "rule"),
    [({}, "5(h)"), ({7: {"wager": 500}}, "6(a)"), ({1: {"split": 500}}, "6(a)"), ({1: {"wager": 499}}, "6(a)")],
)
def test_wagers_that_the_rules_forbid_are_refused(felt, wagers, rule):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, MANUAL).open(wagers)
    assert refusal.value.rules == (of(rule),)


def test_a_void_round_leaves_the_marker_and_shuffles_the_shoe(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    table.finish()
    table.open(TWO)
    table.until(asks.DealCard, 2)
    table.round.tell(tells.CardDealt(60))
    result = table.finish()
    assert result.order is Order.VOID_REMOVE_DECK
    assert [s.outcome for s in result.settlements] == ["void", "void"]
    assert table.table.button == 6
    table.open(TWO)
    table.finish()
    assert len(asked(table, asks.StartShuffle)) == 1


def test_a_hand_of_three_cards_voids_the_round_by_the_rigs_policy(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    table.until(asks.DealCard)
    table.tell(tells.CardDealt(table.cards[0], position=2))
    result = table.finish()
    assert [ruling.why for ruling in result.rulings] == [
        "a card went to a wrong place",
        "a hand has a wrong number of cards",
    ]
    assert result.order is Order.VOID
    assert result.rulings[-1].policy


# The players


@clause("8(a)", "8(e)", "1[Setting of a hand]")
def test_each_player_keeps_two_cards_and_discards_two(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    ask = table.until(asks.Decide)
    assert (ask.seat, ask.choices, ask.amounts) == (5, game.CHOICES, {"split": (1001, 1001)})
    assert not table.round.can(tells.Decided(2, "keep two"))
    table.tell(tells.Decided(5, "keep two"))
    ask = table.ask
    assert (ask.position, ask.house_way, ask.rules) == (5, False, (of("8(a)"), of("8(e)")))
    a, b, c, d = ask.cards
    assert table.refused(tells.HandSet(5, (a, b), (c, 60))) == ask.rules
    assert not table.round.can(tells.HandSet(2, (a, b), (c, d)))
    assert not table.round.can(tells.Surrendered(5))
    for high, low in (((a, b, c), (d,)), ((a,), (b, c, d))):
        (ruling,) = table.tell(tells.HandSet(5, high, low))
        assert (ruling.order, ruling.rules, ruling.policy) == (Order.RESET_HANDS, ask.rules, True)
    assert table.tell(tells.HandSet(5, (a, d), (b, c))) == ()
    assert table.ask.seat == 2


@clause("8(b)", "1[Natural]")
def test_a_natural_is_shown_paid_five_to_one_at_once_and_racked_whatever_the_dealer_has(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    laid(table, {2: "8c 8d 8h 8c", 5: "2s 5d 9h Tc", DEALER: "Kc Kd Kh Ks"})
    table.choices = {5: "keep two"}
    result = table.finish()
    shown = [ask for ask in table.asked if isinstance(ask, asks.Expose | asks.CollectUnbet)]
    assert shown == [
        asks.Expose(2, (of("8(b)"),)),
        asks.CollectUnbet((2,), (of("8(b)"),)),
        asks.Expose(DEALER, (of("8(g)"),)),
    ]
    assert settled(result) == [(2, "wager", "win", 2500), (5, "wager", "lose", -1001)]
    assert result.settlements[0].hand == "natural"


@clause("8(c)", "6(c)")
def test_a_split_needs_as_large_a_wager_and_makes_two_hands(felt):
    table = felt(game.GAME, MANUAL)
    table.open(ONE)
    laid(table, {3: "Ah 8c Ad 8d", DEALER: "2s 5d Qc 6h"}, board=("As", "8s", "3d", "4c", "Th"))
    table.until(asks.Decide)
    for amount in (499, 501, None):
        assert table.refused(tells.Decided(3, "split", amount)) == game.CHOOSE
    table.tell(tells.Decided(3, "split", 500))
    assert table.ask.rules == (of("8(c)"),)
    table.tell(tells.HandSet(3, parse_all(("Ah", "Ad")), parse_all(("8c", "8d"))))
    result = table.finish()
    assert settled(result) == [(3, "wager", "win", 500), (3, "split", "win", 500)]
    assert {s.hand for s in result.settlements} == {"three_of_a_kind"}


@clause("8(f)")
def test_a_surrender_costs_half_of_the_wager_and_all_four_cards(felt):
    table = felt(game.GAME, MANUAL)
    table.choices = {5: "surrender"}
    table.open(TWO)
    result = table.finish()
    assert settled(result)[0] == (5, "wager", "surrender", Fraction(-1001, 2))
    assert result.settlements[0].rules == (of("8(f)"),)
    assert asked(table, asks.CollectUnbet) == [asks.CollectUnbet((5,), (of("8(f)"),))]
    assert [ask.position for ask in asked(table, asks.SetHands)] == [2, DEALER]
    assert [ask.position for ask in asked(table, asks.Expose)] == [DEALER, 2]


def test_what_was_settled_before_a_round_is_void_stays_settled(felt):
    table = felt(game.GAME, MANUAL)
    table.choices = {5: "surrender", 2: "split"}
    table.open(TWO)
    table.until(asks.Reveal)
    table.until(asks.DealCard)
    table.round.tell(tells.CardDealt(60))
    assert settled(table.finish()) == [
        (5, "wager", "surrender", Fraction(-1001, 2)),
        (2, "wager", "void", 0),
        (2, "split", "void", 0),
    ]


# The dealer


@clause("8(h)", "8(c)", "1[Natural]")
def test_a_dealers_natural_takes_the_original_wagers_from_the_right_and_no_community_card_is_dealt(felt):
    table = felt(game.GAME, MANUAL)
    table.choices = {2: "split", 5: "keep two"}
    table.open(TWO)
    laid(table, {2: "Ac Ad 9h 9c", 5: "2s 5d 9h Tc", DEALER: "8c 8d 8h 8c"})
    result = table.finish()
    assert not [ask for ask in table.asked if getattr(ask, "area", None)]
    assert DEALER not in [ask.position for ask in asked(table, asks.SetHands)]
    assert settled(result) == [(2, "wager", "lose", -500), (2, "split", "push", 0), (5, "wager", "lose", -1001)]
    assert result.settlements[0].rules == (of("8(h)"), of("8(c)"))
    assert result.settlements[2].rules == (of("8(h)"),)


@clause("8(g)", "8(i)", "8(i)2")
def test_the_dealer_is_opened_after_all_players_and_set_by_the_house_way(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    laid(table, {2: "2c 5d 9h Kc", 5: "2s 5d 9h Tc", DEALER: "4c Qd 4h As"})
    table.until(asks.Expose)
    assert [ask.position for ask in asked(table, asks.SetHands)] == [5, 2]
    assert table.ask == asks.Expose(DEALER, (of("8(g)"),))
    ask = table.until(asks.SetHands)
    assert (ask.position, ask.house_way) == (DEALER, True)
    assert ask.rules == (of("8(g)"), of("8(i)"), of("8(i)2"))
    (ruling,) = table.tell(tells.HandSet(DEALER, parse_all(("As", "Qd")), parse_all(("4c", "4h"))))
    assert (ruling.order, ruling.rules, ruling.position) == (Order.RESET_HANDS, ask.rules, DEALER)
    assert table.tell(tells.HandSet(DEALER, parse_all(("4h", "4c")), parse_all(("As", "Qd")))) == ()
    assert isinstance(table.ask, asks.Burn)


@clause("8(i)1", "8(i)2")
@pytest.mark.parametrize(
    ("dealt", "kept", "legal"),
    [
        pytest.param("4c 4d 4h 9s", "4d 4h", True, id="any two of three, none suited"),
        pytest.param("4c 4d 4d 9s", "4d 4d", True, id="the two that are suited"),
        pytest.param("4c 4d 4d 9s", "4c 4d", False, id="two that are not"),
        pytest.param("4c 4d 4h 9s", "4d 9s", False, id="no pair"),
    ],
)
def test_the_dealer_may_keep_any_two_that_are_worth_the_same(felt, dealt, kept, legal):
    table = felt(game.GAME, MANUAL)
    table.open(ONE)
    laid(table, {3: "2c 5d 9h Kc", DEALER: dealt})
    ask = table.until(asks.SetHands, 2)
    rest = list(ask.cards)
    for card in parse_all(kept.split()):
        rest.remove(card)
    rulings = table.tell(tells.HandSet(DEALER, parse_all(kept.split()), tuple(rest)))
    assert (rulings == ()) is legal


@clause("8(j)", "1[Community card]")
def test_a_card_is_burned_and_five_are_laid_open_from_the_left(felt):
    table = felt(game.GAME, MANUAL)
    table.open(ONE)
    table.until(asks.SetHands, 2)
    before = len(table.asked)
    table.step()
    table.finish()
    after = table.asked[before + 1 :]
    expected = [(asks.Burn, None)]
    for number in range(1, 6):
        expected += [(asks.DealCard, f"community.{number}"), (asks.Reveal, f"community.{number}")]
    assert [(type(ask), getattr(ask, "area", None)) for ask in after[:11]] == expected
    assert {ask.rules for ask in after[:11]} == {(of("8(j)"),)}
    assert {len(table.result.hands[f"community.{number}"]) for number in range(1, 6)} == {1}


# The showdown, which is outside the rule text but for the ranking


@clause("1[Rank or ranking]", "1[Five-card hand]", "1[Copy hand]", "3(b)", "3(c)")
@pytest.mark.parametrize(
    ("copies", "copied"), [("push", (1, "wager", "push", 0)), ("dealer_wins", (1, "wager", "lose", -500))]
)
def test_hands_are_compared_with_the_community_cards_losers_first(felt, copies, copied):
    table = felt(game.GAME, MANUAL, copies=copies)
    table.open({seat: {"wager": 500} for seat in (1, 2, 4)})
    hands = {1: "Kc Qd 3h 8s", 2: "Kd Js 3d 8h", 4: "Ad Ah 3s 8d", DEALER: "Kh Qc 2d 7s"}
    laid(table, hands, board=("5d", "5h", "9s", "Tc", "6d"))
    for position in (4, 2, 1):
        table.until(asks.SetHands)
        cards = parse_all(hands[position].split())
        table.tell(tells.HandSet(position, cards[:2], cards[2:]))
    result = table.finish()
    assert names(result.hands["0"]) == ("Kh", "Qc", "2d", "7s")
    assert [ask.position for ask in asked(table, asks.Expose)] == [DEALER, 1, 2, 4]
    lost, won = (2, "wager", "lose", -500), (4, "wager", "win", 500)
    assert settled(result) == ([copied, lost, won] if copied[2] == "lose" else [lost, copied, won])
    assert {s.rules for s in result.settlements if s.seat != 4} == {(of("3(b)16"), of("3(c)"))}


def test_pgp_04_read_literally_a_kicker_decides_before_the_pair(felt):
    outcomes = []
    for tie_break in ("group_ranks_first", "literal"):
        table = felt(game.GAME, MANUAL, tie_break=tie_break)
        table.open(ONE)
        laid(table, {3: "Tc Th 3h 2s", DEALER: "Ac 9d 2h 4s"}, board=("9s", "5d", "6h", "Kc", "Jd"))
        table.until(asks.SetHands)
        table.tell(tells.HandSet(3, parse_all(("Tc", "Th")), parse_all(("3h", "2s"))))
        outcomes.append(table.finish().settlements[0].outcome)
    assert outcomes == ["win", "lose"]
