"""What a person reads at the terminal."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from feltrig.harness.cli import display
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.evidence import ClockJump, Evidence
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.judge.outcome import NOT_UNDER_TEST, Outcome
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import plan
from feltrig.harness.run import Run


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


def test_a_run_ends_with_its_verdict_and_where_it_is_filed(console, played):
    display.show_verdict(console, finished(Evidence(played)))
    text = console.export_text()
    lines = text.splitlines()
    assert lines[-1] == "embedded: no failure seen · runs/one"
    assert "4 rounds played, 0 void · seed 1 · " in text
    row = next(line.split() for line in lines if "reports the count that came out" in line)
    assert (row[0], row[1], row[-4], row[-3]) == ("19:47-34.8(e)", "shuffler", "pass", "seen")
    assert next(line for line in lines if line.startswith("played by the rig: ")).endswith("with the help of reader")
    assert "feltrig Emulated shoe (emulated)" in text


def test_clauses_that_this_run_could_not_test_are_counted_and_not_listed(console, played):
    run = finished(Evidence(played))
    display.show_verdict(console, run)
    text = console.export_text()
    left_out = [f for f in run.findings if f.verdict is Verdict.NOT_TESTED and not f.required]
    assert f"{len(left_out)} clauses not tested in this run, with the reason in verdict.json" in text
    assert left_out[0].check not in text


def test_what_failed_comes_first_then_what_is_missing_and_the_verdict_last(console, refused):
    display.show_verdict(console, refused)
    lines = console.export_text().splitlines()
    assert lines[0] == "fail rig box: carries out its commands: dispense: wrong_state"
    missing = [line for line in lines if line.startswith("not tested ")]
    assert "not tested rig eye: answers on its wire: eye: silent for 2 s" in missing
    assert lines[1 : 1 + len(missing)] == missing
    assert "the run ended early: a device could not be reached any more" in lines
    assert lines[-1] == "test: refused · runs/one"


def test_what_the_rig_played_is_one_line_and_in_no_table(console, played):
    run = finished(Evidence(played))
    display.show_verdict(console, run)
    text = console.export_text()
    own = [f for f in run.findings if f.basis is Basis.PLAYED and f.verdict is Verdict.PASS]
    assert f"played by the rig: {len(own)} clauses of the game" in text
    assert not [f.check for f in own if f.check in text]
    assert not [line for line in text.splitlines() if " table " in line]


@pytest.fixture
def planned(log):
    def begin(chosen):
        log.run("shoe", "reader", plan=PlanOrder(chosen, "box", sequential=False).record())
        log.device("box", "shoe")
        log.device("eye", "reader")
        log.add("end", reason="finished", rounds=0)
        return finished(log.evidence)

    return begin


def test_the_verdict_of_a_plan_says_of_which_device_and_by_which_plan(console, planned):
    display.show_verdict(console, planned(plan("shoe-nj")))
    lines = console.export_text().splitlines()
    assert lines[-1] == "test: box: inconclusive by shoe-nj · runs/one"
    missing = [line for line in lines if line.startswith("not tested rig box: its identity was submitted")]
    assert len(missing) == 1
    assert not [line for line in lines if line.startswith("eye ")]


def test_a_rehearsal_says_what_it_leaves_out(console, planned):
    display.show_verdict(console, planned(replace(plan("shoe-nj"), name="short", rounds=1)))
    last = console.export_text().splitlines()[-1]
    assert last.endswith("by short (1 rounds of each way instead of 2) · runs/one")


def test_a_run_without_any_device_says_so(console, log):
    log.run()
    log.device("cup", "shaker")
    log.add("end", reason="finished", rounds=0)
    display.show_verdict(console, finished(log.evidence))
    assert "no device was under test" in console.export_text().splitlines()


def test_a_clock_that_was_set_is_said(console, refused, played):
    jumps = (ClockJump(played[7], -3600.0), ClockJump(played[9], 3600.0))
    said = f"the computer's clock went back by 3600 s before record {played[7].seq}"
    for many, more in ((1, ""), (2, ", and was set 1 time more")):
        display.show_verdict(console, replace(refused, clock_jumps=jumps[:many]))
        assert f"{said}{more}: nothing is judged by it" in console.export_text()


def test_a_device_that_was_not_judged_is_named(console, refused):
    display.show_verdict(console, refused)
    assert "the game as chosen has no use for cup: not judged" in console.export_text()


def test_what_a_device_says_of_itself_cannot_style_the_terminal(console, refused):
    display.show_verdict(console, refused)
    assert "[bold]Acme M" in console.export_text()


def test_rounds_without_a_judgement_are_told_in_two_lines(console, played):
    display.show_played(console, finished(Evidence(played)))
    assert console.export_text().splitlines() == ["4 rounds played, 0 void · seed 1", "runs/one"]


def test_rounds_that_ended_early_are_told_so(console, refused):
    display.show_played(console, refused)
    assert "the run ended early: a device could not be reached any more" in console.export_text().splitlines()


def test_every_word_of_a_verdict_has_a_colour():
    assert {*(word.value for word in (*Verdict, *Outcome)), NOT_UNDER_TEST} == set(display.COLOURS)


def test_the_rows_go_device_by_device_and_clause_by_clause(console, played):
    display.show_verdict(console, finished(Evidence(played)))
    lines = console.export_text().split("\n\n")[0].splitlines()[1:]
    rows = [tuple(line.split()[:2]) for line in lines if not line.startswith(" ")]  # the others are second lines
    devices = list(dict.fromkeys(device for _, device in rows))
    assert devices == ["shuffler", "shoe", "shaker", "rng"]
    assert [device for _, device in rows] == sorted((device for _, device in rows), key=devices.index)
    shoe = list(dict.fromkeys(clause for clause, device in rows if device == "shoe"))
    assert shoe.index("rig") == 0
    assert shoe.index("19:47-34.10(d)") < shoe.index("19:47-34.16(f)")
