"""Reading a journal: every changed, lost or added byte is found, and a torn end told apart."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from journals import Ticks, write

from feltrig.errors import JournalError
from feltrig.harness.journal.reader import Reading, Torn, read, scan
from feltrig.harness.journal.records import Told
from feltrig.harness.journal.writer import Journal


def test_every_changed_byte_is_found(path: Path) -> None:
    whole = write(path)

    for position, byte in enumerate(whole):
        for other in {byte ^ 0x01, byte ^ 0x20, ord("0"), ord(" "), ord("\n")} - {byte}:
            path.write_bytes(whole[:position] + bytes([other]) + whole[position + 1 :])
            assert damage(path), f"byte {position}: {byte:#x} became {other:#x}"


def test_every_lost_or_added_byte_is_found(path: Path) -> None:
    whole = write(path)

    for position in range(len(whole)):
        path.write_bytes(whole[:position] + whole[position + 1 :])
        assert damage(path), f"byte {position} was lost"
        path.write_bytes(whole[:position] + b" " + whole[position:])
        assert damage(path), f"a space was added at {position}"


def damage(path: Path) -> str | Torn | None:
    try:
        return read(path).torn
    except JournalError as error:
        return str(error)


LINES: dict[str, tuple[Callable[[bytes, bytes, bytes], bytes], str]] = {
    "a line was taken away": (lambda a, b, c: a + c, "line 2: has the number 3: lines were added or removed"),
    "lines were exchanged": (lambda a, b, c: b + a + c, "line 1: has the number 2: lines were added or removed"),
    "a line was repeated": (lambda a, b, c: a + a + b, "line 2: has the number 1: lines were added or removed"),
    "an empty line": (lambda a, b, c: a + b"\n" + b, "line 2: is not canonical JSON"),
    "another line end": (lambda a, b, c: a[:-1] + b"\r\n" + b, "line 1: is not in the form that feltrig writes"),
    "spaces": (lambda a, b, c: a.replace(b":", b": ", 1), "line 1: is not in the form that feltrig writes"),
    "not JSON": (lambda a, b, c: b"hello\n", "line 1: is not canonical JSON"),
    "not a record": (lambda a, b, c: b"[]\n", "line 1: is not a record"),
    "deep nonsense": (lambda a, b, c: b"[" * 100_000 + b"\n", "line 1: is not canonical JSON"),
    "another type": (lambda a, b, c: a.replace(b'"seq":1', b'"seq":true'), "line 1: is not a record"),
    "a changed value": (lambda a, b, c: a.replace(b'"number":0', b'"number":7'), "line 1: was changed"),
}


@pytest.mark.parametrize("what", LINES)
def test_a_damaged_journal_is_refused_with_the_line_and_the_reason(path: Path, what: str) -> None:
    change, reason = LINES[what]
    path.write_bytes(change(*write(path).splitlines(keepends=True)))

    with pytest.raises(JournalError) as caught:
        read(path)

    assert str(caught.value).startswith(f"{path}: {reason}")


def test_a_line_from_another_journal_does_not_fit(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "a", tmp_path / "b"
    lines = write(ours).splitlines(keepends=True)
    with Journal(theirs, Ticks(5)) as journal:
        journal.append(Told({}))
        journal.append(Told({}))
    ours.write_bytes(lines[0] + theirs.read_bytes().splitlines(keepends=True)[1])

    with pytest.raises(JournalError, match=r"line 2: does not follow the line before it$"):
        read(ours)


def test_a_journal_cut_anywhere_gives_its_whole_records_and_the_torn_rest(path: Path) -> None:
    whole = write(path)
    ends = [position + 1 for position, byte in enumerate(whole) if byte == ord("\n")]

    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        kept = [end for end in ends if end <= size]
        reading = read(path)
        assert len(reading.records) == len(kept)
        rest = whole[kept[-1] if kept else 0 : size]
        assert reading.torn == (Torn(rest) if rest else None)


def test_the_records_of_a_long_journal_can_be_read_one_by_one(path: Path) -> None:
    write(path, records=100)

    records = scan(path)

    assert next(records) == read(path).records[0]
    assert sum(1 for _ in records) == 99


def test_an_empty_journal_is_whole(path: Path) -> None:
    Journal(path).close()

    assert read(path) == Reading((), None)


def test_the_lines_are_plain_json_for_other_tools(path: Path) -> None:
    lines = write(path).decode("ascii").splitlines()

    assert [json.loads(line)["data"]["number"] for line in lines] == [0, 1, 2]
