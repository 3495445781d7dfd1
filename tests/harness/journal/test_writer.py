"""Writing a journal: nothing that was promised is lost, whatever ends the writer."""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from journals import Ticks, write

from feltrig.errors import JournalError
from feltrig.harness.journal import writer as writer_module
from feltrig.harness.journal.chain import GENESIS
from feltrig.harness.journal.reader import read
from feltrig.harness.journal.records import Asked, Told
from feltrig.harness.journal.writer import Journal


def test_the_writer_knows_the_number_and_the_hash_of_its_last_record(path: Path) -> None:
    with Journal(path) as journal:
        assert (journal.seq, journal.last) == (0, GENESIS)
        journal.append(Told({}))
        journal.wire("shoe", True, b"x")
        journal.append(Told({}))
        seal = (journal.seq, journal.last)

    last = read(path).records[-1]
    assert seal == (last.seq, last.hash) == (3, last.hash)


def test_bytes_on_a_wire_are_on_record_before_the_step_that_follows_them(path: Path) -> None:
    with Journal(path, Ticks()) as journal:
        journal.append(Asked({}))
        journal.wire("shoe", True, b"\x01\x02")
        journal.tap("rng")(False, b"\xff")
        assert journal.append(Told({})) == 4

    records = read(path).records
    assert [(record.kind, record.m) for record in records] == [
        ("ask", 0.001),
        ("wire", 0.002),
        ("wire", 0.003),
        ("tell", 0.004),
    ]
    assert records[1].data == {"device": "shoe", "outgoing": True, "bytes": "0102"}
    assert records[2].data == {"device": "rng", "outgoing": False, "bytes": "ff"}


def test_a_record_has_reached_the_system_when_append_returns(path: Path) -> None:
    with Journal(path) as journal:
        for number in range(1, 4):
            journal.append(Told({}))
            assert len(read(path).records) == number
        journal.wire("shoe", True, b"x")
        assert len(read(path).records) == 3
        journal.flush()
        assert len(read(path).records) == 4


def test_many_bytes_on_a_wire_are_written_without_another_record(path: Path) -> None:
    with Journal(path) as journal:
        for _ in range(writer_module.LONGEST_QUEUE):
            journal.wire("shoe", True, b"x")
        assert len(read(path).records) == writer_module.LONGEST_QUEUE


def test_closing_writes_what_was_seen_and_may_be_repeated(path: Path) -> None:
    journal = Journal(path)
    journal.wire("shoe", False, b"last words")
    journal.close()
    journal.close()

    assert bytes.fromhex(read(path).records[0].data["bytes"]) == b"last words"
    with pytest.raises(JournalError, match=r"is closed$"):
        journal.append(Told({}))


@pytest.mark.parametrize("data", [{1: "a"}, {"a": [{2: 1}]}, {"a": {3: 1}}, {"a": {1, 2}}, {"a": float("nan")}])
def test_data_that_json_cannot_give_back_is_refused_and_leaves_no_trace(path: Path, data: dict[str, object]) -> None:
    with Journal(path) as journal:
        journal.wire("shoe", True, b"x")
        with pytest.raises((TypeError, ValueError)):
            journal.append(Told(data))
        journal.append(Told({}))

    assert [record.kind for record in read(path).records] == ["wire", "tell"]


def test_a_killed_writer_leaves_every_record_that_it_was_promised(path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from feltrig.harness.journal.writer import Journal\n"
        "from feltrig.harness.journal.records import Told\n"
        "journal = Journal(Path(sys.argv[1]))\n"
        "while True: print(journal.append(Told({})), flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        promised = [int(writer.stdout.readline()) for _ in range(50)][-1]
        writer.send_signal(signal.SIGKILL)

    assert len(read(path).records) >= promised


@pytest.mark.parametrize("torn", [b"", b'{"data":{"numb'])
def test_a_resumed_journal_goes_on_with_chain_and_time_and_tells_of_the_torn_line(path: Path, torn: bytes) -> None:
    path.write_bytes(write(path) + torn)

    with Journal(path, Ticks(start=77_000_000), resume=True) as journal:
        journal.append(Told({"number": 3}))

    reading = read(path)
    assert reading.torn is None
    assert [record.kind for record in reading.records] == ["tell", "tell", "tell", "resumed", "tell"]
    assert reading.records[3].data == {"torn": torn.hex()}
    assert [record.m for record in reading.records] == [0.001, 0.002, 0.003, 0.004, 0.005]


def test_a_damaged_journal_is_not_resumed_and_not_touched(path: Path) -> None:
    changed = write(path).replace(b'"number":1', b'"number":7') + b"torn"
    path.write_bytes(changed)

    with pytest.raises(JournalError, match="line 2: was changed"):
        Journal(path, resume=True)

    assert path.read_bytes() == changed


def test_a_journal_is_never_overwritten(path: Path) -> None:
    whole = write(path)

    with pytest.raises(JournalError, match=r"already exists, and a journal is never overwritten$"):
        Journal(path)

    assert path.read_bytes() == whole


def test_a_journal_has_one_writer(path: Path) -> None:
    with Journal(path), pytest.raises(JournalError, match=r"another process is writing to it$"):
        Journal(path, resume=True)


def test_a_journal_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"journal\.jsonl: cannot be opened: No such file or directory$"):
        Journal(tmp_path / "missing" / "journal.jsonl")
    with pytest.raises(JournalError, match=r"journal\.jsonl: cannot be opened: No such file or directory$"):
        Journal(tmp_path / "journal.jsonl", resume=True)
    with pytest.raises(JournalError, match=r"journal\.jsonl: cannot be read: No such file or directory$"):
        read(tmp_path / "journal.jsonl")


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """A disk on which no file grows beyond a size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_ends_the_journal_with_its_last_whole_record(path: Path) -> None:
    journal = Journal(path)
    journal.append(Told({}))
    seal = (journal.seq, journal.last)
    with room_for(path.stat().st_size + 100):
        for _ in range(2):
            with pytest.raises(JournalError, match=r"journal\.jsonl: cannot be written: File too large$"):
                journal.append(Told({}))
    with pytest.raises(JournalError, match="cannot be written"):
        journal.sync()
    journal.close()

    reading = read(path)
    assert (len(reading.records), reading.torn) == (1, None)
    assert (journal.seq, journal.last) == seal


def test_a_wire_is_not_disturbed_by_a_full_disk(path: Path) -> None:
    with Journal(path) as journal, room_for(100):
        for _ in range(2 * writer_module.LONGEST_QUEUE):
            journal.wire("shoe", True, b"x")
        with pytest.raises(JournalError, match="cannot be written"):
            journal.append(Told({}))


def test_a_disk_that_does_not_confirm_ends_the_journal(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    with Journal(path) as journal:
        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(JournalError, match=r"journal\.jsonl: cannot be written: Input/output error$"):
            journal.sync()
        with pytest.raises(JournalError):
            journal.append(Told({}))
