"""What a person reads at the terminal."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from feltrig.harness.cli import display
from feltrig.harness.judge.evidence import ClockJump, Evidence
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import Outcome, judge
from feltrig.harness.plan.sampling import SampleProgress
from feltrig.harness.run import Run
from feltrig.harness.table.rounds import RoundProgress


@pytest.fixture
def console():
    return Console(record=True, width=200, file=io.StringIO())


def finished(evidence):
    return Run(Path("runs/one"), judge(evidence))


@pytest.fixture
def refused(log):
    """A run that a shoe failed and a shaker had no part in, cut short by a wire."""
    log.run("shoe", "reader")
    log.device("box", "shoe", vendor="[bold]Acme")
    log.device("cup", "shaker")
    log.device("eye", "reader")
    log.reply("box", "dispense", "wrong_state")
    log.add("trouble", device="eye", what="no answer", detail="eye: silent for 2 s")
    log.add("end", reason="wire", rounds=0)
    return finished(log.evidence)


def test_a_certified_run_ends_with_its_verdict_and_where_it_is_filed(console, played):
    display.show_verdict(console, finished(Evidence(played)))
    text = console.export_text()
    lines = text.splitlines()
    assert lines[-1] == "embedded: certified · runs/one"
    assert "4 rounds played, 0 void · seed 1 · " in text
    assert any(line.startswith("19:47-34.8(e)") and "shuffler" in line and "pass" in line for line in lines)
    assert "feltrig Emulated shoe (emulated)" in text


def test_clauses_that_this_run_could_not_test_are_counted_and_not_listed(console, played):
    run = finished(Evidence(played))
    display.show_verdict(console, run)
    text = console.export_text()
    left_out = [f for f in run.findings if f.verdict is Verdict.NOT_TESTED and not f.required]
    assert f"{len(left_out)} clauses not tested in this run, with the reason in verdict.json" in text
    assert left_out[0].check not in text


def test_what_failed_and_what_is_missing_is_said_again_at_the_end(console, refused):
    display.show_verdict(console, refused)
    lines = console.export_text().splitlines()
    end = lines[next(i for i, line in enumerate(lines) if "rounds played" in line) :]
    assert "fail rig box: carries out its commands: dispense: wrong_state" in end
    assert "not tested rig eye: answers on its wire: eye: silent for 2 s" in end
    assert "the run ended early: a device could not be reached any more" in end
    assert end[-1] == "test: refused · runs/one"


def test_a_clock_that_was_set_is_said(console, refused, played):
    jumps = (ClockJump(played[7], -3600.0), ClockJump(played[9], 3600.0))
    said = f"the computer's clock went back by 3600 s before record {played[7].seq}"
    for many, more in ((1, ""), (2, ", and was set 1 time more")):
        display.show_verdict(console, replace(refused, clock_jumps=jumps[:many]))
        assert f"{said}{more}: nothing is judged by it" in console.export_text()


def test_a_device_that_was_not_judged_is_named(console, refused):
    display.show_verdict(console, refused)
    assert "cup: the game as chosen has no use for it: not judged" in console.export_text()


def test_what_a_device_says_of_itself_cannot_style_the_terminal(console, refused):
    display.show_verdict(console, refused)
    assert "[bold]Acme M" in console.export_text()


def test_rounds_without_a_judgement_are_told_in_two_lines(console, played):
    display.show_played(console, finished(Evidence(played)))
    assert console.export_text().splitlines() == ["4 rounds played, 0 void · seed 1", "runs/one"]


def test_rounds_that_ended_early_are_told_so(console, refused):
    display.show_played(console, refused)
    assert "the run ended early: a device could not be reached any more" in console.export_text().splitlines()


def test_the_bar_moves_with_the_rounds_and_leaves_nothing_behind():
    terminal = io.StringIO()
    console = Console(file=terminal, force_terminal=True, width=100)
    with display.rounds_bar(console, 40) as (played, _):
        played(RoundProgress(12, 40, "dice · hand · no bank", False))
    assert "12/40" in terminal.getvalue()
    assert "dice · hand · no bank" in terminal.getvalue()


def test_every_word_of_a_verdict_has_a_colour():
    assert {word.value for word in (*Verdict, *Outcome)} == set(display.COLOURS)


def test_between_prompts_each_round_is_a_line(console):
    with display.rounds_lines(console, 3) as (played, _):
        played(RoundProgress(1, 3, "dice · hand · no bank", False))
        played(RoundProgress(2, 3, "dice · hand · no bank", True))
    assert console.export_text().splitlines() == [
        "round 1 of 3 is played · dice · hand · no bank",
        "round 2 of 3 is played, void · dice · hand · no bank",
    ]


def test_the_rows_go_device_by_device_and_clause_by_clause(console, played):
    display.show_verdict(console, finished(Evidence(played)))
    lines = console.export_text().split("\n\n")[0].splitlines()[1:]
    rows = [tuple(line.split()[:2]) for line in lines if not line.startswith(" ")]  # the others are second lines
    devices = list(dict.fromkeys(device for _, device in rows))
    assert devices == ["shuffler", "shoe", "shaker", "rng", "reader", "table"]
    assert [device for _, device in rows] == sorted((device for _, device in rows), key=devices.index)
    shoe = list(dict.fromkeys(clause for clause, device in rows if device == "shoe"))
    assert shoe.index("rig") == 0
    assert shoe.index("19:47-34.10(d)") < shoe.index("19:47-34.16(f)")


def test_between_prompts_each_batch_of_samples_is_a_line(console):
    with display.rounds_lines(console, 3) as (_, sampled):
        sampled(SampleProgress(64, 1024, "shuffles", None))
        sampled(SampleProgress(128, 1024, "shuffles", 1.5))
        sampled(SampleProgress(192, 1024, "shuffles", 12, 40))
    lines = console.file.getvalue().splitlines()
    assert lines == [
        "64 of at most 1024 shuffles",
        "128 of at most 1024 shuffles · evidence against the machine 1.5",
        "192 of at most 1024 shuffles · evidence against the machine 12 · about 40 more",
    ]
