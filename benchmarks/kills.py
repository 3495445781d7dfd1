"""Kills runs with SIGKILL at random instants and resumes them: each must come to what the run never killed came to."""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

FELTRIG = [sys.executable, "-c", "from feltrig.harness.cli import main; main()"]
LONGEST = 600.0


def start(*arguments: str) -> subprocess.Popen[bytes]:
    """Run feltrig."""
    return subprocess.Popen([*FELTRIG, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def killed(process: subprocess.Popen[bytes], after: float) -> bool:
    """Kill a process that we started after some seconds; False when it had ended by itself."""
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True
    return False


def sum_of(folder: Path) -> Any:
    """What must be the same: the verdict, the findings without their record numbers, rounds and samples."""
    verdict = json.loads((folder / "verdict.json").read_text())
    findings = [{key: value for key, value in f.items() if key != "evidence"} for f in verdict["findings"]]
    # How long an answer took differs from run to run.
    timeless = [f for f in findings if " within " not in f["check"]]
    return verdict["verdict"], verdict["rounds"], verdict["statistics"], timeless


def main() -> None:
    """Print how many of the killed runs came to the same."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plan", help="run this plan instead of 21 rounds")
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    what = ["--plan", chosen.plan] if chosen.plan else ["--rounds", "21"]
    with tempfile.TemporaryDirectory() as scratch:
        began = time.monotonic()
        start("certify", *what, "--out", f"{scratch}/whole").wait(LONGEST)
        length = time.monotonic() - began
        (whole,) = Path(scratch, "whole").iterdir()
        expected = sum_of(whole)
        print(f"never killed: {expected[0]}, {length:.1f} s")
        same = kills = empty = 0
        for number in range(chosen.runs):
            out = Path(scratch, str(number))
            kills += killed(start("certify", *what, "--out", str(out)), chance.uniform(0.05, 1.0) * length)
            folders = list(out.iterdir()) if out.is_dir() else []
            if not folders or not (folders[0] / "journal.jsonl").stat().st_size:
                empty += 1  # nothing had been recorded: there is nothing to resume
                continue
            while chance.random() < 0.4:
                kills += killed(start("resume", str(folders[0])), chance.uniform(0.05, 1.0) * length)
            start("resume", str(folders[0])).wait(LONGEST)
            same += sum_of(folders[0]) == expected
    print(f"{chosen.runs} runs, {kills} kills: {same} came to the same, {empty} were killed before their first record")
    print(f"different: {chosen.runs - same - empty}")


if __name__ == "__main__":
    main()
