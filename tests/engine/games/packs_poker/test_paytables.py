"""The pay tables, cell by cell, in the orientation of the print: a line is a hand, a column is a table."""

import pytest

from feltrig.engine.games import GAMES
from feltrig.engine.games.packs_poker.hands import RULES
from feltrig.engine.games.packs_poker.paytables import PAY_TABLES, Award, Basis

PRINTED = {
    "five_card_bonus": """
        hand                  A     B     C     D     E
        royal_flush           1000  1000  1000  1000  1000
        straight_flush        250   200   500   250   250
        four_of_a_kind        100   100   250   100   100
        full_house            50    50    30    25    25
        flush                 25    25    20    20    20
        straight              10    8     10    10    10
        three_of_a_kind       4     5     5     5     3
        two_pair              3     4     3     4     2
        pair_jacks_or_better  2     2     2     2     1
        pair_2_to_10          -     -     -     -     push
        """,
    "five_card_bonus_progressive": """
        hand                  A     B     C     D     E
        diamond_royal_flush   100%  100%  100%  100%  100%
        royal_flush           1000  1000  1000  1000  1000
        straight_flush        500   500   500   250   250
        four_of_a_kind        100   200   100   100   100
        full_house            50    100   25    50    25
        flush                 25    50    20    25    20
        straight              10    10    10    20    10
        three_of_a_kind       5     5     5     5     4
        two_pair              4     4     4     4     3
        pair_jacks_or_better  3     2     3     3     2
        pair_2_to_10          -     -     -     -     push
        """,
    "seven_card_bonus": """
        hand                       A       B       C       D       E       F       G       H
        seven_card_straight_flush  $50000  $50000  $10000  $25000  $50000  $10000  $50000  $25000
        six_card_royal_flush       $5000   $5000   $5000   $5000   $5000   $5000   $5000   $2500
        royal_flush                500     500     500     500     500     500     500     400
        straight_flush             200     200     200     200     200     100     100     200
        four_of_a_kind             50      100     50      50      100     50      50      50
        full_house                 5       10      10      5       10      10      10      10
        flush                      4       5       5       4       5       5       5       4
        straight                   2       2       3       2       2       3       3       3
        three_of_a_kind            1       1       2       1       1       2       2       2
        two_pair                   push    -       -       push    -       -       -       -

        hand                       I       J       K       L       M       N       O       P
        seven_card_straight_flush  $10000  $25000  $50000  $50000  $50000  $25000  $25000  $25000
        six_card_royal_flush       $5000   $5000   $5000   $5000   $5000   $5000   $5000   $5000
        royal_flush                500     500     250     500     500     500     500     500
        straight_flush             250     250     200     250     250     200     100     150
        four_of_a_kind             100     100     50      50      100     50      50      50
        full_house                 10      10      10      15      25      10      10      10
        flush                      5       5       5       10      -       4       5       5
        straight                   3       4       4       -       -       3       3       3
        three_of_a_kind            -       -       -       -       -       2       2       2
        two_pair                   -       -       -       -       -       -       -       -

        hand                       Q       R       S       T       U       V       W
        seven_card_straight_flush  $25000  $25000  $25000  $25000  $25000  $25000  $25000
        six_card_royal_flush       $5000   $5000   $5000   $5000   $5000   $5000   $5000
        royal_flush                500     500     500     500     500     500     500
        straight_flush             100     100     100     100     150     100     100
        four_of_a_kind             50      50      50      50      75      50      50
        full_house                 10      15      10      10      10      10      10
        flush                      4       3       5       5       6       7       8
        straight                   3       2       4       3       4       5       5
        three_of_a_kind            3       2       2       3       -       -       -
        two_pair                   -       -       -       -       -       -       -
        """,
    "seven_card_bonus_progressive": """
        hand                       A     B     C     D     E     F     G     H     I     J     K     L     M
        seven_card_straight_flush  100%  100%  100%  100%  100%  100%  100%  100%  100%  100%  100%  100%  100%
        six_card_royal_flush       10%   10%   10%   10%   10%   10%   10%   10%   10%   10%   10%   10%   10%
        royal_flush                500   500   500   500   1000  500   500   1000  500   1000  500   500   500
        straight_flush             200   200   200   250   200   100   100   250   250   250   100   250   250
        four_of_a_kind             50    100   50    50    25    50    50    50    100   50    50    75    100
        full_house                 5     10    10    10    10    10    10    10    10    10    20    15    25
        flush                      4     5     5     5     5     4     5     5     5     5     5     10    -
        straight                   3     3     4     4     4     3     4     4     4     4     2     -     -
        three_of_a_kind            2     2     3     2     3     2     3     2     -     -     -     -     -
        two_pair                   1     -     -     -     -     -     -     -     -     -     -     -     -
        """,
}

CLAUSES = {
    "five_card_bonus": "13:69F-43.11(b)1",
    "five_card_bonus_progressive": "13:69F-43.11(b)2",
    "seven_card_bonus": "13:69F-43.11(c)1",
    "seven_card_bonus_progressive": "13:69F-43.11(c)2",
}


def cell(text: str, progressive: bool) -> Award | None:
    if text == "-":
        return None
    if text == "push":
        return Award(Basis.PUSH, 0)
    if text.startswith("$"):
        return Award(Basis.DOLLARS, int(text[1:]))
    if text.endswith("%"):
        return Award(Basis.METER_PERCENT, int(text[:-1]))
    return Award(Basis.MULTIPLE if progressive else Basis.TO_1, int(text))


def printed(wager: str) -> dict[str, dict[str, Award]]:
    tables: dict[str, dict[str, Award]] = {}
    letters: list[str] = []
    for line in filter(str.strip, PRINTED[wager].splitlines()):
        hand, *cells = line.split()
        if hand == "hand":
            letters = cells
            tables |= {letter: {} for letter in letters}
            continue
        for letter, text in zip(letters, cells, strict=True):
            award = cell(text, "progressive" in wager)
            if award is not None:
                tables[letter][hand] = award
    return tables


@pytest.mark.clause("packs_poker", *CLAUSES.values(), "13:69F-43.11(b)", "13:69F-43.11(c)")
@pytest.mark.parametrize("wager", PAY_TABLES)
def test_every_table_pays_what_is_printed_in_the_printed_order(wager: str) -> None:
    tables = {letter: list(table.items()) for letter, table in PAY_TABLES[wager].tables.items()}
    assert tables == {letter: list(table.items()) for letter, table in printed(wager).items()}


def test_tables_are_named_by_wager_and_cite_their_clause() -> None:
    assert {wager: tables.clause for wager, tables in PAY_TABLES.items()} == CLAUSES
    assert set(CLAUSES.values()) | set(RULES.values()) <= set(GAMES["packs_poker"].clauses)


def test_two_of_the_printed_tables_are_alike() -> None:
    tables = PAY_TABLES["seven_card_bonus"].tables
    assert [(a, b) for a in tables for b in tables if a < b and tables[a] == tables[b]] == [("B", "E")]


@pytest.mark.parametrize("wager", PAY_TABLES)
def test_no_table_pays_more_for_less_so_the_best_five_cards_stand_for_all_that_they_contain(wager: str) -> None:
    tables = PAY_TABLES[wager].tables
    hands = max(map(list, tables.values()), key=len)
    for table in tables.values():
        odds = [award.amount for award in table.values() if award.basis in (Basis.TO_1, Basis.MULTIPLE, Basis.PUSH)]
        assert odds == sorted(odds, reverse=True)
        assert list(table) == hands[: len(table)]
