"""The small HTTP server as urllib, curl and raw sockets meet it."""

import asyncio
import json
import os
import shutil
import socket
import urllib.error
import urllib.request
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltrig.emulators.control import http_server
from feltrig.emulators.control.http_server import LONGEST_BODY, LONGEST_HEAD, MOST_CONNECTIONS, HttpServer
from feltrig.emulators.control.table import Response


def echo(method: str, path: str, body: bytes) -> Response:
    """Says what it was asked; a path that begins with a number has that status."""
    status = int(path[1:4]) if path[1:4].isdigit() else 200
    return Response(
        status, {"method": method, "path": path, "size": len(body)}, ("GET", "POST") if status == 405 else ()
    )


@pytest.fixture
async def url():
    server = HttpServer(echo)
    yield await server.start()
    await server.stop()


def where(url: str) -> tuple[str, int]:
    host, _, port = url.removeprefix("http://").partition(":")
    return host, int(port)


async def raw(url: str, sent: bytes, *, eof: bool = True) -> tuple[int, dict[str, str], bytes]:
    """What comes back on a plain socket: status, headers by their names in small letters, body."""
    reader, writer = await asyncio.open_connection(*where(url))
    with suppress(ConnectionError):
        writer.write(sent)
        if eof:
            writer.write_eof()
        await writer.drain()
    async with asyncio.timeout(5):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    first, *lines = head.decode().split("\r\n")
    version, _, rest = first.partition(" ")
    assert version == "HTTP/1.1"
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(rest[:3]), headers, body


def chunked(body: bytes, *more: str) -> bytes:
    return request("POST /a HTTP/1.1", "Transfer-Encoding: chunked", *more, body=body)


def request(line: str, *headers: str, body: bytes = b"") -> bytes:
    return "\r\n".join((line, "Host: localhost", *headers, "", "")).encode() + body


async def test_urllib_gets_and_posts(url):
    def work() -> None:
        with urllib.request.urlopen(f"{url}/some/path", timeout=5) as answer:
            assert answer.headers["Content-Type"] == "application/json"
            assert json.load(answer) == {"method": "GET", "path": "/some/path", "size": 0}
        posted = urllib.request.Request(f"{url}/x", b'{"a": 1}', method="POST")
        with urllib.request.urlopen(posted, timeout=5) as answer:
            assert json.load(answer) == {"method": "POST", "path": "/x", "size": 8}
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{url}/404", timeout=5)
        assert refused.value.code == 404
        assert json.load(refused.value)["path"] == "/404"

    await asyncio.to_thread(work)


@pytest.mark.skipif(
    shutil.which("curl") is None and os.environ.get("FELTRIG_REQUIRE_PEERS") != "1",
    reason="curl not installed: apt-get install curl",
)
async def test_curl_gets_posts_and_sends_a_body_that_it_asks_for_first(url):
    async def curl(*arguments: str) -> dict[str, object]:
        process = await asyncio.create_subprocess_exec(
            "curl", "-s", "--noproxy", "*", "-m", "5", *arguments, stdout=asyncio.subprocess.PIPE
        )
        output, _ = await process.communicate()
        document: dict[str, object] = json.loads(output)
        return document

    assert await curl(f"{url}/a") == {"method": "GET", "path": "/a", "size": 0}
    assert await curl("-d", "{}", f"{url}/a") == {"method": "POST", "path": "/a", "size": 2}
    assert await curl("-X", "POST", f"{url}/a") == {"method": "POST", "path": "/a", "size": 0}
    assert await curl("-X", "DELETE", f"{url}/a") == {"method": "DELETE", "path": "/a", "size": 0}
    large = "x" * 60_000
    assert (await curl("-d", large, "-H", "Expect: 100-continue", f"{url}/a"))["size"] == 60_000


async def test_an_answer_says_its_length_and_that_it_is_the_last(url):
    status, headers, body = await raw(url, request("GET /a HTTP/1.1"))
    assert (status, headers["content-length"], headers["connection"]) == (200, str(len(body)), "close")
    assert "access-control-allow-origin" not in headers


async def test_a_405_names_the_methods_that_are_allowed(url):
    assert (await raw(url, request("PUT /405 HTTP/1.1")))[1]["allow"] == "GET, POST"


async def test_a_head_has_no_body(url):
    status, headers, body = await raw(url, request("HEAD /a HTTP/1.1"))
    assert (status, body) == (200, b"")
    assert int(headers["content-length"]) > 0


async def test_a_request_that_comes_in_pieces_is_put_together(url):
    reader, writer = await asyncio.open_connection(*where(url))
    for octet in request("POST /a HTTP/1.1", "Content-Length: 2", body=b"{}"):
        writer.write(bytes((octet,)))
        await writer.drain()
    async with asyncio.timeout(5):
        assert b'"size": 2' in await reader.read()
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize(
    ("body", "size"),
    [
        (b"0\r\n\r\n", 0),
        (b"2\r\n{}\r\n0\r\n\r\n", 2),
        (b"1\r\n{\r\n001;name=value\r\n}\r\n0\r\nx: trailer\r\n\r\n", 2),
        (b"A\r\n0\r\n\r\n     \r\n0\r\n\r\n", 10),
        (b"8000\r\n" + bytes(0x8000) + b"\r\n8000\r\n" + bytes(0x8000) + b"\r\n0\r\n\r\n", LONGEST_BODY),
    ],
    ids=["nothing", "one", "two and a trailer", "an end within", "the largest"],
)
async def test_a_body_in_chunks_is_put_together(url, body, size):
    status, _, answer = await raw(url, chunked(body), eof=False)
    assert (status, json.loads(answer)["size"]) == (200, size)


async def test_a_client_that_stops_within_its_chunks_is_dropped_at_the_deadline(url, monkeypatch):
    monkeypatch.setattr(http_server, "DEADLINE", 0.05)
    reader, writer = await asyncio.open_connection(*where(url))
    writer.write(chunked(b"2\r\n{"))
    async with asyncio.timeout(5):
        with suppress(ConnectionResetError):
            assert await reader.read() == b""
    writer.close()


BAD = [
    (b"", 400, "request: broke off"),
    (b"GET / HTTP/1.1\r\n", 400, "request: broke off"),
    (b"\r\n\r\n", 400, "request line"),
    (request("GET /"), 400, "request line"),
    (request("get / HTTP/1.1"), 400, "request line"),
    (request("GET http://localhost/ HTTP/1.1"), 400, "request line"),
    (request("GET / HTTP/2.0"), 400, "request line"),
    (request("GET /\x7f HTTP/1.1"), 400, "request line"),
    (request("GET / HTTP/1.1", "no colon"), 400, "headers: expected lines"),
    (request("GET / HTTP/1.1", " folded: x"), 400, "headers: expected lines"),
    (request("GET / HTTP/1.1", "x: \x00"), 400, "headers: expected lines"),
    (b"GET / HTTP/1.1\r\n\r\n", 400, "host: is missing"),
    (b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403, "host: only programs on this computer"),
    (b"GET / HTTP/1.1\r\nHost: localhost.evil.example:80\r\n\r\n", 403, "host: only programs on this computer"),
    (request("POST / HTTP/1.1", "Origin: http://localhost"), 403, "and no web pages"),
    (request("POST / HTTP/1.1", "Content-Length: two"), 400, "content-length: expected a number"),
    (request("POST / HTTP/1.1", "Content-Length: -1"), 400, "content-length: expected a number"),
    (request("POST / HTTP/1.1", "Content-Length: 1", "Content-Length: 2"), 400, "content-length: is given twice"),
    (request("POST / HTTP/1.1", "Content-Length: 9", body=b"{}"), 400, "body: 2 bytes, and Content-Length says 9"),
    (request("POST / HTTP/1.1", "Transfer-Encoding: gzip, chunked"), 501, "transfer-encoding: expected chunked"),
    (chunked(b"", "Content-Length: 2"), 400, "content-length: does not go with transfer-encoding"),
    (chunked(b""), 400, "body: broke off before its last chunk"),
    (chunked(b"2\r\n{}\r\n"), 400, "body: broke off before its last chunk"),
    (chunked(b"9\r\n{}"), 400, "body: broke off before its last chunk"),
    (chunked(b"2\r\n{}\r\n0\r\n"), 400, "body: broke off before its last chunk"),
    (chunked(b"1\r\n{}\r\n0\r\n\r\n"), 400, "body: a chunk does not end behind its 1 bytes"),
    (chunked(b"two\r\n{}\r\n0\r\n\r\n"), 400, "body: expected the size of a chunk"),
    (chunked(b"-2\r\n{}\r\n0\r\n\r\n"), 400, "body: expected the size of a chunk"),
    (chunked(b"\r\n"), 400, "body: expected the size of a chunk"),
    (chunked(b"10001\r\n"), 413, "body: more than 65536 bytes"),
    (chunked(b"ffffffffffffffff\r\n"), 413, "body: more than 65536 bytes"),
    (chunked(b"1\r\nx\r\n10000\r\n"), 413, "body: more than 65536 bytes"),
    (chunked(b"2;" + LONGEST_HEAD * b"x" + b"\r\n"), 431, "headers: more than 8192 bytes"),
    (chunked(b"0\r\n" + 1000 * b"x: trailer\r\n" + b"\r\n"), 431, "headers: more than 8192 bytes"),
    (request("POST / HTTP/1.1", f"Content-Length: {LONGEST_BODY + 1}"), 413, "body: more than 65536 bytes"),
    (request("GET / HTTP/1.1", "x: " + LONGEST_HEAD * "y"), 431, "headers: more than 8192 bytes"),
]


@pytest.mark.parametrize(("sent", "status", "line"), BAD, ids=[f"{bad[1]} {bad[2]} {n}" for n, bad in enumerate(BAD)])
async def test_a_malformed_request_is_refused_with_one_line(url, sent, status, line):
    got, _, body = await raw(url, sent)
    assert got == status
    assert line in json.loads(body)["error"]


async def test_the_refusal_of_a_large_body_reaches_a_client_that_goes_on_sending(url):
    sent = request("POST / HTTP/1.1", "Content-Length: 3000000", body=bytes(3_000_000))
    assert (await raw(url, sent))[0] == 413


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.binary(max_size=400))
def test_no_bytes_harm_the_server(noise):
    async def scenario() -> None:
        server = HttpServer(echo)
        url = await server.start()
        try:
            assert (await raw(url, noise))[0] in (200, 400, 403, 501)
            assert (await raw(url, request("GET /a HTTP/1.1")))[0] == 200
        finally:
            await server.stop()

    asyncio.run(scenario())


async def test_a_client_that_says_nothing_is_dropped_at_the_deadline(url, monkeypatch):
    monkeypatch.setattr(http_server, "DEADLINE", 0.05)
    reader, writer = await asyncio.open_connection(*where(url))
    async with asyncio.timeout(5):
        with suppress(ConnectionResetError):
            assert await reader.read() == b""
    writer.close()


async def test_too_many_connections_are_turned_away_and_the_others_served(url):
    silent = [await asyncio.open_connection(*where(url)) for _ in range(MOST_CONNECTIONS)]
    await asyncio.sleep(0)
    reader, writer = await asyncio.open_connection(*where(url))
    async with asyncio.timeout(5):
        with suppress(ConnectionResetError):
            assert await reader.read() == b""
    writer.close()
    first_reader, first_writer = silent[0]
    first_writer.write(request("GET /a HTTP/1.1"))
    async with asyncio.timeout(5):
        assert b"200 OK" in await first_reader.readline()
    for _, open_writer in silent:
        open_writer.close()


async def test_stopping_drops_whoever_is_connected_and_frees_the_port():
    server = HttpServer(echo)
    url = await server.start()
    reader, writer = await asyncio.open_connection(*where(url))
    writer.write(b"GET /")
    await writer.drain()
    await server.stop()
    await server.stop()
    async with asyncio.timeout(5):
        with suppress(ConnectionResetError):
            assert await reader.read() == b""
    writer.close()
    again = HttpServer(echo, where(url)[1])
    assert await again.start() == url
    await again.stop()


async def test_it_listens_on_loopback_and_a_port_in_use_is_an_os_error(url):
    assert url.startswith("http://127.0.0.1:")
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="in use"):
        await HttpServer(echo, taken.getsockname()[1]).start()
