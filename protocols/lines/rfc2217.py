"""A connection to an RFC 2217 device server, by serialx: it is native to asyncio and has connected in milliseconds,
where pyserial's client needs a thread and a third of a second."""

import asyncio
from typing import cast

from serialx import Parity, SerialException, StopBits, create_serial_connection


async def connect(
    line: asyncio.BaseProtocol, url: str, baud: int, parity: str, stopbits: float, deadline: float
) -> None:
    """Connect, and have the server set up its line. Fails with OSError or TimeoutError."""
    try:
        await create_serial_connection(
            asyncio.get_running_loop(),
            lambda: cast("asyncio.Protocol", line),
            url,
            baud,
            Parity(parity),
            StopBits(stopbits),
            connect_timeout=deadline,
        )
    except SerialException as exc:
        raise OSError(str(exc)) from exc
