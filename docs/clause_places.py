"""Finds where the sentence of each clause stands in the rule texts: the text, the line, and a digest of that line.

`python docs/clause_places.py FOLDER` reads the texts of a folder and writes engine/clause_places.tsv. The texts
themselves are not part of the project. `feltrig clauses --texts FOLDER` compares them with the table.

The texts were scanned. Where a label was lost or misread, `READ_BY_EYE` says where its line is.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Game
from feltrig.engine.places import COLUMNS, digest_of

TABLE = Path(__file__).parent.parent / "engine" / "clause_places.tsv"

HEADING = {
    "NJ": r"\d+:\d+[A-Z]?-\d+\.\d+[A-Z]?\s+[A-Z“]",
    "MA": r"\d{1,2}\. [A-Z]",
}
"""How a section begins, by jurisdiction."""

BEGUN_BEFORE = {"19:47-11.2": 826, "19:47-7.5": 567, "19:47-5.1": 270}
"""Sections whose heading is not in the text, and the line where what is there begins."""

READ_BY_EYE = {
    "supreme_pai_gow": {"19:46-1.16(e)2ii(2)": 119, "19:46-1.16(e)3iii(3)": 145},
    "packs_poker": {
        "13:69E-1.13Z(b)1": 22,
        "13:69E-1.18(g)": 67,
        "13:69E-1.18(n)3iii": 110,
        "13:69F-43.7(f)": 451,
        "13:69F-43.8(g)": 544,
        "13:69F-43.10(f)": 639,
        "13:69F-43.10(j)": 671,
        "13:69F-43.12(d)4": 1272,
        "13:69F-43.13(f)": 1310,
    },
    "heads_up_holdem": {
        "13:69E-1.13Z(b)2": 6,
        "13:69E-1.13Z(b)3": 7,
        "13:69F-39.1[burn]": 33,
        "13:69F-39.2(b)3": 84,
        "13:69F-39.4(b)1": 100,
        "13:69F-39.4(b)2": 101,
        "13:69F-39.4(c)1ii": 106,
    },
}

Text = Sequence[str]


def main(folder: Path) -> None:
    """Write the table."""
    texts = [file.read_text(encoding="utf-8").split("\n") for file in sorted(folder.glob("*.txt"))]
    rows = [row for game in GAMES.values() for row in places(game, texts)]
    TABLE.write_text("\n".join(["\t".join(COLUMNS), *("\t".join(row) for row in rows)]) + "\n", encoding="utf-8")


def places(game: Game, texts: Sequence[Text]) -> Iterator[tuple[str, ...]]:
    """Game, clause, text, line and digest of each clause of a game."""
    for jurisdiction in game.jurisdictions:
        text, section, begin, line, end = texts[0], "", 0, 0, 0
        for number in filter(None, (game.cite(key, jurisdiction) for key in game.clauses)):
            begins, labels = _split(number)
            if begins != section:
                text, section = _text_of(game, begins, jurisdiction, texts), begins
                begin, end = _section(text, begins, jurisdiction)
                line = begin
            if labels and labels[-1].startswith(("[", " ")):  # defined terms stand in any order
                line = begin
            line = _line(game, number, labels, text, line, end)
            yield game.name, number, digest_of("\n".join(text)), str(line + 1), digest_of(text[line])


def _split(number: str) -> tuple[str, list[str]]:
    """The section, and the labels below it: (a), 3, iv, or a defined term."""
    found = re.match(r"(MA SPG \d+|(?:\d+:\d+[A-Z]?-)?\d+\.\d+[A-Z]?)(.*)", number)
    assert found is not None, number
    return found[1], re.findall(r"\([a-zA-Z0-9]+\)|\d+|[ivx]+|\[[^\]]+\]| .+|[A-Z]", found[2])


def _text_of(game: Game, section: str, jurisdiction: str, texts: Sequence[Text]) -> Text:
    """The text that has the section. Two texts number different sections alike: then the game's title decides."""
    new_jersey = [text for text in texts if any(re.match(HEADING["NJ"], plain(line)) for line in text)]
    own = new_jersey if jurisdiction == "NJ" else [text for text in texts if text not in new_jersey]
    having = [text for text in own if _headings(text, section, jurisdiction)]
    if len(having) > 1:
        having = [text for text in having if any(_letters(game.title) in _letters(line) for line in text[:12])]
    return having[0] if having else next(text for text in texts if len(text) > max(BEGUN_BEFORE.values()) + 1000)


def _headings(text: Text, section: str, jurisdiction: str) -> list[int]:
    printed = section.removeprefix("MA SPG ") + "." if jurisdiction == "MA" else section
    return [at for at, line in enumerate(text) if re.match(re.escape(printed) + r"\s+[A-Z“\"]", plain(line))]


def _section(text: Text, section: str, jurisdiction: str) -> tuple[int, int]:
    begin = next(iter(_headings(text, section, jurisdiction)), BEGUN_BEFORE.get(section, 0) - 1)
    after = (at for at in range(begin + 1, len(text)) if re.match(HEADING[jurisdiction], plain(text[at])))
    return begin, next(after, len(text))


def _line(game: Game, number: str, labels: list[str], text: Text, begin: int, end: int) -> int:
    by_eye = READ_BY_EYE.get(game.name, {}).get(number)
    if by_eye is not None or not labels:
        return begin if by_eye is None else by_eye - 1
    if labels[-1].startswith(("[", " ")):
        term = _letters(labels[-1])
        found = next((at for at in range(begin, end) if _letters(plain(text[at])).startswith(term)), None)
        assert found is not None, f"{game.name} {number}: no such term after line {begin + 1}"
        return found
    label = re.escape(labels[-1].strip("()"))
    at_start = (at for at in range(begin, end) if re.match(rf"\(?{label}[.)]", plain(text[at]), re.IGNORECASE))
    within = (at for at in range(begin, end) if re.search(rf"(?:^|[\s:;])\(?{label}[.)]\s", plain(text[at])))
    found = next(at_start, None)
    found = next(within, None) if found is None else found
    assert found is not None, f"{game.name} {number}: no such label after line {begin + 1}"
    return found


def plain(line: str) -> str:
    """A line without the marks of its layout."""
    return re.sub(r"^[\s\-#>]*", "", re.sub(r"<\|[^|]*\|>", "", line).replace("*", "")).strip()


def _letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
