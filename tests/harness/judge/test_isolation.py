"""The judge is a function of the journal: in a fresh process it loads no machine, no wire and no event loop."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
import {module}
print(*sorted(sys.modules))
"""
FORBIDDEN = ("feltrig.emulators", "feltrig.harness.wires", "feltrig.harness.table", "feltrig.harness.rig", "asyncio")


@pytest.mark.parametrize(
    "module",
    ["feltrig.harness.judge.judgement", "feltrig.harness.judge.verify", "feltrig.harness.reports.contents"],
)
def test_judging_loads_nothing_that_plays(module: str) -> None:
    script = SCRIPT.format(module=module)
    loaded = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.split()
    assert module in loaded
    playing = [name for name in loaded if name in FORBIDDEN or name.startswith(tuple(f"{each}." for each in FORBIDDEN))]
    assert playing == []
    assert [name for name in loaded if name.startswith("feltrig.protocols") and "channel" in name] == []
