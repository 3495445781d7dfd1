"""docs/adding.md is true: a package outside the tree adds a kind of device, a wire, a game, a jurisdiction, a check."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOY = Path(__file__).parent / "toy"


@pytest.fixture
def feltrig(tmp_path):
    """The command, where the package is installed; returns status and output."""

    def run(*arguments):
        command = [str(Path(sys.executable).with_name("feltrig")), *map(str, arguments)]
        paths = os.pathsep.join([str(TOY), os.environ.get("PYTHONPATH", "")])
        env = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "200"}
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=60)
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout + done.stderr

    return run


def with_fault(tmp_path, what):
    file = tmp_path / "bad.toml"
    text = (TOY / "rig.toml").read_text()
    file.write_text(text.replace("emulator = {}", f'emulator = {{ faults = [{{ what = "{what}", at = 3 }}] }}'))
    return file


def test_a_round_is_played_on_the_toy_device_over_the_toy_wire(feltrig, tmp_path):
    status, said = feltrig("certify", TOY / "rig.toml", "--json")
    assert status == 0, said
    verdict = json.loads(said)
    found = {finding["check"]: finding for finding in verdict["findings"] if finding["device"] == "drum"}
    assert found["draws a ball from 1 to 10"]["clause"] == "Toyville § 1"
    assert found["draws in every round"]["verdict"] == "pass"
    assert {finding["verdict"] for finding in found.values()} <= {"pass", "not tested"}
    (journal,) = tmp_path.glob("runs/*/journal.jsonl")
    device = next(r["data"] for r in map(json.loads, journal.read_text().splitlines()) if r["kind"] == "device")
    assert (device["kind"], device["wire"]) == ("drum", "json-lines")


def test_a_toy_device_that_breaks_a_rule_is_refused_by_its_clause(feltrig, tmp_path):
    status, said = feltrig("certify", with_fault(tmp_path, "eleven"), "--json")
    assert status == 1, said
    failed = [f for f in json.loads(said)["findings"] if f["verdict"] == "fail"]
    assert [(f["clause"], f["check"], f["detail"]) for f in failed] == [
        ("Toyville § 1", "draws a ball from 1 to 10", "drew 11")
    ]


def test_a_toy_format_is_written_with_the_other_reports(feltrig, tmp_path):
    feltrig("certify", with_fault(tmp_path, "eleven"))
    (run,) = tmp_path.glob("runs/*")
    status, said = feltrig("report", run)
    assert status == 0, said
    assert (run / "failures.txt").read_text() == "drum: draws a ball from 1 to 10\n"


def test_what_is_added_is_listed_with_our_own(feltrig):
    assert "Lucky Drum" in feltrig("games")[1]
    assert "eleven" in feltrig("faults", "--device", "drum")[1]
    assert "Balls 1 to 10." in feltrig("clauses", "--game", "lucky_drum")[1]
    assert "Does a sign show the odds?" in feltrig("checklist", "--game", "lucky_drum")[1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"json-lines"', '"json-line"', "json-lines"),
        ('"drum"', '"trum"', "drum"),
        ('"lucky_drum"', '"lucky"', "lucky_drum"),
        ('"TV"', '"NJ"', "TV"),
    ],
    ids=["wire", "kind", "game", "jurisdiction"],
)
def test_an_error_of_the_rig_file_names_what_was_added(feltrig, tmp_path, old, new, message):
    file = tmp_path / "bad.toml"
    file.write_text((TOY / "rig.toml").read_text().replace(old, new))
    status, said = feltrig("certify", file)
    assert status == 2
    assert len(said.splitlines()) == 1
    assert message in said
