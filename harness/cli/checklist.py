"""`feltrig checklist`: what only an inspector can confirm about a table of a game."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from feltrig.engine.games.game import Game as GameRecord
from feltrig.errors import RigError
from feltrig.harness.cli.games import game_named
from feltrig.harness.cli.parameters import Json
from feltrig.harness.judge import checklist as checklists

Game = Annotated[str, typer.Option("--game", help="Name of the game. See `feltrig games`.", metavar="GAME")]
Jurisdiction = Annotated[
    str | None, typer.Option(metavar="CODE", help="Whose checklist. Without it: the jurisdiction of the game's text.")
]
Answers = Annotated[Path | None, typer.Option(metavar="FILE", help="Check the answers in this file.")]
Save = Annotated[Path | None, typer.Option(metavar="FILE", help="Ask every question and write the answers here.")]
Inspector = Annotated[str | None, typer.Option(metavar="NAME", help="Name of the person who answers.")]


def checklist(
    game: Game,
    jurisdiction: Jurisdiction = None,
    answers: Answers = None,
    save: Save = None,
    inspector: Inspector = None,
    as_json: Json = False,
) -> None:
    """Print the inspector's checklist of a game in one jurisdiction: what only a person can confirm.

    With --save, ask every question on the terminal and keep the answers. With --answers, check a file of answers; the
    exit status is 1 when one of them is "no". `feltrig certify --checklist FILE` records the answers in a run.
    """
    known = game_named(game, "--game")
    where = jurisdiction or known.jurisdiction
    if where not in known.jurisdictions:
        raise RigError(f"--jurisdiction {where}: {game} has no rules there; expected {', '.join(known.jurisdictions)}")
    if answers is not None:
        inspection = checklists.read(answers, game, where)
        no = [attested for attested in inspection.attestations if attested.answer == "no"]
        print(f"{len(inspection.attestations)} items answered by {inspection.inspector}, {len(no)} of them no")
        for attested in no:
            print(f"no: {attested.question} {attested.note}".rstrip())
        raise typer.Exit(1 if no else 0)
    if save is not None:
        who = inspector or input("inspector's name: ").strip()
        if not who:
            raise RigError("--inspector: missing; give the name of the person who answers")
        checklists.write(save, checklists.ask(game, where, who, input))
        print(f"{save}: written", file=sys.stderr)
        return
    rows = [
        {"item": item, "question": text, "clauses": _clauses(known, item, where)}
        for item, text in known.checklist_of(where).items()
    ]
    if as_json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
        return
    for row in rows:
        print(f"[ ] {row['question']}  ({row['item']}: {', '.join(row['clauses'])})")


def _clauses(game: GameRecord, item: str, jurisdiction: str) -> list[str]:
    """The clauses that an item attests, as the jurisdiction prints them."""
    keys = (key for key, clause in game.clauses.items() if item in clause.items)
    return [number for key in keys if (number := game.cite(key, jurisdiction)) is not None]
