"""The register: appended only, chained, signed; a changed, missing or foreign entry shows."""

import base64
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from feltrig.errors import RegisterError
from feltrig.harness.laboratory import register as books
from feltrig.harness.laboratory.register import BROKEN_OFF, CHECKPOINT, Register

POSITION = {"run": "a" * 64, "records": 3, "journal": "b" * 64}
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))


@pytest.fixture
def file(tmp_path):
    register = Register(tmp_path / "register.jsonl", KEY)
    register.open("1.0")
    for number in range(3):
        register.append(CHECKPOINT, POSITION | {"name": f"rounds {number}"})
    return register.path


def test_what_was_appended_is_read_again(file):
    entries = books.read(file).entries
    assert [(entry.seq, entry.kind) for entry in entries] == [(1, "opened"), *((n, "checkpoint") for n in (2, 3, 4))]
    assert entries[-1].data == POSITION | {"name": "rounds 2"}
    assert b"".join(entry.line for entry in entries) == file.read_bytes()


def test_every_changed_byte_is_noticed(file):
    data = file.read_bytes()
    for at in range(0, len(data) - 1, 7):
        for other in (data[at] ^ 1, data[at] ^ 0x20):
            file.write_bytes(data[:at] + bytes([other]) + data[at + 1 :])
            with pytest.raises(RegisterError, match=r"register\.jsonl: "):
                books.read(file)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines[:1] + lines[2:], "line 2: has the number 3: lines were added or removed"),
        (lambda lines: lines[1:], "line 1: has the number 2"),
        (lambda lines: [lines[0], lines[2], lines[1], lines[3]], "line 2: has the number 3"),
        (lambda lines: [*lines, lines[-1]], "line 5: has the number 4"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b'"seq":', b'"seq":4,"seq":')], "is not canonical|form"),
        (lambda lines: [*lines, b"{}\n"], "line 5: is not an entry"),
        (lambda lines: [*lines, b"[" * 100_000 + b"\n"], "line 5: is not canonical JSON"),
    ],
    ids=["removed", "first removed", "swapped", "replayed", "a key twice", "nothing", "deep"],
)
def test_spliced_lines_are_noticed(file, change, words):
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(change(lines)))
    with pytest.raises(RegisterError, match=words):
        books.read(file)


def test_an_entry_of_another_key_is_noticed_even_if_it_is_chained(file, tmp_path):
    lines = file.read_bytes().splitlines(keepends=True)
    forged = Register(tmp_path / "forged.jsonl", OTHER)
    forged.open("1.0")
    last = json.loads(lines[-2])
    forged._chain.last = books._parsed(lines[-2].rstrip())
    forged._chain.keys.add(forged._keyid)
    entry = forged.append(CHECKPOINT, POSITION | {"name": "better"})
    assert entry.prev == last["hash"]
    file.write_bytes(b"".join(lines[:-1]) + entry.line)
    with pytest.raises(RegisterError, match=r"line 4: the key .* is not one that this register has named before"):
        books.read(file)


def test_an_entry_signed_by_nobody_is_noticed(file):
    lines = file.read_bytes().splitlines(keepends=True)
    entry = json.loads(lines[-1])
    entry["sig"] = base64.b64encode(bytes(64)).decode()
    file.write_bytes(b"".join(lines[:-1]) + books.canonical(entry).encode() + b"\n")
    with pytest.raises(RegisterError, match="entry 4: was not signed by this key"):
        books.read(file)
    with pytest.raises(RegisterError, match="entry 4: was not signed by this key"):
        Register(file, KEY)


def test_another_laboratory_does_not_write_into_it(file):
    with pytest.raises(RegisterError, match="is the register of another key"):
        Register(file, OTHER).open("1.0")


def test_a_new_key_signs_once_the_old_one_has_named_it(file):
    Register(file, KEY).add_key(OTHER.public_key())
    new = Register(file, OTHER)
    new.open("1.0")
    new.append(BROKEN_OFF, POSITION)
    entries = books.read(file).entries
    assert [entry.kind for entry in entries[-2:]] == ["key", "broken off"]
    assert entries[-1].key != entries[0].key


def test_two_writers_take_turns(file):
    one, other = Register(file, KEY), Register(file, KEY)
    for writer in (one, other, other, one):
        writer.append(BROKEN_OFF, POSITION)
    assert len(books.read(file).entries) == 8


def test_a_torn_line_is_told_and_the_next_entry_takes_its_place(file):
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"at":"20')
    assert books.read(file).torn == b'{"at":"20'
    Register(file, KEY).append(BROKEN_OFF, POSITION)
    reading = books.read(file)
    assert (len(reading.entries), reading.torn) == (5, b"")
    assert file.read_bytes().startswith(whole)


def test_a_register_that_is_cut_while_it_is_in_use_is_not_written_to(file):
    register = Register(file, KEY)
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:2]))
    with pytest.raises(RegisterError, match="was cut while it was in use"):
        register.append(BROKEN_OFF, POSITION)


def test_a_symbolic_link_is_not_followed(file, tmp_path):
    link = tmp_path / "link.jsonl"
    link.symlink_to(file)
    with pytest.raises(RegisterError, match="cannot be opened"):
        Register(link, KEY)


@pytest.mark.parametrize("data", [{}, POSITION, POSITION | {"name": 1}, POSITION | {"name": "x", "more": "y"}])
def test_what_is_no_entry_is_not_signed(file, data):
    before = file.read_bytes()
    with pytest.raises(RegisterError, match="is not an entry of the kind 'checkpoint'"):
        Register(file, KEY).append(CHECKPOINT, data)
    assert file.read_bytes() == before


def test_what_a_device_says_is_cut_short_and_made_text(file):
    entry = Register(file, KEY).append(CHECKPOINT, POSITION | {"name": "\ud800" + "x" * 10_000})
    assert entry.data["name"] == "?" + "x" * (books.LONGEST - 1)
    assert books.read(file).entries[-1] == entry


def test_a_clock_that_is_set_back_shows(tmp_path):
    now = [10_000_000_000_000]
    register = Register(tmp_path / "register.jsonl", KEY, clock=lambda: now[0])
    register.open("1.0")
    register.append(BROKEN_OFF, POSITION)
    assert register.behind == 0.0
    now[0] -= 60_000_000_000
    assert register.behind == pytest.approx(60.0)
    register.append(BROKEN_OFF, POSITION)
    assert [entry.seq for entry in books.clock_set_back(books.read(register.path).entries)] == [3]
