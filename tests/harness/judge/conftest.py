"""Runs to judge: one with its certificate, and a short one that a test goes on with."""

import asyncio

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rigs import nobody

from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import run


@pytest.fixture(scope="session")
def key():
    return Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture(scope="session")
def sealed(tmp_path_factory, key):
    out = tmp_path_factory.mktemp("sealed")
    finished = asyncio.run(run(rigfile.embedded(), 2, 1, out, lambda _: None, nobody, key=key))
    return finished.folder


@pytest.fixture
def rig(log):
    """A run of a shoe and a shaker, of which the game has no use for the shaker."""
    log.run("shoe")
    log.device("box", "shoe")
    log.device("cup", "shaker")
    return log
