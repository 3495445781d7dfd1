"""The clause register is true: what a clause names is broken, and a test that it names must fail."""

import subprocess
import sys
from pathlib import Path

import register

SCRIPT = Path(register.__file__)


def test_a_sample_of_what_clauses_name_is_missed_by_the_tests_that_they_name():
    """`python benchmarks/register.py` breaks everything."""
    ran = subprocess.run(
        [sys.executable, SCRIPT, "--sample", "10", "--seed", "16"], capture_output=True, text=True, check=False
    )
    assert (ran.stderr, ran.stdout.splitlines()) == (
        "",
        ["10 of 10 claims of the register are proved by the tests that it names"],
    )
    assert ran.returncode == 0


def test_a_claim_whose_tests_all_pass_is_found():
    ranking = (
        "tests/engine/games/red_dog/test_settlement.py::test_6_1_b_a_card_counts_its_pips_and_the_ace_only_fourteen"
    )
    idle = register.Claim("roulette", "19:47-5.2(a)", "games.roulette.settlement.settle", (ranking,))
    ran = subprocess.run(
        [sys.executable, "-c", f"import register; print(register.survivors([register.{idle!r}]))"],
        cwd=SCRIPT.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.splitlines()[-1].startswith("[Claim(game='roulette'"), ran.stderr
