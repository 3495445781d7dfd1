"""The pack's bet by inclusion and exclusion, against all pairs of hands of a small deck."""

from itertools import combinations

import numpy as np
import pytest

from feltrig.engine.cards import Card, parse_all
from feltrig.engine.games.packs_poker import packs_bet_odds as packs_bet
from feltrig.engine.games.packs_poker.packs_bet_odds import Pairs, pairs
from feltrig.engine.games.packs_poker.settlement import settle_packs_bet
from feltrig.engine.odds.sets import bits
from feltrig.engine.ranking.bulk import strengths
from feltrig.engine.ranking.census import hands
from feltrig.engine.ranking.poker import Category
from feltrig.engine.ranking.shape import packed
from feltrig.engine.table.result import Outcome

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


@pytest.mark.parametrize("places", [(0, 1), (0, 8)], ids=["suited", "unsuited"])
def test_hands_without_a_pair_are_counted_against_each_other(places: tuple[int, int]) -> None:
    deck = np.array(
        [card for card in range(52) if card % 13 in (0, 1, 3, 4, 6, 8, 10)], np.uint8
    )  # 7 ranks, no straight
    pack = deck[list(places)]
    rest = np.setdiff1d(deck, pack)
    every = np.concatenate([rest[block] for block in hands(len(rest), 5)])
    held = strengths(np.hstack([every, np.broadcast_to(pack, (len(every), 2))]))
    unpaired = held < packed(Category.PAIR, ())
    sets, held = bits(every[unpaired]), held[unpaired]
    apart = (sets[:, np.newaxis] & sets) == 0
    found = pairs(pack, deck)
    assert found.unpaired == apart.sum() > 0
    assert found.unpaired_ties == (apart & (held[:, np.newaxis] == held)).sum() > 0


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


def test_wins_and_ties_follow_from_what_is_counted() -> None:
    found = Pairs(every=100, ties=20, unpaired=30, unpaired_ties=6)
    assert (found.wins, found.unpaired_wins, found.paired_ties) == (28, 12, 14)


def test_blocks_of_any_size_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pack = DECK[[0, 5]]
    expected = pairs(pack, DECK)
    monkeypatch.setattr(packs_bet, "_BLOCK", 1)
    assert pairs(pack, DECK) == expected


def some_pairs(pack: np.ndarray) -> Pairs:
    """Numbers that differ by ranks, and by whether the suits do."""
    first, second = sorted(int(card) % 13 for card in pack)
    suited = int(pack[0]) // 13 == int(pack[1]) // 13
    unpaired = 20 + 2 * first + 4 * suited
    return Pairs(every=1000 + 2 * second, ties=100 + 2 * second, unpaired=unpaired, unpaired_ties=2 * suited)


def test_all_packs_are_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs_bet, "pairs", some_pairs)
    told: list[tuple[str, int, int]] = []
    plain, elected = packs_bet.wagers(lambda *progress: told.append(progress))
    assert told == [("packs", done, 169) for done in range(169)]
    every = [some_pairs(np.array(pack)) for pack in combinations(range(52), 2)]
    total, won = sum(found.every for found in every), sum(found.wins for found in every)
    tied, moved = sum(found.paired_ties for found in every), sum(found.unpaired_wins for found in every)
    assert plain.outcomes == {"win": won, "push": tied, "lose": total - won - tied}
    assert elected.outcomes == {"win": won, "push": tied + moved, "lose": total - won - tied - moved}
    assert plain.nets == elected.nets == {"win": 1, "push": 0, "lose": -1}
    assert (plain.bet, plain.table) == ("packs_bet", "13:69F-43.11(a)")
    assert (elected.bet, elected.table) == ("packs_bet", "13:69F-43.11(a), with the election of 43.10(f)")
