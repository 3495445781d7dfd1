"""The odds that take minutes to count, against the figures that they must come to, and what they cost.

    python benchmarks/odds.py [--only NAME]

Prints the exact return, the house edge and the processor's seconds of each base game, and ends with status 1 when an
edge is not the expected one.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping

from feltrig.engine.games.double_down_stud import odds as double_down_stud
from feltrig.engine.games.heads_up_holdem import best_play as heads_up_play
from feltrig.engine.games.let_it_ride import odds as let_it_ride
from feltrig.engine.games.packs_poker import packs_bet_odds as packs_bet
from feltrig.engine.games.three_card_poker import odds as three_card_poker
from feltrig.engine.odds.wager import Progress, Wager, silent

GAMES: Mapping[str, tuple[Callable[[Progress], Iterator[Wager]], Mapping[str, str]]] = {
    "let_it_ride": (let_it_ride.wagers, {"bets": "3.5057%"}),
    "three_card_poker": (three_card_poker.wagers, {"pair_plus": "2.3167%", "ante_and_play": "3.3730%"}),
    "double_down_stud": (double_down_stud.wagers, {"wager": "4.7413%"}),
    "heads_up_holdem": (heads_up_play.wagers, {"example": "4.5532%", "alternative": "2.3584%"}),
    "packs_poker": (packs_bet.wagers, {"43.11(a)": "2.995%", "43.10(f)": "1.509%"}),
}
"""The wagers of each game, and the expected edges by what the bet or the table ends with."""


def expected(wager: Wager, edges: Mapping[str, str]) -> str | None:
    """The edge that the wager must have, in percent; None when nothing is known."""
    return next((edge for name, edge in edges.items() if wager.bet == name or wager.table.endswith(name)), None)


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=GAMES, help="this game alone")
    given = parser.parse_args()
    wrong = 0
    for game, (wagers, edges) in GAMES.items():
        if given.only not in (None, game):
            continue
        began = time.process_time()
        found = list(wagers(silent))
        print(f"{game}: {time.process_time() - began:.1f} s")
        for wager in found:
            assert wager.house_edge is not None
            edge = expected(wager, edges)
            digits = 0 if edge is None else len(edge.partition(".")[2]) - 1
            sound = edge is None or f"{float(wager.house_edge):.{digits}%}" == edge
            wrong += not sound
            shown = f"{wager.returned} of {wager.total:,} ways, edge {float(wager.house_edge):.6%}"
            print(f"  {wager.bet}, {wager.table}: {shown}{'' if sound else f', NOT {edge}'}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
