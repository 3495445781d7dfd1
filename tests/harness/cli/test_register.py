"""`feltrig register`: runs are listed, the register is checked, copied, and opened to a new key."""

import json

import pytest
from laboratories import new_laboratory, register_of
from typer.testing import CliRunner

from feltrig.errors import RegisterError
from feltrig.harness.cli.app import app
from feltrig.harness.judge import keys
from feltrig.harness.laboratory.signing import Laboratory, Signing


def invoke(*args):
    return CliRunner().invoke(app, ["register", *map(str, args)])


def test_runs_are_listed_with_device_plan_verdict_and_attempt(sealed, laboratory):
    listed = invoke("list", register_of(laboratory), "--json")
    (run,) = [each for each in json.loads(listed.stdout) if each["folder"] == sealed.name]
    assert (run["plan"], run["ended"], run["verdict"], run["failures"]) == ("shoe-nj", "finished", "certified", [])
    assert run["device"] == "feltrig Emulated shoe EMU-shoe 1.0"
    assert run["signed"] is not None
    assert sealed.name in invoke("list", register_of(laboratory)).stdout


def test_a_register_is_whole_changed_or_of_a_key_that_nobody_named(sealed, laboratory, tmp_path):
    public, copy = f"{laboratory.key}.pub", tmp_path / "copy.jsonl"
    assert invoke("export", register_of(laboratory), "--out", copy).exit_code == 0
    assert copy.read_bytes() == register_of(laboratory).read_bytes()
    assert invoke("verify", copy, "--key", public).exit_code == 0
    assert invoke("verify", copy).exit_code == 3
    other = new_laboratory(tmp_path / "other")
    assert invoke("verify", copy, "--key", f"{other.key}.pub").exit_code == 1
    lines = copy.read_bytes().splitlines(keepends=True)
    copy.write_bytes(b"".join(lines[:3] + lines[4:]))
    changed = invoke("verify", copy, "--key", public)
    assert (changed.exit_code, changed.stdout[:4]) == (1, "BAD ")


def test_a_new_key_is_made_known_by_the_old_one(tmp_path):
    laboratory = new_laboratory(tmp_path)
    keys.new(tmp_path / "next.key")
    Signing(laboratory).close()
    with pytest.raises(RegisterError, match="is the register of another key"):
        Signing(Laboratory(tmp_path / "next.key"))
    assert invoke("key", tmp_path / "next.key.pub", "--key", laboratory.key).exit_code == 0
    with Signing(Laboratory(tmp_path / "next.key")) as signing:
        assert signing.key == keys.key_id(keys.public(tmp_path / "next.key.pub"))
