"""The emulated card reader."""

from feltrig.emulators.bench import Bench
from feltrig.emulators.models.device import Device
from feltrig.emulators.models.faults import Fault
from feltrig.emulators.models.reader import ReaderMechanism, reader
from feltrig.emulators.models.setup import Setup
from feltrig.protocols.messages import Request
from feltrig.protocols.vocabulary import FACE_UP, Error, FaultCode, State


def faces(device: Device[ReaderMechanism], offset: int = 0, limit: int = 60) -> object:
    return device.handle(Request("faces", {"offset": offset, "limit": limit}), 0.0).values["cards"]


def test_a_scan_sees_the_tray_from_the_top_with_face_up_cards_marked() -> None:
    bench = Bench()
    bench.put_new_deck("reader.tray", "red", [12, 53, 0])
    bench.turn("reader.tray", 1)
    device = reader(Setup("reader", 1, bench=bench))
    assert device.handle(Request("scan"), 0.0).error is Error.OK
    assert device.events(1, 0.0, 9).events[0].values == {"count": 3}
    assert faces(device) == (12, 53 | FACE_UP, 0)


def test_faces_come_in_pages_of_the_last_scan() -> None:
    bench = Bench()
    bench.put_new_deck("reader.tray", "red", range(54))
    device = reader(Setup("reader", 1, bench=bench))
    assert faces(device) == ()
    device.handle(Request("scan"), 0.0)
    bench.move_all("reader.tray", "discard")
    assert faces(device, 0, 30) == tuple(range(30))
    assert faces(device, 30, 30) == tuple(range(30, 54))
    assert faces(device, 54, 30) == ()


def test_an_empty_tray_is_seen_as_no_cards() -> None:
    device = reader(Setup("reader", 1))
    device.handle(Request("scan"), 0.0)
    assert device.events(1, 0.0, 9).events[0].values == {"count": 0}


def test_a_scan_takes_its_time_and_sees_what_lies_there_at_its_end() -> None:
    bench = Bench()
    bench.put_new_deck("discard", "red", range(4))
    device = reader(Setup("reader", 1, speed=1.0, bench=bench))
    device.handle(Request("scan"), 0.0)
    assert device.handle(Request("faces", {"offset": 0, "limit": 9}), 0.5).error is Error.WRONG_STATE
    bench.move_all("discard", "reader.tray")
    assert device.status(1.0).state is State.READY
    assert faces(device) == (0, 1, 2, 3)


def test_a_blind_reader_says_so_and_still_has_what_it_saw_before() -> None:
    bench = Bench()
    bench.put_new_deck("reader.tray", "red", [12, 53, 0])
    device = reader(Setup("reader", 1, bench=bench, faults=[Fault("blind", at=2)]))
    device.handle(Request("scan"), 0.0)
    device.handle(Request("scan"), 0.0)
    assert device.status(0.0).fault is FaultCode.SENSOR
    device.handle(Request("reset"), 0.0)
    assert faces(device) == (12, 53, 0)


def test_what_was_seen_is_forgotten_when_the_power_goes() -> None:
    bench = Bench()
    bench.put_new_deck("reader.tray", "red", [12, 53, 0])
    device = reader(Setup("reader", 1, bench=bench))
    device.handle(Request("scan"), 0.0)
    device.inject(Fault("power_loss", after=1.0, seconds=1.0), 0.0)
    device.advance(2.0)
    assert faces(device) == ()
