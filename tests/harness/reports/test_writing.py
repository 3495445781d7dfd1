"""The files of a report in the folder of a run."""

import pytest

from feltrig.errors import RunError
from feltrig.harness.journal import folder as runs
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import judge
from feltrig.harness.reports.writing import write


def test_all_files_are_written_and_the_verdict_is_that_of_the_journal(folder, tmp_path, played, monkeypatch):
    out = tmp_path / "new" / "reports"
    monkeypatch.setattr("feltrig.harness.reports.pdf.pdf", lambda contents: contents.number.encode())
    written = write(folder, out)
    assert sorted(path.name for path in written) == ["junit.xml", "report.html", "report.pdf", "verdict.json"]
    assert (out / "report.pdf").read_text() in (out / "report.html").read_text()
    assert (out / "verdict.json").read_bytes() == runs.verdict_bytes(judge(Evidence(played)).verdict)
    assert not (folder / "report.html").exists()


def test_a_verdict_that_a_run_has_is_left_as_it_is_and_the_report_says_that_it_is_another(folder):
    (folder / runs.VERDICT).write_text("{}")
    written = write(folder, folder, pdf=False)
    assert (folder / runs.VERDICT).read_text() == "{}"
    assert folder / runs.VERDICT not in written
    assert "is not the verdict that this program draws from the journal" in (folder / "report.html").read_text()


def test_what_is_no_run_has_no_report(tmp_path):
    with pytest.raises(RunError, match="is not the folder of a run"):
        write(tmp_path, tmp_path)
