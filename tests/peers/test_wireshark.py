"""Wireshark's own dissectors read our traces: Modbus and MQTT without any setting, serial frames by the Lua script."""

import asyncio
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rigs import nobody, rig_text

from feltrig.harness.export.trace import DISSECTOR, write_trace
from feltrig.harness.rig import loading
from feltrig.harness.run import run
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.vocabulary import COMMON, Error

WIRES = {
    "rng": 'wire = "serial"',
    "shaker": 'wire = "modbus-tcp"',
    "shuffler": 'wire = "modbus-rtu"',
    "shoe": 'wire = "mqtt"\nmqtt = "3.1.1"',
    "reader": 'wire = "mqtt"\nmqtt = "5"',
}


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rounds with a device on each wire."""
    folder = tmp_path_factory.mktemp("runs")
    rig = loading.loads(rig_text(WIRES), "test.toml")
    played = asyncio.run(run(rig, 3, 2, folder, lambda _: None, nobody, drills=False))
    with (folder / "trace.pcapng").open("wb") as file:
        write_trace(played.folder / "journal.jsonl", file)
    return folder / "trace.pcapng"


def dissected(trace: Path, wanted: str, *options: str) -> list[dict[str, Any]]:
    command = ["tshark", *options, "-r", str(trace), "-Y", wanted, "-T", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return [packet["_source"]["layers"] for packet in json.loads(done.stdout or "[]")]


def columns(trace: Path, wanted: str) -> list[str]:
    command = ["tshark", "-r", str(trace), "-Y", wanted, "-T", "fields", "-e", "_ws.col.Info"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()


def interfaces(packets: list[dict[str, Any]]) -> set[str]:
    return {packet["frame"]["frame.interface_id_tree"]["frame.interface_name"] for packet in packets}


def test_modbus_and_mqtt_without_any_setting(trace: Path, peer: Callable[..., None]) -> None:
    peer("tshark")
    rtu, tcp, mqtt = (dissected(trace, f"{name} && !_ws.malformed") for name in ("mbrtu", "mbtcp", "mqtt"))
    assert interfaces(rtu) == {"shuffler"}
    assert interfaces(tcp) == {"shaker"}
    assert interfaces(mqtt) == {"shoe", "reader"}
    assert dissected(trace, "_ws.malformed") == []
    for packets in (rtu, tcp):
        assert {"3", "16"} & {packet["modbus"]["modbus.func_code"] for packet in packets}
    for name in ("mbtcp", "mbrtu && modbus.func_code == 3"):  # of function 23 on RTU it cannot tell
        told = columns(trace, name)
        assert told
        assert all("Query" in line for line in told[::2])
        assert all("Response" in line for line in told[1::2])
    topics = {packet["mqtt"].get("mqtt.topic") for packet in mqtt if isinstance(packet["mqtt"], dict)}
    assert any("shoe" in topic for topic in topics if topic)


def test_the_comment_names_the_record_of_the_journal(trace: Path, peer: Callable[..., None]) -> None:
    peer("tshark")
    found = dissected(trace, "frame.number == 1")
    assert "journal record " in json.dumps(found[0])


def test_serial_frames_by_the_script(trace: Path, peer: Callable[..., None]) -> None:
    peer("tshark")
    script = ("-X", f"lua_script:{DISSECTOR}")
    frames = dissected(trace, "feltrig", *script)
    assert interfaces(frames) == {"rng"}
    commands = {frame["feltrig"]["feltrig.command"] for frame in frames}
    assert {"identify", "status", "select"} <= commands
    assert dissected(trace, "feltrig.crc.good == 0", *script) == []
    assert dissected(trace, 'feltrig.answer == 1 && feltrig.command == "select" && feltrig.error == 0', *script)
    assert dissected(trace, "feltrig.address == 1 && feltrig.seq == 1 && feltrig.code == 0x81", *script)


def test_the_script_knows_every_command_and_error() -> None:
    text = DISSECTOR.read_text()
    for command in COMMON:
        assert f'[0x{command.code:02x}] = "{command.name}"' in text
    for name, kind in KINDS.items():
        own = [c for c in kind.commands.values() if c not in COMMON]
        table = ", ".join(f'[0x{c.code:02x}] = "{c.name}"' for c in own)
        assert f"  {name} = {{ {table} }}," in text
    for error in Error:
        assert f'[{int(error)}] = "{error.name.lower().replace("_", " ")}"' in text
