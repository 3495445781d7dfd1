import asyncio

import pytest


class Recorder:
    """Keeps what arrives and lets a test wait for it."""

    def __init__(self) -> None:
        self.data = b""
        self._changed = asyncio.Event()

    def __call__(self, data: bytes) -> None:
        self.data += data
        self._changed.set()

    async def until(self, size: int) -> bytes:
        async with asyncio.timeout(5):
            while len(self.data) < size:
                self._changed.clear()
                await self._changed.wait()
        return self.data


@pytest.fixture(scope="session")
def new_recorder():
    """Makes what a port is given to call with the bytes that arrive."""
    return Recorder
