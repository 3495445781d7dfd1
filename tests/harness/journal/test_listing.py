"""The list of runs: what became of each, from the ends of its journal."""

import json
import sys

import pytest

from feltrig.errors import RunError
from feltrig.harness.cli.app import main
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal.folder import CERTIFICATE
from feltrig.harness.journal.listing import listed
from feltrig.harness.journal.writer import Journal

PLAN = {"plan": {"name": "shuffler-nj"}, "device": "shuffler"}


@pytest.fixture
def begun(tmp_path, body):
    """Makes a run with so many records after its first, and leaves its journal open."""

    def make(name, *ends, plan=None):
        (tmp_path / name).mkdir()
        journal = Journal(tmp_path / name / runs.JOURNAL)
        journal.append(body("run", rig="bench", game="supreme_pai_gow", plan=plan))
        for reason in ends:
            journal.append(body("end", reason=reason))
        return journal

    return make


@pytest.mark.parametrize(
    ("ends", "state"),
    [
        (("finished",), "finished"),
        ((), "resumable"),
        (("interrupted",), "resumable"),
        (("wire",), "resumable"),
        (("wire", "finished"), "finished"),
        (("unfit",), "ended early"),
    ],
)
def test_the_end_of_the_journal_says_what_became_of_a_run(begun, tmp_path, ends, state):
    begun("a", *ends).close()
    (run,) = listed(tmp_path)
    assert (run.state, run.rig, run.verdict, run.signed) == (state, "bench", None, False)


def test_bytes_on_the_wires_after_the_end_change_nothing_however_many(begun, tmp_path):
    journal = begun("a", "finished")
    for _ in range(2000):
        journal.wire("shoe", True, bytes(20))
    journal.close()
    assert (tmp_path / "a" / runs.JOURNAL).stat().st_size > 1 << 17
    assert [run.state for run in listed(tmp_path)] == ["finished"]


def test_a_run_whose_last_line_is_torn_can_be_resumed(begun, tmp_path):
    begun("a", "finished").close()
    with (tmp_path / "a" / runs.JOURNAL).open("ab") as file:
        file.write(b'{"data"')
    assert [run.state for run in listed(tmp_path)] == ["resumable"]


def test_a_run_that_is_being_written_is_running(begun, tmp_path, body):
    journal = begun("a")
    assert [run.state for run in listed(tmp_path)] == ["running"]
    journal.append(body("end", reason="finished"))
    journal.close()
    assert [run.state for run in listed(tmp_path)] == ["finished"]


def test_plan_device_verdict_rounds_and_certificate_are_told(begun, tmp_path, monkeypatch, capsys):
    begun("a", "finished", plan=PLAN).close()
    runs.write_verdict(tmp_path / "a" / runs.VERDICT, {"verdict": "refused", "rounds": {"played": 7}})
    (tmp_path / "a" / CERTIFICATE).write_text("{}")
    monkeypatch.setattr(sys, "argv", ["feltrig", "runs", str(tmp_path), "--json"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    (run,) = json.loads(capsys.readouterr().out)
    assert (run["plan"], run["device"], run["verdict"], run["rounds"]) == ("shuffler-nj", "shuffler", "refused", 7)
    assert run["signed"] is True


@pytest.mark.parametrize("content", [b"", b"{}\n", b"[1]\n", b"\xff\n", b'{"data":{"plan":3},"t":""}\n'])
def test_a_journal_that_cannot_be_read_does_not_hide_the_others(begun, tmp_path, content):
    begun("b", "finished").close()
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / runs.JOURNAL).write_bytes(content)
    assert [run.state for run in listed(tmp_path)] == ["unreadable", "finished"]


def test_a_run_itself_is_listed_alone_and_a_folder_that_is_not_there_is_refused(begun, tmp_path):
    begun("a", "finished").close()
    assert len(listed(tmp_path / "a")) == 1
    with pytest.raises(RunError, match="cannot be read"):
        listed(tmp_path / "nowhere")
