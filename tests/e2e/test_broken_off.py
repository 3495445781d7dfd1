"""Runs that are killed, or whose disk, clock or key fails: a clear word, no wrong verdict, and nothing lost."""

import json
import os
import resource
import subprocess
import sys
import time

import pytest

from feltrig.harness.journal import folder as runs
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import run

FELTRIG = [sys.executable, "-c", "from feltrig.harness.cli.entry import main; main()"]


def feltrig(*arguments, **more):
    command = [*FELTRIG, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **more)


def sum_of(folder):
    verdict = json.loads((folder / runs.VERDICT).read_bytes())
    findings = [{key: value for key, value in found.items() if key != "evidence"} for found in verdict["findings"]]
    return verdict["verdict"], verdict["rounds"], findings


def test_a_killed_run_is_resumed_to_the_same_findings(tmp_path):
    whole = feltrig("certify", "--rounds", 3, "--out", tmp_path / "whole", "--json")
    out = tmp_path / "killed"
    process = subprocess.Popen([*FELTRIG, "certify", "--rounds", "3", "--out", str(out)], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        journals = list(out.glob("*/journal.jsonl")) if out.is_dir() else []
        if journals and b'"kind":"result"' in journals[0].read_bytes():
            break
    process.kill()
    process.wait()
    (folder,) = out.iterdir()
    resumed = feltrig("resume", folder)
    assert resumed.returncode == whole.returncode == 0
    (untouched,) = (tmp_path / "whole").iterdir()
    assert sum_of(folder) == sum_of(untouched)
    assert feltrig("verify", folder).returncode == 0


def test_a_full_disk_ends_the_run_with_a_word_and_it_goes_on_when_there_is_room(tmp_path):
    def small_disk():
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    ended = feltrig("certify", "--rounds", 4, "--out", tmp_path, preexec_fn=small_disk)
    assert ended.returncode == 3
    assert ended.stderr.endswith("journal.jsonl: cannot be written: File too large\n")
    (folder,) = tmp_path.iterdir()
    assert not (folder / runs.VERDICT).exists()
    assert feltrig("resume", folder).returncode == 0


@pytest.mark.parametrize(
    "arguments", [("--key", "missing.key"), ("--out", "/proc/nowhere"), ("--checklist", "missing")]
)
def test_what_cannot_be_used_is_refused_before_the_run(tmp_path, arguments):
    refused = feltrig("certify", "--rounds", 1, *arguments, cwd=tmp_path)
    assert refused.returncode == 2
    assert len(refused.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    if os.geteuid() == 0:
        target = tmp_path / "file"
        target.write_text("")
    else:
        target = tmp_path / "closed"
        target.mkdir(mode=0o500)
    refused = feltrig("certify", "--rounds", 1, "--out", target)
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"feltrig: {target}: ")


async def test_a_clock_that_jumps_changes_no_verdict(tmp_path, monkeypatch):
    async def nobody(prompt):
        raise AssertionError(prompt)

    calm = await run(rigfile.embedded(), 2, 1, tmp_path / "calm", lambda _: None, nobody)
    real, calls = time.time_ns, iter(range(10**9))
    jumps = (0, 86_400 * 10**9, -3_600 * 10**9)
    monkeypatch.setattr(time, "time_ns", lambda: real() + jumps[next(calls) % len(jumps)])
    jumped = await run(rigfile.embedded(), 2, 1, tmp_path / "jumped", lambda _: None, nobody)
    assert sum_of(jumped.folder) == sum_of(calm.folder)
    assert (len(calm.clock_jumps), len(jumped.clock_jumps) > 2) == (0, True)
