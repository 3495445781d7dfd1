"""Supreme Pai Gow: the bonus wager over all C(54,4) hands, by every reading of its rules."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from feltrig.engine.cards import Card
from feltrig.engine.games.supreme_pai_gow.bonus import (
    DEFAULT,
    LEAST_ODDS,
    AceRuns,
    BonusReadings,
    Category,
    Odds,
    category,
)
from feltrig.engine.odds import dice
from feltrig.engine.odds.wager import SET_HANDS, GameOdds, LeftOut, Progress, Source, Wager, paid, silent
from feltrig.engine.ranking.bulk import by_shape
from feltrig.engine.ranking.census import hands

READINGS = {
    "34.14(a)": DEFAULT,
    "34.14(a), jokers not both 3 and 6 (SPG-06b)": replace(DEFAULT, jokers_as_3_and_6=False),
    "34.14(a), a joker completes a flush (SPG-07)": replace(DEFAULT, joker_completes_flush=True),
    "34.14(a), A-K-Q-J only (SPG-08)": replace(DEFAULT, ace_runs=AceRuns.HIGH),
    "34.14(a), A-2-3-4 only (SPG-08)": replace(DEFAULT, ace_runs=AceRuns.LOW),
}
"""The default, and each other reading by itself."""

_CATEGORIES = tuple(Category)
NOTHING = "nothing"


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """The bonus wager at the least odds."""
    return (bonus(readings, table) for table, readings in READINGS.items())


def bonus(readings: BonusReadings, table: str, odds: Odds = LEAST_ODDS) -> Wager:
    """One reading."""
    pays = {hand.value: odds[hand] for hand in Category}
    return paid("bonus", table, counts(readings), pays)


def counts(readings: BonusReadings = DEFAULT) -> dict[str, int]:
    """How many hands are of each category."""

    def place(cards: Sequence[Card]) -> int:
        found = category(cards, readings)
        return len(_CATEGORIES) if found is None else _CATEGORIES.index(found)

    every = np.concatenate(list(hands(54, 4)))
    found = Counter(by_shape(every, place).tolist())
    names = (*(hand.value for hand in Category), NOTHING)
    return {name: found[number] for number, name in enumerate(names)}


ODDS = GameOdds(
    (Source("bonus", wagers), Source("start_position", dice.start_positions)),
    (LeftOut("wager", f"{SET_HANDS} (SPG-20)"),),
)
