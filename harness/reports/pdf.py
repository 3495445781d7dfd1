"""The report as PDF, page by page, with its id and `page x of y` on each. The same report gives the same bytes."""

from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from io import BytesIO
from typing import Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, HRFlowable, KeepTogether, LongTable, PageBreak, SimpleDocTemplate, Spacer
from reportlab.platypus import Paragraph as Flowing

from feltrig.harness.journal.folder import PDF
from feltrig.harness.reports.blocks import Block, Cell, Code, Facts, Figure, Gap, Mark, Paragraph, Refs, Report, Table
from feltrig.harness.reports.drawing import COLOURS, Boxes, Dots, Drawing, Path, Shape, Words
from feltrig.harness.reports.format import ReportFormat

MARGIN = 17 * mm
PADDING = 6
"""What the frame of a page keeps free at its sides."""
WIDTH = A4[0] - 2 * MARGIN - 2 * PADDING
INK, MUTED, LINE, SOFT = (colors.HexColor(tone) for tone in ("#1d2430", "#5b6575", "#d5dbe4", "#f5f7fa"))
LINK = "#2b62a8"
TONES = {
    "certified": "#1e7a46",
    "pass": "#1e7a46",
    "attested": "#2b62a8",
    "rehearsed": "#2b62a8",
    "no failure seen": "#2b62a8",
    "refused": "#b3261e",
    "fail": "#b3261e",
    "inconclusive": "#8a5a00",
    "not tested": "#8a5a00",
    "not under test": "#5b6575",
}

TEXT = ParagraphStyle("text", fontName="Helvetica", fontSize=9, leading=12.5, textColor=INK, spaceAfter=5)
SMALL = ParagraphStyle("small", TEXT, fontSize=7.2, leading=9, spaceAfter=0)
FACT = ParagraphStyle("fact", TEXT, fontSize=8.4, leading=11, spaceAfter=0)
NAME = ParagraphStyle("name", FACT, textColor=MUTED)
HEAD = ParagraphStyle("head", SMALL, fontName="Helvetica-Bold", textColor=MUTED)
NOTE = ParagraphStyle("note", TEXT, fontSize=7.8, leading=10.2, textColor=MUTED)
TITLE = ParagraphStyle("title", TEXT, fontName="Helvetica-Bold", fontSize=24, leading=30, spaceAfter=12)
SECTION = ParagraphStyle("section", TEXT, fontName="Helvetica-Bold", fontSize=13, leading=17, spaceBefore=14)
CONTENT = ParagraphStyle("content", TEXT, spaceAfter=1)
NUMBER = ParagraphStyle("number", TEXT, fontName="Courier", textColor=MUTED, spaceAfter=2)
END = ParagraphStyle("end", TEXT, textColor=MUTED, alignment=1, spaceBefore=16)

Style = list[tuple[str, tuple[int, int], tuple[int, int], *tuple[Any, ...]]]

LONGEST_WORD = 24
"""Letters after which a word may be broken: digests and file names are longer than a column is wide."""


def pdf(report: Report) -> bytes:
    """The file."""
    stream = BytesIO()
    document = SimpleDocTemplate(
        stream,
        pagesize=A4,
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=20 * mm,
        title=f"{report.title} {report.number}",
        author="feltrig",
        subject=report.subject,
        invariant=1,
    )
    document.build(list(_story(report)), canvasmaker=partial(Pages, report.number))
    return stream.getvalue()


class Pages(Canvas):
    """A canvas that holds its pages back until their number is known, and puts a foot on each."""

    def __init__(self, number: str, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._number = number
        self._held: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802
        """Hold back a page."""
        self._held.append(dict(self.__dict__))
        self._startPage()  # type: ignore[attr-defined]

    def save(self) -> None:
        """Write all pages."""
        held = self._held
        for page, state in enumerate(held, 1):
            self.__dict__.update(state)
            self._foot(f"page {page} of {len(held)}")
            super().showPage()
        super().save()

    def _foot(self, words: str) -> None:
        left, right = MARGIN + PADDING, A4[0] - MARGIN - PADDING
        self.setFont("Helvetica", 7.5)
        self.setFillColor(MUTED)
        self.drawString(left, 11 * mm, self._number)
        self.drawRightString(right, 11 * mm, words)
        self.setStrokeColor(LINE)
        self.setLineWidth(0.6)
        self.line(left, 15 * mm, right, 15 * mm)


def _story(report: Report) -> Iterator[Flowable]:
    yield Flowing(escape(report.number), NUMBER)
    yield Flowing(escape(report.title), TITLE)
    yield _banner(report)
    yield Spacer(1, 12)
    yield _facts(report.cover)
    yield Spacer(1, 10)
    for notice in report.notices:
        yield Flowing(f"• {escape(notice)}", NOTE)
    yield Flowing("Contents", SECTION)
    for number, section in enumerate(report.sections, 1):
        yield Flowing(f'<a href="#s{number}">{number}  {escape(section.title)}</a>', CONTENT)
    yield PageBreak()
    targets = {anchor for section in report.sections for block in section.blocks for anchor in _anchors(block)}
    for number, section in enumerate(report.sections, 1):
        title = Flowing(f'<a name="s{number}"/>{number}  {escape(section.title)}', SECTION)
        rule = HRFlowable(width="100%", thickness=1.2, color=INK, spaceBefore=2, spaceAfter=6)
        first, *rest = [flowable for block in section.blocks for flowable in _block(block, targets)]
        # A heading stays with what follows it; a table may be longer than a page, and splits by itself.
        title.keepWithNext = rule.keepWithNext = 1
        yield from (title, rule, first, *rest)
    yield Flowing(f"End of report {escape(report.number)}", END)


def _anchors(block: Block) -> Sequence[int]:
    return block.anchors if isinstance(block, Table) else ()


def _banner(report: Report) -> Flowable:
    tone = colors.HexColor(TONES[report.verdict])
    word = ParagraphStyle(
        "word", TEXT, fontName="Helvetica-Bold", fontSize=15, leading=19, textColor=tone, spaceAfter=0
    )
    row = [Flowing(escape(report.verdict.upper()), word), Flowing(escape(report.statement), FACT)]
    return LongTable(
        [row],
        colWidths=[WIDTH * 0.27, WIDTH * 0.73],
        style=[
            ("BACKGROUND", (0, 0), (-1, -1), SOFT),
            ("LINEBEFORE", (0, 0), (0, -1), 4, tone),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ("TOPPADDING", (0, 0), (-1, -1), 9),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 9),
            ("LEFTPADDING", (0, 0), (-1, -1), 10),
        ],
    )


def _block(block: Block, targets: set[int]) -> Iterator[Flowable]:
    match block:
        case Paragraph(text, _):
            yield Flowing(escape(text), TEXT)
        case Facts():
            yield _facts(block)
            yield Spacer(1, 9)
        case Table():
            yield _table(block, targets)
            yield Spacer(1, 8)
        case Figure(drawings, caption):
            half = WIDTH / 2 - 4
            pictures = [Picture(one, half) for one in drawings]
            rows = [[*pictures[i : i + 2], *[""] * (2 - len(pictures[i : i + 2]))] for i in range(0, len(pictures), 2)]
            plain = [("LEFTPADDING", (0, 0), (-1, -1), 0), ("RIGHTPADDING", (0, 0), (-1, -1), 0)]
            yield KeepTogether(
                [LongTable(rows, colWidths=[WIDTH / 2] * 2, style=plain), Flowing(escape(caption), NOTE), Spacer(1, 8)]
            )


def _facts(facts: Facts) -> Flowable:
    rows = [[Flowing(escape(name), NAME), Flowing(_cell(value, set()), FACT)] for name, value in facts.rows]
    style: Style = [
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, LINE),
        ("LINEABOVE", (0, 0), (-1, 0), 0.4, LINE),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 2.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
    ]
    return LongTable(rows, colWidths=[WIDTH * 0.27, WIDTH * 0.73], style=style)


def _table(table: Table, targets: set[int]) -> Flowable:
    rows: list[list[Flowable]] = [[Flowing(escape(name), HEAD) for name in table.columns]]
    for index, row in enumerate(table.rows):
        cells = [_cell(cell, targets) for cell in row]
        if table.anchors:
            cells[0] = f'<a name="r{table.anchors[index]}"/>{cells[0]}'
        rows.append([Flowing(cell, SMALL) for cell in cells])
    style: Style = [
        ("LINEBELOW", (0, 0), (-1, 0), 0.9, INK),
        ("LINEBELOW", (0, 1), (-1, -1), 0.35, LINE),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.6),
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), 4),
    ]
    return LongTable(rows, colWidths=[WIDTH * width for width in table.columns.values()], repeatRows=1, style=style)


def _cell(cell: Cell, targets: set[int]) -> str:
    match cell:
        case Mark(word):
            return f'<font color="{TONES[word]}"><b>{escape(word)}</b></font>'
        case Code(text):
            return f'<font face="Courier">{_broken(text)}</font>'
        case Gap():
            return '<font color="#5b6575"><i>[not given]</i></font>'
        case Refs(numbers, more):
            links = ", ".join(_link(number, targets) for number in numbers)
            return f"{links} +{more}" if more else links
        case str():
            return _broken(cell)


def _link(number: int, targets: set[int]) -> str:
    return f'<a href="#r{number}" color="{LINK}">{number}</a>' if number in targets else str(number)


def _broken(text: str) -> str:
    """The text, with a place to break in words that are wider than a column."""
    parts = []
    for word in text.split(" "):
        pieces = [word[i : i + LONGEST_WORD] for i in range(0, len(word), LONGEST_WORD)] or [""]
        parts.append(" ".join(map(escape, pieces)) if len(word) > 3 * LONGEST_WORD else escape(word))
    return " ".join(parts)


class Picture(Flowable):
    """A drawing, scaled to a width."""

    def __init__(self, drawing: Drawing, width: float) -> None:
        super().__init__()
        self._drawing = drawing
        self._scale = width / drawing.width
        self.width, self.height = width, drawing.height * self._scale

    def draw(self) -> None:
        """Put the shapes on the page, whose origin is at the bottom."""
        canvas: Canvas = self.canv
        canvas.saveState()
        canvas.scale(self._scale, self._scale)
        for shape in self._drawing.shapes:
            _draw(canvas, shape, self._drawing.height)
        canvas.restoreState()


def _draw(canvas: Canvas, shape: Shape, height: float) -> None:
    colour = colors.HexColor(COLOURS[shape.colour][0])
    match shape:
        case Boxes(boxes, _, strength):
            canvas.setFillColor(colors.linearlyInterpolatedColor(colors.white, colour, 0, 1, strength))
            path = canvas.beginPath()
            for x, y, w, h in boxes:
                path.rect(x, height - y - h, w, h)
            canvas.drawPath(path, stroke=0, fill=1)
        case Path(points, _, width, dashed):
            canvas.setStrokeColor(colour)
            canvas.setLineWidth(width)
            canvas.setDash([4, 3] if dashed else [])
            path = canvas.beginPath()
            for index, (x, y) in enumerate(points):
                (path.lineTo if index else path.moveTo)(x, height - y)
            canvas.drawPath(path, stroke=1, fill=0)
        case Dots(points, _, radius):
            canvas.setFillColor(colour)
            for x, y in points:
                canvas.circle(x, height - y, radius, stroke=0, fill=1)
        case Words((x, y), text, _, size, anchor, upwards):
            canvas.saveState()
            canvas.setFillColor(colour)
            canvas.setFont("Helvetica", size)
            canvas.translate(x, height - y)
            canvas.rotate(90 if upwards else 0)
            draw = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}
            draw[anchor](0, 0, text)
            canvas.restoreState()


FORMAT = ReportFormat(PDF, lambda _, contents: pdf(contents))
