"""What a sample could have shown."""

import pytest

from feltrig.harness.statistics.shuffles import reach, table
from feltrig.harness.statistics.shuffles.judged import could_show, detectable

LEVEL = 0.01
SHARES = {row.name: test.share / table.SHARED for row, test in table.TESTS}


@pytest.mark.parametrize(
    ("name", "power", "size", "decks"),
    [
        ("rising sequences", reach.riffles, 6, 12),
        ("rising sequences", reach.riffles, 7, 45),
        ("turning points", reach.shelves, 20, 7),
        ("turning points", reach.shelves, 30, 38),
        ("kept neighbours", reach.glued, 0.02, 45),
        ("sticking cards", reach.sticks, 0.1, 304),
        ("fullest cell", reach.stays, 0.2, 90),
    ],
)
def test_the_power_reckoned_is_the_power_measured(name, power, size, decks):
    """At the sample sizes that were found by simulation for power 0.99."""
    assert power(52, decks, LEVEL * SHARES[name], size) > 0.96
    assert power(52, max(1, decks // 3), LEVEL * SHARES[name], size) < 0.9


def test_larger_samples_show_weaker_defects():
    for name in SHARES:
        few, many = detectable(name, 52, 8, LEVEL), detectable(name, 52, 2000, LEVEL)
        assert few.words
        assert many.effect is not None
        if name in {"rising sequences", "turning points", "repeated order"}:
            assert many.effect > few.effect
        elif few.effect is not None:
            assert many.effect < few.effect


def test_the_number_of_shuffles_for_a_power_is_found():
    level = LEVEL * SHARES["rising sequences"]
    needed = next(count for count in range(1, 200) if reach.riffles(52, count, level, 7) >= 0.9)
    assert reach.riffles(52, needed // 2, level, 7) < 0.9
    assert reach.riffles(52, 10**6, level, 30) < 0.9


def test_the_sentence_of_a_report_names_what_is_out_of_reach():
    words = could_show(52, 64, 0.01)
    assert words.startswith("64 shuffles would show, with power 0.9: 7 riffles or fewer; ")
    assert "a generator started from 9 bits or fewer" in words
    assert "two passes of ten shelves" in words
    assert "not even 1 riffles" not in could_show(52, 1, 0.01)
