"""What a report is made of, before it is HTML or PDF: sections of text, facts, tables and figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from feltrig.harness.reports.drawing import Drawing


@dataclass(frozen=True, slots=True)
class Mark:
    """A verdict, shown in its colour."""

    word: str


@dataclass(frozen=True, slots=True)
class Code:
    """Digests, addresses, bytes: what must be read letter by letter."""

    text: str


@dataclass(frozen=True, slots=True)
class Gap:
    """What the laboratory has yet to say."""


@dataclass(frozen=True, slots=True)
class Refs:
    """Numbers of journal records, each of which the appendix shows; `more` were left out."""

    numbers: tuple[int, ...]
    more: int = 0


Cell = str | Mark | Code | Gap | Refs


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; with `stress`, set apart from the rest."""

    text: str
    stress: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and values."""

    rows: tuple[tuple[str, Cell], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the head of each column with its share of the page. `anchors` are the journal numbers of the rows."""

    columns: Mapping[str, float]
    rows: Sequence[tuple[Cell, ...]]
    anchors: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """Drawings side by side, with one caption."""

    drawings: tuple[Drawing, ...]
    caption: str


Block = Paragraph | Facts | Table | Figure


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered part of the report."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report. The verdict and the facts of the cover come before the sections."""

    number: str
    """The unique id, shown on every page."""
    title: str
    subject: str
    verdict: str
    statement: str
    """The statement of conformity in one sentence."""
    cover: Facts
    notices: tuple[str, ...]
    sections: tuple[Section, ...]
