"""Pictures: what they draw is what was seen, beside the law of a fair machine."""

import math
import random

import pytest

from feltrig.harness.reports import plots
from feltrig.harness.reports.drawing import Boxes, Dots, Words


def bars(drawing):
    """The height of the bar above each label, in units of the count that the title names."""
    boxes = next(shape for shape in drawing.shapes if isinstance(shape, Boxes)).boxes
    bottom = plots.HEIGHT - plots.BOTTOM + 13
    labels = [s for s in drawing.shapes if isinstance(s, Words) and s.at[1] == bottom]
    heights = {}
    for label in labels:
        (bar,) = (box for box in boxes if box[0] < label.at[0] < box[0] + box[2])
        heights.setdefault(label.text, []).append(bar[3])
    return heights


def marks(drawing):
    """How high the expected values stand above the axis."""
    dots = next(shape for shape in drawing.shapes if isinstance(shape, Dots))
    return [plots.HEIGHT - plots.BOTTOM - y for _, y in dots.points]


def shuffles(count, n, seed=1):
    chance = random.Random(seed)
    return [chance.sample(range(n), n) for _ in range(count)]


def test_a_machine_that_leaves_cards_in_place_shows_a_diagonal():
    drawing = plots.heat_map([range(20)] * 200)
    side = plots.HEIGHT - plots.TOP - plots.BOTTOM
    deepest = [s for s in drawing.shapes if isinstance(s, Boxes) and s.colour == "more" and len(s.boxes) > 1]
    (diagonal,) = deepest
    assert diagonal.strength == 1
    assert len(diagonal.boxes) == 20
    for x, y, w, h in diagonal.boxes:
        assert x - plots.LEFT == pytest.approx(y - plots.TOP)
        assert w == h == pytest.approx(side / 20)


def test_with_few_shuffles_places_are_taken_together_so_that_enough_is_expected():
    assert "10 by 10 cells" in plots.heat_map(shuffles(10, 54)).says
    assert "one cell per place" in plots.heat_map(shuffles(300, 54)).says


def test_a_fair_machine_stays_pale():
    drawing = plots.heat_map(shuffles(400, 54))
    deep = sum(len(s.boxes) for s in drawing.shapes if isinstance(s, Boxes) and s.strength == 1 and len(s.boxes) > 1)
    assert deep < 54 * 54 * 0.002


def test_valleys_and_rising_sequences_are_counted_as_their_names_say():
    rows = [(2, 0, 3, 1, 4)] * 3 + [(0, 1, 2, 3, 4)]
    seen = bars(plots.valleys(rows))
    assert seen["2"][0] == pytest.approx(3 * seen["0"][0])
    assert seen["1"] == [0]
    # 0 1 | 2 3 4 rises twice in 2 0 3 1 4: the cards 0, 1 and the cards 2, 3, 4.
    rising = bars(plots.rising_sequences(rows))
    assert rising["2"][0] == pytest.approx(3 * rising["1"][0])


def test_numbers_faces_and_totals_are_counted():
    seen = bars(plots.numbers([(1,), (7,), (7,), (3,)]))
    unit = seen["1"][0]
    assert [seen[str(n)][0] / unit for n in range(1, 8)] == pytest.approx([1, 0, 1, 0, 0, 0, 2])
    faces = bars(plots.faces([(1, 6, 6), (1, 6, 2)]))
    assert [[round(h / faces["2"][2]) for h in faces[f]] for f in "126"] == [[2, 0, 0], [0, 0, 1], [0, 2, 1]]
    totals = plots.totals([(1, 1, 1), (6, 6, 6), (6, 6, 6)])
    heights = bars(totals)
    assert heights["18"][0] == pytest.approx(2 * heights["3"][0])
    law = marks(totals)
    assert law[7] / law[0] == pytest.approx(27)
    assert sum(law) / heights["3"][0] == pytest.approx(3)


def test_the_line_at_which_a_machine_is_refused_is_drawn():
    drawing = plots.evidence_curve([0.1 * i for i in range(80)], 0.01, "shuffles")
    assert any(isinstance(s, Words) and s.text == "refused at 100" for s in drawing.shapes)
    assert f"power {7.9 / math.log(10):.2f}" in drawing.says


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 0.03), (-3, 2.5), (0, 1024), (7, 7), (0, 6.36)])
def test_ticks_are_few_round_and_inside(low, high):
    ticks = plots._ticks(low, high)
    assert 1 <= len(ticks) <= 7
    assert all(low <= tick <= high + 1e-9 for tick in ticks)
    assert ticks == sorted(set(ticks))
