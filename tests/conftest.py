"""What tests share: the `feltrig` command, rig files for it, and the embedded broker."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Protocol

import pytest
from rigs import EVERY_DEVICE, rig_text

from feltrig.emulators.broker import Broker

pytest_plugins = ["pytester"]

SECONDS = 180.0
"""After so long a command counts as hanging."""
WAITING = tuple(
    Path(__file__).parent / folder
    for folder in ("peers", "e2e", "harness/plan", "harness/laboratory", "fixtures", "docs", "harness/devices")
)
"""Tests that wait for devices more than they compute."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests that wait come first: they overlap with those that compute, and none of them is alone at the end."""

    def turn(item: pytest.Item) -> int:
        return next((at for at, folder in enumerate(WAITING) if folder in item.path.parents), len(WAITING))

    items.sort(key=turn)


class Feltrig(Protocol):
    """Runs the command to its end, in the test's own folder unless told otherwise."""

    def __call__(self, *args: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]: ...


class RigFile(Protocol):
    """Writes a rig file with all five devices emulated on serial lines. `devices` has TOML for the table of a kind of
    device, in place of its wire; `emulators` for its emulator, None to make it real; `top` goes before the tables."""

    def __call__(
        self,
        *,
        devices: Mapping[str, str] = {},
        emulators: Mapping[str, str | None] = {},
        game: str = EVERY_DEVICE,
        top: str = "seed = 3",
        file: str = "rig.toml",
    ) -> Path: ...


@pytest.fixture(scope="session")
def feltrig_command() -> list[str]:
    """How the command is started: as it is installed beside this Python, or from an uninstalled tree."""
    installed = Path(sys.executable).parent / "feltrig"
    return (
        [str(installed)]
        if installed.exists()
        else [sys.executable, "-c", "from feltrig.harness.cli.entry import main; main()"]
    )


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """The environment of a command that runs on a wide screen without colours."""
    return {**os.environ, "COLUMNS": "160", "TERM": "dumb", "NO_COLOR": "1"}


@pytest.fixture
def feltrig(feltrig_command: list[str], environment: dict[str, str], tmp_path: Path) -> Feltrig:
    def run(*args: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        command = [*feltrig_command, *map(str, args)]
        return subprocess.run(
            command, cwd=cwd or tmp_path, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )

    return run


@pytest.fixture
def rig_file(tmp_path: Path) -> RigFile:
    def write(
        *,
        devices: Mapping[str, str] = {},
        emulators: Mapping[str, str | None] = {},
        game: str = EVERY_DEVICE,
        top: str = "seed = 3",
        file: str = "rig.toml",
    ) -> Path:
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rig_text(devices, emulators, game=game, top=top))
        return path

    return write


@pytest.fixture
async def broker() -> AsyncIterator[Broker]:
    """The embedded broker on a free port. A test may stop it and start it again on the same one."""
    broker = Broker()
    await broker.start()
    yield broker
    await broker.stop()
