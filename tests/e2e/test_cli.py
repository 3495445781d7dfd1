"""The `feltrig` command as its users run it: in a process of its own, to its exit status."""

import json
import os
import pty
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from feltrig.harness.journal import reader as journals
from feltrig.harness.judge.finding import Verdict

ROUNDS = "12"
"""Enough of the embedded rig to put every device to use."""

SECONDS = 30.0
"""A command that has not done its part by then hangs."""

PLAYED = ("session", "round", "ask", "tell", "ruling", "read", "result")
"""The records of what happened at the table, which follow from the seed."""


def records(folder: Path) -> tuple[journals.Record, ...]:
    return journals.read(folder / "journal.jsonl").records


def only_run(out: Path) -> Path:
    (folder,) = out.iterdir()
    return folder


@pytest.fixture(scope="module")
def certified(feltrig_command, environment, tmp_path_factory):
    """`feltrig certify --json` on the embedded rig: the process and its run."""
    out = tmp_path_factory.mktemp("certified") / "new" / "runs"
    command = [*feltrig_command, "certify", "--json", "--rounds", ROUNDS, "--seed", "7", "--out", str(out)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.stderr == ""
    return done, only_run(out)


def test_certify_without_a_rig_ends_with_status_0_and_leaves_journal_and_verdict(certified):
    done, folder = certified
    assert done.returncode == 0
    assert re.fullmatch(r"\d{8}T\d{6}Z-embedded", folder.name)
    assert {path.name for path in folder.iterdir()} == {"journal.jsonl", "verdict.json"}
    assert json.loads(done.stdout) == json.loads((folder / "verdict.json").read_text())


def test_the_verdict_names_the_rig_the_seed_the_version_and_the_rounds(certified):
    written = json.loads(certified[0].stdout)
    assert written["verdict"] == "no failure seen"
    assert (written["rig"], written["seed"]) == ("embedded", 7)
    assert re.fullmatch(r"\d+\.\d+\.\d+", written["version"])
    assert written["rounds"] == {"asked": int(ROUNDS), "played": int(ROUNDS), "void": 0}


def test_the_verdict_has_every_device_by_name_and_one_on_each_kind_of_wire(certified):
    devices = json.loads(certified[0].stdout)["devices"]
    wires = {name: (device["kind"], device["wire"], device["verdict"]) for name, device in devices.items()}
    assert wires == {
        "shuffler": ("shuffler", "serial", "no failure seen"),
        "shoe": ("shoe", "modbus-tcp", "no failure seen"),
        "shaker": ("shaker", "mqtt", "no failure seen"),
        "rng": ("rng", "mqtt", "no failure seen"),
        "reader": ("reader", "modbus-rtu", "not under test"),
    }
    for device in devices.values():
        assert set(device["identity"]) == {"kind", "vendor", "model", "serial", "firmware", "digest"}
        assert device["identity"]["kind"] == device["kind"]


def test_every_finding_is_complete_and_its_evidence_is_in_the_journal(certified):
    done, folder = certified
    numbers = {record.seq for record in records(folder)}
    findings = json.loads(done.stdout)["findings"]
    assert len(findings) > 100
    for finding in findings:
        assert set(finding) >= {"game", "clause", "device", "check", "verdict", "detail", "evidence"}
        assert finding["game"] == "supreme_pai_gow"
        assert finding["verdict"] in {verdict.value for verdict in Verdict}
        assert finding["detail"]
        assert set(finding["evidence"]) <= numbers
        assert finding["evidence"] or finding["verdict"] == "not tested"


def test_the_table_for_people_has_clause_check_and_verdict_and_ends_with_where_the_run_is(feltrig, tmp_path):
    done = feltrig("certify", "--rounds", ROUNDS, "--out", tmp_path / "runs")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["clause", "device", "what", "was", "checked", "verdict", "basis", "how", "often"]
    row = re.compile(r"19:47-34\.8\(e\) +shuffler +reports the count that came out +pass +seen +\d+ times")
    assert any(row.match(line) for line in lines)
    assert lines[-1] == f"embedded: no failure seen · {only_run(tmp_path / 'runs')}"


@pytest.mark.parametrize("columns", [80, 120])
def test_a_terminal_shows_progress_and_then_a_table_of_its_width(feltrig_command, environment, tmp_path, columns):
    master, slave = pty.openpty()
    seen = {**environment, "COLUMNS": str(columns), "TERM": "xterm"}
    command = [*feltrig_command, "certify", "--rounds", ROUNDS, "--out", str(tmp_path)]
    with subprocess.Popen(command, env=seen, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave) as process:
        os.close(slave)
        shown = b""
        try:
            while data := os.read(master, 65536):
                shown += data
        except OSError:  # how a terminal says that nobody is left at its other end
            pass
    os.close(master)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert process.returncode == 0
    assert re.search(rf"rounds .*\d/{ROUNDS} ", text)
    table = text[text.index("clause ") : text.index(" rounds played")].splitlines()
    assert len(table) > 40
    assert max(map(len, table)) <= columns


def test_the_same_seed_plays_the_same_rounds_again_and_another_seed_others(feltrig, tmp_path):
    def played(seed: str, out: str) -> list[tuple[str, Any]]:
        assert feltrig("play", "--rounds", "4", "--seed", seed, "--out", out).returncode == 0
        return [(r.kind, r.data) for r in records(only_run(tmp_path / out)) if r.kind in PLAYED]

    first = played("11", "a")
    assert first == played("11", "b")
    assert first != played("12", "c")


def test_a_device_that_breaks_a_rule_is_refused_with_status_1_and_the_clause(feltrig, rig_file):
    rig = rig_file(emulators={"shuffler": 'faults = [{ what = "wrong_count" }]'})
    done = feltrig("certify", rig, "--rounds", "2")
    assert (done.returncode, done.stderr) == (1, "")
    assert re.search(r"^fail 19:47-34\.8\(e\) shuffler: ", done.stdout, re.MULTILINE)
    assert done.stdout.splitlines()[-1].startswith("test: refused · runs/")


def test_a_device_that_falls_silent_is_inconclusive_with_status_3(feltrig, rig_file):
    silent = {"rng": 'faults = [{ what = "silent", at = 4, times = 0 }]'}
    rig = rig_file(devices={"rng": 'wire = "serial"\ndeadline = 0.2'}, emulators=silent)
    done = feltrig("certify", rig, "--rounds", "2")
    assert (done.returncode, done.stderr) == (3, "")
    assert "not tested rig rng: answers on its wire: " in done.stdout
    assert feltrig("play", rig, "--rounds", "2").returncode == 3


def test_play_ends_with_status_0_whatever_the_devices_deserve(feltrig, rig_file, tmp_path):
    rig = rig_file(emulators={"shoe": 'faults = [{ what = "short_stack" }]'})
    done = feltrig("play", rig, "--rounds", "2", "--out", "mine")
    assert (done.returncode, done.stderr) == (0, "")
    first, last = done.stdout.splitlines()
    assert first == "2 rounds played, 1 void · seed 3"
    assert tmp_path / last == only_run(tmp_path / "mine")


def test_the_rig_file_gives_rounds_and_seed_unless_the_command_does(feltrig, rig_file):
    rig = rig_file(game='start = "rng"\ndeal = "hand"\nrounds = 3', top="seed = 99")
    written = json.loads(feltrig("play", rig, "--json").stdout)
    assert (written["rounds"]["played"], written["seed"]) == (3, 99)
    written = json.loads(feltrig("play", rig, "--json", "--rounds", "1", "--seed", "5").stdout)
    assert (written["rounds"]["played"], written["seed"]) == (1, 5)


def test_games_are_listed_for_people_and_for_programs(feltrig):
    assert "Supreme Pai Gow" in feltrig("games").stdout
    (game,) = (g for g in json.loads(feltrig("games", "--json").stdout) if g["name"] == "supreme_pai_gow")
    assert game["jurisdictions"] == ["NJ", "MA"]


@contextmanager
def started(command: list[str], environment: dict[str, str], cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """The command in a group of processes of its own, of which nothing may be left."""
    with subprocess.Popen(
        command, env=environment, cwd=cwd, stdout=-1, stderr=-1, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def assert_nothing_is_left(process: subprocess.Popen[str]) -> None:
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def until(seen: Callable[[], object]) -> None:
    give_up = time.monotonic() + SECONDS
    while not seen():
        assert time.monotonic() < give_up
        time.sleep(0.01)


@pytest.fixture
def in_mid_run(feltrig_command, environment, tmp_path):
    """`feltrig certify` on the embedded rig, for ever, once it has played some rounds; and its journal."""
    out = tmp_path / "runs"
    command = [*feltrig_command, "certify", "--rounds", "1000000", "--out", str(out)]
    with started(command, environment, tmp_path) as process:
        until(lambda: [*out.glob("*/journal.jsonl")])
        path = only_run(out) / "journal.jsonl"
        until(lambda: b'"kind":"result"' in path.read_bytes())
        yield process, path


def test_ctrl_c_before_the_command_has_begun_ends_it_without_a_word(feltrig_command, environment, tmp_path):
    # a package that `feltrig.harness.cli.app` imports interrupts it just then
    (tmp_path / "typer.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    environment = {**environment, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [*feltrig_command, "games"], env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_winds_up_and_is_inconclusive(in_mid_run, number):
    process, path = in_mid_run
    process.send_signal(number)
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, err) == (3, "")
    assert "the run ended early: it was interrupted" in out.splitlines()
    written = json.loads((path.parent / "verdict.json").read_text())
    assert (written["verdict"], written["ended"]) == ("inconclusive", "interrupted")
    assert written["rounds"]["played"] >= 1
    whole = journals.read(path)
    assert whole.torn is None
    assert written["journal"] == {"records": whole.records[-1].seq, "hash": whole.records[-1].hash}
    assert_nothing_is_left(process)


def test_the_journal_of_a_killed_run_can_be_read_up_to_the_kill(in_mid_run):
    process, path = in_mid_run
    process.kill()
    process.communicate(timeout=SECONDS)
    whole = journals.read(path)  # verifies every hash; a torn last line is set apart
    assert any(record.kind == "result" for record in whole.records)
    assert not (path.parent / "verdict.json").exists()
    assert_nothing_is_left(process)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_emulate_serves_until_interrupted_and_then_ends_with_status_0(
    feltrig_command, environment, rig_file, tmp_path, number
):
    rig = rig_file(devices={"shoe": 'wire = "modbus-tcp"', "rng": 'wire = "mqtt"'})
    with started([*feltrig_command, "emulate", str(rig)], environment, tmp_path) as process:
        assert process.stdout is not None
        listed = [process.stdout.readline().split() for _ in range(8)]
        process.send_signal(number)
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (0, "", "")
    assert_nothing_is_left(process)
    assert listed[0] == ["device", "kind", "wire", "where"]
    assert listed[1] == ["rng", "rng", "mqtt", "feltrig/table1/rng"]
    assert listed[3][:3] == ["shuffler", "shuffler", "serial"]
    assert listed[4][:3] == ["shoe", "shoe", "modbus-tcp"]
    assert listed[6][:3] == ["MQTT", "broker", "at"]
    assert listed[7] == ["serving", "until", "interrupted", "(Ctrl-C)"]


@pytest.mark.parametrize("arguments", ["faults", "faults --json", "emulate {rig}", "monitor {rig}", "games --help"])
def test_an_output_that_cannot_be_written_is_one_line_and_no_success(feltrig_command, environment, rig_file, arguments):
    command = [*feltrig_command, *arguments.format(rig=rig_file()).split()]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, env=environment, stdout=full, stderr=-1, text=True, timeout=SECONDS, check=False)
    assert (done.returncode, done.stderr) == (3, "feltrig: the output: cannot be written: No space left on device\n")


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_a_list_that_nobody_reads_ends_quietly(feltrig_command, environment, form):
    buffered = {name: value for name, value in environment.items() if name != "PYTHONUNBUFFERED"}
    reading, writing = os.pipe()
    os.close(reading)
    command = [*feltrig_command, "faults", "--device", "rng", *form]
    done = subprocess.run(command, env=buffered, stdout=writing, stderr=-1, text=True, timeout=SECONDS, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("arguments", ["emulate {rig}", "monitor {rig}", "noise {port} --disturb what='drop'"])
def test_the_end_of_the_terminal_leaves_no_folder_behind(feltrig_command, environment, rig_file, tmp_path, arguments):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    noisy = 'wire = "serial"\nnoise = [{ what = "drop", at = 9 }]'
    device, port = pty.openpty()
    given = arguments.format(rig=rig_file(devices={"rng": noisy}), port=os.ttyname(port))
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run where it is ignored
    try:
        command = [*feltrig_command, *given.split()]
        with started(command, {**environment, "TMPDIR": str(temporary)}, tmp_path) as process:
            assert process.stdout is not None
            assert any("until interrupted" in line for line in process.stdout)
            assert [*temporary.iterdir()]
            process.send_signal(signal.SIGHUP)
            _, err = process.communicate(timeout=SECONDS)
    finally:
        signal.signal(signal.SIGHUP, before)
        os.close(device)
        os.close(port)
    assert (process.returncode, err) == (0, "")
    assert [*temporary.iterdir()] == []
