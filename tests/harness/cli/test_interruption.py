"""Work that is ended from outside, by signals to the process of the test itself."""

import asyncio
import signal
from collections.abc import Iterator

import pytest

from feltrig.harness.cli.interruption import end_with_the_terminal, until_interrupted


@pytest.fixture(autouse=True)
def hang_up() -> Iterator[None]:
    """The end of the terminal is what it is to a new program, whatever it is to the tests."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


async def wound_up(number: int, times: int, log: list[str]) -> None:
    """Work that gets signals, and takes a moment to wind up."""
    try:
        for _ in range(times):
            signal.raise_signal(number)
        await asyncio.Event().wait()
    finally:
        await asyncio.sleep(0)
        log.append("wound up")


@pytest.mark.parametrize(("number", "times"), [(signal.SIGINT, 1), (signal.SIGTERM, 1), (signal.SIGHUP, 2)])
def test_interrupted_work_winds_up_however_often_the_end_of_the_terminal_is_told(number: int, times: int) -> None:
    end_with_the_terminal()
    if not callable(signal.getsignal(signal.SIGHUP)):
        pytest.fail("the end of the terminal would end the tests")
    log: list[str] = []
    assert until_interrupted(wound_up(number, times, log)) is None
    assert log == ["wound up"]


def test_the_end_of_the_terminal_stays_ignored_under_nohup() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    end_with_the_terminal()
    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN


def test_work_that_is_not_interrupted_returns_its_result() -> None:
    async def work() -> int:
        return 5

    assert until_interrupted(work()) == 5
