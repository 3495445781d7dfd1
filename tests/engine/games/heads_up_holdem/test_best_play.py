"""The best play of Heads Up Hold'em: the decisions, from sums that are made up, and the way from boards to wagers."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltrig.engine.cards import parse_all
from feltrig.engine.games.heads_up_holdem import best_play as heads_up_play
from feltrig.engine.games.heads_up_holdem.paytables import BAD_BEAT
from feltrig.engine.odds.showdowns import DEALERS
from feltrig.engine.odds.wager import silent
from feltrig.engine.ranking.census import Cards

HOLES = [tuple(hole) for hole in heads_up_play._HOLES.tolist()]
FLOPS = np.array([parse_all(text.split()) for text in ("Ah Kd 2c", "9s 9d 5s")], np.uint8)
WEIGHTS = np.array([24, 12])
RUNOUTS = comb(47, 2)
FOLDED = -4
"""Ante and odds wager, in half units of the ante."""


def kind(hole: tuple[int, ...]) -> tuple[int, int, int]:
    """One of the 169: two ranks, and whether of one suit."""
    low, high = sorted(card % 13 for card in hole)
    return low, high, int(hole[0] // 13 == hole[1] // 13)


def test_hole_cards_are_summed_by_their_kind() -> None:
    cells = np.random.default_rng(2).integers(-1000, 1000, (2, len(HOLES)))
    expected = Counter[tuple[int, int, int]]()
    for hole, column in zip(HOLES, cells.T.tolist(), strict=True):
        expected[kind(hole)] += 24 * column[0] + 12 * column[1]
    assert sorted(heads_up_play._by_kind(cells, WEIGHTS).tolist()) == sorted(expected.values())
    of_each = Counter(heads_up_play._by_kind(np.ones((1, len(HOLES)), np.int64), np.array([5])).tolist())
    assert of_each == {5 * 6: 13, 5 * 4: 78, 5 * 12: 78}


def decided_one_by_one(sums: np.ndarray) -> dict[str, tuple[int, int]]:
    """In how many ways each decision is made, and what it gains in half units."""
    later: dict[tuple[int, int, int], dict[str, tuple[int, int]]] = {}
    early = Counter[tuple[int, int, int]]()
    for flop, weight, of_flop in zip(FLOPS.tolist(), WEIGHTS.tolist(), sums.tolist(), strict=True):
        for hole, (raised, by_one, best, river_raises) in zip(HOLES, of_flop, strict=True):
            if set(flop) & set(hole):
                continue
            here = later.setdefault(kind(hole), {})

            def add(name: str, ways: int, gained: int, here: dict = here, weight: int = weight) -> None:
                before = here.get(name, (0, 0))
                here[name] = (before[0] + weight * ways, before[1] + weight * gained)

            early[kind(hole)] += weight * (raised + 3 * by_one)
            if raised + 2 * by_one > best:
                add("raise_2_on_the_flop", RUNOUTS * DEALERS, raised + 2 * by_one)
                continue
            folds = (RUNOUTS - river_raises) * DEALERS
            add("raise_1_on_the_river", river_raises * DEALERS, best - folds * FOLDED)
            add("fold", folds, folds * FOLDED)
    totals: dict[str, tuple[int, int]] = {}
    for of_kind, waiting in later.items():
        ways_in_all, gained_by_waiting = (sum(column) for column in zip(*waiting.values(), strict=True))
        at_once = {"raise_3_before_the_flop": (ways_in_all, early[of_kind])}
        for name, (ways, gained) in (at_once if early[of_kind] > gained_by_waiting else waiting).items():
            before = totals.get(name, (0, 0))
            totals[name] = (before[0] + ways, before[1] + gained)
    return totals


def test_a_raise_is_made_as_early_as_it_gains() -> None:
    chance = np.random.default_rng(3)
    shape = (len(FLOPS), len(HOLES))
    of_kind = chance.integers(-400_000, 400_000, (13, 13, 2))
    skill = np.array([of_kind[kind(hole)] for hole in HOLES])  # alike for hole cards of a kind
    by_one = skill + chance.integers(-300_000, 300_000, shape)
    raised = by_one + chance.integers(-900_000, 100_000, shape)
    best = np.maximum(raised + by_one, 0) + chance.integers(0, 100_000, shape)
    sums = np.stack([raised, by_one, best, chance.integers(0, RUNOUTS + 1, shape)], axis=2)
    found = heads_up_play._decided("table", FLOPS, WEIGHTS, sums)
    expected = decided_one_by_one(sums)
    assert (found.bet, found.table, len(expected)) == ("ante_raise_and_odds", "table", 4)
    assert found.outcomes == {name: ways for name, (ways, _) in expected.items()}
    assert found.nets == {name: Fraction(gained, 2 * ways) for name, (ways, gained) in expected.items()}


def test_who_gains_nothing_by_a_raise_waits() -> None:
    sums = np.zeros((len(FLOPS), len(HOLES), 4), np.int64)
    sums[..., 3] = RUNOUTS
    found = heads_up_play._decided("table", FLOPS, WEIGHTS, sums)
    assert found.outcomes == {"raise_1_on_the_river": 36 * comb(49, 2) * RUNOUTS * DEALERS}
    assert found.nets == {"raise_1_on_the_river": 0}


def test_boards_become_wagers_by_each_table_of_bad_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a deck that deals two boards only, and the flops of these."""
    boards = [parse_all(text.split()) for text in ("2c 7d 9h Js Ac", "2c 7d 9h Js Kd")]
    dealt = {
        5: np.array([sorted(board) for board in boards], np.uint8),
        3: np.array(sorted({flop for board in boards for flop in combinations(sorted(board), 3)}), np.uint8),
    }

    def hands(deck: int, size: int) -> Iterator[Cards]:
        assert deck == 52
        yield dealt[size]

    monkeypatch.setattr(heads_up_play, "hands", hands)
    monkeypatch.setattr(heads_up_play, "_CHUNK", 1)
    told: list[tuple[str, int, int]] = []
    found = list(heads_up_play.wagers(lambda *progress: told.append(progress)))
    assert told == [("boards", 0, 2), ("boards", 1, 2)]
    flops, weights = heads_up_play._flops()
    assert (len(flops), weights.sum()) == (len(dealt[3]), len(dealt[3])), "no two of them are alike"
    monkeypatch.setattr(heads_up_play, "_CHUNK", 128)
    for wager, (name, bad_beat) in zip(found, BAD_BEAT.items(), strict=True):
        sums = heads_up_play.flop_sums(dealt[5], np.ones(2, np.int64), flops, (bad_beat,), silent)
        assert wager == heads_up_play._decided(f"39.11(b)(5) with 39.11(f), {name}", flops, weights, sums[:, :, 0])
