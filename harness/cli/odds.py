"""`feltrig odds`: what every wager of a game returns, exactly."""

import json
import sys
import time
from fractions import Fraction
from typing import Annotated, Any

import typer
from rich.table import Table

from feltrig.engine.odds.wager import GameOdds, LeftOut, Progress, Source, Wager
from feltrig.errors import RigError
from feltrig.harness.cli.console import Console
from feltrig.harness.cli.games import game_named
from feltrig.harness.cli.parameters import Json

Game = Annotated[str, typer.Argument(metavar="GAME", help="Name of the game. See `feltrig games`.")]
Quick = Annotated[bool, typer.Option("--quick", help="Leave out the wagers that take minutes to count.")]
Wheel = Annotated[
    str | None,
    typer.Option(
        metavar="STOPS", help="Stops of each symbol on a Big Six wheel, as 1=24,2=15,5=7,10=4,20=2,joker=1,flag=1."
    ),
]

WAIT = 1.0
"""Seconds before the first line of progress, and between two lines."""


def odds(game: Game, as_json: Json = False, quick: Quick = False, wheel: Wheel = None) -> None:
    """Print the exact odds of a game: how every wager can end, how often, and what it returns.

    Every way that the cards, dice or wheel can fall is counted. Nothing is simulated.
    """
    known = game_named(game, "GAME").odds
    wagers, left_out = _count(known if wheel is None else _on_wheel(game, known, wheel), quick)
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


def stops(text: str, symbols: tuple[str, ...]) -> dict[str, int]:
    """The stops of each symbol, as the command line gives them. Raises RigError."""
    found: dict[str, int] = {}
    for part in text.split(","):
        name, _, count = part.partition("=")
        if name not in symbols or not count.isascii() or not count.isdigit() or int(count) < 1:
            raise RigError(f"--wheel {text}: {part!r}: expected one of {', '.join(symbols)}, and its stops, as 1=24")
        if name in found:
            raise RigError(f"--wheel {text}: {name} twice")
        found[name] = int(count)
    missing = [symbol for symbol in symbols if symbol not in found]
    if missing:
        raise RigError(f"--wheel {text}: no stops for {', '.join(missing)}")
    return found


def _on_wheel(game: str, known: GameOdds, text: str) -> GameOdds:
    wheel = known.wheel
    if wheel is None:
        raise RigError(f"--wheel {text}: {game} has no wheel whose stops can be chosen")
    given = stops(text, wheel.symbols)
    return GameOdds((Source("all wagers", lambda progress: wheel.wagers(given, text)),))


def _count(counted: GameOdds, quick: bool) -> tuple[list[Wager], list[LeftOut]]:
    skipped = [source for source in counted.sources if quick and source.minutes]
    wagers = [wager for source in counted.sources if source not in skipped for wager in source.wagers(_teller())]
    return wagers, [
        *counted.left_out,
        *(LeftOut(source.bets, "takes minutes, and --quick was given") for source in skipped),
    ]


def _teller() -> Progress:
    """Prints progress on standard error, at most once a second, and nothing in the first second."""
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
        meter = "" if wager.of_meter is None else f", and {float(wager.of_meter):.3g} of the meter on average"
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
