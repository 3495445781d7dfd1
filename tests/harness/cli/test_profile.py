"""`feltrig profile check` and `list`."""

import json

import pytest
from typer.testing import CliRunner

from feltrig.errors import RigError
from feltrig.harness.cli.profile import app
from feltrig.protocols.profiles import profilefile

GOOD = """
feltrig_profile = 1
name = "small"
title = "a small one"
about = "made up"
kind = "rng"
wire = "serial"
[commands.select]
message = "GO"
answer = "OK"
[[says]]
message = "N{number:1d}"
event = "selected"
"""


def run(*args):
    return CliRunner().invoke(app, list(args))


def test_a_profile_that_works_is_shown_with_what_is_covered(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(GOOD)
    result = run("check", str(file))
    assert result.exit_code == 0
    assert "command select" in result.output
    assert "does not carry its vendor: not tested: is the device that was submitted" in " ".join(result.output.split())
    assert "does not carry the command display: not tested: displays the number selected" in " ".join(
        result.output.split()
    )
    assert "A certificate is possible. It names these limits." in result.output


def test_json_has_a_row_for_each_part_of_the_vocabulary(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(GOOD)
    shown = json.loads(run("check", str(file), "--json").output)
    outcomes = {row["what"]: row["outcome"] for row in shown["rows"]}
    assert outcomes["event selected"] == "carried"
    assert outcomes["command display"] == "lacking"
    assert outcomes["refusals"] == "lacking"
    assert outcomes["event numbers"] == "supplied"
    assert shown["name"] == "small"


def test_messages_that_are_taken_for_each_other_are_bad_input(tmp_path):
    """A reset that looks like a selection would never arrive as a reset."""
    file = tmp_path / "small.toml"
    file.write_text(GOOD + '[commands.reset]\nmessage = "GO"\nanswer = "OK"\n')
    result = run("check", str(file), "--json")
    assert isinstance(result.exception, RigError)
    assert "commands.select.message: 'GO' is also commands.reset.message" in str(result.exception)


def test_a_profile_of_the_package_is_checked_by_its_name():
    assert run("check", "lookalike-card-reports-shoe").exit_code == 0


def test_a_file_that_is_no_profile_is_bad_input(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(GOOD.replace('kind = "rng"', 'kind = "rgn"'))
    result = run("check", str(file))
    assert isinstance(result.exception, RigError)
    assert str(result.exception).startswith(f"{file}: kind: 'rgn' is not 'rng', ")


def test_the_profiles_of_the_package_are_listed():
    listed = json.loads(run("list", "--json").output)
    assert [row["name"] for row in listed] == profilefile.names()
    assert all(name in run("list").output for name in profilefile.names())


@pytest.mark.parametrize("name", profilefile.names())
def test_every_look_alike_says_so(name):
    profile = profilefile.builtin(name)
    assert profile.name == name
    if name.startswith("lookalike-"):
        assert profile.title.startswith("Look-alike: ")
        assert "Made from" in profile.about
        assert "Ours: " in profile.about
    else:
        assert profile.about.startswith("Ours: ")
