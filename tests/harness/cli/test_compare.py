"""`feltrig compare`: what changed between two runs, with an exit status for CI."""

import json
import sys
from xml.etree import ElementTree

import pytest

from feltrig.harness.cli.app import main
from feltrig.harness.journal import folder as runs


def members(record):
    """The line of a record."""
    return {name: getattr(record, name) for name in ("seq", "t", "m", "kind", "data", "prev", "hash")}


def on_disk(records, folder):
    folder.mkdir()
    lines = (json.dumps(members(record), sort_keys=True, separators=(",", ":")) for record in records)
    (folder / runs.JOURNAL).write_text("".join(f"{line}\n" for line in lines))
    return str(folder)


def feltrig(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["feltrig", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def test_the_command_says_what_changed_and_its_status_is_for_ci(played, tmp_path, monkeypatch, capsys):
    whole = on_disk(played, tmp_path / "whole")
    end = next(r.seq for r in played if r.kind == "drill")
    cut = on_disk(played[: end - 1], tmp_path / "cut")
    assert feltrig(monkeypatch, "compare", whole, whole) == 0
    assert "0 worse, 0 better, 0 different" in capsys.readouterr().out
    junit = tmp_path / "junit.xml"
    assert feltrig(monkeypatch, "compare", cut, whole, "--json", "--junit", str(junit)) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["worse"] == sum(d["change"] == "worse" for d in told["differences"]) > 3
    root = ElementTree.parse(junit).getroot()
    assert int(root.get("failures")) == len(root.findall(".//failure")) == told["worse"]
    assert feltrig(monkeypatch, "compare", whole, cut) == 0


def test_what_is_no_run_cannot_be_compared(played, tmp_path, monkeypatch, capsys):
    whole = on_disk(played, tmp_path / "whole")
    assert feltrig(monkeypatch, "compare", whole, str(tmp_path)) == 2
    assert "is not the folder of a run" in capsys.readouterr().err
    journal = tmp_path / "whole" / runs.JOURNAL
    journal.write_bytes(journal.read_bytes().replace(b"shuffler", b"shufflex", 1))
    assert feltrig(monkeypatch, "compare", whole, whole) == 2
    assert "line " in capsys.readouterr().err
