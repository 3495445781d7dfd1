"""`feltrig monitor`: decoded traffic, live on a rig or from the journal of a run."""

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from functools import partial
from heapq import merge
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from feltrig.harness.cli.announcement import announce
from feltrig.harness.cli.console import Console
from feltrig.harness.cli.interruption import until_interrupted
from feltrig.harness.cli.output import let_go
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import Rig
from feltrig.harness.wires import recording, traffic
from feltrig.harness.wires.endpoints import authority_file
from feltrig.harness.wires.monitoring import monitored
from feltrig.harness.wires.recording import Chunk, RecordedDevice
from feltrig.protocols.sniffing import Broke, Chatter, Message, NoMessage, is_outgoing

STYLES: tuple[tuple[type, str], ...] = ((NoMessage, "red"), (Broke, "bold red"), (Chatter, "dim"))


def monitor(
    source: Annotated[Path, typer.Argument(metavar="RIG|RUN", help="Rig file, or folder of a run.")],
    device: Annotated[str | None, typer.Option(metavar="NAME", help="Show only this device.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Show the bytes as they passed, undecoded.")] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the emulated devices.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object on each line.")] = False,
) -> None:
    """Show decoded traffic, live from a rig or from a recorded run.

    A live monitor serves the emulated devices. It listens to a real device through a relay: your program connects to
    the address that the monitor prints first. Exit status: 0 interrupted or shown to the end, 2 bad input.
    """
    screen = Screen(raw, as_json)
    try:
        if source.is_dir():
            loaded = recording.load(source)
            devices = recording.chosen(loaded, device)
            for line in loaded.warnings:
                print(line, file=sys.stderr, flush=True)
            _show_recording(devices, screen)
        else:
            rig = rigfile.load(source, to_play=False)
            until_interrupted(_watch(rig, rig.choose_seed(seed), device, screen))
        sys.stdout.flush()
    except BrokenPipeError:  # as when piped into head
        let_go()


class Screen:
    """Shows what passed, in the form that was asked for."""

    def __init__(self, raw: bool, as_json: bool) -> None:
        self.as_json = as_json
        self._raw = raw
        self._console = Console(highlight=False, soft_wrap=True)
        self._show: Callable[[str, str, bool, dict[str, Any], Text], None] = self._object if as_json else self._line

    def heard(self, time: str, device: str, outgoing: bool, data: bytes, messages: list[Message]) -> None:
        """Show bytes that passed, or the messages that they completed."""
        if self._raw:
            if data:
                self._show(time, device, outgoing, {"is": "bytes", "bytes": data.hex()}, Text(data.hex(" ")))
            return
        for message in messages:
            self._message(time, device, message)

    def _message(self, time: str, device: str, message: Message) -> None:
        style = next((style for sort, style in STYLES if isinstance(message, sort)), "")
        self._show(
            time, device, is_outgoing(message), traffic.plain(message), Text(traffic.words(message), style=style)
        )

    def _object(self, time: str, device: str, outgoing: bool, body: dict[str, Any], _: Text) -> None:
        print(json.dumps({"t": time, "device": device, "outgoing": outgoing, **body}), flush=True)

    def _line(self, time: str, device: str, outgoing: bool, _: dict[str, Any], text: Text) -> None:
        clock = time.partition("T")[2].rstrip("Z")
        self._console.print(Text.assemble((clock, "dim"), f" {device:10} {'→' if outgoing else '←'} ", text))


def _show_recording(devices: list[RecordedDevice], screen: Screen) -> None:
    """All devices, in the order of the journal."""
    everything = merge(*(_heard(number, device) for number, device in enumerate(devices)), key=lambda item: item[:2])
    for _, number, chunk, messages in everything:
        screen.heard(chunk.time, devices[number].name, chunk.outgoing, chunk.data, messages)


def _heard(number: int, device: RecordedDevice) -> list[tuple[float, int, Chunk, list[Message]]]:
    found: list[tuple[float, int, Chunk, list[Message]]] = [(chunk.at, number, chunk, []) for chunk in device.chunks]
    messages_of = {id(chunk): messages for _, _, chunk, messages in found}
    for chunk, message in device.messages(device.sniffer()):
        messages_of[id(chunk)].append(message)
    return found


async def _watch(rig: Rig, seed: int, device: str | None, screen: Screen) -> None:
    early: list[Callable[[], None]] | None = []  # what is heard before it was said where the devices are
    unread: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def heard(name: str, outgoing: bool, data: bytes, messages: list[Message]) -> None:
        time = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%f}Z"
        show = partial(screen.heard, time, name, outgoing, data, messages)
        if early is not None:
            early.append(show)
        elif not unread.done():
            try:
                show()
            except OSError as error:  # the caller is a wire in the midst of its work: it is told to who waits
                unread.set_exception(error)

    async with monitored(rig, seed, heard, device) as watched, AsyncExitStack() as stack:
        ca = stack.enter_context(authority_file(watched.made_up))
        announce(watched.endpoints, watched.broker, "watching", screen.as_json, ca=ca)
        for name in watched.unwatched:
            print(f"{name}: not watched: TLS hides what passes", file=sys.stderr, flush=True)
        shows, early = early or [], None
        for show in shows:
            show()
        await unread
