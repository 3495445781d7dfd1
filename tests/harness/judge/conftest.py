"""A short run that a test goes on with."""

import pytest


@pytest.fixture
def rig(log):
    """A run of a shoe and a shaker, of which the game has no use for the shaker."""
    log.run("shoe")
    log.device("box", "shoe")
    log.device("cup", "shaker")
    return log
