"""Shapes of cards, and strengths as one number."""

import pytest

from feltrig.engine.cards import parse_all
from feltrig.engine.ranking import poker, three_card
from feltrig.engine.ranking.shape import Shape, category_number, deciding_ranks, literal, packed, shape

SHAPES = [
    ("Ah", (1,), (14,), True, 14),
    ("2c 3c", (1, 1), (3, 2), True, 3),
    ("Ac 2d", (1, 1), (14, 2), False, 2),
    ("Ac 3d", (1, 1), (14, 3), False, None),
    ("Ac 2d 3h", (1, 1, 1), (14, 3, 2), False, 3),
    ("Ac 2d 4h", (1, 1, 1), (14, 4, 2), False, None),
    ("Ac Kd Qh", (1, 1, 1), (14, 13, 12), False, 14),
    ("Kc Ad 2h", (1, 1, 1), (14, 13, 2), False, None),
    ("4c 4d 3h", (2, 1), (4, 3), False, None),
    ("2c 2d 3h", (2, 1), (2, 3), False, None),
    ("7c 7d 7h 7s", (4,), (7,), False, None),
    ("3s 9s Js Qs", (1, 1, 1, 1), (12, 11, 9, 3), True, None),
    ("Kc Kd 2h 2s 9c", (2, 2, 1), (13, 2, 9), False, None),
    ("2c 2d 2h As Kc", (3, 1, 1), (2, 14, 13), False, None),
    ("As Ks Qs Js Ts 9s 8s", (1,) * 7, (14, 13, 12, 11, 10, 9, 8), True, 14),
    ("As 2s 3s 4s 5s 6s 7s", (1,) * 7, (14, 7, 6, 5, 4, 3, 2), True, 7),
    ("As 2s 3s 4s 5s 6s 6c", (2, 1, 1, 1, 1, 1), (6, 14, 5, 4, 3, 2), False, None),
]


@pytest.mark.parametrize(("cards", "groups", "ranks", "suited", "top"), SHAPES)
def test_groups_suit_and_run_of_any_number_of_cards(
    cards: str, groups: tuple[int, ...], ranks: tuple[int, ...], suited: bool, top: int | None
) -> None:
    held = parse_all(cards.split())
    assert shape(held) == shape(held[::-1]) == Shape(groups, ranks, suited, top)


def test_a_strength_orders_by_category_and_then_rank_by_rank() -> None:
    ascending = [
        packed(0, (2,)),
        packed(0, (14, 13, 12, 11, 9)),
        packed(1, (2, 3, 4, 5)),
        packed(1, (2, 14, 3)),
        packed(1, (2, 14, 13)),
        packed(1, (3, 2)),
        packed(16, (2,)),
    ]
    assert ascending == sorted(set(ascending))


@pytest.mark.parametrize(("category", "ranks"), [(0, (14, 13, 12, 11, 9)), (3, (2, 14, 13)), (16, (14,)), (7, (9, 2))])
def test_a_strength_gives_back_what_it_was_packed_from(category: int, ranks: tuple[int, ...]) -> None:
    assert category_number(packed(category, ranks)) == category
    assert deciding_ranks(packed(category, ranks)) == ranks


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ah 9c 9d 5h 3s", "Kh Tc Td 5c 3d"),
        ("Ah 9c 9d 5h 3s", "Ad 8c 8d 7h 3c"),
        ("Qh Qc 2h 2d 2s", "Jc Jd Jh Ts Th"),
        ("Kc Kd 9h 9d 3s", "Kh Ks 8c 8d 7h"),
        ("5h 5c 5d 5s Kc", "9h 9c 9d 9s Qc"),
        ("As 2d 3h 4c 6s", "Ks Qd Jh Tc 8s"),
        ("6h 5c 4d 3h 2s", "5h 4c 3d 2h As"),
    ],
)
def test_pgp_04_read_literally_the_highest_card_decides_before_the_groups(higher: str, lower: str) -> None:
    first, second = (poker.strength(parse_all(cards.split())) for cards in (higher, lower))
    assert literal(poker.RANKING, first) > literal(poker.RANKING, second)


def test_pgp_04_the_literal_reading_never_mixes_categories_and_keeps_ties() -> None:
    pair, trips = (poker.strength(parse_all(cards.split())) for cards in ("Ah Ac Kd Qh Js", "2h 2c 2d 4h 3s"))
    assert literal(poker.RANKING, pair) < literal(poker.RANKING, trips)
    assert deciding_ranks(literal(poker.RANKING, trips)) == (4, 3, 2, 2, 2)
    assert deciding_ranks(literal(poker.RANKING, pair)) == (14, 14, 13, 12, 11)
    assert deciding_ranks(literal(three_card.RANKING, packed(three_card.ThreeCard.PAIR, (2, 14)))) == (14, 2, 2)
