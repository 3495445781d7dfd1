"""`feltrig report`: the reports of a run, made from its journal."""

from pathlib import Path
from typing import Annotated

import typer

from feltrig.harness.cli.parameters import RunFolder
from feltrig.runs import report as write_report

Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Folder for the reports. Default: beside the journal.")]
LabFile = Annotated[
    Path | None,
    typer.Option("--lab", metavar="FILE", help="TOML file that describes the laboratory, in the table `lab`."),
]


def report(run: RunFolder, out: Out = None, lab: LabFile = None) -> None:
    """Make report.html, report.pdf, junit.xml and verdict.json from the journal of a run.

    Exit status: 0 written, 2 bad input, 3 the journal was changed.
    """
    for path in write_report(run, out=out, lab=lab):
        print(path)
