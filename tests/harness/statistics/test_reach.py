"""What a sample could have shown."""

import pytest

from feltrig.harness.statistics import battery, reach


@pytest.mark.parametrize(
    ("test", "size", "decks"),
    [
        ("RIS", 6, 12),
        ("RIS", 7, 45),
        ("TPO", 20, 7),
        ("TPO", 30, 38),
        ("AD+", 0.02, 45),
        ("SUW", 0.1, 304),
        ("PCW", 0.2, 90),
    ],
)
def test_the_power_reckoned_is_the_power_measured(test, size, decks):
    """At the sample sizes that were found by simulation for power 0.99."""
    assert reach.power(test, 52, decks, 0.01, size) > 0.96
    assert reach.power(test, 52, max(1, decks // 3), 0.01, size) < 0.9


def test_larger_samples_show_weaker_defects():
    for test in battery.TESTS:
        few, many = reach.detectable(test.name, 52, 8, 0.01), reach.detectable(test.name, 52, 2000, 0.01)
        assert few.words
        assert many.effect is not None
        if test.name in {"RIS", "TPO", "RUN"}:
            assert many.effect > few.effect
        elif few.effect is not None:
            assert many.effect < few.effect


def test_the_number_of_shuffles_for_a_power_is_found():
    needed = reach.shuffles_needed("RIS", 52, 0.01, 7)
    assert reach.power("RIS", 52, needed, 0.01, 7) >= 0.9
    assert reach.power("RIS", 52, needed // 2, 0.01, 7) < 0.9
    assert reach.shuffles_needed("RIS", 52, 0.01, 30) is None


def test_the_sentence_of_a_report_names_what_is_out_of_reach():
    words = reach.sentence(52, 64, 0.01)
    assert words.startswith("64 shuffles would show, with power 0.9: 7 riffles or fewer; ")
    assert "a generator started from 9 bits or fewer" in words
    assert "two passes of ten shelves" in words
    assert "not even 1 riffles" not in reach.sentence(52, 1, 0.01)
