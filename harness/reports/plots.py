"""The pictures of a report: each is made of the data and of the law that a fair machine follows."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.reports.drawing import Boxes, Dots, Drawing, Path, Point, Shape, Words
from feltrig.harness.statistics.core.law import Law
from feltrig.harness.statistics.shuffles import laws
from feltrig.harness.statistics.shuffles.measured import measure

Array = NDArray[np.float64]
Rows = Sequence[Sequence[int]]

WIDTH, HEIGHT = 330.0, 250.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 10.0, 26.0, 38.0
EXPECTED = 5.0
"""The least number of cards expected in a cell of the heat map: with few shuffles, places are taken together."""
STEPS = 6
DEEPEST = 4.0
"""Standard deviations that the strongest colour of the heat map stands for."""
SPREAD = 1.96
"""Half the width, in standard deviations, of the band that holds 95 of 100 counts of a fair machine."""
RARE = 1e-4


def heat_map(rows: Rows) -> Drawing:
    """Where the cards of each loaded place came out: standardised residuals from equal counts."""
    orders = np.array(rows)
    count, n = orders.shape
    cells = max(2, min(n, int(math.sqrt(count * n / EXPECTED))))
    edges = np.linspace(0, n, cells + 1).round().astype(int)
    group = np.searchsorted(edges, np.arange(n), side="right") - 1
    sizes = np.diff(edges)
    seen = np.zeros((cells, cells))
    np.add.at(seen, (group[orders], np.broadcast_to(group, orders.shape)), 1)
    expected = count * np.outer(sizes, sizes) / n
    # Each row and each column of places is full, which takes from the variance.
    free = np.outer(1 - sizes / n, 1 - sizes / n) * n / (n - 1)
    residual = (seen - expected) / np.sqrt(expected * free)
    side = HEIGHT - TOP - BOTTOM
    scale = side / n
    by_level: dict[tuple[str, int], list[tuple[float, float, float, float]]] = {}
    for (i, j), z in np.ndenumerate(residual):
        level = min(STEPS, round(abs(z) / DEEPEST * STEPS))
        box = (LEFT + edges[j] * scale, TOP + edges[i] * scale, sizes[j] * scale, sizes[i] * scale)
        if level:
            by_level.setdefault(("more" if z > 0 else "less", level), []).append(box)
    shapes: list[Shape] = [
        Boxes(tuple(boxes), colour, level / STEPS) for (colour, level), boxes in sorted(by_level.items())
    ]
    shapes += [
        _frame(LEFT, TOP, side, side),
        Words((LEFT, 14), "where cards come out, by where they were loaded", "ink", 10, "start"),
        Words((LEFT + side / 2, HEIGHT - 8), "place after the shuffle"),
        Words((14, TOP + side / 2), "place when loaded", upwards=True),
        Words((LEFT - 5, TOP + 8), "1", anchor="end"),
        Words((LEFT - 5, TOP + side), str(n), anchor="end"),
        Words((LEFT, TOP + side + 13), "1"),
        Words((LEFT + side, TOP + side + 13), str(n)),
        *_scale(LEFT + side + 18, TOP + 20, side - 40),
    ]
    together = "one cell per place" if cells == n else f"places taken together in {cells} by {cells} cells"
    says = f"Heat map of {count} shuffles of {n} cards, {together}; largest residual {np.abs(residual).max():.1f}"
    return Drawing(WIDTH, HEIGHT, tuple(shapes), says)


def valleys(rows: Rows) -> Drawing:
    """Cards that lie lower than both neighbours, beside the exact law."""
    orders = np.array(rows)
    inner = orders[:, 1:-1]
    found = ((inner < orders[:, :-2]) & (inner < orders[:, 2:])).sum(axis=1)
    return against_law("valleys in a shuffle", found, laws.valleys(orders.shape[1]))


def rising_sequences(rows: Rows) -> Drawing:
    """Rising sequences, beside the exact law."""
    measured = measure(np.array(rows))
    law = measured.law("rising sequences")
    return against_law(
        "rising sequences in a shuffle", measured.known("rising sequences") + 1, Law(law.low + 1, law.probabilities)
    )


def against_law(title: str, seen: NDArray[np.signedinteger], law: Law) -> Drawing:
    """How often each value was seen, as bars, and the share that its exact law gives it, as dots."""
    likely = law.values[law.probabilities > RARE]
    low, high = int(min(likely[0], seen.min())), int(max(likely[-1], seen.max()))
    values = np.arange(low, high + 1)
    counts = np.array([(seen == value).sum() for value in values], float)
    chances = dict(zip(law.values.astype(int).tolist(), law.probabilities.tolist(), strict=True))
    expected = np.array([chances.get(int(value), 0.0) for value in values]) * len(seen)
    return _bars(title, [str(v) for v in values], counts, expected, "value", "shuffles", line=True)


def numbers(rows: Rows) -> Drawing:
    """How often each number from 1 to 7 was selected."""
    drawn = np.array(rows)[:, 0]
    counts = np.bincount(drawn, minlength=8)[1:8].astype(float)
    return _bars("numbers selected", list("1234567"), counts, np.full(7, len(drawn) / 7), "number", "times")


def faces(rows: Rows) -> Drawing:
    """How often each die showed each face: three groups of six."""
    rolls = np.array(rows)
    counts = np.concatenate([np.bincount(die, minlength=7)[1:7] for die in rolls.T]).astype(float)
    labels = list("123456") * rolls.shape[1]
    expected = np.full(len(counts), len(rolls) / 6)
    return _bars("faces, die by die", labels, counts, expected, "face of the first, second and third die", "times", 6)


def totals(rows: Rows) -> Drawing:
    """How often each total of three dice came."""
    sums = np.array(rows).sum(axis=1)
    chance = np.convolve(np.convolve(np.ones(6), np.ones(6)), np.ones(6)) / 216
    counts = np.bincount(sums, minlength=19)[3:19].astype(float)
    labels = [str(total) for total in range(3, 19)]
    return _bars("totals of the dice", labels, counts, chance * len(sums), "total", "times", line=True)


def evidence_curve(curve: Sequence[float], level: float, unit: str) -> Drawing:
    """The evidence against the machine after each sample, as powers of ten, and the line at which it is refused."""
    tens = np.array([0.0, *curve]) / math.log(10)
    bar = -math.log10(level)
    low, high = min(-1.0, float(tens.min())), max(bar + 0.5, float(tens.max()))
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(index: float, value: float) -> Point:
        return LEFT + wide * index / max(len(tens) - 1, 1), TOP + tall * (high - value) / (high - low)

    shown = np.unique(np.linspace(0, len(tens) - 1, min(len(tens), 400)).round().astype(int))
    shapes: list[Shape] = [*_titles("evidence against the machine", f"{unit} taken", "e-value")]
    for tick in filter(float.is_integer, _ticks(low, high)):
        y = at(0, tick)[1]
        shapes += [
            Path(((LEFT, y), (LEFT + wide, y)), "grid", 0.7),
            Words((LEFT - 5, y + 3), f"{10.0**tick:.3g}" if abs(tick) < 4 else f"1e{tick:g}", anchor="end"),
        ]
    for tick in _ticks(0, len(tens) - 1):
        shapes.append(Words((at(tick, low)[0], TOP + tall + 13), f"{tick:g}"))
    y = at(0, bar)[1]
    shapes += [
        Path(((LEFT, y), (LEFT + wide, y)), "bad", 1.2, dashed=True),
        Words((LEFT + wide - 3, y - 4), f"refused at {1 / level:g}", "bad", 9, "end"),
        Path(tuple(at(int(i), float(tens[i])) for i in shown), "seen", 1.6),
        _frame(LEFT, TOP, wide, tall),
    ]
    says = f"Evidence over {len(curve)} {unit}: at last 10 to the power {tens[-1]:.2f}, at most {tens.max():.2f}"
    return Drawing(WIDTH, HEIGHT, tuple(shapes), says)


def _bars(
    title: str,
    labels: Sequence[str],
    counts: Array,
    expected: Array,
    below: str,
    beside: str,
    per_group: int = 0,
    *,
    line: bool = False,
) -> Drawing:
    """Counts as bars, what is expected as dots or as a level, with the band that holds 95 of 100 fair counts."""
    total = max(float(expected.sum()) / (len(labels) // per_group if per_group else 1), 1.0)
    spread = SPREAD * np.sqrt(expected * (1 - np.minimum(expected / total, 1)))
    lower, upper = np.maximum(expected - spread, 0), expected + spread
    high = max(float(counts.max()), float(upper.max()), 1.0) * 1.06
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    gaps = (len(labels) - 1) // per_group if per_group else 0
    slot = wide / (len(labels) + gaps)

    def left(i: int) -> float:
        return LEFT + slot * (i + (i // per_group if per_group else 0))

    def top(value: float) -> float:
        return TOP + tall * (1 - value / high)

    shapes: list[Shape] = [*_titles(title, below, beside)]
    for tick in _ticks(0, high):
        shapes += [
            Path(((LEFT, top(tick)), (LEFT + wide, top(tick))), "grid", 0.7),
            Words((LEFT - 5, top(tick) + 3), f"{tick:g}", anchor="end"),
        ]
    bars = tuple((left(i) + slot * 0.12, top(c), slot * 0.76, tall * c / high) for i, c in enumerate(counts.tolist()))
    shapes.append(Boxes(bars, "seen", 0.75))
    middles = [left(i) + slot / 2 for i in range(len(labels))]
    for i, (a, b) in enumerate(zip(lower.tolist(), upper.tolist(), strict=True)):
        if expected[i] > 0:
            shapes.append(Path(((middles[i], top(a)), (middles[i], top(b))), "law", 1.2))
    marks = tuple((x, top(e)) for x, e in zip(middles, expected.tolist(), strict=True))
    if line:
        shapes.append(Path(marks, "law", 0.8, dashed=True))
    shapes.append(Dots(marks, "law"))
    every = max(1, math.ceil(len(labels) / 22))
    shapes += [Words((middles[i], TOP + tall + 13), labels[i]) for i in range(0, len(labels), every)]
    shapes.append(Path(((LEFT, TOP + tall), (LEFT + wide, TOP + tall)), "muted", 1))
    outside = int(((counts < np.floor(lower)) | (counts > np.ceil(upper))).sum())
    says = f"Bars: {title}, {counts.sum():g} in all; {outside} of {len(labels)} outside the band of 95 %"
    return Drawing(WIDTH, HEIGHT, tuple(shapes), says)


def _titles(title: str, below: str, beside: str) -> list[Words]:
    return [
        Words((LEFT, 14), title, "ink", 10, "start"),
        Words((LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 8), below),
        Words((12, TOP + (HEIGHT - TOP - BOTTOM) / 2), beside, upwards=True),
    ]


def _frame(x: float, y: float, w: float, h: float) -> Path:
    return Path(((x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)), "muted", 0.8)


def _scale(x: float, y: float, tall: float) -> list[Shape]:
    """What the colours of the heat map stand for."""
    step = tall / (2 * STEPS + 1)
    shapes: list[Shape] = []
    for level in range(STEPS, -STEPS - 1, -1):
        top = y + (STEPS - level) * step
        if level:
            shapes.append(Boxes(((x, top, 10, step),), "more" if level > 0 else "less", abs(level) / STEPS))
    shapes.append(_frame(x, y, 10, tall))
    shapes.append(Words((x + 14, y + 7), f"+{DEEPEST:g} s.d., too often", size=8, anchor="start"))
    shapes.append(Words((x + 14, y + tall / 2 + 3), "as expected", size=8, anchor="start"))
    shapes.append(Words((x + 14, y + tall), f"-{DEEPEST:g} s.d., too seldom", size=8, anchor="start"))
    return shapes


def _ticks(low: float, high: float) -> list[float]:
    """About five round values."""
    if high <= low:
        return [low]
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first = math.ceil(low / step - 1e-9)
    return [round(first * step + i * step, 10) for i in range(int((high - first * step) / step + 1e-9) + 1)]
