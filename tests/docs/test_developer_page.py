"""The CI job on the page for developers, run as it stands with a program that shares nothing with ours."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from feltrig.harness.rig import loading as rigfile

PAGE = (Path(__file__).parents[2] / "docs" / "developer.md").read_text()
JOB = re.search(r"```sh\n(.*?)```", PAGE, re.DOTALL)

DEAL_A_HAND = """\
import random, sys, time
from pyModbusTCP.client import ModbusClient

IDLE, BUSY, READY, FAULT = range(4)
DISPENSE = 16

host, _, port = sys.argv[1].rpartition(":")
shoe = ModbusClient(host, int(port), unit_id=1, timeout=10, auto_open=True)
if shoe.read_holding_registers(2, 1)[0] == FAULT:
    shoe.write_multiple_registers(256, [random.getrandbits(16), random.getrandbits(16), 4])
shoe.write_multiple_registers(256, [random.getrandbits(16), random.getrandbits(16), DISPENSE, 4])
until = time.monotonic() + 10
while (state := shoe.read_holding_registers(2, 1)[0]) in (IDLE, BUSY) and time.monotonic() < until:
    time.sleep(0.01)
sys.exit(state != READY)
"""
"""Written from docs/modbus.md: register 2 is the state, a write at 256 runs a command, here `reset` and `dispense`."""


def executable(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


@pytest.mark.skipif(
    shutil.which("curl") is None and os.environ.get("FELTRIG_REQUIRE_PEERS") != "1",
    reason="curl not installed: apt-get install curl",
)
def test_the_job_runs_and_its_program_notices_the_jam(tmp_path, rig_file, feltrig_command, environment):
    assert JOB is not None
    rig_file(devices={"shoe": 'wire = "modbus-tcp"'})
    commands = tmp_path / "bin"
    commands.mkdir()
    executable(commands / "feltrig", f'#!/bin/sh\nexec {shlex.join(feltrig_command)} "$@"\n')
    (commands / "python3").symlink_to(sys.executable)
    executable(tmp_path / "deal-a-hand", f"#!{sys.executable}\n{DEAL_A_HAND}")
    path = os.pathsep.join((str(commands), environment["PATH"]))

    job = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", JOB[1]],
        cwd=tmp_path,
        env={**environment, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (job.returncode, job.stderr) == (0, "")
    assert [line for line in job.stdout.replace("}{", "}\n{").splitlines() if line] == [
        '{"cards": 54}',
        '{"pending": [{"what": "jam", "at": 1, "every": 1, "after": 0.0, "event": 1, "probability": 1.0}]}',
        '{"cards": 54}',
        '{"cards": 54}',
    ]


def test_the_rig_files_on_the_page_load_and_go_together(tmp_path):
    rig, shuffler, faults = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    head, _, _ = rig.partition("[devices.")
    for text in (rig, head + shuffler, rig + faults):
        file = tmp_path / "rig.toml"
        file.write_text(text)
        assert rigfile.load(file, to_play=False).devices["shuffler"].emulator is not None
