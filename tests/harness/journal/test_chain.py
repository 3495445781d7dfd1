"""The chain of a journal: canonical lines, each of which names the hash of the one before."""

from pathlib import Path

from journals import Ticks, write

from feltrig.harness.journal.chain import GENESIS
from feltrig.harness.journal.reader import read
from feltrig.harness.journal.records import Asked
from feltrig.harness.journal.writer import Journal


def test_a_record_is_one_line_of_canonical_json_that_anyone_can_check(path: Path) -> None:
    with Journal(path, Ticks()) as journal:
        assert journal.append(Asked({"b": [1, 2.5, None], "a": "é"})) == 1

    # The hash was made with sha256sum from the same line without it.
    assert path.read_bytes() == (
        b'{"data":{"a":"\\u00e9","b":[1,2.5,null]},'
        b'"hash":"0b263b05d5199cd870aa037daf7b2728327f4f2fe005240c89b4d8f5993f5a19",'
        b'"kind":"ask","m":0.001,"prev":"' + b"0" * 64 + b'","seq":1,"t":"2027-01-15T08:00:00.002000Z"}\n'
    )


def test_each_record_names_the_hash_of_the_one_before(path: Path) -> None:
    write(path)

    reading = read(path)

    assert [record.seq for record in reading.records] == [1, 2, 3]
    assert [record.prev for record in reading.records] == [GENESIS, *(r.hash for r in reading.records[:-1])]
    assert reading.records[2].data == {"number": 2, "text": "é\n"}
    assert reading.torn is None
