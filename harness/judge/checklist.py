"""The inspector's checklist of a game: what only a person can confirm, asked on the terminal or read from a file."""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from feltrig.engine.games import GAMES
from feltrig.errors import RigError
from feltrig.harness.journal.records import Attested

ANSWERS = ("yes", "no", "n/a")


@dataclass(frozen=True, slots=True)
class Attestation:
    """One item as the inspector answered it."""

    item: str
    question: str
    answer: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Inspection:
    """A checklist with its answers, and who gave them."""

    game: str
    jurisdiction: str
    inspector: str
    attestations: tuple[Attestation, ...]

    def records(self) -> list[Attested]:
        """One journal record for each item."""
        return [Attested(self.inspector, **asdict(attested)) for attested in self.attestations]


def read(file: Path, game: str, jurisdiction: str) -> Inspection:
    """The answers in a TOML file: `inspector`, and under `[answers]` each item of that jurisdiction. Raises
    RigError."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise RigError(f"{file}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise RigError(f"{file}: is not TOML: {' '.join(str(error).split())}") from error
    for key in document:
        if key not in ("game", "jurisdiction", "inspector", "answers"):
            raise RigError(f"{file}: {key}: no such key; expected game, jurisdiction, inspector and answers")
    if document.get("game", game) != game:
        raise RigError(f"{file}: game: is for {document['game']}, but the rig plays {game}")
    if document.get("jurisdiction", jurisdiction) != jurisdiction:
        raise RigError(
            f"{file}: jurisdiction: is for {document['jurisdiction']}, but the table is in {jurisdiction}; "
            f"`feltrig checklist --game {game} --jurisdiction {jurisdiction} --save FILE` asks for the answers"
        )
    inspector = document.get("inspector")
    if not isinstance(inspector, str) or not inspector.strip():
        raise RigError(f"{file}: inspector: {inspector!r} is not a name")
    given = document.get("answers")
    if not isinstance(given, Mapping):
        raise RigError(f"{file}: answers: missing; expected a table of items")
    known = GAMES[game].checklist_of(jurisdiction)
    for item in given:
        if item not in known:
            raise RigError(f"{file}: answers.{item}: no such item of {game} in {jurisdiction}")
    missing = [item for item in known if item not in given]
    if missing:
        raise RigError(f"{file}: answers.{missing[0]}: missing, and {len(missing) - 1} more")
    attestations = tuple(_attestation(file, item, known[item], given[item]) for item in known)
    return Inspection(game, jurisdiction, inspector, attestations)


def _attestation(file: Path, item: str, question: str, given: Any) -> Attestation:
    table = given if isinstance(given, Mapping) else {"answer": given}
    answer, note = table.get("answer"), table.get("note", "")
    if answer not in ANSWERS or not isinstance(note, str) or set(table) - {"answer", "note"}:
        raise RigError(f"{file}: answers.{item}: {given!r} is not {', '.join(ANSWERS[:-1])} or {ANSWERS[-1]}")
    return Attestation(item, question, answer, note)


def ask(game: str, jurisdiction: str, inspector: str, prompt: Callable[[str], str]) -> Inspection:
    """Put every question to the inspector; a note may follow the answer."""
    attestations = []
    for item, question in GAMES[game].checklist_of(jurisdiction).items():
        while True:
            answer, _, note = prompt(f"{question} [yes/no/n/a, then a note if any] ").strip().partition(" ")
            if answer in ANSWERS:
                break
        attestations.append(Attestation(item, question, answer, note.strip()))
    return Inspection(game, jurisdiction, inspector, tuple(attestations))


def write(file: Path, inspection: Inspection) -> None:
    """The answers as a file that `read` reads."""
    lines = [
        f"game = {json.dumps(inspection.game)}",
        f"jurisdiction = {json.dumps(inspection.jurisdiction)}",
        f"inspector = {_text(inspection.inspector)}",
        "",
        "[answers]",
    ]
    for attested in inspection.attestations:
        lines.append(f"# {attested.question}")
        value = f"answer = {_text(attested.answer)}, note = {_text(attested.note)}"
        lines.append(f"{attested.item} = {{ {value} }}")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _text(value: str) -> str:
    """A TOML string; JSON's escapes are TOML's, but for DEL, which JSON leaves as it is."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
