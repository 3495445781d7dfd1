import json
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from feltrig.errors import RunError
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal.folder import write_verdict

WHEN = datetime(2026, 11, 16, 3, 15, 0, tzinfo=UTC)


def test_a_run_has_a_folder_named_by_time_and_rig(tmp_path: Path) -> None:
    folder = runs.create(tmp_path / "some" / "runs", "embedded", WHEN)

    assert folder == tmp_path / "some" / "runs" / "20261116T031500Z-embedded"
    assert folder.is_dir()


def test_the_time_of_a_run_is_utc(tmp_path: Path) -> None:
    folder = runs.create(tmp_path, "r", WHEN.astimezone(timezone(timedelta(hours=-5))))

    assert folder.name == "20261116T031500Z-r"
    assert re.fullmatch(r"\d{8}T\d{6}Z-r", runs.create(tmp_path, "r").name)


def test_runs_of_the_same_second_are_numbered(tmp_path: Path) -> None:
    names = [runs.create(tmp_path, "r", WHEN).name for _ in range(3)]

    assert names == ["20261116T031500Z-r", "20261116T031500Z-r-2", "20261116T031500Z-r-3"]


def test_a_place_that_cannot_hold_runs_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(RunError, match=r"/file: is not a folder, so it cannot contain runs$"):
        runs.create(tmp_path / "file", "r")
    with pytest.raises(RunError, match=r"/file/runs: cannot hold a run: Not a directory$"):
        runs.create(tmp_path / "file" / "runs", "r")


def test_a_run_that_never_began_leaves_nothing_but_what_others_put_there(tmp_path: Path) -> None:
    empty, used = (runs.create(tmp_path, "r", WHEN) for _ in range(2))
    for folder in (empty, used):
        (folder / runs.JOURNAL).touch()
    (used / "notes.txt").touch()

    runs.discard(empty)
    runs.discard(used)

    assert list(tmp_path.iterdir()) == [used]
    assert [file.name for file in used.iterdir()] == ["notes.txt"]


def test_a_verdict_replaces_the_one_before_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "verdict.json"
    write_verdict(path, {"verdict": "inconclusive"})
    write_verdict(path, {"verdict": "certified", "détail": [1, None]})

    assert json.loads(path.read_text(encoding="utf-8")) == {"verdict": "certified", "détail": [1, None]}
    assert list(tmp_path.iterdir()) == [path]


def test_a_verdict_that_cannot_be_written_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "verdict.json"
    write_verdict(path, {"verdict": "refused"})
    monkeypatch.setattr("os.fsync", fail)

    with pytest.raises(RunError, match=r"verdict\.json: cannot be written: No space left on device$"):
        write_verdict(path, {"verdict": "certified"})

    assert json.loads(path.read_text(encoding="utf-8")) == {"verdict": "refused"}
    assert list(tmp_path.iterdir()) == [path]


def test_a_verdict_without_a_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"verdict\.json: cannot be written: No such file or directory$"):
        write_verdict(tmp_path / "missing" / "verdict.json", {})
