"""`feltrig clauses`: every clause of the rule texts, and where it is checked."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from feltrig.engine.clauses import COVERAGE
from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Game as GameRecord
from feltrig.engine.places import changed, places
from feltrig.engine.referred import laws, referred
from feltrig.errors import RigError
from feltrig.harness.cli.console import Console, table
from feltrig.harness.cli.games import game_named
from feltrig.harness.cli.parameters import Json
from feltrig.harness.judge.basis import Basis

Game = Annotated[str | None, typer.Option("--game", help="Only this game. See `feltrig games`.", metavar="GAME")]


Number = Annotated[
    str | None, typer.Option("--id", help="Only this clause, with everything that is known of it.", metavar="CLAUSE")
]
Texts = Annotated[
    Path | None,
    typer.Option(help="Compare the rule texts of a folder (*.txt) with those that the register was made from."),
]


def clauses(game: Game = None, number: Number = None, texts: Texts = None, as_json: Json = False) -> None:
    """List every clause of the rule texts, what it asks for, and what checks it.

    Exit status: 0, or 1 if a rule text differs from the one that the register was made from.
    """
    if texts is not None:
        _compare(texts)
    games = GAMES.values() if game is None else (game_named(game, "--game"),)
    rows = [row for known in games for row in rows_of(known) if number in (None, row["id"])]
    if not rows:
        raise RigError(f"--id {number}: no such clause; `feltrig clauses` lists all of them")
    if as_json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    elif number is not None:
        for row in rows:
            _show_whole(Console(), row)
    else:
        _show(Console(), rows)


def _compare(folder: Path) -> NoReturn:
    if not any(folder.glob("*.txt")):
        raise RigError(f"--texts {folder}: no file *.txt is there")
    differences = list(changed(folder))
    print("\n".join(differences or ["all sentences are as they were when the register was made"]))
    raise typer.Exit(1 if differences else 0)


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
                "says": clause.says,
                "coverage": clause.coverage,
                "covered_by": list(clause.covered_by),
                "uncovered": clause.uncovered or None,
                "checklist": {
                    item: question for item, question in game.checklist_of(jurisdiction).items() if item in clause.items
                },
                "tests": list(clause.tests),
                "refers_to": list(laws(game.name, number)),
                "place": asdict(place) if (place := places().get((game.name, number))) else None,
            }


def _show_whole(console: Console, row: dict[str, Any]) -> None:
    place = row["place"]
    where = (
        f"line {place['line']} of the text {place['text']}; digest of the line {place['sentence']}" if place else "-"
    )
    shown = {
        "game": f"{row['game']}, {row['jurisdiction']}",
        "about": row["summary"],
        "says": row["says"],
        "kind": row["kind"],
        "devices": ", ".join(row["device"]) or "-",
        "stands": where,
        "refers to": ", ".join(row["refers_to"]) + ", which the text does not print" if row["refers_to"] else "-",
        "coverage": _words(row["coverage"]),
        "by": ", ".join(row["covered_by"]) or "-",
        "not covered": row["uncovered"] or "-",
        "checklist": "\n".join(f"{item}: {question}" for item, question in row["checklist"].items()) or "-",
        "tests": "\n".join(row["tests"]) or "-",
    }
    console.print(table((row["id"], ""), shown.items()))


def _show(console: Console, rows: list[dict[str, Any]]) -> None:
    cells = (
        (
            r["game"],
            r["id"],
            r["kind"],
            r["summary"],
            _words(r["coverage"]),
            ", ".join(r["covered_by"]) or r["uncovered"],
        )
        for r in rows
    )
    console.print(table(("game", "clause", "kind", "what it says", "coverage", "by"), cells))
    counts = Counter(row["coverage"] for row in rows)
    totals = ", ".join(f"{counts[coverage]} {_words(coverage)}" for coverage in COVERAGE)
    _show_referred(console, {row["game"] for row in rows})
    console.print(f"\n{len(rows)} clauses: {totals}")


def _show_referred(console: Console, games: set[str]) -> None:
    found = [each for each in referred() if each.game in games]
    if found:
        cells = ((r.law, ", ".join(r.device) or "-", r.subject, r.game, ", ".join(r.clauses)) for r in found)
        console.print("\nlaw that the texts refer to and do not print, so that nothing here tests it:")
        console.print(table(("law", "devices", "what it is about", "game", "clauses that refer to it"), cells))


def _words(name: str) -> str:
    return Basis.PLAYED.words if name == "played" else name.replace("_", " ")
