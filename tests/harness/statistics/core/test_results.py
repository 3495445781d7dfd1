"""Results in words and plain values."""

import math

from feltrig.harness.statistics.core.results import Detectable, StatisticResult, counted, evidence_of, finite, p_text


def test_numbers_are_told_in_words() -> None:
    assert (counted(1, "shuffles"), counted(2, "shuffles")) == ("1 shuffle", "2 shuffles")
    assert (p_text(0.01234), p_text(0.0)) == ("0.0123", "< 1e-300")
    assert (evidence_of(0.0), evidence_of(1e4)) == (1.0, math.inf)


def test_what_json_cannot_say_is_left_out() -> None:
    assert [finite(value) for value in (1.5, None, math.inf, math.nan)] == [1.5, None, None, None]
    found = StatisticResult("runs", "runs", 2.0, 0.5, -math.inf, 9, "draws", Detectable(None, "nothing")).as_json()
    assert (found["test"], found["p"], found["log_e"]) == ("runs", 0.5, None)
