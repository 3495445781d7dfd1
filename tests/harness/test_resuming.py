"""A run that is broken off goes on where it stopped: nothing is lost and nothing counted twice."""

import asyncio
import random
import shutil
from dataclasses import replace

import pytest
from rigs import nobody

from feltrig.errors import RunError
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.folder import CERTIFICATE
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import resume, run
from feltrig.harness.wires import emulated_rig as emulation

RIG = rigfile.embedded()
ROUNDS = 4
PROFILE = "lookalike-status-lines-rng.toml"


async def certify(out, rig=RIG, rounds=ROUNDS):
    return await run(rig, rounds, 1, out, lambda _: None, nobody)


def sum_of(finished):
    """What must be the same however often the run was broken off."""
    verdict = finished.verdict
    return verdict["verdict"], verdict["rounds"], [f.record() | {"evidence": None} for f in finished.findings]


def cut(folder, at):
    """Leave so many bytes of the journal, as after a power cut, and no verdict."""
    path = folder / runs.JOURNAL
    path.write_bytes(path.read_bytes()[:at])
    (folder / runs.VERDICT).unlink(missing_ok=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return asyncio.run(certify(tmp_path_factory.mktemp("whole")))


@pytest.mark.parametrize("seed", range(4))
async def test_a_run_cut_off_anywhere_comes_to_the_same(tmp_path, whole, seed):
    data = (whole.folder / runs.JOURNAL).read_bytes()
    first = data.index(b"\n") + 1
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / runs.JOURNAL).write_bytes(data)
    cut(folder, random.Random(seed).randrange(first, len(data)))
    finished = await resume(folder, lambda _: None, nobody)
    assert sum_of(finished) == sum_of(whole)


async def test_a_run_cut_off_twice_comes_to_the_same(tmp_path, whole):
    data = (whole.folder / runs.JOURNAL).read_bytes()
    (tmp_path / runs.JOURNAL).write_bytes(data[: len(data) // 2])
    await resume(tmp_path, lambda _: None, nobody)
    size = (tmp_path / runs.JOURNAL).stat().st_size
    cut(tmp_path, size * 3 // 4)
    assert sum_of(await resume(tmp_path, lambda _: None, nobody)) == sum_of(whole)


async def test_segments_that_are_done_are_not_run_again(tmp_path, whole):
    records = journals.read(whole.folder / runs.JOURNAL).records
    last = [r.seq for r in records if r.kind == "checkpoint"][2]
    lines = (whole.folder / runs.JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / runs.JOURNAL).write_bytes(b"".join(lines[:last]))
    await resume(tmp_path, lambda _: None, nobody)
    after = journals.read(tmp_path / runs.JOURNAL).records
    assert after[last].kind == "resumed"
    done = [r.data["name"] for r in records if r.kind == "checkpoint"]
    assert [r.data["name"] for r in after if r.kind == "segment"] == done
    assert after[:last] == records[:last]


@pytest.mark.parametrize("kept", [(runs.VERDICT,), (CERTIFICATE,), (runs.VERDICT, CERTIFICATE)], ids=" ".join)
async def test_a_journal_that_was_cut_after_it_was_judged_is_not_taken_up(tmp_path, kept, sealed, laboratory):
    folder = tmp_path / "run"
    shutil.copytree(sealed, folder)
    before = {name: (folder / name).read_bytes() for name in kept}
    for name in {runs.VERDICT, CERTIFICATE} - set(kept):
        (folder / name).unlink()
    path = folder / runs.JOURNAL
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    with pytest.raises(RunError, match=f"has no record {len(lines)} as in {kept[0]}"):
        await resume(folder, lambda _: None, nobody, laboratory=laboratory)
    assert before == {name: (folder / name).read_bytes() for name in kept}
    assert path.read_bytes() == b"".join(lines[: len(lines) // 2])


@pytest.mark.parametrize("text", ["", "[]", '{"journal": {}}', '{"journal": {"records": 0, "hash": ""}}'])
async def test_a_verdict_that_is_none_is_not_overwritten(tmp_path, whole, text):
    (tmp_path / runs.JOURNAL).write_bytes((whole.folder / runs.JOURNAL).read_bytes())
    (tmp_path / runs.VERDICT).write_text(text)
    with pytest.raises(RunError, match=r"cannot be resumed: .*verdict\.json"):
        await resume(tmp_path, lambda _: None, nobody)
    assert (tmp_path / runs.VERDICT).read_text() == text


async def test_a_run_that_ended_without_its_verdict_is_judged(tmp_path, whole):
    (tmp_path / runs.JOURNAL).write_bytes((whole.folder / runs.JOURNAL).read_bytes())
    assert sum_of(await resume(tmp_path, lambda _: None, nobody)) == sum_of(whole)
    assert (tmp_path / runs.VERDICT).is_file()


async def test_a_fault_that_has_struck_does_not_strike_again(tmp_path):
    jam = '[[devices.shuffler.emulator.faults]]\nwhat = "jam"\nat = 2\n'
    file = tmp_path / "rig.toml"
    text = rigfile.resources.files("feltrig.harness.rig").joinpath("embedded.toml").read_text()
    file.write_text(text + jam)
    finished = await certify(tmp_path / "runs", rigfile.load(file))
    data = (finished.folder / runs.JOURNAL).read_bytes()
    records = journals.read(finished.folder / runs.JOURNAL).records
    struck = next(r.seq for r in records if r.kind == "event" and r.data["event"] == "faulted")
    after = next(r.seq for r in records if r.kind == "checkpoint" and r.seq > struck)
    cut(finished.folder, len(b"".join(data.splitlines(keepends=True)[: after + 5])))
    assert sum_of(await resume(finished.folder, lambda _: None, nobody)) == sum_of(finished)


@pytest.mark.parametrize("change", ["rig", "version", "segment", "profile"])
async def test_what_has_changed_since_is_not_mixed(tmp_path, change, monkeypatch):
    file = tmp_path / "rig.toml"
    text = rigfile.resources.files("feltrig.harness.rig").joinpath("embedded.toml").read_text()
    profile = tmp_path / "rng.toml"
    profile.write_text(rigfile.resources.files("feltrig.protocols.profiles").joinpath(PROFILE).read_text())
    text = text.replace('wire = "mqtt"\nmqtt = "3.1.1"', 'wire = "serial"\nprofile = "rng.toml"')
    file.write_text(text)
    finished = await certify(tmp_path / "runs", rigfile.load(file), rounds=2)
    path = finished.folder / runs.JOURNAL
    cut(finished.folder, path.stat().st_size - 5000)
    before = path.read_bytes()
    match change:
        case "rig":
            file.write_text(text + "\n# changed\n")
        case "profile":
            profile.write_text(f"{profile.read_text()}\n# changed\n")
        case "version":
            monkeypatch.setattr("feltrig.harness.resuming.version", lambda _: "9.9")
        case "segment":
            monkeypatch.setattr("feltrig.harness.table.rounds.session_record", lambda game, session: {"other": 1})
    with pytest.raises(RunError, match="cannot be resumed"):
        await resume(finished.folder, lambda _: None, nobody)
    if change != "segment":
        assert path.read_bytes() == before


async def test_another_device_than_before_is_not_mixed(tmp_path, whole, monkeypatch):
    data = (whole.folder / runs.JOURNAL).read_bytes()
    path = tmp_path / runs.JOURNAL
    path.write_bytes(data[: len(data) // 2])
    shuffler = Evidence(journals.read(path).records).devices["shuffler"].identity
    described = emulation.emulated
    with monkeypatch.context() as changed:
        changed.setattr(emulation, "emulated", lambda *of: replace(described(*of), serial="another"))
        with pytest.raises(RunError, match="shuffler is not the device that the run began with: serial another"):
            await resume(tmp_path, lambda _: None, nobody)
    evidence = Evidence(journals.read(path).records)
    assert any(record.kind == "changed" for record in evidence.all)
    assert evidence.devices["shuffler"].identity == shuffler, "the stranger took the place of the device"
    assert sum_of(await resume(tmp_path, lambda _: None, nobody)) == sum_of(whole)


async def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(RunError, match=r"it has no journal\.jsonl"):
        await resume(tmp_path, lambda _: None, nobody)
    (tmp_path / runs.JOURNAL).write_bytes(b"")
    with pytest.raises(RunError, match="the journal of this run is empty"):
        await resume(tmp_path, lambda _: None, nobody)


def test_what_was_begun_again_does_not_count(whole):
    evidence = Evidence(journals.read(whole.folder / runs.JOURNAL).records)
    assert evidence.every == evidence.all
    assert [segment.name for segment in evidence.segments][:ROUNDS] == [f"rounds {n}" for n in range(1, ROUNDS + 1)]
