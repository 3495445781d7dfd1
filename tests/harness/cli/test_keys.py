"""`feltrig keys`: a pair is made, and its id shown."""

from pathlib import Path

from typer.testing import CliRunner

from feltrig.harness.cli.app import app
from feltrig.harness.judge import keys


def test_a_pair_is_made_and_certificates_name_it_by_the_id_that_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "lab.key"
    made = CliRunner().invoke(app, ["keys", "new", "--out", str(file)])
    public = Path(f"{file}{keys.PUBLIC}")
    shown = CliRunner().invoke(app, ["keys", "show", str(public)])
    assert (made.exit_code, shown.exit_code) == (0, 0)
    assert shown.stdout.strip() == keys.key_id(keys.public(public))
    assert shown.stdout.strip() in made.stdout
