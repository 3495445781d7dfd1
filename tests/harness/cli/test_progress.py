"""How far a run has come, as a person sees it."""

import io

import pytest
from rich.console import Console

from feltrig.harness.cli.progress import bars, lines, progress
from feltrig.harness.plan.checkpoints import StepProgress
from feltrig.harness.plan.sampling import SampleProgress
from feltrig.harness.table.rounds import RoundProgress


@pytest.fixture
def console():
    return Console(record=True, width=200, file=io.StringIO())


def test_there_is_a_bar_for_each_step_and_none_is_left_behind():
    terminal = io.StringIO()
    with bars(Console(file=terminal, force_terminal=True, width=120)) as shown:
        shown.steps(StepProgress("rounds", 0, 21))
        shown.rounds(RoundProgress(12, 40, "dice · hand · no bank", False))
        shown.steps(StepProgress("conformance", 3, 8))
        shown.steps(StepProgress("statistics", 0, None))
        shown.samples(SampleProgress(64, 1280, "shuffles", 1.5, 40))
    text = terminal.getvalue()
    assert "dice · hand · no bank" in text
    for step, far in (("rounds", "12/40"), ("conformance", "3/8"), ("statistics", "64/1280")):
        assert step in text
        assert far in text
    assert "shuffles · evidence against the machine 1.5 · about 40 more" in text


def test_nobody_who_reads_a_file_sees_a_bar(console):
    with progress(console, by_hand=False) as shown:
        shown.steps(StepProgress("rounds", 0, 21))
    assert console.export_text().strip() == ""


def test_between_prompts_each_step_and_each_round_is_a_line(console):
    with progress(console, by_hand=True) as shown:
        shown.steps(StepProgress("rounds", 0, 2))
        shown.rounds(RoundProgress(1, 3, "dice · hand · no bank", False))
        shown.steps(StepProgress("rounds", 1, 2))
        shown.rounds(RoundProgress(2, 3, "dice · hand · no bank", True))
    assert console.export_text().splitlines() == [
        "step: rounds",
        "round 1 of 3 is played · dice · hand · no bank",
        "round 2 of 3 is played, void · dice · hand · no bank",
    ]


def test_between_prompts_each_batch_of_samples_is_a_line(console):
    with lines(console) as shown:
        shown.samples(SampleProgress(64, 1024, "shuffles", None))
        shown.samples(SampleProgress(128, 1024, "shuffles", 1.5))
        shown.samples(SampleProgress(192, 1024, "shuffles", 12, 40))
    assert console.file.getvalue().splitlines() == [
        "64 of at most 1024 shuffles",
        "128 of at most 1024 shuffles · evidence against the machine 1.5",
        "192 of at most 1024 shuffles · evidence against the machine 12 · about 40 more",
    ]
