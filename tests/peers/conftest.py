"""Independent programs that the tests talk to."""

import os
import shutil
from collections.abc import Callable

import pytest

PACKAGES = {
    "mosquitto": "mosquitto",
    "mosquitto_pub": "mosquitto-clients",
    "mosquitto_sub": "mosquitto-clients",
    "mosquitto_rr": "mosquitto-clients",
    "mbpoll": "mbpoll",
    "socat": "socat",
}
"""The Debian package of each command."""

# Debian keeps servers in sbin, which is not on every user's path.
SEARCH_PATH = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"))


def require_peer(*commands: str) -> None:
    """Skip the test when a command is not installed; fail it when FELTRIG_REQUIRE_PEERS=1 demands the peers."""
    missing = [command for command in commands if shutil.which(command, path=SEARCH_PATH) is None]
    if not missing:
        return
    packages = sorted({PACKAGES.get(command, command) for command in missing})
    word = f"{', '.join(missing)} not installed: apt-get install {' '.join(packages)}"
    if os.environ.get("FELTRIG_REQUIRE_PEERS") == "1":
        pytest.fail(word)
    pytest.skip(word)


@pytest.fixture
def peer() -> Callable[..., None]:
    """`peer("mbpoll")` at the start of a test asks for the commands that it runs."""
    return require_peer
