"""How fast hands of poker are ranked, beside eval7 and phevaluator in the same process, and whether all three agree.

    python benchmarks/hands.py [--hands N] [--rounds N] [--seed N]

Contenders take turns, so that a busy machine is busy for all; the figures are ratios of medians. The census of all
seven-card hands is in seconds of the processor. Exits with 1 when a hand or the census is ranked otherwise.
"""

import argparse
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence, Sized

import numpy as np
import numpy.typing as npt
import phevaluator

from feltrig.engine.cards import Card, deck, name
from feltrig.engine.ranking.bulk import strengths
from feltrig.engine.ranking.census import census
from feltrig.engine.ranking.poker import Category, strength

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it calls pyparsing by names of long ago
    import eval7

Hands = npt.NDArray[np.uint8]

EVAL7 = [eval7.Card(name(card)) for card in deck()]
PHEVALUATOR = [phevaluator.Card(name(card)).id_ for card in deck()]
"""Its own numbers of cards, which it takes faster than its objects or names."""
BATCH = 10_000
"""Hands that a contender ranks in its turn; in bulk there are more, since that is what bulk is for."""
BULK = 500_000
CENSUS = (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 37_260, 4_324)
"""The published numbers of seven-card hands, from a high card up."""


def dealt(rng: np.random.Generator, count: int, size: int) -> Hands:
    """So many random hands, each from a full deck."""
    decks = np.tile(np.arange(52, dtype=np.uint8), (BATCH, 1))
    return np.concatenate([rng.permuted(decks, axis=1)[:, :size] for _ in range(0, count, BATCH)])[:count]


def ours(hands: Sequence[Sequence[Card]]) -> list[int]:
    """Our strengths, hand by hand."""
    return [strength(cards) for cards in hands]


def by_eval7(hands: Sequence[Sequence[eval7.Card]]) -> list[int]:
    """The strengths of eval7; higher is better."""
    evaluate = eval7.evaluate
    return [evaluate(cards) for cards in hands]


def by_phevaluator(hands: Sequence[Sequence[int]]) -> list[int]:
    """The places of phevaluator; lower is better."""
    evaluate = phevaluator.evaluate_cards
    return [evaluate(*cards) for cards in hands]


def medians(contenders: Mapping[str, Callable[[], Sized]], rounds: int) -> dict[str, float]:
    """Nanoseconds of the processor for one hand: each contender in turn, and all of them in each round."""
    taken: dict[str, list[float]] = {contender: [] for contender in contenders}
    for _ in range(rounds):
        for contender, run in contenders.items():
            began = time.process_time_ns()
            ranked = run()
            taken[contender].append((time.process_time_ns() - began) / len(ranked))
    return {contender: statistics.median(times) for contender, times in taken.items()}


def speed(rng: np.random.Generator, size: int, rounds: int) -> None:
    """Print how long a hand takes each contender."""
    hands = dealt(rng, BULK, size)
    cards = [list(map(Card, hand)) for hand in hands[:BATCH].tolist()]
    in_eval7 = [[EVAL7[card] for card in hand] for hand in cards]
    in_phevaluator = [[PHEVALUATOR[card] for card in hand] for hand in cards]
    found = medians(
        {
            "strength": lambda: ours(cards),
            "strengths (bulk)": lambda: strengths(hands),
            "eval7": lambda: by_eval7(in_eval7),
            "phevaluator": lambda: by_phevaluator(in_phevaluator),
        },
        rounds,
    )
    print(f"{size} cards, median of {rounds}   ns a hand   times eval7   times phevaluator")
    for contender in ("strength", "strengths (bulk)", "eval7", "phevaluator"):
        took = found[contender]
        print(f"  {contender:22} {took:10.1f} {found['eval7'] / took:13.2f} {found['phevaluator'] / took:19.2f}")


def disagreements(rng: np.random.Generator, count: int, size: int) -> int:
    """In how many of random hands our order, one by one or in bulk, is not that of eval7 and of phevaluator."""
    hands = dealt(rng, count, size)
    cards = hands.tolist()
    bulk = strengths(hands).astype(np.int64)
    alone = np.array(ours(cards))
    first = np.array(by_eval7([[EVAL7[card] for card in hand] for hand in cards]))
    second = -np.array(by_phevaluator([[PHEVALUATOR[card] for card in hand] for hand in cards]))
    places = [np.unique(found, return_inverse=True)[1] for found in (alone, first, second)]
    return int(np.count_nonzero((bulk != alone) | (places[0] != places[1]) | (places[0] != places[2])))


def counted() -> bool:
    """Print the census of all seven-card hands and how long it took; whether it is the published one."""
    began = time.process_time()
    found = census(7)
    took = time.process_time() - began
    right = found == dict(zip(Category, CENSUS, strict=True))
    print(f"census of {sum(found.values()):,} hands of 7 cards: {took:.1f} s, {'as' if right else 'NOT as'} published")
    for category in reversed(Category):
        print(f"  {category.name.lower():16} {found[category]:12,}")
    return right


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=1_000_000, help="random hands to compare, of each size")
    parser.add_argument("--rounds", type=int, default=51, help="turns of each contender")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    for size in (5, 7):
        strength(deck()[:size])  # builds the tables
    for size in (5, 7):
        speed(rng, size, given.rounds)
    wrong = 0
    for size in (5, 7):
        found = disagreements(rng, given.hands, size)
        print(f"{size} cards: {found} disagreements with eval7 and phevaluator in {given.hands:,} random hands")
        wrong += found
    sys.exit(not counted() or wrong > 0)


if __name__ == "__main__":
    main()
