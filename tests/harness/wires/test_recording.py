"""The wires of a run, as its journal has them."""

from dataclasses import replace
from pathlib import Path

import pytest

from feltrig.errors import RigError
from feltrig.harness.journal.records import (
    Body,
    DeviceConnected,
    DrillBegun,
    DrillEnded,
    PowerSwitched,
    Recovered,
    RunBegun,
    RunEnded,
    Told,
    Trouble,
)
from feltrig.harness.journal.writer import Journal
from feltrig.harness.wires import recording
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.serial.frame import encode
from feltrig.protocols.sniffing import Answered, Asked, Broke, NoMessage, Switched

IDENTITY = {"kind": "rng", "vendor": "Acme", "model": "M", "serial": "7", "firmware": "1.0", "digest": "00"}
RNG = DeviceConnected("rng", "rng", "serial", False, "/dev/ttyS1", IDENTITY, {})
RUN = RunBegun("1.0", "", "bench", "ff", None, 5, 2, "supreme_pai_gow", "NJ", 54, ("rng",), ())


def write(folder: Path, *records: Body, wires: tuple[tuple[bool, bytes], ...] = ()) -> Path:
    with Journal(folder / "journal.jsonl") as journal:
        for body in records:
            journal.append(body)
            for outgoing, passed in wires if isinstance(body, DeviceConnected) else ():
                journal.wire("rng", outgoing, passed)
    return folder


def test_a_recording_has_the_devices_and_what_passed_on_their_wires(tmp_path: Path) -> None:
    wires = ((True, encode(3, 1, 0x12, bytes(4))), (False, encode(3, 1, 0x92, b"\0")))
    found = recording.load(write(tmp_path, RUN, RNG, wires=wires))
    assert (found.seed, found.rounds) == (5, 2)
    device = found.devices["rng"]
    assert (device.kind.name, device.wire, device.identity.vendor) == ("rng", "serial", "Acme")
    messages = [message for _, message in device.messages(device.sniffer())]
    asked = Asked(Request("blank", {}, 0))
    assert messages == [asked, Answered(asked, Reply())]


def test_a_lost_line_is_part_of_the_recording_and_whether_it_came_back(tmp_path: Path) -> None:
    lost = Trouble("rng", "line lost", "hung up")
    records = (RUN, RNG, lost, Recovered("rng", 0.1), lost)
    device = recording.load(write(tmp_path, *records)).devices["rng"]
    assert [chunk.came_back for chunk in device.chunks] == [True, False]
    assert [message for _, message in device.messages(device.sniffer())] == [Broke("hung up"), Broke("hung up")]


def test_hands_at_the_power_are_part_of_the_recording(tmp_path: Path) -> None:
    records = (RUN, RNG, PowerSwitched("rng", on=False), PowerSwitched("rng", on=True))
    device = recording.load(write(tmp_path, *records)).devices["rng"]
    assert [message for _, message in device.messages(device.sniffer())] == [Switched(False), Switched(True)]


def test_the_places_of_the_button_are_kept(tmp_path: Path) -> None:
    seen = [Told({"is": "ButtonSeen", "position": place}) for place in (3, 0)]
    assert recording.load(write(tmp_path, RUN, RNG, *seen)).buttons == (3, 0)


@pytest.mark.parametrize(
    ("records", "drilled"),
    [
        ((RunEnded("finished"),), False),
        ((DrillBegun("x", "rng"), DrillEnded("x", "rng"), RunEnded("finished")), True),
        ((RunEnded("wire"),), True),
        ((), True),
    ],
    ids=["without drills", "with drills", "ended before them", "cut off"],
)
def test_drills_follow_if_they_did_or_might_have(tmp_path: Path, records: tuple[Body, ...], drilled: bool) -> None:
    assert recording.load(write(tmp_path, RUN, RNG, *records)).drilled is drilled


def test_a_run_whose_last_line_was_torn_off_is_still_a_recording_and_says_so(tmp_path: Path) -> None:
    write(tmp_path, RUN, RNG)
    assert recording.load(tmp_path).warnings == []
    with (tmp_path / "journal.jsonl").open("ab") as file:
        file.write(b'{"data":')
    found = recording.load(tmp_path)
    assert list(found.devices) == ["rng"]
    assert found.warnings == [f"{tmp_path}/journal.jsonl: ends in the middle of a record, which is left out"]


def test_a_folder_that_is_no_run_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(RigError, match=r"is not the folder of a run: it has no journal\.jsonl"):
        recording.load(tmp_path)
    with pytest.raises(RigError, match="is not the folder of a run"):
        recording.load(tmp_path / "nowhere")


def test_a_journal_that_was_changed_is_refused(tmp_path: Path) -> None:
    journal = write(tmp_path, RUN, RNG) / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"Acme", b"Bcme"))
    with pytest.raises(RigError, match="line 2: was changed"):
        recording.load(tmp_path)


def test_a_journal_without_devices_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RigError, match="contains no device"):
        recording.load(write(tmp_path, RUN))


def test_a_device_on_an_unknown_wire_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RigError, match="rng: a rng on pigeons is not known here"):
        recording.load(write(tmp_path, RUN, replace(RNG, wire="pigeons")))


def test_what_a_device_said_by_a_profile_is_kept_as_it_is(tmp_path: Path) -> None:
    record = replace(RNG, profile={"name": "acme", "lacks": []})
    found = recording.load(write(tmp_path, RUN, record, wires=((False, b"\x05!"),)))
    device = found.devices["rng"]
    assert [message for _, message in device.messages(device.sniffer())] == [NoMessage(False, "profile acme", b"\x05!")]


def test_a_device_is_chosen_by_name(tmp_path: Path) -> None:
    found = recording.load(write(tmp_path, RUN, RNG))
    assert recording.chosen(found, None) == recording.chosen(found, "rng") == [found.devices["rng"]]
    with pytest.raises(RigError, match="there is no device 'shoe' in it: expected one of rng"):
        recording.chosen(found, "shoe")


@pytest.mark.parametrize("same", [True, False])
def test_what_was_said_by_a_profile_of_the_package_is_read_by_it_unless_that_has_changed(
    tmp_path: Path, same: bool
) -> None:
    profile = profilefile.builtin("lookalike-status-lines-rng").record()
    record = replace(RNG, profile=profile if same else {**profile, "digest": "00"})
    found = recording.load(write(tmp_path, RUN, record, wires=((True, b"*s 1\r\n"),)))
    device = found.devices["rng"]
    ((_, message),) = device.messages(device.sniffer())
    assert isinstance(message, Asked if same else NoMessage)
