"""Records as plain values and back: defaults, former names, and what is no record."""

from pathlib import Path

import pytest

from feltrig.errors import JournalError
from feltrig.harness.journal.chain import GENESIS, canonical, sealed
from feltrig.harness.journal.reader import read
from feltrig.harness.journal.records import (
    Asked,
    CardsRead,
    Checkpoint,
    RunEnded,
    SegmentBegun,
)
from feltrig.harness.journal.schema import from_plain, to_plain


def line(kind: str, data: dict[str, object]) -> bytes:
    """The first line of a journal with a record of any kind."""
    written, _ = sealed(canonical(data), kind, 0.0, GENESIS, 1, "2026-11-16T06:30:00.000000Z")
    return written + b"\n"


def test_lists_are_tuples_and_the_values_of_the_engine_are_the_whole_record():
    read = from_plain("read", {"what": "stack", "deck": "red", "cards": [1, 2], "face_up": []})
    assert read == CardsRead("stack", "red", (1, 2), ())
    assert from_plain("ask", {"is": "Shuffle"}) == Asked({"is": "Shuffle"})
    assert to_plain(Asked({"is": "Shuffle"})) == {"is": "Shuffle"}


def test_a_field_that_older_journals_lack_has_its_default():
    assert from_plain("end", {"reason": "wire"}) == RunEnded("wire", None)


def test_former_names_of_kinds_are_still_read():
    assert from_plain("leg", {"name": "rounds 1", "digest": "ff"}) == SegmentBegun("rounds 1", "ff")
    assert from_plain("leg done", {"name": "rounds 1", "memory": {}}) == Checkpoint("rounds 1", {})


EVENT = {"device": "rng", "number": 1, "event": "selected", "values": {}}


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("gossip", {}, "has the kind 'gossip', which this version of feltrig does not know"),
        ("event/2", EVENT, "has the kind 'event/2': this version of feltrig reads 'event'"),
        ("event", {**EVENT, "colour": "red"}, "is not a record of the kind 'event': it has no field 'colour'"),
        ("event", {"device": "rng"}, "is not a record of the kind 'event': number is missing"),
        (
            "event",
            {**EVENT, "number": "1"},
            "is not a record of the kind 'event': number is '1'; expected a whole number",
        ),
        (
            "event",
            {**EVENT, "number": True},
            "is not a record of the kind 'event': number is True; expected a whole number",
        ),
        ("event", {**EVENT, "values": []}, "is not a record of the kind 'event': values is []; expected a table"),
        ("illegal", {"why": "", "rules": [1]}, "is not a record of the kind 'illegal': rules is [1]; expected a list"),
        (
            "end",
            {"reason": "wire", "rounds": "two"},
            "is not a record of the kind 'end': rounds is 'two'; expected a whole number or null",
        ),
    ],
)
def test_what_is_no_record_of_its_kind_is_refused_with_file_line_and_reason(tmp_path: Path, kind, data, reason):
    path = tmp_path / "journal.jsonl"
    path.write_bytes(line(kind, data))
    with pytest.raises(JournalError) as caught:
        read(path)
    assert str(caught.value) == f"{path}: line 1: {reason}"
