"""Bad shufflers, and how many decks it takes to refuse them."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from calibrate import part, tabulate
from numpy.typing import NDArray
from power_rows import Row, Samples, Subject
from scipy import stats

from feltrig.harness.statistics.shuffles import table
from feltrig.harness.statistics.shuffles.calibration import family_p
from feltrig.harness.statistics.shuffles.deck import new_deck
from feltrig.harness.statistics.shuffles.judged import sequential
from feltrig.harness.statistics.shuffles.measured import ShuffleSample, measure

N = 52
Random = np.random.Generator
RecordedDecks = NDArray[Any]
"""One shuffle per row."""


def fair(rng: Random, count: int, n: int = N) -> RecordedDecks:
    """Uniform shuffles."""
    return rng.permuted(np.tile(np.arange(n, dtype=np.uint8 if n < 256 else np.uint16), (count, 1)), axis=1)


def riffles(rng: Random, count: int, times: int) -> RecordedDecks:
    """Gilbert, Shannon and Reeds: each place of the output draws its pile, and piles keep their order."""
    piles = rng.integers(0, 2**times, (count, N))
    return np.argsort(np.argsort(piles, axis=1, kind="stable"), axis=1).astype(np.uint8)


def shelves(rng: Random, count: int, number: int) -> RecordedDecks:
    """From the bottom of the deck, each card goes on a shelf, above or below the pile on it."""
    shelf, below = rng.integers(0, number, (count, N)), rng.integers(0, 2, (count, N))
    card = np.arange(N)
    key = (2 * shelf + below) * 2 * N + np.where(below == 1, N - card, card)
    return np.argsort(key, axis=1).astype(np.uint8)


def overhand(rng: Random, count: int, passes: int) -> RecordedDecks:
    """Each gap is cut with chance 1/5, and the packets come out in the opposite order."""
    decks = np.tile(np.arange(N, dtype=np.uint8), (count, 1))
    for _ in range(passes):
        cuts = rng.random((count, N - 1)) < 0.2
        packet = np.concatenate([np.zeros((count, 1), np.int64), np.cumsum(cuts, axis=1)], axis=1)
        decks = np.take_along_axis(decks, np.argsort(-packet, axis=1, kind="stable"), axis=1)
    return decks


def swapped(rng: Random, count: int, highest: Callable[[int], int]) -> RecordedDecks:
    """A program that swaps place i with one below `highest(i)`, from the last place down."""
    decks = np.tile(np.arange(N, dtype=np.uint8), (count, 1))
    rows = np.arange(count)
    for i in range(N - 1, -1, -1):
        other = rng.integers(0, max(highest(i), 1), count)
        decks[rows, i], decks[rows, other] = decks[rows, other], decks[rows, i]
    return decks


def stays(rng: Random, count: int, place: int, chance: float) -> RecordedDecks:
    """One card stays in its place with that chance."""
    decks = fair(rng, count)
    kept = np.flatnonzero(rng.random(count) < chance)
    at = np.argmax(decks[kept] == place, axis=1)
    decks[kept, at] = decks[kept, place]
    decks[kept, place] = place
    return decks


def sticks(rng: Random, count: int, card: int, chance: float) -> RecordedDecks:
    """Two loaded neighbours come out together with that chance."""
    decks = fair(rng, count)
    for row in np.flatnonzero(rng.random(count) < chance):
        others = decks[row][decks[row] != card + 1]
        decks[row] = np.insert(others, np.argmax(others == card) + 1, card + 1)
    return decks


def glued(rng: Random, count: int, chance: float) -> RecordedDecks:
    """Loaded neighbours are glued with that chance, and the packets are shuffled well."""
    loose = rng.random((count, N - 1)) >= chance
    packet = np.concatenate([np.zeros((count, 1), np.int64), np.cumsum(loose, axis=1)], axis=1)
    place = np.take_along_axis(rng.random((count, N)), packet, axis=1)
    return np.argsort(place, axis=1, kind="stable").astype(np.uint8)


def apart(make: Callable[..., RecordedDecks], *args: Any) -> Callable[[Random, int, int], Samples]:
    """Runs of a machine whose shuffles are independent."""
    return lambda rng, runs, count: make(rng, runs * count, *args).reshape(runs, count, N)


def few_seeds(rng: Random, runs: int, count: int, bits: int) -> Samples:
    """Every shuffle starts the generator again, from a seed of so many bits."""
    decks = fair(rng, 2**bits)
    return decks[rng.integers(0, len(decks), (runs, count))]


def repeated(rng: Random, runs: int, count: int, chance: float) -> Samples:
    """The last deck comes out again with that chance."""
    decks = fair(rng, runs * count).reshape(runs, count, N)
    again = rng.random((runs, count)) < chance
    for t in range(1, count):
        decks[again[:, t], t] = decks[again[:, t], t - 1]
    return decks


def riffled_on(rng: Random, runs: int, count: int, times: int) -> Samples:
    """Loaded in the same order each time, but the machine riffles what it had before."""
    decks = fair(rng, runs * count).reshape(runs, count, N)
    for t in range(1, count):
        decks[:, t] = np.take_along_axis(decks[:, t - 1], riffles(rng, runs, times).astype(np.int64), axis=1)
    return decks


ROWS = (
    Row("riffles k = 4", apart(riffles, 4), "215", 1, 1.0, 1),
    Row("riffles k = 5", apart(riffles, 5), "861", 3, 2.7, 5),
    Row("riffles k = 6", apart(riffles, 6), "3,444", 12, 8.6, 17),
    Row("riffles k = 7", apart(riffles, 7), "> 8,192", 45, 30, 64),
    Row("riffles k = 8", apart(riffles, 8), "> 8,192", 181, 120, 278),
    Row("shelves m = 4", apart(shelves, 4), "32", 1, 1.0, 1),
    Row("shelves m = 10", apart(shelves, 10), "304", 1, 1.9, 2),
    Row("shelves m = 20", apart(shelves, 20), "2,435", 7, 5.9, 11),
    Row("shelves m = 30", apart(shelves, 30), "> 8,192", 38, 21, 45),
    Row("shelves m = 50", apart(shelves, 50), "> 8,192", 215, 144, 322),
    Row("overhand, 10 passes", apart(overhand, 10), "32", 2, 1.9, 3),
    Row("overhand, 50 passes", apart(overhand, 50), "8,192", 861, 459, 1130),
    Row("Sattolo", apart(swapped, lambda i: i), "362", 2, 6, 6),
    Row("naive swap n^n", apart(swapped, lambda _: N), "608", 107, 124, 284),
    Row("bottom card never moves", apart(stays, N - 1, 1.0), "7", 3, 3, 3),
    Row("top card stays, p = 0.2", apart(stays, 0, 0.2), "256", 90, 34, 87),
    Row("top card stays, p = 0.05", apart(stays, 0, 0.05), "2,896", 608, 287, 696),
    Row("generator with 10-bit seed", partial(few_seeds, bits=10), "215", 107, 41, 93),
    Row("generator with 16-bit seed", partial(few_seeds, bits=16), "8,192", 861, 343, 763),
    Row("two cards stick, p = 0.5", apart(sticks, 17, 0.5), "> 300", 26, 13, 25),
    Row("two cards stick, p = 0.1", apart(sticks, 17, 0.1), "> 6,000", 304, 138, 328),
    Row("deck repeated, p = 0.05", partial(repeated, chance=0.05), "-", 90, 22, 101),
    Row("previous order + 5 riffles", partial(riffled_on, times=5), "-", 4, 3.7, 6),
    Row("packets glued, c = 0.1", apart(glued, 0.1), "-", 4, 2.4, 5),
    Row("packets glued, c = 0.02", apart(glued, 0.02), "-", 45, 27, 57),
)


def refused(samples: Samples, counts: list[int], level: float) -> dict[int, NDArray[np.bool_]]:
    """Which runs the battery refuses."""
    runs, longest, n = samples.shape
    measured = measure(samples.reshape(-1, n), groups=new_deck(n))
    verdicts = {count: np.zeros(runs, bool) for count in counts}
    for count, verdict in verdicts.items():
        for run, decks in enumerate(samples[:, :count]):
            of_run = part(measured, run * longest, run * longest + count)
            found = table.look(ShuffleSample(decks, of_run, tabulate(decks)))
            verdict[run] = family_p(table.smallest(found), n, count) <= level
    return verdicts


def refused_by_habit(samples: Samples, counts: list[int], level: float) -> dict[int, NDArray[np.bool_]]:
    """Which runs the chi-square of cards by positions refuses, its degrees of freedom put right."""
    n = samples.shape[2]
    verdicts = {}
    for count in counts:
        tables = np.array(
            [np.bincount((decks + n * np.arange(n)).ravel(), minlength=n * n) for decks in samples[:, :count]]
        )
        square = ((tables - count / n) ** 2).sum(axis=1) * n / count * (n - 1) / n
        verdicts[count] = stats.chi2.sf(square, (n - 1) ** 2) <= level
    return verdicts


def stopped(samples: Samples, level: float) -> NDArray[np.float64]:
    """After how many decks the sequential test refuses each run."""
    times = np.full(len(samples), np.inf)
    block = max(4, samples.shape[1] // 10)
    for run, decks in enumerate(samples):
        test = sequential(level)
        for start in range(0, len(decks), block):
            if test.add(decks[start : start + block]):
                times[run] = test.refused_at
                break
    return times


SUBJECT = Subject("shufflers", "decks", "cards by positions", ROWS, refused, refused_by_habit, stopped)
