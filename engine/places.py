"""Where the sentence of each clause stands: in which rule text, on which line. The texts are not part of the package;
their digests show when a text has changed since the register was made from it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

COLUMNS = ("game", "clause", "text", "line", "sentence")


@dataclass(frozen=True, slots=True)
class Place:
    """The place of one sentence."""

    text: str
    """Digest of the whole text."""
    line: int
    sentence: str
    """Digest of the line, which is where the sentence begins."""


def digest_of(text: str) -> str:
    """The first sixteen digits of the SHA-256 of some text; white space at its ends does not count."""
    return sha256(text.strip().encode()).hexdigest()[:16]


@cache
def places() -> Mapping[tuple[str, str], Place]:
    """All places, by game and number of the clause."""
    lines = files("feltrig.engine").joinpath("clause_places.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = (line.split("\t") for line in lines)
    return {(game, clause): Place(text, int(line), sentence) for game, clause, text, line, sentence in rows}


def changed(folder: Path) -> Iterator[str]:
    """What differs in the rule texts of a folder from those that the register was made from, one line each."""
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in sorted(folder.glob("*.txt"))]
    known = {digest_of(text): text.split("\n") for text in texts}
    lines = {digest_of(line) for text in texts for line in text.split("\n")}
    for (game, clause), place in places().items():
        if place.text in known and digest_of(known[place.text][place.line - 1]) == place.sentence:
            continue
        if place.sentence in lines:
            continue
        yield f"{game} {clause}: its sentence is in none of the texts of {folder}"
