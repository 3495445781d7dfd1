"""How the text of Heads Up Hold'em is read where it contradicts itself or leaves a case open."""

from dataclasses import dataclass
from enum import Enum


class TieBreak(Enum):
    """How two hands of one category compare: PGP-04."""

    GROUP_RANKS_FIRST = "group_ranks_first"
    LITERAL = "literal"
    """The highest card that the other hand lacks decides, even against a higher pair: 39.5(c) by its letter."""


class UnqualifiedHigher(Enum):
    """What the ante does when the dealer has no pair but the higher hand, 39.11(b)(1) against (3): HUH-09."""

    PUSH = "push"
    LOSE = "lose"


class TripsPlusOnFold(Enum):
    """What becomes of the trips plus wager of a player who folds: HUH-08."""

    LIVE = "live"
    LOSE = "lose"


class PocketPairs(Enum):
    """Whether a pair wins the pocket bonus, as the tables say, or not, as a sentence of 39.11(i) says: HUH-01."""

    WIN = "win"
    LOSE = "lose"


@dataclass(frozen=True, slots=True)
class Readings:
    """One reading of each doubtful passage."""

    tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST
    unqualified_higher: UnqualifiedHigher = UnqualifiedHigher.PUSH
    trips_plus_on_fold: TripsPlusOnFold = TripsPlusOnFold.LIVE
    pocket_pairs: PocketPairs = PocketPairs.WIN


DEFAULT = Readings()
