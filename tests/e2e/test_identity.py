"""The salted challenge in whole runs, on every wire: good firmware passes; what is tampered with, replayed or never
answered is refused."""

import hashlib

import pytest

from feltrig.emulators.models import device
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.records import Challenged
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.rig import loading as rigfile
from feltrig.protocols.challenge import proof

CHECK = "proves its firmware with a salted challenge"
SUBMITTED = "is the device that was submitted"
GOOD, BAD = b"the firmware that was submitted", b"the firmware that was submittef"
WIRES = {
    "serial": 'wire = "serial"',
    "modbus-rtu": 'wire = "modbus-rtu"',
    "modbus-tcp": 'wire = "modbus-tcp"',
    "modbus-tls": 'wire = "modbus-tls"',
    "mqtt-3.1.1": 'wire = "mqtt"\nmqtt = "3.1.1"',
    "mqtt-5": 'wire = "mqtt"\nmqtt = "5"',
}

every_wire = pytest.mark.parametrize("wire", WIRES)


@pytest.fixture
def run(rig_file, play, tmp_path):
    """Plays a round on a rig whose shoe is submitted with its image, and holds another or the same."""
    (tmp_path / "good.bin").write_bytes(GOOD)
    (tmp_path / "bad.bin").write_bytes(BAD)

    async def run_on(wire, held="good.bin", says=None):
        said = "" if says is None else f'digest = "{says}"\n'
        path = rig_file(
            devices={"shoe": f'{WIRES[wire]}\n[devices.shoe.identity]\nimage = "good.bin"'},
            emulators={"shoe": f'[devices.shoe.emulator.identity]\nimage = "{held}"\n{said}'},
            game='start = "dice"\ndeal = "automated_shoe"',
        )
        return await play(rigfile.load(path), 1)

    return run_on


def found(finished, check):
    return next(f for f in finished.findings if f.device == "shoe" and f.check == check)


@every_wire
async def test_a_device_that_holds_what_was_submitted_is_certified(run, wire):
    finished = await run(wire)
    finding = found(finished, CHECK)
    assert finding.verdict is Verdict.PASS
    assert finding.detail == ("once; this shows that the device has the image, but not that it runs it")
    evidence = Evidence(journals.read(finished.folder / "journal.jsonl").records)
    (record,) = evidence.of(Challenged, "shoe")
    assert finding.evidence == (record.seq,)
    assert record.data["image"] == hashlib.sha256(GOOD).hexdigest()
    assert found(finished, SUBMITTED).verdict is Verdict.PASS
    assert finished.verdict["verdict"] == "no failure seen"


@every_wire
async def test_a_device_that_was_tampered_with_is_refused_even_if_it_lies_about_its_digest(run, wire):
    finished = await run(wire, held="bad.bin", says=hashlib.sha256(GOOD).hexdigest())
    assert found(finished, SUBMITTED).verdict is Verdict.PASS
    assert found(finished, CHECK).verdict is Verdict.FAIL
    assert found(finished, CHECK).detail.endswith("is not that of the image submitted")
    assert finished.verdict["devices"]["shoe"]["verdict"] == "refused"


@every_wire
async def test_a_proof_for_another_nonce_is_refused(run, wire, monkeypatch):
    """A device that has heard one good proof and gives it again."""
    heard = proof(GOOD, bytes(32))
    monkeypatch.setattr(device, "proof", lambda image, nonce: heard)
    finished = await run(wire)
    assert found(finished, CHECK).verdict is Verdict.FAIL
    assert heard.hex() in found(finished, CHECK).detail
    assert finished.verdict["devices"]["shoe"]["verdict"] == "refused"


@every_wire
async def test_a_device_that_does_not_know_the_challenge_is_refused(run, wire, monkeypatch):
    make = device.Device.__init__

    def without_challenge(self, *args, **kwargs):
        make(self, *args, **kwargs)
        del self._steps["challenge"]

    monkeypatch.setattr(device.Device, "__init__", without_challenge)
    finished = await run(wire)
    assert (found(finished, CHECK).verdict, found(finished, CHECK).detail) == (Verdict.FAIL, "answered unknown_command")
    assert finished.verdict["devices"]["shoe"]["verdict"] == "refused"


async def test_an_honest_device_with_other_firmware_fails_by_its_digest_too(run):
    finished = await run("serial", held="bad.bin")
    assert found(finished, SUBMITTED).verdict is Verdict.FAIL
    assert f"digest is '{hashlib.sha256(BAD).hexdigest()}'" in found(finished, SUBMITTED).detail
    assert found(finished, CHECK).verdict is Verdict.FAIL


async def test_without_an_image_the_challenge_is_not_tested_and_holds_nobody_up(rig_file, play):
    finished = await play(rigfile.load(rig_file(game='start = "dice"\ndeal = "automated_shoe"')), 1)
    finding = found(finished, CHECK)
    assert (finding.verdict, finding.detail) == (Verdict.NOT_TESTED, "no firmware image was submitted")
    assert finished.verdict["verdict"] == "no failure seen"
