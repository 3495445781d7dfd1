"""`feltrig report`: the files of a report."""

from typer.testing import CliRunner

from feltrig.harness.cli.app import app


def invoke(*args):
    return CliRunner().invoke(app, [*map(str, args)])


def test_a_report_is_written_where_it_is_told_and_its_files_are_named(judged_run, tmp_path):
    written = invoke("report", judged_run, "--out", tmp_path)
    assert written.exit_code == 0
    named = written.stdout.replace("\n", "")
    assert all((tmp_path / name).exists() and name in named for name in ("report.html", "report.pdf", "junit.xml"))
