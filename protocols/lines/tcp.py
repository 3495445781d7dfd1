"""A plain connection to a TCP port, and how long any connection may take to open."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

from feltrig.protocols.lines.fd_line import FdLine

LEAST_OPENING = 2.0
"""Seconds to open a connection, however short the deadline of an answer is: a busy computer is slow to shake hands."""


def opening_time(deadline: float) -> float:
    """Seconds in which a connection must open whose answers have such a deadline. Opening is tried once, where a
    question is asked again."""
    return max(deadline, LEAST_OPENING)


async def connect(host: str, port: int, on_data: Callable[[bytes], None], on_lost: Callable[[str], None]) -> FdLine:
    """Connect to the first of the host's addresses that lets us. Fails with OSError."""
    loop = asyncio.get_running_loop()
    failure = OSError(f"{host} has no address")
    for family, kind, protocol, _, address in await _addresses(host, port):
        client = socket.socket(family, kind, protocol)
        try:
            client.setblocking(False)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await loop.sock_connect(client, address)
        except OSError as error:
            client.close()
            failure = error
        except BaseException:
            client.close()
            raise
        else:
            return FdLine(client.fileno(), on_data, on_lost, client.close)
    raise failure


async def _addresses(host: str, port: int) -> list[Any]:
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except socket.gaierror:  # a name, which only a thread can look up without blocking
        return await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
