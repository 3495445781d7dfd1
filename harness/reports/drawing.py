"""Drawings as data: a few shapes in named colours, which SVG and PDF show alike."""

from dataclasses import dataclass
from html import escape

Point = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Boxes:
    """Filled rectangles (x, y, width, height) of one colour; `strength` from 0 to 1 pales it."""

    boxes: tuple[Box, ...]
    colour: str
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Path:
    """A line through points."""

    points: tuple[Point, ...]
    colour: str
    width: float = 1.0
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Dots:
    """Small discs."""

    points: tuple[Point, ...]
    colour: str
    radius: float = 2.2


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; `anchor` is start, middle or end; `upwards` turns it by a quarter."""

    at: Point
    text: str
    colour: str = "muted"
    size: float = 9.0
    anchor: str = "middle"
    upwards: bool = False


Shape = Boxes | Path | Dots | Words


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes on a surface whose origin is at its top left; `says` is for those who cannot see it."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    says: str


COLOURS = {
    "ink": ("#1d2430", "#e8ebf0"),
    "muted": ("#5b6575", "#a0a9b8"),
    "grid": ("#d9dee6", "#363d49"),
    "seen": ("#3f6fb5", "#6f9fe0"),
    "law": ("#c4571b", "#f0955c"),
    "more": ("#b5322a", "#f0776c"),
    "less": ("#2b62a8", "#6fa4ea"),
    "good": ("#1e7a46", "#5cc48a"),
    "bad": ("#b3261e", "#ff8a80"),
}
"""Each colour on white paper and on a dark screen."""


def svg(drawing: Drawing) -> str:
    """The drawing as an element for an HTML page, whose style sheet has the colours."""
    size = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}"'
    body = "".join(_element(shape) for shape in drawing.shapes)
    label = escape(drawing.says, quote=True)
    return f'<svg {size} style="max-width:{drawing.width:g}px" role="img" aria-label="{label}">{body}</svg>'


def style() -> str:
    """The colours as CSS classes: `f-` fills, `s-` strokes."""
    return "".join(f".f-{name}{{fill:var(--{name})}}.s-{name}{{stroke:var(--{name});fill:none}}" for name in COLOURS)


def _element(shape: Shape) -> str:
    match shape:
        case Boxes(boxes, colour, strength):
            path = "".join(f"M{x:.5g} {y:.5g}h{w:.5g}v{h:.5g}h{-w:.5g}z" for x, y, w, h in boxes)
            pale = f' fill-opacity="{strength:.2g}"' if strength < 1 else ""
            return f'<path class="f-{colour}"{pale} d="{path}"/>'
        case Path(points, colour, width, dashed):
            dash = ' stroke-dasharray="4 3"' if dashed else ""
            line = " ".join(f"{x:.5g},{y:.5g}" for x, y in points)
            return f'<polyline class="s-{colour}" stroke-width="{width:g}"{dash} points="{line}"/>'
        case Dots(points, colour, radius):
            return "".join(f'<circle class="f-{colour}" cx="{x:.5g}" cy="{y:.5g}" r="{radius:g}"/>' for x, y in points)
        case Words((x, y), text, colour, size, anchor, upwards):
            turn = f' transform="rotate(-90 {x:.5g} {y:.5g})"' if upwards else ""
            place = f'x="{x:.5g}" y="{y:.5g}" font-size="{size:g}" text-anchor="{anchor}"{turn}'
            return f'<text class="f-{colour}" {place}>{escape(text)}</text>'
