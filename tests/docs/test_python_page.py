"""docs/python.md is true: every example runs, and every public name is on the page."""

import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import feltrig

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_runs(example, tmp_path):
    rig = files("feltrig.harness.rig").joinpath("embedded.toml").read_text()
    (tmp_path / "rig.toml").write_text(rig)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert '"error"' not in done.stdout
    assert "'error'" not in done.stdout


@pytest.mark.parametrize("name", feltrig.__all__)
def test_a_public_name_is_on_the_page(name):
    assert re.search(rf"\b{name}\b", PAGE)
