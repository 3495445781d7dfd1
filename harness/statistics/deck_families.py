"""All bettors against a shuffler, with their shares of the stake."""

from dataclasses import dataclass

import numpy as np

from feltrig.harness.statistics import models
from feltrig.harness.statistics.card_learners import (
    Backwards,
    Cells,
    Differences,
    Drift,
    Places,
    RankDrift,
    Repetition,
    Stretches,
    Successors,
    pair_stakes,
    place_stakes,
)
from feltrig.harness.statistics.card_profiles import Precedence, Profiles
from feltrig.harness.statistics.deck_bettors import Late, Shuffled, Tilts
from feltrig.harness.statistics.deckwise import GROUPS, STATISTICS, Faces
from feltrig.harness.statistics.earlier_bettors import OldNeighbours, SinceLast
from feltrig.harness.statistics.sequential import Array, Effect, Family
from feltrig.harness.statistics.spread import Spread
from feltrig.harness.statistics.wholes import SMOOTH

TILTS = {
    "RIS": 8, "TPO": 8, "AD+": 6, "INV": 6, "FIX": 2, "CYC": 4, "PAR": 0.5, "LRI": 4, "LAD": 2,
    "DES": 1.5, "TPI": 1.5, "AD-": 1.5, "LFX": 0.6, "LTP": 0.5, "MRI": 0.5, "MAD": 0.5, "LOB": 0.6, "LOF": 0.6,
    "COL": 0.5, "SUI": 0.5, "RNK": 0.5, "NXT": 0.5,
}  # fmt: skip
"""Shares of the statistics of one deck, in percent. Together with later failure they have half of the stake."""
BY_FACES = ", faces"
"""What is added to the name of a test that looks at the cards as they came out, whatever was loaded."""


@dataclass(frozen=True, slots=True)
class Views:
    """A block of shuffles, relative to what was loaded and, when loads differ, to new-deck order."""

    loaded: Shuffled
    faces: Shuffled | None

    def __len__(self) -> int:
        return len(self.loaded)


class Viewed:
    """A family that bets on one of the views."""

    def __init__(self, family: Family, *, by_faces: bool) -> None:
        self.name, self.looks_for = family.name, family.looks_for
        if by_faces:
            self.name += BY_FACES
        self.weights = family.weights
        self._family, self._by_faces = family, by_faces

    def bets(self, block: Views) -> Array:
        """What the family bets on its view."""
        return self._family.bets(block.faces if self._by_faces else block.loaded)


def families(n: int, groups: Faces | None) -> list[tuple[float, Family]]:
    """The bettors on shuffles of n cards; their shares sum to 1 at most."""
    tilts: list[tuple[float, Family]] = []
    for name, share in TILTS.items():
        if name in STATISTICS:
            statistic = STATISTICS[name]
            tilts.append((share, Tilts(name, statistic.words, statistic.law(n), statistic.lean)))
        elif groups and name in groups.groups:
            tilts.append((share, Tilts(name, GROUPS[name], groups.law(name), 1)))
    row = np.arange(n) * n
    places = Cells("cells", "one card in one place too often", place_stakes(n), lambda order: row + order)
    pairs = Cells("pairs", "two cards that stick together", pair_stakes(n), lambda order: n * order[:-1] + order[1:])
    moved = Cells("cells", "one card in one place too often", place_stakes(n), lambda order: row + order)
    learners: list[tuple[float, Family]] = [
        (10.3, places), (10.6, pairs), (1.5, Places(n)), (1.5, Successors(n)), (3.5, Differences(n)),
        (6.9, Drift(n, SMOOTH)), (0.5, Backwards(Drift(n, SMOOTH))), (3.8, Profiles(n)), (2, Precedence(n)),
        (3, Repetition(n)), (2, Stretches(n)), (1.2, Late(n)), (0.4, Spread(n)), (0.5, OldNeighbours(n)),
        (0.5, SinceLast(moved)), (0.3, SinceLast(Profiles(n))), (0.2, SinceLast(Drift(n, SMOOTH))),
        (0.2, SinceLast(Backwards(Drift(n, SMOOTH)))),
    ]  # fmt: skip
    if groups and "RNK" in groups.groups:
        learners += [(0.35, RankDrift(n, groups)), (0.35, Backwards(RankDrift(n, groups)))]
    return [(share / 100, family) for share, family in tilts + learners]


def few_riffles(n: int, riffles: int) -> Effect:
    """The effect to exclude: no more than so many riffles, which would show most."""
    ratio = models.riffled(n, 2**riffles).log_ratio
    return Effect(f"{riffles} riffles", riffles, lambda block: ratio[block.loaded.measured.values["RIS"]])


def few_shelves(n: int, shelves: int) -> Effect:
    """The effect to exclude: a machine of so many shelves."""
    ratio = models.shelved(n, shelves).log_ratio

    def ratios(block: Views) -> Array:
        rises = block.loaded.orders[:, 1:] > block.loaded.orders[:, :-1]
        logs: Array = ratio[(rises[:, 1:] & ~rises[:, :-1]).sum(axis=1)]
        return logs

    return Effect(f"{shelves} shelves", shelves, ratios)
