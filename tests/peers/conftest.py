"""Independent programs that the tests talk to."""

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from feltrig.emulators.broker import Broker

PACKAGES = {
    "mosquitto": "mosquitto",
    "mosquitto_pub": "mosquitto-clients",
    "mosquitto_sub": "mosquitto-clients",
    "mosquitto_rr": "mosquitto-clients",
    "mbpoll": "mbpoll",
    "socat": "socat",
    "tshark": "tshark",
    "openssl": "openssl",
}
"""The Debian package of each command."""

# Debian keeps servers in sbin, which is not on every user's path.
SEARCH_PATH = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"))

MOSQUITTO_CONF = """\
listener {port} 127.0.0.1
allow_anonymous {anonymous}
set_tcp_nodelay true
max_queued_messages 0
persistence false
user root
"""
"""`user root`: it would give up root's rights before it reads what lies in a private folder."""


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


Serve = Callable[..., AbstractAsyncContextManager[int]]


@pytest.fixture(params=["embedded", "mosquitto"])
def serve_broker(request: pytest.FixtureRequest, tmp_path: Path) -> Serve:
    """`async with serve_broker() as port` runs a broker, ours or mosquitto; `users` are the only ones let in."""
    if request.param == "embedded":
        return _embedded
    require_peer("mosquitto")

    def serve(users: dict[str, str] | None = None) -> AbstractAsyncContextManager[int]:
        return _mosquitto(tmp_path, users)

    return serve


@pytest.fixture
def mosquitto(tmp_path: Path) -> Callable[[], AbstractAsyncContextManager[int]]:
    """`async with mosquitto() as port` runs mosquitto; ask for it as a peer first."""
    return lambda: _mosquitto(tmp_path, None)


@pytest.fixture
async def broker_port(serve_broker: Serve) -> AsyncIterator[int]:
    """The port of a broker that lets everybody in."""
    async with serve_broker() as port:
        yield port


@contextlib.asynccontextmanager
async def _embedded(users: dict[str, str] | None = None) -> AsyncIterator[int]:
    broker = Broker(users=users)
    yield await broker.start()
    await broker.stop()


class Mosquitto:
    """mosquitto on a port of its own, at which it can be killed and started again."""

    def __init__(self, folder: Path, users: dict[str, str] | None = None) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._conf = folder / "mosquitto.conf"
        self._conf.write_text(_configuration(folder, self.port, users))
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, and wait until it listens."""
        self._process = await asyncio.create_subprocess_exec(
            _which("mosquitto"), "-c", str(self._conf), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        await _listening(self.port)

    async def kill(self) -> None:
        """End it as a power cut does: nobody is told."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()
        self._process = None

    async def stop(self) -> None:
        """End it, if it runs."""
        if self._process is not None:
            self._process.terminate()
            await self._process.wait()


@pytest.fixture
async def killable_mosquitto(tmp_path: Path) -> AsyncIterator[Mosquitto]:
    """A running mosquitto that may be killed and started again."""
    require_peer("mosquitto")
    broker = Mosquitto(tmp_path)
    await broker.start()
    yield broker
    await broker.stop()


@contextlib.asynccontextmanager
async def _mosquitto(folder: Path, users: dict[str, str] | None) -> AsyncIterator[int]:
    broker = Mosquitto(folder, users)
    try:
        await broker.start()
        yield broker.port
    finally:
        await broker.stop()


def _configuration(folder: Path, port: int, users: dict[str, str] | None) -> str:
    conf = MOSQUITTO_CONF.format(port=port, anonymous="true" if users is None else "false")
    if users is not None:
        passwords = folder / "passwords"
        passwords.touch(mode=0o600)
        for name, password in users.items():
            subprocess.run([_which("mosquitto_passwd"), "-b", passwords, name, password], check=True)
        conf += f"password_file {passwords}\n"
    return conf


def _which(command: str) -> str:
    found = shutil.which(command, path=SEARCH_PATH)
    assert found is not None
    return found


async def _listening(port: int) -> None:
    async with asyncio.timeout(10):
        while True:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                await writer.wait_closed()
                return
            await asyncio.sleep(0.02)
