"""docs/journal.md describes every kind of record, with every field, as the classes have them."""

import dataclasses
import importlib.util
import re
from pathlib import Path

from feltrig.harness.journal.records import KINDS

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = (DOCS / "journal.md").read_text(encoding="utf-8").partition("## Reference\n\n")[2]


def test_the_reference_is_what_the_classes_make_of_it() -> None:
    spec = importlib.util.spec_from_file_location("journal_records", DOCS / "journal_records.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.describe() == REFERENCE, "docs/journal.md is stale: run `make docs`"


def test_every_field_of_every_kind_is_explained() -> None:
    sections = dict(re.findall(r"^### `(.*?)`\n(.*?)(?=^### |\Z)", REFERENCE, re.MULTILINE | re.DOTALL))
    assert list(sections) == list(KINDS)
    for kind, section in sections.items():
        named = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
        assert named == [field.name for field in dataclasses.fields(KINDS[kind])]
