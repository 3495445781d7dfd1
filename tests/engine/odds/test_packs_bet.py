"""The pack's bet by inclusion and exclusion, against all pairs of hands of a small deck."""

import numpy as np
import pytest

from feltrig.engine.cards import Card, parse_all
from feltrig.engine.odds.packs_bet import pairs
from feltrig.engine.odds.sets import bits
from feltrig.engine.packs_poker.settlement import Outcome, settle_packs_bet
from feltrig.engine.ranking.bulk import strengths
from feltrig.engine.ranking.census import hands

DECK = np.array([card for card in range(52) if card % 13 >= 9], np.uint8)
"""Sixteen cards: jacks to aces."""
WIDE = np.array([card for card in range(52) if card % 13 in (0, 2, 4, 6, 8)], np.uint8)
"""Twenty cards of which no five are in a row."""


@pytest.mark.parametrize("deck", [DECK, WIDE], ids=["high", "wide"])
@pytest.mark.parametrize("places", [(0, 1), (0, 5), (3, 7)], ids=["suited", "unsuited", "other"])
def test_all_pairs_of_hands_are_counted(deck: np.ndarray, places: tuple[int, int]) -> None:
    pack = deck[list(places)]
    rest = np.setdiff1d(deck, pack)
    every = np.concatenate([rest[block] for block in hands(len(rest), 5)])
    held = strengths(np.hstack([every, np.broadcast_to(pack, (len(every), 2))]))
    sets = bits(every)
    every_pair = ties = unpaired = unpaired_ties = higher = 0
    for own, mine in zip(sets, held, strict=True):
        theirs = held[(sets & own) == 0]
        every_pair += len(theirs)
        ties += int((theirs == mine).sum())
        higher += int((theirs < mine).sum())
        if mine < 1 << 20:
            unpaired += int((theirs < 1 << 20).sum())
            unpaired_ties += int((theirs == mine).sum())
    found = pairs(pack, deck)
    assert (found.every, found.ties) == (every_pair, ties)
    assert (found.unpaired, found.unpaired_ties) == (unpaired, unpaired_ties)
    assert found.wins + found.unpaired_wins == higher


@pytest.mark.parametrize(
    ("player", "dealer", "elected", "outcome"),
    [
        ("As Ad 7c 5d 3h", "Ks Kd 7h 5c 3s", False, Outcome.WIN),
        ("As Jd 7c 5d 3h", "Ks Jh 7h 5c 3s", False, Outcome.LOSE),
        ("As Jd 7c 5d 3h", "Ks Jh 7h 5c 3s", True, Outcome.PUSH),
        ("As Jd 7c 5d 3h", "Ah Jh 7h 5c 3s", True, Outcome.LOSE),
        ("As Ad 7c 5d 3h", "Ac Ah 7h 5c 3s", False, Outcome.PUSH),
    ],
)
def test_each_kind_of_pair_ends_as_the_rules_say(player: str, dealer: str, elected: bool, outcome: Outcome) -> None:
    """Wins, higher hands without a pair, paired ties and all others are what the bet is counted by."""
    cards: list[tuple[Card, ...]] = [parse_all(text.split()) for text in (player, dealer, "2c 9h")]
    assert settle_packs_bet(cards[0], cards[1], cards[2], 1, elected).outcome is outcome
