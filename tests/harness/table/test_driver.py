"""The driver against a channel that says what each test tells it to."""

import asyncio
from dataclasses import dataclass, field

import pytest

from feltrig.harness.devices.failures import Faulted, Stalled
from feltrig.harness.journal import reader as journals
from feltrig.harness.table.driver import Driver
from feltrig.protocols.errors import Garbage, LineLost, NoAnswer, Refused, WireError, WrongAnswer
from feltrig.protocols.kinds.shaker import SHAKER
from feltrig.protocols.messages import Event, EventBatch, Identity, Reply, Request, Status
from feltrig.protocols.vocabulary import Error, FaultCode, State

WHO = {"kind": 2, "vendor": "Acme", "model": "M1", "serial": "7", "firmware": "1.0", "digest": "ab"}


@dataclass
class Scripted:
    """A channel with a memory of events, scripted replies, and a failure to raise."""

    happened: list[Event] = field(default_factory=list)
    replies: dict[str, Reply] = field(default_factory=dict)
    on_command: dict[str, list[Event]] = field(default_factory=dict)
    """Events that a command brings about."""
    batch: int = 32
    failure: WireError | None = None
    requests: list[Request] = field(default_factory=list)
    asked_after: list[int] = field(default_factory=list)
    closed: bool = False
    endless: bool = False
    """Whether another event of no interest comes whenever the driver looks."""
    deaf: bool = False
    """Whether it sends its first events again, whatever number it is asked for."""
    state: State = State.IDLE

    async def open(self) -> None: ...

    async def close(self) -> None:
        self.closed = True

    async def request(self, request: Request) -> Reply:
        self.requests.append(request)
        if self.failure is not None:
            raise self.failure
        self.happened += self.on_command.get(request.command, [])
        return self.replies.get(request.command, Reply())

    async def events(self, after: int) -> EventBatch:
        self.asked_after.append(after)
        if self.failure is not None:
            raise self.failure
        if self.endless:
            self.happened.append(Event(len(self.happened) + 1, "covered"))
        numbers = [event.number for event in self.happened]
        status = Status(self.state, FaultCode.NONE, min(numbers, default=0), max(numbers, default=0))
        new = [event for event in self.happened if event.number > after or self.deaf]
        return EventBatch(status, tuple(new[: self.batch]))

    async def idle(self, seconds: float) -> None:
        await asyncio.sleep(0)


@pytest.fixture
def channel():
    return Scripted()


@pytest.fixture
def driver(channel, journal):
    return Driver("cup", SHAKER, channel, journal, patience=5.0)


@pytest.fixture
def hasty(channel, journal):
    """A driver that waits no longer than it must look twice."""
    return Driver("cup", SHAKER, channel, journal, patience=0.001)


@pytest.fixture
def noted(journal):
    """What the journal has of a kind."""

    def read(kind):
        journal.flush()
        return [record.data for record in journals.read(journal.path).records if record.kind == kind]

    return read


async def test_each_command_has_a_token_of_its_own(driver, channel):
    for _ in range(3):
        await driver.call("cover")
    assert len({request.token for request in channel.requests}) == 3


async def test_two_sessions_do_not_begin_with_the_same_token(channel, journal):
    for _ in range(4):
        await Driver("cup", SHAKER, channel, journal, 1.0).call("cover")
    assert len({request.token for request in channel.requests}) > 1


async def test_a_token_fits_four_bytes_and_is_never_zero(driver, channel):
    await driver.call("cover")
    assert 0 < channel.requests[0].token < 2**32


async def test_an_answer_that_takes_longer_than_any_before_is_on_record(channel, journal, noted):
    channel.slowest = 0.0
    channel.time_anew = lambda: None
    driver = Driver("cup", SHAKER, channel, journal, 1.0)
    for channel.slowest in (0.1, 0.1, 0.3, 0.2):
        await driver.look()
    assert noted("slowest") == [{"device": "cup", "seconds": 0.1}, {"device": "cup", "seconds": 0.3}]


async def test_a_call_and_its_reply_are_on_record_with_their_values(driver, channel, noted):
    channel.replies["shake"] = Reply(values={"dice": (1, 2, 3), "flat": True})
    assert await driver.call("shake", times=3) == {"dice": (1, 2, 3), "flat": True}
    assert noted("call") == [{"device": "cup", "command": "shake", "values": {"times": 3}}]
    assert noted("reply") == [
        {"device": "cup", "command": "shake", "error": "ok", "values": {"dice": [1, 2, 3], "flat": True}}
    ]


async def test_a_reply_with_an_error_is_on_record_and_raised_as_refused(driver, channel, noted):
    channel.replies["shake"] = Reply(Error.WRONG_STATE)
    with pytest.raises(Refused, match="cup: shake: refused: wrong_state") as refused:
        await driver.call("shake", times=3)
    assert (refused.value.device, refused.value.command, refused.value.error) == ("cup", "shake", "wrong_state")
    assert [reply["error"] for reply in noted("reply")] == ["wrong_state"]


@pytest.mark.parametrize(
    ("failure", "word"),
    [(NoAnswer("silent"), "no answer"), (LineLost("gone"), "line lost"), (Garbage("noise"), "garbage")],
)
@pytest.mark.parametrize("act", [lambda driver: driver.call("cover"), lambda driver: driver.look()])
async def test_a_failure_of_the_wire_is_on_record_before_it_is_raised(driver, channel, noted, failure, word, act):
    channel.failure = failure
    with pytest.raises(type(failure)):
        await act(driver)
    assert noted("trouble") == [{"device": "cup", "what": word, "detail": str(failure), "requirements": []}]
    assert noted("reply") == []


async def test_opening_learns_who_the_device_is_and_starts_behind_its_past(driver, channel):
    channel.happened = [Event(number, "covered") for number in range(1, 8)]
    channel.replies["identify"] = Reply(values=WHO)
    channel.replies["status"] = Reply(values={"state": 0, "fault": 0, "oldest": 1, "latest": 7})
    said = await driver.open()
    assert said == Identity("shaker", "Acme", "M1", "7", "1.0", "ab")
    assert driver.identity == said
    assert await driver.pending() == []
    assert channel.asked_after == [7]


async def test_a_kind_that_nobody_knows_is_named_by_its_code(driver, channel):
    channel.replies["identify"] = Reply(values=WHO | {"kind": 99})
    channel.replies["status"] = Reply(values={"state": 0, "fault": 0, "oldest": 0, "latest": 0})
    assert (await driver.open()).kind == "unknown (99)"


@pytest.mark.parametrize("wrong", [{"state": 9}, {"fault": 99}])
async def test_a_status_that_means_nothing_is_a_wrong_answer_on_record(driver, channel, noted, wrong):
    channel.replies["status"] = Reply(values={"state": 0, "fault": 0, "oldest": 0, "latest": 0} | wrong)
    with pytest.raises(WrongAnswer):
        await driver.status()
    assert [(t["device"], t["what"]) for t in noted("trouble")] == [("cup", "wrong answer")]


async def test_events_are_read_in_order_and_once(driver, channel, noted):
    channel.happened = [Event(1, "started"), Event(2, "shaken", {"times": 3}), Event(3, "covered")]
    assert await driver.until("shaken") == Event(2, "shaken", {"times": 3})
    assert await driver.until("covered") == Event(3, "covered")
    channel.happened.append(Event(4, "covered"))
    assert await driver.until("covered") == Event(4, "covered")
    assert [event["number"] for event in noted("event")] == [1, 2, 3, 4]
    assert noted("gap") == []


async def test_events_that_do_not_fit_one_batch_are_all_read(driver, channel):
    channel.batch = 2
    channel.happened = [Event(number, "covered") for number in range(1, 8)]
    assert [event.number for event in await driver.pending()] == list(range(1, 8))


async def test_a_number_left_out_goes_on_record_as_a_gap(driver, channel, noted):
    channel.happened = [Event(1, "started"), Event(4, "covered")]
    await driver.pending()
    assert noted("gap") == [{"device": "cup", "seen": 1, "next": 4}]


async def test_a_device_that_starts_over_goes_on_record_and_is_read_from_its_first_event(driver, channel, noted):
    channel.happened = [Event(number, "covered") for number in range(1, 6)]
    await driver.pending()
    channel.happened = [Event(1, "started"), Event(2, "shaken")]
    assert [event.name for event in await driver.pending()] == ["started", "shaken"]
    assert noted("restart") == [{"device": "cup", "seen": 5, "latest": 2}]
    assert noted("gap") == []


async def test_waiting_passes_over_other_events(driver, channel):
    channel.happened = [Event(1, "started"), Event(2, "covered"), Event(3, "shaken")]
    assert (await driver.until("shaken", "rolled")).number == 3


async def test_waiting_ends_with_the_fault_that_stopped_the_device(driver, channel):
    channel.happened = [Event(1, "faulted", {"fault": int(FaultCode.JAM)}), Event(2, "shaken")]
    with pytest.raises(Faulted, match="cup: stopped with fault jam") as faulted:
        await driver.until("shaken")
    assert (faulted.value.device, faulted.value.fault) == ("cup", FaultCode.JAM)


async def test_a_fault_can_itself_be_waited_for(driver, channel):
    channel.happened = [Event(1, "faulted", {"fault": int(FaultCode.JAM)})]
    assert (await driver.until("faulted")).number == 1


@pytest.mark.parametrize("values", [{}, {"fault": 77}])
async def test_a_fault_without_a_known_code_is_a_wrong_answer_on_record(driver, channel, noted, values):
    channel.happened = [Event(1, "faulted", values)]
    with pytest.raises(WrongAnswer):
        await driver.until("shaken")
    assert [(t["device"], t["what"]) for t in noted("trouble")] == [("cup", "wrong answer")]


async def test_waiting_for_what_never_comes_stalls_after_the_patience(hasty):
    with pytest.raises(Stalled, match=r"cup: no event shaken or rolled within 0\.001 s") as stalled:
        await hasty.until("shaken", "rolled")
    assert (stalled.value.device, stalled.value.expected) == ("cup", "event shaken or rolled")


async def test_a_device_that_has_started_over_and_rests_is_not_waited_for(driver, channel):
    channel.happened = [Event(1, "covered"), Event(2, "started")]
    with pytest.raises(Stalled, match="cup: no event shaken before it started over"):
        await driver.until("shaken")


async def test_what_ended_although_the_device_started_over_has_ended(driver, channel):
    channel.happened = [Event(1, "started"), Event(2, "shaken")]
    assert (await driver.until("shaken")).number == 2


async def test_a_device_that_started_over_and_is_at_work_is_waited_for(driver, channel):
    async def end(seconds):
        channel.state = State.IDLE
        channel.happened.append(Event(2, "shaken"))

    channel.state, channel.idle = State.BUSY, end
    channel.happened = [Event(1, "started")]
    assert (await driver.until("shaken")).number == 2


async def test_what_never_comes_on_a_line_that_was_spoilt_is_not_the_machines_failure(hasty, channel, noted):
    channel.spoilt = "bytes that make no frame"
    with pytest.raises(Garbage, match=r"cup: no event shaken within 0\.001 s, but bytes that make no frame"):
        await hasty.until("shaken")
    assert [(t["device"], t["what"]) for t in noted("trouble")] == [("cup", "garbage")]


async def test_a_device_that_never_stops_talking_stalls_too(hasty, channel):
    channel.endless = True
    with pytest.raises(Stalled):
        async with asyncio.timeout(5):
            await hasty.until("shaken")


async def test_a_look_at_a_device_that_never_stops_talking_ends(driver, channel):
    channel.endless, channel.batch = True, 1
    async with asyncio.timeout(5):
        assert [event.number for event in await driver.pending()] == [1]


async def test_a_device_that_repeats_its_events_is_on_record_and_stalls(hasty, channel, noted):
    channel.deaf, channel.batch = True, 2
    channel.happened = [Event(number, "covered") for number in range(1, 5)]
    with pytest.raises(Stalled):
        async with asyncio.timeout(5):
            await hasty.until("shaken")
    assert noted("gap")[0] == {"device": "cup", "seen": 2, "next": 1}


async def test_what_came_unasked_is_handed_over_once(driver, channel):
    channel.happened = [Event(1, "uncovered")]
    assert [event.name for event in await driver.pending()] == ["uncovered"]
    assert await driver.pending() == []


async def test_a_device_that_stopped_by_itself_is_noticed_before_the_next_command(driver, channel):
    channel.happened = [Event(1, "faulted", {"fault": int(FaultCode.STOPPED)})]
    with pytest.raises(Faulted):
        await driver.perform("shake", "shaken", times=3)
    assert channel.requests == []


@pytest.mark.parametrize("batch", [1, 32])
async def test_an_event_from_before_the_command_is_not_taken_for_its_answer(driver, channel, batch):
    channel.batch = batch
    channel.happened = [Event(1, "started"), Event(2, "shaken", {"times": 1})]
    channel.on_command["shake"] = [Event(3, "shaken", {"times": 3})]
    assert await driver.perform("shake", "shaken", times=3) == Event(3, "shaken", {"times": 3})


async def test_closing_closes_the_wire(driver, channel):
    await driver.close()
    assert channel.closed


class Slow(Scripted):
    """Its answers take a moment."""

    async def events(self, after):
        batch = await super().events(after)
        await asyncio.sleep(0)
        return batch


async def test_two_tasks_that_look_at_once_take_each_event_once(journal, noted):
    driver = Driver("cup", SHAKER, Slow([Event(n, "covered") for n in (1, 2, 3)], batch=1), journal, patience=5.0)
    await asyncio.gather(driver.look(), driver.look())
    assert [event["number"] for event in noted("event")] == [1, 2, 3]
    assert noted("gap") == []


class Boasting(Scripted):
    """It always has more to say."""

    async def events(self, after):
        await asyncio.sleep(0)
        return EventBatch(Status(State.IDLE, FaultCode.NONE, 1, 2**32 - 1), (Event(after + 1, "covered"),))


async def test_a_device_that_never_runs_out_of_events_does_not_hold_the_driver_beyond_its_patience(journal):
    hasty = Driver("cup", SHAKER, Boasting(), journal, patience=0.001)
    with pytest.raises(Stalled, match=r"no event shaken within 0\.001 s"):
        await hasty.until("shaken")


async def test_a_driver_knows_how_long_a_command_usually_takes(felt):
    table = felt()
    rng = table.devices["rng"]
    assert rng.usual("select") is None
    for _ in range(3):
        await rng.perform("select", "selected")
    assert rng.usual("select") > 0
    assert rng.apart(table.journal).usual("select") == rng.usual("select")
    assert rng.usual("blank") is None


async def test_a_driver_waits_until_a_device_is_gone(felt):
    table = felt()
    rng = table.devices["rng"]

    async def cut():
        await asyncio.sleep(0.05)
        await table.operator.power_off("rng")

    cutting = asyncio.ensure_future(cut())
    assert await rng.gone()
    await cutting


async def test_a_driver_does_not_wait_forever_for_a_device_to_go(felt, monkeypatch):
    monkeypatch.setattr("feltrig.harness.table.driver.START", 0.0)
    rng = felt(patience=0.01).devices["rng"]
    assert not await rng.gone()
