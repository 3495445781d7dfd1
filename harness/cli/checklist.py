"""`feltrig checklist`: what only an inspector can confirm about a table of a game."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from feltrig.engine.games import GAMES
from feltrig.harness.cli.parameters import Json
from feltrig.harness.judge import checklist as checklists
from feltrig.harness.rig.loading import RigError

Game = Annotated[str, typer.Option("--game", help="The game of the table.", metavar="GAME")]
Answers = Annotated[Path | None, typer.Option(metavar="FILE", help="Check the answers in this file instead of asking.")]
Save = Annotated[Path | None, typer.Option(metavar="FILE", help="Ask on the terminal and write the answers here.")]
Inspector = Annotated[str | None, typer.Option(metavar="NAME", help="Who answers.")]


def checklist(
    game: Game, answers: Answers = None, save: Save = None, inspector: Inspector = None, as_json: Json = False
) -> None:
    """Print the inspector's checklist of a game, ask it (--save), or check answers (--answers).

    `feltrig certify --checklist FILE` records the answers in the journal of the run.
    """
    if game not in GAMES:
        raise RigError(f"--game {game}: no such game; expected one of {', '.join(GAMES)}")
    if answers is not None:
        inspection = checklists.read(answers, game)
        no = [attested for attested in inspection.attestations if attested.answer == "no"]
        print(f"{len(inspection.attestations)} items answered by {inspection.inspector}, {len(no)} of them no")
        for attested in no:
            print(f"no: {attested.question} {attested.note}".rstrip())
        raise typer.Exit(1 if no else 0)
    if save is not None:
        who = inspector or input("inspector's name: ").strip()
        if not who:
            raise RigError("--inspector: a name is needed for who answers")
        checklists.write(save, checklists.ask(game, who, input))
        print(f"{save}: written", file=sys.stderr)
        return
    rows = [
        {"item": item, "question": text, "clauses": _clauses(game, item)}
        for item, text in GAMES[game].checklist.items()
    ]
    if as_json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
        return
    for row in rows:
        print(f"[ ] {row['question']}  ({row['item']}: {', '.join(row['clauses'])})")


def _clauses(game: str, item: str) -> list[str]:
    """The clauses that an item attests, as the jurisdiction of the rule text cites them."""
    known = GAMES[game]
    keys = (key for key, clause in known.clauses.items() if f"item:{item}" in clause.covered_by)
    return [number for key in keys if (number := known.cite(key, known.jurisdiction)) is not None]
