"""Fills the generated parts of the pages in this folder: `make docs`."""

from pathlib import Path

import clause_tests
import journal_records
import references
from wire_documents import rendered

DOCS = Path(__file__).parent
REFERENCE = "## Reference\n\n"

clause_tests.TABLE.write_text(clause_tests.table(), encoding="utf-8")

for name in ("serial.md", "modbus.md", "mqtt.md", "plans.md", "zoo.md"):
    page = DOCS / name
    page.write_text(rendered(page.read_text()))

for name, reference in (
    ("journal.md", journal_records.describe()),
    ("rig-file.md", references.rig_file()),
    ("control-api.md", references.control_api()),
    ("profiles.md", references.profiles()),
    ("oracle.md", references.oracle()),
    ("operator.md", references.prompts()),
):
    page = DOCS / name
    own, _, _ = page.read_text().partition(REFERENCE)
    page.write_text(own + REFERENCE + reference)
