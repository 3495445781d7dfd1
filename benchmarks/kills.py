"""Kills runs with SIGKILL at random instants and resumes them: each must come to what the run never killed came to."""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

FELTRIG = [sys.executable, "-c", "from feltrig.harness.cli.entry import main; main()"]
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


def journal(out: Path) -> Path | None:
    """The journal of the one run in a folder, as soon as there is something in it."""
    found = next(out.glob("*/journal.jsonl"), None)
    return found if found is not None and found.stat().st_size else None


def killed_run(out: Path, what: list[str], after: float) -> Path | None:
    """The folder of a run that was killed so many seconds after its first record; None when it had ended before."""
    process = start("certify", *what, "--out", str(out))
    give_up = time.monotonic() + LONGEST
    while (begun := journal(out)) is None and time.monotonic() < give_up:
        time.sleep(0.005)
    if begun is None:
        process.kill()
        raise SystemExit("a run did not begin")
    return begun.parent if killed(process, after) else None


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
    what = ["--plan", chosen.plan, "--no-report"] if chosen.plan else ["--rounds", "21"]
    with tempfile.TemporaryDirectory() as scratch:
        process, whole = start("certify", *what, "--out", f"{scratch}/whole"), None
        while (whole := journal(Path(scratch, "whole"))) is None and process.poll() is None:
            time.sleep(0.005)
        began = time.monotonic()
        process.wait(LONGEST)
        length = time.monotonic() - began
        if whole is None:
            raise SystemExit("the run did not begin")
        expected = sum_of(whole.parent)
        print(f"never killed: {expected[0]}, {length:.1f} s from its first record", flush=True)
        number = same = resumed = kills = 0
        while resumed < chosen.runs:
            number += 1
            folder = killed_run(Path(scratch, str(number)), what, chance.uniform(0.0, 1.0) * length)
            if folder is None:
                continue
            kills += 1
            while chance.random() < 0.4:
                kills += killed(start("resume", "--no-report", str(folder)), chance.uniform(0.05, 1.0) * length)
            start("resume", "--no-report", str(folder)).wait(LONGEST)
            resumed += 1
            same += sum_of(folder) == expected
            shutil.rmtree(folder.parent)
    print(f"{resumed} runs killed and resumed, {kills} kills: {same} came to the same, {resumed - same} did not")
    raise SystemExit(same < resumed)


if __name__ == "__main__":
    main()
