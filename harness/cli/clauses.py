"""`feltrig clauses`: every clause of the rule texts, and where it is checked."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from feltrig.engine.clauses import COVERAGE
from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Game as GameRecord
from feltrig.harness.cli.console import Console, table
from feltrig.harness.cli.games import game_named
from feltrig.harness.cli.parameters import Json

Game = Annotated[str | None, typer.Option("--game", help="Only this game. See `feltrig games`.", metavar="GAME")]


def clauses(game: Game = None, as_json: Json = False) -> None:
    """List every clause of the rule texts, what it asks for, and what checks it."""
    games = GAMES.values() if game is None else (game_named(game, "--game"),)
    rows = [row for known in games for row in rows_of(known)]
    if as_json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        _show(Console(), rows)


def rows_of(game: GameRecord) -> Iterator[dict[str, Any]]:
    """The clauses of a game in each jurisdiction that prints them, as plain values."""
    for jurisdiction in game.jurisdictions:
        for key, clause in game.clauses.items():
            number = game.cite(key, jurisdiction)
            if number is None:
                continue
            yield {
                "game": game.name,
                "jurisdiction": jurisdiction,
                "id": number,
                "kind": clause.kind,
                "device": list(clause.device),
                "summary": clause.summary,
                "coverage": clause.coverage,
                "covered_by": list(clause.covered_by),
                "reason": clause.reason or None,
                "tests": list(clause.tests),
            }


def _show(console: Console, rows: list[dict[str, Any]]) -> None:
    cells = (
        (r["game"], r["id"], r["kind"], r["summary"], _words(r["coverage"]), r["reason"] or ", ".join(r["covered_by"]))
        for r in rows
    )
    console.print(table(("game", "clause", "kind", "what it says", "coverage", "by"), cells))
    counts = Counter(row["coverage"] for row in rows)
    totals = ", ".join(f"{counts[coverage]} {_words(coverage)}" for coverage in COVERAGE)
    console.print(f"\n{len(rows)} clauses: {totals}")


def _words(name: str) -> str:
    return name.replace("_", " ")
