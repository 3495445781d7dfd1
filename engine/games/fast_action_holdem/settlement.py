"""Who is paid what: naturals (21.8(b), (h)), the split (21.8(c)), the surrender (21.8(f)), and the showdown.

The text is cut off at 21.8(j), before it says what a higher hand wins and who wins a copy hand (FAH-01). The showdown
here is therefore outside the rule text, and all of it is an argument.
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from feltrig.engine.games.fast_action_holdem.ranking import HandRank, TieBreak, compare
from feltrig.engine.money import Cents, exact
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.result import Outcome

NATURAL_ODDS = 5
"""To 1, at once, whatever the dealer shows later: 21.8(b), FAH-04."""


class Copies(Enum):
    """What becomes of a wager on a copy hand: outside the rule text (FAH-01)."""

    PUSH = "push"
    DEALER_WINS = "dealer_wins"


@dataclass(frozen=True, slots=True)
class Showdown:
    """How a house settles hands against the dealer's: outside the rule text (FAH-01)."""

    copies: Copies = Copies.PUSH
    odds: Fraction = Fraction(1)
    """What a winning wager is paid, to 1."""


CUSTOMARY = Showdown()


@dataclass(frozen=True, slots=True)
class Settlement:
    """One wager, settled; the net is without the stake."""

    outcome: Outcome
    net: Cents
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Collection:
    """What the dealer collects of one player before any community card is dealt."""

    collected: int
    returned: int
    """A split wager goes back to its player."""
    rules: tuple[str, ...]


def natural_net(wager: int) -> int:
    """What a player's natural wins."""
    return NATURAL_ODDS * wager


def surrender_net(wager: int) -> Cents:
    """What a player loses who gives up the hand: half of the wager, to the half cent."""
    return exact(Fraction(-wager, 2))


def check_split(wager: int, split: int) -> None:
    """Refuse, as Illegal, a wager on the second hand that is not as large as the first: 21.8(c)."""
    if split not in (0, wager):
        raise Illegal(f"a split wager of {split} on a wager of {wager}: expected as much", "19:47-21.8(c)")


def dealer_natural(wager: int, split: int = 0) -> Collection:
    """What the dealer's natural collects: the original wager, and of a split hand no more than that."""
    check_split(wager, split)
    return Collection(wager, split, ("19:47-21.8(h)", *(("19:47-21.8(c)",) if split else ())))


def settle(
    player: HandRank,
    dealer: HandRank,
    wager: int,
    showdown: Showdown = CUSTOMARY,
    tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST,
) -> Settlement:
    """A wager on one hand against the dealer's. A player who split has two of them."""
    found = compare(player, dealer, tie_break)
    if found.player_by > 0:
        return Settlement(Outcome.WIN, exact(showdown.odds * wager), found.rules)
    if found.player_by == 0 and showdown.copies is Copies.PUSH:
        return Settlement(Outcome.PUSH, 0, found.rules)
    return Settlement(Outcome.LOSE, -wager, found.rules)
