"""`feltrig odds`: what every wager of a game returns, exactly."""

import json
import sys
import time
from fractions import Fraction
from typing import Annotated, Any

import typer
from rich.table import Table

from feltrig.engine.games import GAMES
from feltrig.engine.games.big_six import odds as big_six
from feltrig.engine.games.big_six.paytables import Symbol
from feltrig.engine.odds.wager import GameOdds, LeftOut, Progress, Source, Wager
from feltrig.harness.cli.console import Console
from feltrig.harness.cli.parameters import Json
from feltrig.harness.rig.loading import RigError

Game = Annotated[str, typer.Argument(metavar="GAME", help="The game; see `feltrig games`.")]
Quick = Annotated[bool, typer.Option("--quick", help="Leave out what takes minutes to count.")]
Wheel = Annotated[
    str | None,
    typer.Option(
        metavar="STOPS", help="Big Six: how many stops each symbol has, as 1=24,2=15,5=7,10=4,20=2,joker=1,flag=1."
    ),
]

_SYMBOLS = tuple(symbol.value for symbol in Symbol)

WAIT = 1.0
"""Seconds before progress is told, and between two lines of it."""


def odds(game: Game, as_json: Json = False, quick: Quick = False, wheel: Wheel = None) -> None:
    """Print the exact distribution and return of every wager and every pay table of a game."""
    if game not in GAMES:
        raise RigError(f"game {game!r}: no such game; expected one of {', '.join(GAMES)}")
    counted = GAMES[game].odds if wheel is None else _on_wheel(game, wheel)
    wagers, left_out = _count(counted, quick)
    if as_json:
        print(json.dumps(as_plain(game, wagers, left_out), indent=1))
    else:
        _show(Console(), wagers, left_out)


def as_plain(game: str, wagers: list[Wager], left_out: list[LeftOut]) -> dict[str, Any]:
    """The odds of a game as plain values; fractions as `num/den`."""
    return {
        "game": game,
        "bets": [_plain(wager) for wager in wagers],
        "left_out": [{"bet": left.bet, "why": left.why} for left in left_out],
    }


def stops(text: str) -> dict[Symbol, int]:
    """The stops of a wheel as the command line gives them; RigError when they are none."""
    found: dict[Symbol, int] = {}
    for part in text.split(","):
        name, _, count = part.partition("=")
        if name not in _SYMBOLS or not count.isascii() or not count.isdigit() or int(count) < 1:
            raise RigError(f"--wheel {text}: {part!r}: expected one of {', '.join(_SYMBOLS)}, and its stops, as 1=24")
        if Symbol(name) in found:
            raise RigError(f"--wheel {text}: {name} twice")
        found[Symbol(name)] = int(count)
    missing = [symbol.value for symbol in Symbol if symbol not in found]
    if missing:
        raise RigError(f"--wheel {text}: no stops for {', '.join(missing)}")
    return found


def _on_wheel(game: str, wheel: str) -> GameOdds:
    if game != "big_six":
        raise RigError(f"--wheel {wheel}: only big_six has such a wheel, not {game}")
    given = stops(wheel)
    return GameOdds((Source("all wagers", lambda progress: big_six.of_wheel(given, wheel)),))


def _count(counted: GameOdds, quick: bool) -> tuple[list[Wager], list[LeftOut]]:
    skipped = [source for source in counted.sources if quick and source.minutes]
    wagers = [wager for source in counted.sources if source not in skipped for wager in source.wagers(_teller())]
    return wagers, [
        *counted.left_out,
        *(LeftOut(source.bets, "takes minutes, and --quick was given") for source in skipped),
    ]


def _teller() -> Progress:
    """Tells progress on standard error, at most once a second and not in the first."""
    last = time.monotonic()

    def tell(what: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= WAIT:
            last = now
            print(f"counted {done:,} of {total:,} {what}", file=sys.stderr, flush=True)

    return tell


def _plain(wager: Wager) -> dict[str, Any]:
    meter = {} if wager.of_meter is None else {"of_meter": _ratio(wager.of_meter)}
    nets = None if wager.nets is None else {name: _ratio(Fraction(net)) for name, net in wager.nets.items()}
    return {
        "bet": wager.bet,
        "table": wager.table,
        "total": wager.total,
        "outcomes": dict(wager.outcomes),
        "nets": nets,
        "return": None if wager.returned is None else _ratio(wager.returned),
        "house_edge": None if wager.house_edge is None else float(wager.house_edge),
        **meter,
    }


def _ratio(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _show(console: Console, wagers: list[Wager], left_out: list[LeftOut]) -> None:
    for wager in wagers:
        edge = "" if wager.house_edge is None else f" · house edge {float(wager.house_edge):.4%}"
        meter = "" if wager.of_meter is None else f", and {float(wager.of_meter):.3g} of the meter goes to the players"
        console.print(f"{wager.bet} · {wager.table} · {wager.total:,} ways{edge}{meter}", style="bold", highlight=False)
        console.print(_outcomes(wager))
    for left in left_out:
        console.print(f"{left.bet}: not counted: {left.why}", style="yellow", highlight=False)


def _outcomes(wager: Wager) -> Table:
    table = Table("  outcome", box=None, pad_edge=False)
    for column in ("ways", "share", *(() if wager.nets is None else ("net",))):
        table.add_column(column, justify="right")
    for name, ways in wager.outcomes.items():
        net = () if wager.nets is None else (_net(Fraction(wager.nets[name])),)
        table.add_row(f"  {name}", f"{ways:,}", f"{ways / wager.total:.6%}", *net)
    return table


def _net(net: Fraction) -> str:
    return f"{net.numerator:+}" if net.denominator == 1 else f"{float(net):+.6g}"
