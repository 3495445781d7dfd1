"""A run that commands look at."""

import asyncio

import pytest
from rigs import nobody

from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import run


@pytest.fixture(scope="session")
def judged_run(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs")
    return asyncio.run(run(rigfile.embedded(), 1, 1, out, lambda _: None, nobody)).folder
