"""Is this machine random? One table of tests for each sort of sample, and one decision about each device."""

from feltrig.harness.statistics.core.sort import SampleSort
from feltrig.registry import Registry

SAMPLES = Registry(
    "feltrig.samples",
    {
        "shuffles": "feltrig.harness.statistics.shuffles.judged:SHUFFLES",
        "numbers": "feltrig.harness.statistics.streams.numbers:NUMBERS",
        "rolls": "feltrig.harness.statistics.streams.dice:ROLLS",
    },
    SampleSort,
)
"""The sorts of samples, by name. numpy and scipy are loaded when the first of them is asked for."""
