"""Fills the generated parts of the pages in this folder: `make docs`."""

from pathlib import Path

import clause_tests
import journal_records
from wire_documents import rendered

from feltrig.emulators.control import table as control
from feltrig.harness.cli import oracle
from feltrig.harness.rig import keys as rigtables
from feltrig.protocols.profiles import profilefile

DOCS = Path(__file__).parent
REFERENCE = "## Reference\n\n"

clause_tests.TABLE.write_text(clause_tests.table(), encoding="utf-8")

for name in ("serial.md", "modbus.md", "mqtt.md"):
    page = DOCS / name
    page.write_text(rendered(page.read_text()))

for name, reference in (
    ("journal.md", journal_records.describe()),
    ("rig-file.md", rigtables.describe()),
    ("control-api.md", control.describe()),
    ("profiles.md", profilefile.describe()),
    ("oracle.md", oracle.describe()),
):
    page = DOCS / name
    own, _, _ = page.read_text().partition(REFERENCE)
    page.write_text(own + REFERENCE + reference)
