"""How the text of Pack's Poker is read where it is silent or can be read in more than one way."""

from dataclasses import dataclass
from enum import Enum


class Kickers(Enum):
    """What decides between hands that 43.5(b) ranks alike: PP-13."""

    STANDARD = "standard"
    NONE = "category_and_group_only"


class TopHand(Enum):
    """What the pay tables call a 7-card straight flush: any seven suited cards in a row, or A to 8 only (PP-01)."""

    STRAIGHT_FLUSH = "straight_flush"
    ROYAL = "royal"


class SinglePayout(Enum):
    """Which of the hands in the same cards is paid: the one that pays most, or the one that ranks highest (PP-02)."""

    HIGHEST_AMOUNT = "highest_amount"
    HIGHEST_HAND = "highest_hand"


class Multiples(Enum):
    """Whether the stake comes back with a progressive payout: PP-04."""

    FOR_1 = "for_1"
    TO_1 = "to_1"


class MeterShare(Enum):
    """What several players with 10% of the meter get: one tenth among them, or one each (PP-05)."""

    POOLED = "pooled"
    EACH = "each"


class RepeatedJackpot(Enum):
    """What a later pack pays for five cards that took the meter on an earlier one: the meter again, or not (PP-09)."""

    SEQUENTIAL = "sequential"
    ONE_AWARD_PER_HAND = "one_award_per_hand"


@dataclass(frozen=True, slots=True)
class Readings:
    """One reading of each doubtful passage."""

    kickers: Kickers = Kickers.STANDARD
    top_hand: TopHand = TopHand.STRAIGHT_FLUSH
    single_payout: SinglePayout = SinglePayout.HIGHEST_AMOUNT
    multiples: Multiples = Multiples.FOR_1
    meter_share: MeterShare = MeterShare.POOLED
    repeated_jackpot: RepeatedJackpot = RepeatedJackpot.SEQUENTIAL


DEFAULT = Readings()
