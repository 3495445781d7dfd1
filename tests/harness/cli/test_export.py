"""`feltrig export`."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from feltrig.errors import JournalError, RigError
from feltrig.harness.cli.export import export
from feltrig.harness.export.trace import DISSECTOR

app = typer.Typer()
app.command()(export)


def run(*arguments: str | Path) -> list[str]:
    result = CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout.splitlines()


def test_what_was_asked_for_is_written_and_named(judged_run: Path, tmp_path: Path) -> None:
    trace, bits, lua = tmp_path / "t.pcapng", tmp_path / "b", tmp_path / "f.lua"
    told = run(judged_run, "--pcapng", trace, "--bits", bits, "--device", "rng", "--lua", lua, "--csv", tmp_path)
    assert {Path(line) for line in told} == {trace, bits, lua, *tmp_path.glob("*.csv")}
    assert trace.read_bytes()[:4] == b"\x0a\x0d\x0d\x0a"
    assert lua.read_bytes() == DISSECTOR.read_bytes()


def test_nothing_asked_for(judged_run: Path) -> None:
    with pytest.raises(RigError, match="nothing to export"):
        run(judged_run)


def test_a_device_without_numbers_leaves_no_file(judged_run: Path, tmp_path: Path) -> None:
    with pytest.raises(RigError, match="--device shuffler: expected one of"):
        run(judged_run, "--bits", tmp_path / "b", "--device", "shuffler")
    assert not (tmp_path / "b").exists()


def test_a_file_that_cannot_be_written(judged_run: Path, tmp_path: Path) -> None:
    for option in ("--pcapng", "--lua"):
        with pytest.raises(RigError, match="cannot be written"):
            run(judged_run, option, tmp_path / "none" / "file")
    (tmp_path / "file").touch()
    with pytest.raises(RigError, match="cannot be written"):
        run(judged_run, "--csv", tmp_path / "file")


def test_a_journal_that_was_changed(judged_run: Path, tmp_path: Path) -> None:
    changed = tmp_path / "run"
    changed.mkdir()
    data = (judged_run / "journal.jsonl").read_bytes()
    (changed / "journal.jsonl").write_bytes(data.replace(b"shuffler", b"shuffles", 1))
    with pytest.raises(JournalError, match="was changed"):
        run(changed, "--csv", tmp_path / "tables")
