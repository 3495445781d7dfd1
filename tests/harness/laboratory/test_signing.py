"""A run under a laboratory's key: what is registered as it happens, and which journals are never signed."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from journals import rechained
from laboratories import certify_shoe, new_laboratory, private, register_of, shoe_order
from rigs import nobody

from feltrig.errors import KeyFileError, RegisterError, RunError
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.records import Checkpoint, GapSeen, Looked, Probed, Ruled, Trouble
from feltrig.harness.journal.writer import Journal
from feltrig.harness.laboratory import register as books
from feltrig.harness.laboratory.history import runs as registered
from feltrig.harness.laboratory.signing import Laboratory, Signing, failure
from feltrig.harness.run import resume, run

JAM = '[[devices.shoe.emulator.faults]]\nwhat = "jam"\nat = 1\n'


def entries_of(laboratory, folder):
    run_id = next(journals.scan(folder / runs.JOURNAL)).hash
    return registered(books.read(register_of(laboratory)).entries)[run_id].entries


def copied(sealed, tmp_path, *names):
    """The journal of a run, and these files, in a folder of its own."""
    folder = tmp_path / "run"
    folder.mkdir()
    for name in (runs.JOURNAL, *names):
        shutil.copy(sealed / name, folder / name)
    return folder


def lines_of(folder):
    return (folder / runs.JOURNAL).read_bytes().splitlines(keepends=True)


async def signed_again(folder, laboratory):
    return await resume(folder, lambda _: None, nobody, laboratory=laboratory)


def test_the_register_has_the_run_from_its_beginning_to_its_signature(sealed, laboratory):
    entries = entries_of(laboratory, sealed)
    records = journals.read(sealed / runs.JOURNAL).records
    kinds = [entry.kind for entry in entries]
    checkpoints = [record.seq for record in records if isinstance(record.body, Checkpoint)]
    assert kinds[:2] == ["begun", "device"]
    assert kinds[2:-3] == ["checkpoint"] * len(checkpoints)
    assert kinds[-3:] == ["ended", "judged", "signed"]
    assert all(records[entry.data["records"] - 1].hash == entry.data["journal"] for entry in entries)
    begun, device, judged = entries[0].data, entries[1].data, entries[-2].data
    assert (begun["plan"], begun["device"], begun["folder"]) == ("shoe-nj", "shoe", sealed.name)
    assert device["identity"]["serial"] == "EMU-shoe"
    assert (judged["verdict"], judged["failed"], judged["records"]) == ("certified", 0, len(records))


async def test_a_run_that_is_over_is_signed_again_to_the_same_bytes_or_a_later_head(sealed, laboratory, tmp_path):
    folder = copied(sealed, tmp_path)
    assert (await signed_again(folder, laboratory)).verdict["verdict"] == "certified"
    assert (folder / runs.CERTIFICATE).is_file()


async def test_an_edited_journal_that_was_chained_anew_is_not_signed(sealed, laboratory, tmp_path):
    folder = copied(sealed, tmp_path)
    identity = b'"serial":"EMU-shoe"'
    rechained(folder / runs.JOURNAL, lambda line: line.replace(identity, b'"serial":"EMU-none"'))
    with pytest.raises(RunError, match=r"cannot be signed: record \d+ is not the one that the register knows"):
        await signed_again(folder, laboratory)
    assert not (folder / runs.CERTIFICATE).exists()


async def test_a_replayed_journal_with_a_new_beginning_is_not_signed(sealed, laboratory, tmp_path):
    folder = copied(sealed, tmp_path)
    rechained(folder / runs.JOURNAL, lambda line: line.replace(b'"seed":1,', b'"seed":2,', 1))
    with pytest.raises(RunError, match="register does not know the run"):
        await signed_again(folder, laboratory)


async def test_another_laboratory_does_not_sign_it(sealed, tmp_path):
    folder = copied(sealed, tmp_path)
    with pytest.raises(RunError, match="register does not know the run: it was begun without the key, or by another"):
        await signed_again(folder, new_laboratory(tmp_path / "other"))


@pytest.mark.parametrize("kept", [(), (runs.VERDICT,), (runs.VERDICT, runs.CERTIFICATE)], ids=str)
async def test_a_cut_journal_is_not_signed_with_or_without_its_verdict(sealed, laboratory, tmp_path, kept):
    folder = copied(sealed, tmp_path, *kept)
    lines = lines_of(folder)
    (folder / runs.JOURNAL).write_bytes(b"".join(lines[: len(lines) // 2]))
    with pytest.raises(RunError, match=r"the journal was cut or replaced|the register knows .* it was cut"):
        await signed_again(folder, laboratory)


async def test_a_failed_run_that_is_cut_at_its_first_segment_is_not_resumed_to_a_pass(tmp_path):
    laboratory = new_laboratory(tmp_path / "lab")
    finished = await certify_shoe(tmp_path, laboratory, JAM)
    assert finished.verdict["verdict"] == "refused"
    assert "failure" in [entry.kind for entry in entries_of(laboratory, finished.folder)]
    first = next(r.seq for r in journals.read(finished.folder / runs.JOURNAL).records if r.kind == "segment")
    (finished.folder / runs.JOURNAL).write_bytes(b"".join(lines_of(finished.folder)[:first]))
    for name in (runs.VERDICT, runs.CERTIFICATE):
        (finished.folder / name).unlink()
    with pytest.raises(RunError, match=r"the register knows .* records of it, and the journal has .*: it was cut"):
        await signed_again(finished.folder, laboratory)
    without = await resume(finished.folder, lambda _: None, nobody)
    assert without.verdict["ended"] == "finished"
    with pytest.raises(RunError, match="is not the one that the register knows"):
        await signed_again(finished.folder, laboratory)
    assert not (finished.folder / runs.CERTIFICATE).exists()


async def test_segments_that_were_added_without_the_key_are_not_signed(sealed, tmp_path):
    """A register that knows the beginning only, as after a power cut, and a journal that somebody went on with."""
    laboratory = new_laboratory(tmp_path / "lab")
    rig, order = shoe_order(tmp_path)
    finished = await run(rig, 2, 1, tmp_path / "runs", lambda _: None, nobody, plan=order, laboratory=laboratory)
    register = register_of(laboratory)
    known = register.read_bytes().splitlines(keepends=True)
    begun = next(number for number, line in enumerate(known) if b'"kind":"checkpoint"' in line)
    register.write_bytes(b"".join(known[:begun]))
    with pytest.raises(RunError, match="the register does not know its end"):
        await signed_again(finished.folder, laboratory)
    lines = lines_of(finished.folder)
    second = [r.seq for r in journals.read(finished.folder / runs.JOURNAL).records if r.kind == "checkpoint"][1]
    (finished.folder / runs.JOURNAL).write_bytes(b"".join(lines[: second + 1]))
    for name in (runs.VERDICT, runs.CERTIFICATE):
        (finished.folder / name).unlink()
    with pytest.raises(RunError, match=r"record \d+ \(checkpoint\) was written without the laboratory's key"):
        await signed_again(finished.folder, laboratory)


async def test_two_runs_in_one_journal_are_not_signed(sealed, laboratory, tmp_path):
    folder = copied(sealed, tmp_path)
    lines = lines_of(folder)
    (folder / runs.JOURNAL).write_bytes(b"".join([*lines, lines[0]]))
    rechained(folder / runs.JOURNAL, lambda line: line)
    with pytest.raises(RunError, match="cannot be signed: the journal has a second run in it"):
        await signed_again(folder, laboratory)


async def test_a_journal_behind_a_symbolic_link_is_not_signed(sealed, laboratory, tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / runs.JOURNAL).symlink_to(sealed / runs.JOURNAL)
    with pytest.raises(RunError, match="is a symbolic link"):
        await signed_again(folder, laboratory)


def test_reruns_of_a_device_until_it_passes_are_counted(tmp_path):
    laboratory = new_laboratory(tmp_path / "lab")
    for emulator in (JAM, ""):
        asyncio.run(certify_shoe(tmp_path, laboratory, emulator))
    found = [*registered(books.read(register_of(laboratory)).entries).values()]
    assert [(run.verdict, run.attempt, run.attempts) for run in found] == [("refused", 1, 2), ("certified", 2, 2)]


def test_a_killed_run_is_registered_as_far_as_it_came_and_never_ended(tmp_path):
    laboratory = new_laboratory(tmp_path / "lab")
    shoe_order(tmp_path)
    command = [sys.executable, "-c", "from feltrig.harness.cli.entry import main; main()"]
    options = ["--plan", "shoe-nj", "--key", laboratory.key, "--out", tmp_path / "out", "--no-report"]
    arguments = map(str, ["certify", tmp_path / "rig.toml", *options])
    process = subprocess.Popen([*command, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    register = register_of(laboratory)
    while not register.is_file() or b'"kind":"checkpoint"' not in register.read_bytes():
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    while b'"kind":"broken off"' not in register.read_bytes():
        os.sched_yield()
    (found,) = registered(books.read(register).entries).values()
    assert (found.state, found.verdict) == ("never ended", None)
    (folder,) = (tmp_path / "out").iterdir()
    assert found.entries[-1].data["records"] == len(journals.read(folder / runs.JOURNAL).records)
    resumed = subprocess.run(
        [*command, "resume", str(folder), "--no-report", "--key", str(laboratory.key)], check=False
    )
    assert resumed.returncode == 0
    (found,) = registered(books.read(register).entries).values()
    assert (found.state, found.verdict) == ("finished", "certified")


async def test_a_clock_behind_the_register_begins_no_run(tmp_path):
    laboratory = new_laboratory(tmp_path / "lab")
    ahead = books.Register(register_of(laboratory), private(laboratory), clock=lambda: 4_000_000_000_000_000_000)
    ahead.open("1.0")
    with pytest.raises(RunError, match=r"the computer's clock is .* s behind the last entry of the register"):
        await certify_shoe(tmp_path, laboratory)


def test_a_key_that_cannot_be_used_is_refused_before_the_run(tmp_path):
    with pytest.raises(KeyFileError, match="cannot be read"):
        Signing(Laboratory(tmp_path / "none.key"))


def test_a_signer_that_is_none_is_refused():
    with pytest.raises(RegisterError, match="cannot be started"):
        Signing(Laboratory(signer=("/nowhere/signer",)))
    with pytest.raises(RegisterError, match="gave no answer"):
        Signing(Laboratory(signer=("true",)))


def test_nothing_that_lies_where_the_run_was_started_gets_into_the_signing_process(tmp_path, monkeypatch):
    laboratory = new_laboratory(tmp_path / "lab")
    for name in ("json", "feltrig"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')")
    monkeypatch.chdir(tmp_path)
    with Signing(laboratory) as signing:
        assert len(signing.key) == 64


def test_a_command_can_start_the_signing_process(tmp_path):
    laboratory = new_laboratory(tmp_path / "lab")
    with Signing(Laboratory(signer=tuple(laboratory.command))) as signing:
        assert signing.key


def test_the_memory_of_the_signing_process_is_its_own(tmp_path):
    """Another process of the same user may not open it; the administrator may, which a test that runs as one sees."""
    with Signing(new_laboratory(tmp_path / "lab")) as signing:
        status = Path(f"/proc/{signing._process.pid}/environ")
        assert status.stat().st_uid == 0  # of a process that is not dumpable the files belong to root


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (Trouble("shoe", "no answer", ""), ("shoe", "no answer")),
        (Probed("shoe", "idle", "deal", {}, "ok", "busy"), ("shoe", "deal: busy")),
        (Probed("shoe", "idle", "deal", {}, "ok", None), None),
        (GapSeen("shoe", 1, 3), ("shoe", "a gap in the numbers of its events")),
        (Looked("rng", "display", "4", "5"), ("rng", "display: shows something else than it says")),
        (Looked("rng", "display", "5", "5"), None),
        (Looked("rng", "display", None, "5"), None),
        (Ruled({"order": "void", "rules": [], "why": "a jam", "device": "shoe"}), ("shoe", "a jam")),
        (Ruled({"order": "void", "rules": [], "why": "misdeal", "device": None}), None),
    ],
)
def test_what_counts_as_a_failure_when_it_is_seen(body, words):
    assert failure(body) == words


def test_the_same_failure_is_registered_a_few_times_only(tmp_path, laboratory, log):
    log.run("rng")
    with Signing(laboratory) as signing, Journal(tmp_path / runs.JOURNAL, written=signing.written) as journal:
        journal.append(log.records[0].body)
        signing.begin(journal, None)
        for _ in range(10):
            journal.append(Trouble("rng", "garbage", "?"))
        assert [entry.kind for entry in entries_of(laboratory, tmp_path)] == ["begun", *["failure"] * 3]


def test_the_words_of_a_run_are_the_json_of_the_desk(tmp_path):
    with Signing(new_laboratory(tmp_path / "lab")) as signing, pytest.raises(RegisterError, match="is not a request"):
        signing._ask("sign", statement=json.dumps({"result": "PASSED"}))
