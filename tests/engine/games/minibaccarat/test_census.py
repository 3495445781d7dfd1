"""Every order in which six cards can leave a shoe of eight decks, against the counts published for punto banco."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement

from feltrig.engine.games.minibaccarat.coup import Result
from feltrig.engine.games.minibaccarat.drawing import Action, banker_action, player_action

DECKS = 8
SHOE = dict.fromkeys(range(1, 10), 4 * DECKS) | {0: 16 * DECKS}

PUBLISHED = {
    Result.BANKER: 2_292_252_566_437_888,
    Result.PLAYER: 2_230_518_282_592_256,
    Result.TIE: 475_627_426_473_216,
}


def drawn(left: dict[int, int], ways: int, cards: tuple[int, ...]) -> int:
    """In how many ways the cards come next, and takes them out."""
    for card in cards:
        ways *= left[card]
        left[card] -= 1
    return ways


def openings() -> Iterator[tuple[tuple[int, int], tuple[int, int], int]]:
    pairs = [*combinations_with_replacement(range(10), 2)]
    for player in pairs:
        for banker in pairs:
            orders = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
            yield player, banker, orders


def results(player: tuple[int, int], banker: tuple[int, int], left: dict[int, int]) -> Iterator[tuple[int, int, int]]:
    """The final counts and the orders of the last two cards that lead there."""
    counts = sum(player) % 10, sum(banker) % 10
    draws = player_action(*counts) is Action.DRAW
    rest = 52 * DECKS - 4
    if not draws and banker_action(*counts, None) is not Action.DRAW:
        yield *counts, rest * (rest - 1)
        return
    for third, many in left.items():
        if not draws:
            yield counts[0], (counts[1] + third) % 10, many * (rest - 1)
        elif banker_action(*counts, third) is not Action.DRAW:
            yield (counts[0] + third) % 10, counts[1], many * (rest - 1)
        else:
            for last, others in left.items():
                yield (counts[0] + third) % 10, (counts[1] + last) % 10, many * (others - (last == third))


def test_the_drawing_rules_give_the_published_counts_of_eight_decks() -> None:
    found: Counter[Result] = Counter()
    for player, banker, orders in openings():
        left = dict(SHOE)
        ways = drawn(left, orders, (*player, *banker))
        for mine, theirs, more in results(player, banker, left):
            winner = Result.TIE if mine == theirs else Result.PLAYER if mine > theirs else Result.BANKER
            found[winner] += ways * more
    assert found == PUBLISHED
