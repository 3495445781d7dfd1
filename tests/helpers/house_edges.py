"""What the tests of odds share."""

from collections.abc import Iterable

from feltrig.engine.odds.wager import Wager


def edges(wagers: Iterable[Wager]) -> dict[tuple[str, str], str]:
    """The house edges in percent, to four places."""
    found = {}
    for wager in wagers:
        assert wager.house_edge is not None
        found[wager.bet, wager.table] = f"{float(wager.house_edge):.4%}"
    return found


class Watched:
    """Progress, noted."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int, int]] = []

    def __call__(self, what: str, done: int, total: int) -> None:
        self.told.append((what, done, total))

    def goes_from_nothing_to_the_last(self, what: str, total: int) -> bool:
        """Whether all was told, in order."""
        return self.told == [(what, done, total) for done in range(total)]
