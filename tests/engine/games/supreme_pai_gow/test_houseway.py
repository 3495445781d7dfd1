"""How the house sets the hands, by its own way or by one that was submitted: 34.12(d)."""

from collections.abc import Iterator
from dataclasses import astuple
from itertools import combinations_with_replacement, permutations

import pytest

from feltrig.engine.cards import JOKERS, RANKS, SUITS, Card, name, parse, parse_all
from feltrig.engine.games.game import from_plain
from feltrig.engine.games.supreme_pai_gow.houseway import DEFAULT, FLOORS, HouseWay, Rule
from feltrig.engine.games.supreme_pai_gow.options import Options
from feltrig.engine.games.supreme_pai_gow.ranking import Hand, set_fault
from feltrig.engine.rulings import Illegal


def every_hand() -> Iterator[tuple[Card, ...]]:
    """Every four ranks, suited as they come: suits never matter to a rank."""
    suited = [[parse(rank + suit) for suit in SUITS] for rank in RANKS] + [list(JOKERS)]
    for ranks in combinations_with_replacement(range(14), 4):
        if ranks.count(13) <= 2:
            yield tuple(suited[rank][ranks[:place].count(rank)] for place, rank in enumerate(ranks))


def way(text: str, house_way: HouseWay = DEFAULT) -> tuple[str, str]:
    hands = house_way.set(parse_all(text.split()))
    high, low = (
        "".join(sorted((name(card)[0] for card in part), key="XAKQJT98765432".index)) for part in astuple(hands)
    )
    return high, low


@pytest.mark.clause("supreme_pai_gow", "34.12(a)")
def test_34_12_a_every_hand_is_set_legally_from_its_own_cards() -> None:
    hands = list(every_hand())
    assert len(hands) == 2366
    for cards in hands:
        played = DEFAULT.set(cards)
        assert set_fault(played.high, played.low) is None
        assert {*played.high, *played.low} == set(cards)


@pytest.mark.parametrize(
    ("cards", "high", "low"),
    [
        ("X1 X2 Ac Ad", "XX", "AA"),
        ("Kc Kd 2h 2s", "KK", "22"),
        ("Kc Kd Kh 2s", "KK", "K2"),
        ("7c 7d 7h 7s", "77", "77"),
        ("Ac Ad 8h 9s", "AA", "98"),
        ("9c 9d Kh Ts", "K9", "T9"),
        ("2c 2d 6h 7s", "72", "62"),
        ("Ac Ad Kh 3s", "AA", "K3"),
        ("Kc Qd 3h 2s", "KQ", "32"),
        ("Kc 5d 4h 2s", "54", "K2"),
        ("Kc 8d 4h 2s", "K8", "42"),
        ("X1 6d Kh 2s", "X6", "K2"),
        # Both hands just strong enough, or one of them not.
        ("2c 2d 5h 7s", "72", "52"),
        ("2c 2d 4h 7s", "22", "74"),
        ("2c 3d 4h 6s", "63", "42"),
        ("2c 3d 5h 8s", "32", "85"),
        # The high hand first, though the low one could be better.
        ("3c 4d 5h 5s", "55", "43"),
        ("Tc Kd Ah As", "AA", "KT"),
    ],
)
def test_named_hands_are_set_by_the_first_rule_that_applies(cards: str, high: str, low: str) -> None:
    assert way(cards) == (high, low)


def test_the_setting_does_not_depend_on_the_order_of_the_cards() -> None:
    for text in ("7c 7d 7h 7s", "Kc Td 9h 4s", "X1 X2 4c 5d", "Ac Kd 8h 2s"):
        assert len({DEFAULT.set(cards) for cards in permutations(parse_all(text.split()))}) == 1


def test_the_rigs_own_way_says_that_it_is_no_submission() -> None:
    assert str(DEFAULT) == "balanced 1 (the rig's own: no licensee's submission)"


@pytest.mark.clause("supreme_pai_gow", "34.12(d)")
@pytest.mark.parametrize(
    ("rules", "high", "low"),
    [
        ([("0", "0", "high")], "KK", "97"),
        ([("0", "0", "low")], "K7", "K9"),
        ([("KK", "7", "low"), ("0", "0", "low")], "K7", "K9"),
        ([("KK", "6", "low"), ("0", "0", "low")], "KK", "97"),
        ([("KQ", "6", "low"), ("0", "0", "low")], "KK", "97"),
        ([("AA", "0", "high"), ("0", "0", "low")], "K7", "K9"),
    ],
)
def test_34_12_d_the_hands_are_set_by_the_first_rule_of_the_submitted_way(
    rules: list[tuple[str, str, str]], high: str, low: str
) -> None:
    stated = [dict(zip(("high", "low", "prefer"), rule, strict=True)) for rule in rules]
    plain = {"name": "theirs", "version": "3", "source": "Example Casino", "rules": stated}
    options = from_plain(Options, {"house_way": plain})
    assert {*way("Kc Kd 9h 7s", options.house_way)} == {high, low}
    assert str(options.house_way) == "theirs 3 (Example Casino)"


@pytest.mark.clause("supreme_pai_gow", "34.12(d)")
@pytest.mark.parametrize("rules", [(), (Rule("9", "7", Hand.HIGH),), (Rule("0", "1", Hand.LOW),)])
def test_a_way_that_leaves_hands_unset_is_refused(rules: tuple[Rule, ...]) -> None:
    with pytest.raises(Illegal, match="the last rule must apply to every hand") as refusal:
        HouseWay("theirs", "3", "Example Casino", rules)
    assert refusal.value.rules == ("34.12(d)",)


def test_a_floor_is_any_level_of_the_ranking() -> None:
    assert len(FLOORS) == len(set(FLOORS)) == 27
    assert (FLOORS[0], FLOORS[13], FLOORS[14], FLOORS[17], FLOORS[-1]) == ("XX", "22", "KQ", "9", "0")


def test_four_different_cards_are_needed() -> None:
    with pytest.raises(ValueError, match="four different"):
        DEFAULT.set(parse_all(["7c", "7d", "7h"]))
    with pytest.raises(ValueError, match="four different"):
        DEFAULT.set(parse_all(["7c", "7d", "7h", "7h"]))
