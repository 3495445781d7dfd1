"""`feltrig export`: a run in the forms of other programs."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from feltrig.errors import RigError
from feltrig.harness.cli.parameters import RunFolder
from feltrig.harness.export.tables import bits_of, write_tables
from feltrig.harness.export.trace import DISSECTOR, write_trace
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.folder import JOURNAL, journal_path
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import judge

Trace = Annotated[Path | None, typer.Option("--pcapng", metavar="FILE", help="Trace of all wires, for Wireshark.")]
Tables = Annotated[Path | None, typer.Option("--csv", metavar="DIR", help="Findings and samples as CSV.")]
Bits = Annotated[Path | None, typer.Option("--bits", metavar="FILE", help="Numbers of a device as raw bits.")]
Device = Annotated[str | None, typer.Option(metavar="NAME", help="The device whose numbers --bits writes.")]
Dissector = Annotated[
    Path | None, typer.Option("--lua", metavar="FILE", help="Dissector of serial frames, for Wireshark.")
]


def export(
    run: RunFolder,
    pcapng: Trace = None,
    tables: Tables = None,
    bits: Bits = None,
    device: Device = None,
    lua: Dissector = None,
) -> None:
    """Write the wires of a run as a trace, its samples and findings as tables, or its numbers as bits.

    Exit status: 0 written, 2 bad input, 3 the journal was changed.
    """
    if not (pcapng or tables or bits or lua):
        raise RigError("nothing to export: give --pcapng, --csv, --bits or --lua")
    journal = journal_path(run)
    if lua:
        _written(lua, lambda file: file.write(DISSECTOR.read_bytes()))
    if pcapng:
        _written(pcapng, lambda file: write_trace(journal, file))
    if not (tables or bits):
        return
    evidence = Evidence(journals.read(journal).records)
    if evidence.begun is None:
        raise RigError(f"{run}: {JOURNAL} does not begin with a run")
    if tables:
        try:
            for path in write_tables(tables, evidence, judge(evidence).findings):
                print(path)
        except OSError as error:
            raise RigError(f"{tables}: cannot be written: {error.strerror or error}") from error
    if bits:
        numbers = bits_of(evidence, device)
        _written(bits, lambda file: file.writelines(numbers))


def _written(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file and print where it is."""
    try:
        with path.open("wb") as file:
            write(file)
    except OSError as error:
        raise RigError(f"{path}: cannot be written: {error.strerror or error}") from error
    print(path)
