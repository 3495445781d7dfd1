"""Drawings as SVG."""

from feltrig.harness.reports import plots
from feltrig.harness.reports.drawing import svg


def test_an_svg_says_what_it_shows():
    assert svg(plots.numbers([(1,)])).count('aria-label="Bars: numbers selected, 1 in all') == 1
