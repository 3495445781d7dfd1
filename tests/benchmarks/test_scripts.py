"""Every benchmark can be started: what it imports is where it looks for it."""

from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.parametrize("script", sorted(path.stem for path in FOLDER.glob("*.py")))
def test_a_benchmark_finds_everything_that_it_imports(script, monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    import_module(script)
