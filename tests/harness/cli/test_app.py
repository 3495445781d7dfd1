"""How the command ends when it does not end by itself."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from feltrig.harness.cli import app as cli


def test_every_command_is_listed_by_its_name(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["feltrig", "--help"])
    with pytest.raises(SystemExit):
        cli.main()
    said = capsys.readouterr().out
    assert [name for name in cli.COMMANDS if f" {name} " not in said] == []


@pytest.mark.parametrize("error", [RuntimeError("ours"), OSError(9, "ours")], ids=lambda error: type(error).__name__)
def test_a_mistake_of_our_own_is_no_verdict(error, monkeypatch, capsys):
    def broken():
        raise error

    monkeypatch.setattr(cli, "app", broken)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 70
    said = capsys.readouterr().err
    assert said.startswith("Traceback")
    assert said.endswith(f"{type(error).__name__}: {error}\n")


def test_the_version_is_shown(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["feltrig", "--version"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"feltrig {version('feltrig')}\n"


@pytest.mark.parametrize(
    ("words", "completed"), [("feltrig cer", "certify"), ("feltrig certify --pl", "--plan")], ids=["command", "option"]
)
def test_the_shell_completes_commands_and_options(words, completed):
    asked = {"_FELTRIG_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(
        [Path(sys.executable).with_name("feltrig")],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == [completed]
