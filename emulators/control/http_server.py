"""A small HTTP server for programs on this computer: one request and one answer of JSON on each connection.

It does not serve browsers: a request that names an origin, or another host than this computer, is refused, so that no
web page can reach what it serves.
"""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from http import HTTPStatus

from feltrig.emulators.control.table import Response

LOOPBACK = "127.0.0.1"
LONGEST_HEAD = 8192
LONGEST_BODY = 65_536
MOST_CONNECTIONS = 64
DEADLINE = 10.0
"""Seconds for a whole request, and for its answer."""

REQUEST = re.compile(r"([A-Z]{1,16}) (/[!-~]*) HTTP/1\.([01])")
HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*?)[ \t]*")
CHUNK = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*(;[\t -~\x80-\xff]*)?\r\n")
THIS_COMPUTER = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)

Respond = Callable[[str, str, bytes], Response]
"""From the method, the path and the body to the answer."""


class _Refused(Exception):
    """The request is not answered but refused, with a status and one line."""

    def __init__(self, status: HTTPStatus, line: str) -> None:
        super().__init__(line)
        self.answer = Response(status, {"error": line})


class HttpServer:
    """Serves while it is started, on loopback only."""

    def __init__(self, respond: Respond, port: int = 0) -> None:
        self._respond = respond
        self._port = port
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    async def start(self) -> str:
        """Begin to listen; returns the URL. A port in use is an OSError."""
        if self._server is None:
            self._server = await asyncio.start_server(self._connected, LOOPBACK, self._port, limit=LONGEST_HEAD)
        return f"http://{LOOPBACK}:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Stop listening, and drop the connections that are open. May be called twice."""
        if self._server is None:
            return
        self._server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()
        self._server = None

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) >= MOST_CONNECTIONS:
            writer.transport.abort()
            return
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(DEADLINE):
                try:
                    method, answer = await self._request(reader, writer)
                except _Refused as refused:
                    method, answer = "", refused.answer
                writer.write(_written(answer, with_body=method != "HEAD"))
                writer.write_eof()
                # to close on bytes that were not read would reset the connection, and the answer with it
                while await reader.read(LONGEST_BODY):
                    pass
        except (TimeoutError, OSError):
            pass
        finally:
            writer.transport.abort()

    async def _request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, Response]:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError as error:
            raise _headers_too_large() from error
        except asyncio.IncompleteReadError as error:
            raise _Refused(HTTPStatus.BAD_REQUEST, "request: broke off before the empty line") from error
        method, path, headers = _head(head.decode("latin-1"))
        size = _body_size(headers)
        if headers.get("expect", "").lower() == "100-continue":
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = await (_chunks(reader) if size is None else _whole(reader, size))
        return method, self._respond(method, path, body)


async def _whole(reader: asyncio.StreamReader, size: int) -> bytes:
    try:
        return await reader.readexactly(size)
    except asyncio.IncompleteReadError as error:
        line = f"body: {len(error.partial)} bytes, and Content-Length says {size}"
        raise _Refused(HTTPStatus.BAD_REQUEST, line) from error


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    """A body in pieces, each behind its size; after the last there may be headers, which say nothing here."""
    body = bytearray()
    try:
        while size := _chunk_size(await reader.readuntil(b"\r\n")):
            if len(body) + size > LONGEST_BODY:
                raise _too_large()
            body += await reader.readexactly(size)
            if await reader.readexactly(2) != b"\r\n":
                raise _Refused(HTTPStatus.BAD_REQUEST, f"body: a chunk does not end behind its {size} bytes")
        left = LONGEST_HEAD
        while (line := await reader.readuntil(b"\r\n")) != b"\r\n":
            left -= len(line)
            if left < 0:
                raise _headers_too_large()
    except asyncio.LimitOverrunError as error:
        raise _headers_too_large() from error
    except asyncio.IncompleteReadError as error:
        raise _Refused(HTTPStatus.BAD_REQUEST, "body: broke off before its last chunk") from error
    return bytes(body)


def _chunk_size(line: bytes) -> int:
    chunk = CHUNK.fullmatch(line)
    if chunk is None:
        raise _Refused(HTTPStatus.BAD_REQUEST, "body: expected the size of a chunk, in hex digits on a line")
    return int(chunk[1], 16)


def _head(head: str) -> tuple[str, str, Mapping[str, str]]:
    """The method, the path and the headers, by their names in small letters."""
    first, *lines = head.removesuffix("\r\n\r\n").split("\r\n")
    request = REQUEST.fullmatch(first)
    if request is None:
        raise _Refused(HTTPStatus.BAD_REQUEST, "request line: expected a method, a path and HTTP/1.1")
    headers: dict[str, str] = {}
    for line in lines:
        header = HEADER.fullmatch(line)
        if header is None:
            raise _Refused(HTTPStatus.BAD_REQUEST, "headers: expected lines of a name, a colon and a value")
        name = header[1].lower()
        if headers.setdefault(name, header[2]) != header[2]:
            raise _Refused(HTTPStatus.BAD_REQUEST, f"{name}: is given twice")
    if "host" not in headers and request[3] == "1":
        raise _Refused(HTTPStatus.BAD_REQUEST, "host: is missing")
    if THIS_COMPUTER.fullmatch(headers.get("host", LOOPBACK)) is None or "origin" in headers:
        raise _Refused(HTTPStatus.FORBIDDEN, "host: only programs on this computer are served, and no web pages")
    return request[1], request[2], headers


def _body_size(headers: Mapping[str, str]) -> int | None:
    """The bytes of the body; None when it comes in chunks."""
    if "transfer-encoding" in headers:
        if headers["transfer-encoding"].lower() != "chunked":
            raise _Refused(HTTPStatus.NOT_IMPLEMENTED, "transfer-encoding: expected chunked, or a Content-Length")
        # whoever reads the one and not the other would take a part of the body for the next request
        if "content-length" in headers:
            raise _Refused(HTTPStatus.BAD_REQUEST, "content-length: does not go with transfer-encoding")
        return None
    length = headers.get("content-length", "0")
    if re.fullmatch("[0-9]{1,18}", length) is None:
        raise _Refused(HTTPStatus.BAD_REQUEST, "content-length: expected a number of bytes")
    if int(length) > LONGEST_BODY:
        raise _too_large()
    return int(length)


def _too_large() -> _Refused:
    return _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"body: more than {LONGEST_BODY} bytes")


def _headers_too_large() -> _Refused:
    return _Refused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"headers: more than {LONGEST_HEAD} bytes")


def _written(answer: Response, with_body: bool) -> bytes:
    body = json.dumps(answer.body).encode() + b"\n"
    allow = f"Allow: {', '.join(answer.allow)}\r\n" if answer.allow else ""
    head = (
        f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        f"Cache-Control: no-store\r\n{allow}Connection: close\r\n\r\n"
    )
    return head.encode() + (body if with_body else b"")
