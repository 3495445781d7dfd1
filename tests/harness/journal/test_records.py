"""The kinds of record: each is read back as it was written, and anything else is refused with the reason."""

import json

import pytest

from feltrig.harness.journal.reader import is_a, read
from feltrig.harness.journal.records import (
    KINDS,
    EventSeen,
)
from feltrig.harness.journal.schema import from_plain, to_plain, written_kind
from feltrig.harness.journal.writer import Journal


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_of_each_kind_is_read_back_as_it_was_written(body, tmp_path, kind):
    written = body(kind)
    with Journal(tmp_path / "journal.jsonl") as journal:
        journal.append(written)
    (record,) = read(tmp_path / "journal.jsonl").records
    assert (record.body, record.kind) == (written, kind)
    assert is_a(record, KINDS[kind])
    assert from_plain(kind, json.loads(json.dumps(to_plain(written)))) == written


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_says_what_it_is_and_has_a_version(kind):
    assert KINDS[kind].SCHEMA == 1
    assert written_kind(KINDS[kind]) == kind
    assert KINDS[kind].__doc__


def test_a_record_tells_its_device(body):
    with_device = EventSeen("rng", 1, "selected", {})
    assert with_device.device == "rng"
    assert not hasattr(body("end"), "device")
