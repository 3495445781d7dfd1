"""What a recorded device sends, and after what."""

import asyncio
import time

from feltrig.emulators.replay.script import Script, Sender

PASSED = (
    (0.0, False, b"hello"),
    (1.0, True, b"two"),
    (1.5, False, b"1"),
    (1.75, False, b"2"),
    (5.0, True, b"four"),
    (6.0, False, b"3"),
)


def test_what_the_device_sent_follows_as_many_bytes_of_the_driver_as_in_the_recording() -> None:
    script = Script("shoe", PASSED, len, print)
    assert script.receive(0) == [(0.0, b"hello")]
    assert script.receive(0) == script.receive(2) == []
    assert script.receive(1) == [(0.5, b"1"), (0.25, b"2")]
    assert script.receive(3) == []
    assert script.receive(1) == [(1.0, b"3")]
    assert script.deviations == []


def test_messages_may_be_counted_instead() -> None:
    script = Script("shoe", PASSED, lambda _: 1, print)
    assert [len(script.receive(messages)) for messages in (0, 1, 1)] == [1, 2, 1]


def test_what_comes_all_at_once_is_answered_in_order_and_what_comes_beyond_the_end_is_said_once() -> None:
    said: list[str] = []
    script = Script("shoe", PASSED, len, said.append)
    assert [piece for _, piece in script.receive(9)] == [b"hello", b"1", b"2", b"3"]
    assert script.receive(1) == []
    assert said == script.deviations == ["shoe: the driver went on after the recording had ended"]


def test_after_a_power_cut_the_device_speaks_when_it_is_switched_on_however_much_it_was_asked_in_the_dark() -> None:
    for asked_in_the_dark in (0, 4, 99):
        script = Script("shoe", (*PASSED, (7.0, True, b"x"), (7.5, False, b"4")), len, print, starts=[5.5])
        script.receive(3)
        assert script.receive(asked_in_the_dark) == []
        script.power_on()
        assert script.receive(0) == [(0.5, b"3")]
        assert script.receive(1) == [(0.5, b"4")]
        assert script.deviations == []


def test_the_power_is_gone_when_all_has_come_that_came_before_it_was_cut() -> None:
    script = Script("shoe", PASSED, len, print, starts=[5.5])
    seen = []
    for size in (3, 3, 1, 1):
        seen.append(script.powered)
        script.receive(size)
    assert (seen, script.powered) == ([True] * 3 + [False], False)
    script.power_on()
    assert script.powered


def test_power_that_was_never_cut_changes_nothing() -> None:
    script = Script("shoe", PASSED, len, print)
    script.power_on()
    assert script.receive(0) == [(0.0, b"hello")]


async def test_what_was_late_is_sent_before_what_is_due_at_once() -> None:
    sent: asyncio.Queue[str] = asyncio.Queue()
    sender = Sender(sent.put_nowait, speed=1.0)
    sender.queue([(0.001, "first"), (0.0, "second")])
    time.sleep(0.01)  # noqa: ASYNC251 - a busy loop: the timer is due, and has not rung
    sender.queue([(0.0, "third")])
    async with asyncio.timeout(5):
        assert [await sent.get() for _ in range(3)] == ["first", "second", "third"]


async def test_what_is_stopped_is_forgotten_and_what_follows_is_sent() -> None:
    sent: list[str] = []
    sender = Sender(sent.append, speed=1.0)
    sender.queue([(0.001, "first"), (60.0, "second")])
    sender.stop()
    sender.queue([(0.0, "third")])
    await asyncio.sleep(0.005)
    assert sent == ["third"]
