"""The page on the control interface: its examples run as they stand, and its reference is not stale."""

import asyncio
import json
import re
import shlex
import urllib.error
import urllib.request
from pathlib import Path

import references

from feltrig.emulators.control.http_server import HttpServer
from feltrig.emulators.control.table import ROUTES
from feltrig.engine.cards import deck
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.wires.serving import control_of

PAGE = (Path(__file__).parents[2] / "docs" / "control-api.md").read_text()

EXAMPLES = [
    tuple(lines)
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    for lines in re.findall(r"^\$ curl (.*)\n(.*)\n", block, re.MULTILINE)
]


def fetch(command: str, control: str) -> object:
    """What curl would print for these arguments."""
    method, data, url = None, None, ""
    words = iter(shlex.split(command))
    for word in words:
        match word:
            case "-s":
                pass
            case "-X":
                method = next(words)
            case "-d":
                data = next(words).encode()
            case _:
                url = word.replace("$CONTROL", control)
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, method=method), timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        return json.load(refused)


async def test_the_examples_run_in_their_order_and_answer_what_the_page_says():
    assert len(EXAMPLES) == PAGE.count("$ curl") > 10
    async with EmulatedRig(rigfile.embedded(), 1) as emulated:
        server = HttpServer(control_of(emulated, deck(jokers=2), emulated.endpoints.values()).answer)
        try:
            url = await server.start()
            for command, printed in EXAMPLES:
                assert await asyncio.to_thread(fetch, command, url) == json.loads(printed), command
        finally:
            await server.stop()


def test_the_page_has_the_reference_that_the_routes_make():
    assert PAGE.endswith(f"## Reference\n\n{references.control_api()}"), "docs/control-api.md is stale: run `make docs`"


def test_every_route_and_every_key_is_in_the_reference():
    for route in ROUTES:
        assert f"### `{route.method} {route.path}`" in references.control_api()
        assert all(f"| `{key.name}` |" in references.control_api() for key in route.keys)
