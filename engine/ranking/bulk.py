"""The strengths of many hands at once, as arrays; for each hand the same number as the functions for one hand give."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from feltrig.engine.cards import Card
from feltrig.engine.ranking import poker, tables
from feltrig.engine.ranking.lookup import MOST
from feltrig.engine.ranking.shape import CATEGORY_SHIFT, Ranking
from feltrig.engine.ranking.tables import HIGH_PART, LOW_BITS, LOW_PART, Ints, Strengths

Hands = npt.NDArray[np.integer]
"""A hand in each row: its cards, as the numbers of engine.cards, in any order."""

_CHUNK = 1 << 14
"""So many hands are ranked in one step, that the steps between stay in the processor's cache."""

# The key of a hand is the sum of its cards' keys. Its lowest sixteen bits count the cards of the four suits, the next
# three the jokers; above stands the key of the ranks.
_JOKER_BIT, _RANK_BIT = 16, 20
_EACH_SUIT = 0x1111
_CARDS = np.arange(54)
_RANK_KEYS: Ints = np.where(_CARDS < 52, 1 << 3 * (_CARDS % 13), 0)
_KEYS: Ints = np.where(_CARDS < 52, _RANK_KEYS << _RANK_BIT | 1 << 4 * (_CARDS // 13), 1 << _JOKER_BIT)
_SUITED_KEYS: Ints = np.concatenate([np.where(suit == _CARDS // 13, _RANK_KEYS, 0) for suit in range(4)])
"""The rank keys of the cards of each suit in turn, 0 for the other cards."""


def strengths(hands: Hands, ranking: Ranking = poker.RANKING) -> Strengths:
    """The strength of the best hand in each row, of at least as many cards as form a hand and at most seven."""
    _check_rows(hands, ranking.size)
    found = np.empty(len(hands), np.uint32)
    for start in range(0, len(hands), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        found[chunk] = _ranked(hands[chunk], ranking)
    return found


def categories(strengths: Strengths) -> Strengths:
    """The category of each strength, as the number that its game gave it."""
    return np.right_shift(strengths, CATEGORY_SHIFT, dtype=np.uint32)


def by_shape(hands: Hands, classify: Callable[[Sequence[Card]], int]) -> Ints:
    """What a function gives for each hand of one to seven cards, if it depends on their shape only.

    A shape is the ranks, the number of jokers, and whether the other cards are of one suit; one hand of each is asked.
    """
    _check_rows(hands, 1)
    keys = _hand_keys(hands, _KEYS)
    naturals = hands.shape[1] - (keys >> _JOKER_BIT & 7)
    one_suit = np.any([(keys >> 4 * suit & 15) == naturals for suit in range(4)], axis=0)
    _, first, shapes = np.unique(keys >> _JOKER_BIT << 1 | one_suit, return_index=True, return_inverse=True)
    found: Ints = np.array([classify([Card(card) for card in hand]) for hand in hands[first].tolist()], np.int64)
    return found[shapes]


def _check_rows(hands: Hands, fewest: int) -> None:
    if hands.ndim != 2 or not fewest <= hands.shape[1] <= MOST:
        raise ValueError(f"hands of shape {hands.shape}: expected rows of {fewest} to {MOST} cards")


def _ranked(hands: Hands, ranking: Ranking) -> Strengths:
    keys = _hand_keys(hands, _KEYS if ranking.joker else _KEYS[:52])
    found = _looked_up(hands, keys, ranking, joker=False)
    if ranking.joker:
        jokers = keys >> _JOKER_BIT & 7
        if jokers.max() > 1:
            raise ValueError(f"hands: {jokers.max()} jokers in one hand, expected at most 1")
        rows = np.flatnonzero(jokers)
        found[rows] = _looked_up(hands[rows], keys[rows], ranking, joker=True)
    return found


def _hand_keys(hands: Hands, card_keys: Ints) -> Ints:
    if hands.dtype.kind == "i" and hands.min(initial=0) < 0:
        raise ValueError(f"hands: {hands.min()} is not a card")
    try:
        keys = card_keys.take(hands[:, 0])
        for column in hands.T[1:]:
            keys += card_keys.take(column)
    except IndexError:
        raise ValueError(f"hands: card {hands.max()}, expected at most {len(card_keys) - 1}") from None
    return keys


def _looked_up(hands: Hands, keys: Ints, ranking: Ranking, joker: bool) -> Strengths:
    found = tables.plain(ranking, joker).take(_numbers(keys >> _RANK_BIT))
    # Counted on from here, a suit with enough cards for a flush reaches eight.
    flushes = keys.astype(np.uint16) + np.uint16((8 - ranking.size + joker) * _EACH_SUIT)
    flushes &= 8 * _EACH_SUIT
    rows = np.flatnonzero(flushes != 0)
    suits = np.bitwise_count(flushes[rows] - 1).astype(np.int64) // 4
    ranks = _SUITED_KEYS.take(suits[:, np.newaxis] * len(_CARDS) + hands[rows]).sum(axis=1)
    found[rows] = np.maximum(found[rows], tables.suited(ranking, joker).take(_numbers(ranks)))
    return found


def _numbers(keys: Ints) -> npt.NDArray[np.int32]:
    """The numbers of multisets of ranks by their keys."""
    return LOW_PART.take(keys & (1 << LOW_BITS) - 1) + HIGH_PART.take(keys >> LOW_BITS)
