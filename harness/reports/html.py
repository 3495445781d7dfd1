"""The report as one HTML file that needs nothing else: for light and dark screens, and for paper."""

from collections.abc import Iterable
from html import escape
from importlib.resources import files

from feltrig.harness.journal.folder import HTML
from feltrig.harness.reports import drawing
from feltrig.harness.reports.blocks import (
    Block,
    Cell,
    Code,
    Facts,
    Figure,
    Gap,
    Mark,
    Paragraph,
    Refs,
    Report,
    Section,
    Table,
)
from feltrig.harness.reports.format import ReportFormat


def html(report: Report) -> str:
    """The whole page."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escape(report.title)} {escape(report.number)}</title>",
        f"<style>{_style(report.number)}</style></head><body><main>",
        _cover(report),
        _contents(report),
        *(_section(number, section) for number, section in enumerate(report.sections, 1)),
        f'<p class="end">End of report {escape(report.number)}</p>',
        "</main></body></html>",
    ]
    return "\n".join(parts) + "\n"


def _style(number: str) -> str:
    """The style sheet, with the colours of the drawings and the id that stands on every printed page."""
    sheet = files("feltrig.harness.reports").joinpath("report.css").read_text(encoding="utf-8")
    light = "".join(f"--{name}:{pair[0]};" for name, pair in drawing.COLOURS.items())
    dark = "".join(f"--{name}:{pair[1]};" for name, pair in drawing.COLOURS.items())
    colours = f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    # The number is made of letters, digits and hyphens, so that it needs no escape inside a string of CSS.
    page = (
        f'@page{{@bottom-left{{content:"{number}"}}'
        '@bottom-right{content:"page " counter(page) " of " counter(pages)}}'
    )
    return f"{colours}{sheet}{drawing.style()}{page}"


def _cover(report: Report) -> str:
    notices = "".join(f"<li>{escape(notice)}</li>" for notice in report.notices)
    return (
        f'<header class="cover"><p class="kicker">{escape(report.number)}</p><h1>{escape(report.title)}</h1>'
        f'<div class="banner {_class(report.verdict)}"><strong>{escape(report.verdict)}</strong>'
        f"<span>{escape(report.statement)}</span></div>{_facts(report.cover)}"
        f'<ul class="notices">{notices}</ul></header>'
    )


def _contents(report: Report) -> str:
    titles = enumerate((escape(section.title) for section in report.sections), 1)
    lines = "".join(f'<li><a href="#s{number}">{title}</a></li>' for number, title in titles)
    return f"<nav><h2>Contents</h2><ol>{lines}</ol></nav>"


def _section(number: int, section: Section) -> str:
    body = "\n".join(_block(block) for block in section.blocks)
    return f'<section id="s{number}"><h2>{number}&ensp;{escape(section.title)}</h2>\n{body}</section>'


def _block(block: Block) -> str:
    match block:
        case Paragraph(text, stress):
            return f'<p class="stress">{escape(text)}</p>' if stress else f"<p>{escape(text)}</p>"
        case Facts():
            return _facts(block)
        case Table():
            return _table(block)
        case Figure(drawings, caption):
            pictures = "".join(drawing.svg(one) for one in drawings)
            return f'<figure><div class="row">{pictures}</div><figcaption>{escape(caption)}</figcaption></figure>'


def _facts(facts: Facts) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{_cell(value)}</dd>" for name, value in facts.rows)
    return f"<dl>{rows}</dl>"


def _table(table: Table) -> str:
    columns = "".join(f'<col style="width:{width:.1%}">' for width in table.columns.values())
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    anchors: Iterable[int | None] = table.anchors or (None,) * len(table.rows)
    rows = "".join(_row(anchor, row) for anchor, row in zip(anchors, table.rows, strict=True))
    body = f"<colgroup>{columns}</colgroup><thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
    return f'<div class="wide"><table>{body}</table></div>'


def _row(anchor: int | None, row: Iterable[Cell]) -> str:
    name = "" if anchor is None else f' id="r{anchor}"'
    return f"<tr{name}>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>"


def _cell(cell: Cell) -> str:
    match cell:
        case Mark(word):
            return f'<span class="mark {_class(word)}">{escape(word)}</span>'
        case Code(text):
            return f"<code>{escape(text)}</code>"
        case Gap():
            return '<span class="gap">[not given]</span>'
        case Refs(numbers, more):
            links = ", ".join(f'<a href="#r{number}">{number}</a>' for number in numbers)
            return f"{links} +{more}" if more else links
        case str():
            return escape(cell)


def _class(word: str) -> str:
    return word.replace(" ", "-")


FORMAT = ReportFormat(HTML, lambda _, contents: html(contents).encode())
