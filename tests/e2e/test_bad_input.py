"""What is wrong with a rig or a command is said on one line, with status 2, and nothing is left behind."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from feltrig.harness.cli import app as cli


@pytest.fixture
def feltrig(monkeypatch, capsys, tmp_path):
    """The command without a process of its own, since there are many ways to be wrong."""

    def run(*args):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["feltrig", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return subprocess.CompletedProcess(sys.argv, ended.value.code, *capsys.readouterr())

    return run


@pytest.fixture
def taken() -> Iterator[int]:
    """A TCP port at which something else listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def nobody() -> Iterator[int]:
    """A TCP port at which nothing listens: it is bound and never opened, so that nobody else can take it."""
    with socket.socket() as unopened:
        unopened.bind(("127.0.0.1", 0))
        yield unopened.getsockname()[1]


FILES = {
    "not TOML": (b"feltrig = = 1\n", "is not TOML: Invalid value (at line 1, column 11)"),
    "not UTF-8": (b'feltrig = 1\nname = "\xff"\n', "is not UTF-8: byte 20 is 0xff"),
    "empty": (b"", "feltrig: is missing; expected 1"),
}


@pytest.mark.parametrize(("content", "says"), FILES.values(), ids=FILES.keys())
@pytest.mark.parametrize("command", ["certify", "play", "emulate"])
def test_a_file_that_is_no_rig_file_is_named(feltrig, tmp_path, command, content, says):
    (tmp_path / "rig.toml").write_bytes(content)
    assert_one_line(feltrig(command, "rig.toml"), "feltrig: rig.toml: ", says)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("command", ["certify", "emulate"])
def test_a_file_that_cannot_be_read_is_named(feltrig, tmp_path, command):
    assert_one_line(feltrig(command, "nowhere.toml"), "feltrig: nowhere.toml: ", "No such file")
    assert_one_line(feltrig(command, tmp_path), f"feltrig: {tmp_path}: ", "Is a directory")
    assert not (tmp_path / "runs").exists()


@dataclass(frozen=True)
class Wrong:
    """A mistake in a rig file, and words of the line that must point it out. TAKEN and NOBODY stand for ports."""

    says: tuple[str, ...]
    devices: dict[str, str] = field(default_factory=dict)
    emulators: dict[str, str | None] = field(default_factory=dict)
    top: str = "seed = 3"
    game: str = 'start = ["dice", "rng"]\ndeal = "automated_shoe"'


REAL: dict[str, str | None] = {"rng": None}

WRONG = {
    "unknown key": Wrong(("sede", "unknown key", "seed"), top="sede = 3"),
    "wrong type": Wrong(("seed: 'three' is not a whole number",), top='seed = "three"'),
    "unknown game": Wrong(
        ("game.start: 'cards' is not 'dice', 'rng' or 'button'",), game='start = "cards"\ndeal = "hand"'
    ),
    "missing port": Wrong(("devices.rng.port: is missing", "path of a serial port"), emulators=REAL),
    "unknown fault": Wrong(
        ("devices.shoe.emulator.faults[1].what: 'explode' is not ", "'jam'"),
        emulators={"shoe": 'faults = [{ what = "explode" }]'},
    ),
}
"""Found before anything is opened."""

OPENED = {
    "no such port": Wrong(
        ("devices.rng: /nowhere/tty0: no such file",), {"rng": 'wire = "serial"\nport = "/nowhere/tty0"'}, REAL
    ),
    "a port that is no terminal": Wrong(
        ("devices.rng: /dev/null: not a serial port",), {"rng": 'wire = "modbus-rtu"\nport = "/dev/null"'}, REAL
    ),
    "nobody at the address": Wrong(
        ("devices.rng: 127.0.0.1:NOBODY",), {"rng": 'wire = "modbus-tcp"\nhost = "127.0.0.1"\nport = NOBODY'}, REAL
    ),
    "no broker for a machine": Wrong(
        ("devices.rng: 127.0.0.1:NOBODY: ", "refused"),
        {"rng": 'wire = "mqtt"'},
        REAL,
        top="broker = { port = NOBODY }",
    ),
}
"""Found when the wires are opened."""

SERVED = {
    "port in use": Wrong(
        ("devices.shoe: cannot be served: 127.0.0.1:TAKEN: Address already in use",),
        {"shoe": 'wire = "modbus-tcp"\nport = TAKEN'},
    ),
    "no broker for an emulator": Wrong(
        ("devices.shoe: cannot be served: 127.0.0.1:NOBODY: ", "refused"),
        {"shoe": 'wire = "mqtt"'},
        top="broker = { port = NOBODY }",
    ),
    "no such module": Wrong(
        ("devices.rng.emulator.mechanics: 'nowhere_at_all:select'", "No module named 'nowhere_at_all'"),
        emulators={"rng": 'mechanics = "nowhere_at_all:select"'},
    ),
    "no such function": Wrong(
        ("devices.rng.emulator.mechanics: 'random:roulette': no roulette in random",),
        emulators={"rng": 'mechanics = "random:roulette"'},
    ),
    "no function": Wrong(
        ("devices.rng.emulator.mechanics: 'random:BPF'", "not callable"), emulators={"rng": 'mechanics = "random:BPF"'}
    ),
}
"""Found when the emulated devices are set up, by `emulate` too."""


@pytest.mark.parametrize("wrong", [*WRONG.values(), *OPENED.values(), *SERVED.values()], ids=[*WRONG, *OPENED, *SERVED])
def test_certify_points_out_what_is_wrong_with_a_rig(feltrig, rig_file, tmp_path, wrong, taken, nobody):
    expected = write(rig_file, wrong, taken, nobody)
    assert_one_line(feltrig("certify", "rig.toml"), "feltrig: rig.toml: ", *expected)
    assert not [*tmp_path.glob("runs/*")]


@pytest.mark.parametrize("wrong", [*WRONG.values(), *SERVED.values()], ids=[*WRONG, *SERVED])
def test_emulate_points_out_what_is_wrong_with_a_rig(feltrig, rig_file, wrong, taken, nobody):
    expected = write(rig_file, wrong, taken, nobody)
    assert_one_line(feltrig("emulate", "rig.toml"), "feltrig: rig.toml: ", *expected)


def test_a_game_that_the_engine_does_not_know_is_named(feltrig, rig_file):
    rig = rig_file()
    rig.write_text(rig.read_text().replace("supreme_pai_gow", "whist"))
    assert_one_line(feltrig("certify", "rig.toml"), "feltrig: rig.toml: ", "game.name: 'whist' is not ")


def test_a_run_that_cannot_be_filed_is_not_played(feltrig, tmp_path):
    (tmp_path / "here").write_text("a file in the way")
    assert_one_line(feltrig("certify", "--out", "here"), "feltrig: here: is not a folder")
    assert_one_line(feltrig("certify", "--out", "here/runs"), "feltrig: here/runs: ", "Not a directory")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("certify", "--rounds", "0"), "'--rounds'"),
        (("certify", "--rounds", "many"), "'--rounds'"),
        (("play", "--seed", "-1"), "'--seed'"),
        (("certify", "--nope"), "--nope"),
        (("emulate",), "RIG"),
        (("referee",), "referee"),
    ],
)
def test_wrong_usage_is_explained_with_status_2(feltrig, tmp_path, args, says):
    done = feltrig(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Usage: " in done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert not [*tmp_path.iterdir()]


def write(rig_file, wrong: Wrong, taken: int, nobody: int) -> list[str]:
    """Write the rig file; returns what is expected of the line."""

    def filled(text: str) -> str:
        return text.replace("TAKEN", str(taken)).replace("NOBODY", str(nobody))

    devices = {kind: filled(text) for kind, text in wrong.devices.items()}
    rig_file(devices=devices, emulators=wrong.emulators, top=filled(wrong.top), game=wrong.game)
    return [filled(word) for word in wrong.says]


def assert_one_line(done, *says: str) -> None:
    """Status 2, and one line on standard error with all of these words, the first of them at its start."""
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(says[0])
    assert [word for word in says if word not in line] == []
