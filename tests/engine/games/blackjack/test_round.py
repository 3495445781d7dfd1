"""A round of Blackjack, as far as the text goes."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.games.blackjack import round as game
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.ways import Way

GAME = "blackjack"
SHOE = Way({"machine_shuffle": False, "shuffler_counts": False})
WAGERS = {2: {"wager": 1000}, 5: {"wager": 1000}}
ONE = {5: {"wager": 1000}}


def of(*numbers):
    return tuple(f"19:47-2.{number}" for number in numbers)


def dealing(felt, *cards, wagers=ONE, **options):
    """A table that is about to deal these cards."""
    table = felt(game.GAME, SHOE, **options)
    table.open(wagers)
    table.until(asks.CallNoMoreBets)
    table.stack(*parse_all(cards))
    return table


def nets(result):
    return {(s.seat, s.bet): s.net for s in result.settlements}


@pytest.mark.parametrize("way", game.WAYS, ids=str)
def test_good_people_play_round_after_round(felt, way):
    table = felt(game.GAME, way)
    for number in range(12):
        table.choices = {2: ("stand", "draw", "double_down", "split")[number % 4], 5: "split"}
        table.open(WAGERS)
        assert not table.finish().void
        assert table.strangers() == set()
        assert table.rulings == []


@pytest.mark.clause(GAME, "19:47-2.6(e)", "19:47-2.6(e)1", "19:47-2.6(e)2", "19:47-2.6(e)3", "19:47-2.6(h)")
@pytest.mark.clause(GAME, "19:47-2.6(j)", "19:47-2.6(k)")
@pytest.mark.parametrize(
    ("second", "order"),
    [
        ("after_players", [5, 2, DEALER, 5, 2]),
        ("face_down", [5, 2, DEALER, 5, 2, DEALER]),
        ("face_up", [5, 2, DEALER, 5, 2, DEALER]),
    ],
)
def test_cards_go_from_the_dealers_left_and_the_dealers_second_comes_when_it_should(felt, second, order):
    table = dealing(
        felt, "9s", "9d", "6c", "9h", "8c", "Kd", "5s", wagers=WAGERS, second_card=second, notices=["second_card"]
    )
    table.choices = {2: "stand", 5: "stand"}
    table.finish()
    decided = [type(ask) for ask in table.asked].index(asks.Decide)
    dealt = [ask.position for ask in table.asked[:decided] if isinstance(ask, asks.DealCard)]
    assert dealt == order
    later = [ask for ask in table.asked[decided:] if isinstance(ask, asks.DealCard)]
    assert {(ask.position, ask.rules) for ask in later} == {(DEALER, of("6(h)"))}


@pytest.mark.clause(GAME, "19:47-2.6(f)", "19:47-2.6(g)")
def test_players_decide_from_the_left_and_draw_face_up_cards(felt):
    table = dealing(felt, "5s", "9d", "6c", "4h", "9c", "2d", "3d", wagers=WAGERS)
    first = table.until(asks.Decide)
    assert (first.seat, first.choices, first.rules) == (5, ("double_down", "stand", "draw"), of("6(f)"))
    assert table.refused(tells.Decided(5, "split")) == of("6(f)")
    table.tell(tells.Decided(5, "draw"))
    assert (table.ask.position, table.ask.rules) == (5, of("6(g)"))
    table.step()
    assert len(table.ask.cards) == 3
    assert table.ask.choices == ("stand", "draw")
    table.choices = {5: "stand", 2: "stand"}
    seats = [table.until(asks.Decide).seat]
    table.step()
    seats.append(table.until(asks.Decide).seat)
    assert seats == [5, 2]


@pytest.mark.clause(GAME, "19:47-2.7(a)", "19:47-2.7(b)")
@pytest.mark.parametrize(
    ("cards", "net"),
    [
        (("As", "9d", "Kh", "7c"), 1500),
        (("As", "Kd", "Kh", "7c"), 1500),
        (("As", "Kd", "Kh", "Ac"), 0),
    ],
)
def test_a_blackjack_is_paid_three_to_two_unless_the_dealer_has_one(felt, cards, net):
    table = dealing(felt, *cards)
    table.choices = {(5, "insurance"): "no insurance"}
    result = table.finish()
    assert nets(result) == {(5, "wager"): net}
    assert not [ask for ask in table.asked if isinstance(ask, asks.Decide) and ask.what == "hand"]


@pytest.mark.clause(GAME, "19:47-2.7(c)")
def test_a_blackjack_with_full_insurance_is_paid_even_money_where_that_is_offered(felt):
    table = dealing(felt, "As", "Ad", "Kh", consolidated_payout=True, notices=["consolidated_payout"])
    table.choices = {(5, "insurance"): ("insure", 500)}
    assert nets(table.finish()) == {(5, "wager"): 1000}


@pytest.mark.clause(GAME, "19:47-2.8(a)", "19:47-2.8(a)1", "19:47-2.8(a)2", "19:47-2.8(b)")
@pytest.mark.parametrize(
    ("cards", "net"),
    [(("9s", "9d", "7h", "2c"), -500), (("9s", "Kd", "7h", "2c"), -500), (("9s", "Kd", "7h", "Ac"), -1000)],
)
def test_surrender_costs_half_and_all_against_a_blackjack(felt, cards, net):
    table = dealing(felt, *cards, surrender=True, notices=["surrender"])
    table.choices = {5: "surrender"}
    assert nets(table.finish()) == {(5, "wager"): net}


@pytest.mark.clause(GAME, "19:47-2.9(a)", "19:47-2.9(b)", "19:47-2.9(c)", "19:47-2.9(d)", "19:47-2.8(b)")
@pytest.mark.parametrize(("second", "insurance", "wager"), [("Kc", 1000, -1000), ("9c", -500, -1000)])
def test_insurance_is_offered_on_an_ace_only_and_pays_two_to_one(felt, second, insurance, wager):
    table = dealing(felt, "9s", "Ad", "7h", second)
    ask = table.until(asks.Decide)
    assert (ask.what, ask.amounts) == ("insurance", {"insure": (100, 500)})
    assert table.refused(tells.Decided(5, "insure", 501)) == of("9(a)", "9(b)")
    table.tell(tells.Decided(5, "insure", 500))
    table.choices = {5: "stand"}
    assert nets(table.finish()) == {(5, "wager"): wager, (5, "insurance"): insurance}
    other = dealing(felt, "9s", "Kd", "7h")
    assert other.until(asks.Decide).what == "hand"


@pytest.mark.clause(GAME, "19:47-2.9(b)")
def test_insurance_can_wait_for_the_players_own_decision(felt):
    noticed = {"insurance_at_decision": True, "notices": ["insurance_at_decision"]}
    table = dealing(felt, "9s", "9d", "Ac", "7h", "7d", wagers=WAGERS, **noticed)
    table.choices = {5: "stand", 2: "stand"}
    table.finish()
    asked = [(ask.seat, ask.what) for ask in table.asked if isinstance(ask, asks.Decide)]
    assert asked == [(5, "insurance"), (5, "hand"), (2, "insurance"), (2, "hand")]


@pytest.mark.clause(GAME, "19:47-2.6(j)", "19:47-2.6(j)1")
@pytest.mark.parametrize(
    ("cards", "asked", "over"),
    [
        (("9s", "9d", "7h", "2c"), False, False),
        (("9s", "Kd", "7h", "2c"), True, False),
        (("9s", "Kd", "7h", "Ac"), True, True),
    ],
)
def test_the_card_reader_looks_before_any_third_card_and_a_blackjack_ends_the_deal(felt, cards, asked, over):
    table = dealing(felt, *cards, second_card="face_down", card_reader=True)
    table.choices = {5: "stand"}
    result = table.finish()
    looks = [ask for ask in table.asked if isinstance(ask, asks.CheckHoleCard)]
    assert [ask.expect for ask in looks] == ([over] if asked else [])
    assert any(isinstance(ask, asks.Decide) for ask in table.asked) is not over
    if over:
        assert nets(result) == {(5, "wager"): -1000}


def test_a_reader_that_says_another_thing_than_the_cards_is_noted(felt):
    table = dealing(felt, "9s", "Kd", "7h", "2c", second_card="face_down", card_reader=True)
    table.until(asks.CheckHoleCard)
    (ruling,) = table.tell(tells.HoleCardChecked(True))
    assert (ruling.order, ruling.rules, ruling.policy) == (Order.STANDS, of("6(j)"), True)


FACE_UP = {"second_card": "face_up", "notices": ["second_card"]}


@pytest.mark.clause(GAME, "19:47-2.6(k)1", "19:47-2.6(k)2", "19:47-2.6(k)3", "19:47-2.6(k)4", "19:47-2.6(k)5")
@pytest.mark.clause(GAME, "19:47-2.6(k)6")
def test_an_open_hole_card_brings_its_own_rules(felt):
    tie = dealing(felt, "Ks", "Kd", "Kh", "Qc", **FACE_UP)
    tie.choices = {5: "stand"}
    assert nets(tie.finish()) == {(5, "wager"): -1000}
    both = dealing(felt, "As", "Ad", "Kh", "Kc", **FACE_UP)
    assert nets(both.finish()) == {(5, "wager"): 1000}
    assert not [ask for ask in both.asked if isinstance(ask, asks.Decide)]
    only_nine_to_eleven = dealing(felt, "5s", "Kd", "7h", "9c", **FACE_UP)
    assert only_nine_to_eleven.until(asks.Decide).choices == ("stand", "draw")
    ended = dealing(felt, "9s", "Ad", "7h", "Kc", **FACE_UP)
    assert nets(ended.finish()) == {(5, "wager"): -1000}
    split = dealing(felt, "8s", "9d", "8h", "9c", "8d", "2c", "2d", **FACE_UP)
    split.until(asks.Decide)
    split.tell(tells.Decided(5, "split"))
    assert "split" not in split.until(asks.Decide).choices


@pytest.mark.clause(GAME, "19:47-2.10(a)", "19:47-2.10(b)")
@pytest.mark.parametrize(("second", "net"), [("7c", 1700), ("Ac", -1000)])
def test_doubling_down_adds_up_to_the_wager_for_one_card_and_the_addition_is_safe_from_a_blackjack(felt, second, net):
    table = dealing(felt, "6s", "Kd", "5h", "9h", second)
    table.until(asks.Decide)
    assert table.refused(tells.Decided(5, "double_down", 1001)) == of("6(f)")
    table.tell(tells.Decided(5, "double_down", 700))
    assert (table.ask.position, table.ask.rules) == (5, of("10(a)"))
    assert nets(table.finish()) == {(5, "wager"): net}
    assert len(table.result.hands["5"]) == 3


@pytest.mark.clause(GAME, "19:47-2.11(a)", "19:47-2.11(b)", "19:47-2.11(c)", "19:47-2.11(c)1")
def test_a_pair_is_split_for_an_equal_stake_and_each_hand_finished_in_turn(felt):
    table = dealing(felt, "8s", "6d", "8h", "3c", "Kc", "8d", "9d", "Ts", "Kd")
    table.until(asks.Decide)
    table.tell(tells.Decided(5, "split"))
    assert (table.ask.position, table.ask.rules) == (5, of("11(b)"))
    first = table.until(asks.Decide)
    assert (first.choices, first.rules) == (("double_down", "stand", "draw"), of("11(c)"))
    table.choices = {5: "stand"}
    table.step()
    assert table.ask.area == "split.5"
    result = table.finish()
    assert {(s.bet, s.stake) for s in result.settlements} == {("wager", 1000), ("split", 1000)}
    assert "split" not in [choice for ask in table.asked if isinstance(ask, asks.Decide) for choice in ask.choices[1:]]


@pytest.mark.parametrize(("original_only", "lost"), [(False, -1000), (True, 0)])
def test_a_dealers_blackjack_takes_both_halves_of_a_split_or_one(felt, original_only, lost):
    table = dealing(felt, "8s", "Kd", "8h", "3c", "4c", "Ac", splits_lose_original_only=original_only)
    table.choices = {5: "stand", (5, "hand"): "split"}
    assert nets(table.finish()) == {(5, "wager"): -1000, (5, "split"): lost}


@pytest.mark.clause(GAME, "19:47-2.6(d)", "19:47-2.6(d)1", "19:47-2.6(d)2")
@pytest.mark.parametrize(("card", "first"), [("Ah", True), ("As", False)])
def test_a_determinant_card_is_the_first_card_or_burned_apart(felt, card, first):
    table = dealing(felt, card, "2c", "3c", "4c", "5c", shoe="double", wagers=WAGERS)
    table.choices = {2: "stand", 5: "stand"}
    result = table.finish()
    assert table.asked[[type(a) for a in table.asked].index(asks.DealCard)].rules == of("6(d)", "6(d)1")
    (determinant,) = parse_all([card])
    assert (determinant in result.hands["5"]) is first
    assert (result.hands.get("burned apart") == (determinant,)) is not first
    assert not [ask for ask in table.asked if isinstance(ask, asks.Burn)]


@pytest.mark.clause(GAME, "19:47-2.6(c)", "19:47-2.6(l)", "19:47-2.6(l)3")
def test_a_fresh_shoe_burns_a_card_and_ends_with_the_round_of_the_cutting_card(felt):
    table = felt(game.GAME, SHOE)
    table.choices = {2: "stand", 5: "stand", (2, "insurance"): "no insurance", (5, "insurance"): "no insurance"}
    begun = []
    for number in range(4):
        table.open(WAGERS)
        if number == 1:
            table.until(asks.DealCard)
            (ruling,) = table.tell(tells.CuttingCardSeen())
            assert (ruling.order, ruling.rules) == (Order.LAST_ROUND, of("6(l)"))
        table.finish()
        begun.append(sum(isinstance(ask, asks.Burn) for ask in table.asked))
    assert begun == [1, 0, 1, 0]


@pytest.mark.clause(GAME, "19:47-2.6(c)")
def test_a_new_dealer_burns_a_card(felt):
    table = felt(game.GAME, SHOE)
    table.open(WAGERS)
    table.finish()
    table.open(WAGERS)
    table.tell(tells.DealerChanged())
    table.finish()
    table.open(WAGERS)
    assert table.until(asks.Burn).rules == of("6(c)")


def test_wagers_that_the_rules_forbid_are_refused(felt):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, SHOE).open({1: {"wager": 499}})
    assert refusal.value.rules == of("6(e)1")


def drawn(table):
    """The cards that the dealer has in the end."""
    return len(table.result.hands[str(DEALER)])


@pytest.mark.parametrize(
    ("cards", "choice", "hits", "dealers"),
    [
        (("9s", "6d", "7h", "5c", "3c", "2c", "9c"), "stand", False, 5),  # 6 5 3 2 9: a hard 16 takes another
        (("9s", "Ad", "7h", "6c", "3c"), "stand", False, 2),
        (("9s", "Ad", "7h", "6c", "3c"), "stand", True, 3),
        (("9s", "Td", "7h", "7c", "3c"), "stand", True, 2),
        (("9s", "6d", "7h", "Kc", "5c", "3c"), "draw", False, 2),  # the player is bust: nobody waits
        (("As", "6d", "Kh", "5c", "3c"), "stand", False, 2),  # the blackjack is paid
    ],
)
def test_the_dealer_draws_to_seventeen_while_somebody_waits(felt, cards, choice, hits, dealers):
    table = dealing(felt, *cards, dealer_hits_soft_17=hits)
    table.choices = {5: choice, (5, "insurance"): "no insurance"}
    table.finish()
    assert drawn(table) == dealers


def test_nobody_waits_for_the_dealer_after_a_surrender_but_one_who_plays_on(felt):
    noticed = {"surrender": True, "notices": ["surrender"]}
    table = dealing(felt, "9s", "6d", "7h", "5c", "9c", **noticed)
    table.choices = {5: "surrender"}
    table.finish()
    assert drawn(table) == 2
    table = dealing(felt, "9s", "9h", "6d", "7h", "8h", "5c", "9c", wagers=WAGERS, **noticed)
    table.choices = {5: "surrender", 2: "stand"}
    table.finish()
    assert drawn(table) == 3
    assert [(s.seat, s.outcome, s.net) for s in table.result.settlements] == [(2, "lose", -1000), (5, "lose", -500)]


@pytest.mark.clause(GAME, "19:47-2.7(c)")
@pytest.mark.parametrize(
    ("offered", "insured", "expected"),
    [
        (True, 500, {(5, "wager"): 1000}),
        (True, 400, {(5, "wager"): 1500, (5, "insurance"): -400}),
        (True, None, {(5, "wager"): 1500}),
        (False, 500, {(5, "wager"): 1500, (5, "insurance"): -500}),
    ],
)
def test_only_full_insurance_is_consolidated_and_only_where_that_is_offered(felt, offered, insured, expected):
    noticed = {"consolidated_payout": True, "notices": ["consolidated_payout"]} if offered else {}
    table = dealing(felt, "As", "Ad", "Kh", "9c", **noticed)
    table.choices = {(5, "insurance"): ("insure", insured) if insured else "no insurance"}
    assert nets(table.finish()) == expected


@pytest.mark.clause(GAME, "19:47-2.9(a)", "19:47-2.9(d)")
def test_hands_are_settled_from_the_right_and_insurance_after_them(felt):
    table = dealing(felt, "9s", "9d", "Ac", "7h", "7d", "9c", wagers=WAGERS)
    table.choices = {2: "stand", 5: "stand", (2, "insurance"): ("insure", 100), (5, "insurance"): ("insure", 500)}
    result = table.finish()
    assert [(s.seat, s.bet, s.outcome, s.net) for s in result.settlements] == [
        (2, "wager", "lose", -1000),
        (5, "wager", "lose", -1000),
        (2, "insurance", "lose", -100),
        (5, "insurance", "lose", -500),
    ]
    assert result.settlements[0].rules == of("6(f)")
    assert result.settlements[2].rules == of("9(a)", "9(d)")


def test_equal_counts_push(felt):
    table = dealing(felt, "Ks", "9d", "8h", "9c")
    table.choices = {5: "stand"}
    (settled,) = table.finish().settlements
    assert (settled.outcome, settled.net, settled.stake) == ("push", 0, 1000)


def test_what_is_added_in_doubling_down_is_part_of_the_stake(felt):
    table = dealing(felt, "6s", "Kd", "5h", "9h", "7c")
    table.choices = {5: ("double_down", 700)}
    (settled,) = table.finish().settlements
    assert (settled.stake, settled.net, settled.rules) == (1700, 1700, of("10(a)"))
    assert sum(isinstance(ask, asks.Decide) for ask in table.asked) == 1, "one card, and no more decisions"


def test_a_double_shoe_has_its_decks_on_both_sides(felt):
    sizes = {shoe: len(felt(game.GAME, SHOE, shoe=shoe, decks=6).cards) for shoe in ("single", "double", "bart_carter")}
    assert sizes == {"single": 312, "double": 624, "bart_carter": 312}


def test_both_halves_of_a_split_play_and_one_that_is_bust_loses_alone(felt):
    table = dealing(felt, "8s", "6d", "8h", "7c", "Kc", "3d", "Kd", "9s", "5d")
    decided = []
    for choice in ("split", "draw", "draw"):
        decided.append(table.until(asks.Decide).what)
        table.tell(tells.Decided(5, choice))
    assert decided == ["hand", "hand at 5", "hand at split.5"]
    rows = {s.bet: (s.outcome, s.net, s.rules) for s in table.finish().settlements}
    assert rows == {"wager": ("lose", -1000, of("11(a)", "6(g)")), "split": ("win", 1000, of("11(a)", "6(g)"))}
