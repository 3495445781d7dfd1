"""A line that is lost and comes back: the driver asks again with the same token, and the verdict shows it."""

import asyncio
from dataclasses import asdict

import pytest
from flaky_channels import Flaky, Held, noted
from rigs import make_rig, rng_rig_text

from feltrig.emulators.relays.noise import Disturbance
from feltrig.emulators.stations.pty_port import PtyPort
from feltrig.errors import RigError
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import NoiseBegun
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.judge.outcome import Outcome, outcome
from feltrig.harness.table.driver import Driver
from feltrig.protocols.errors import Garbage, LineLost, NoAnswer, NotAdmitted, SilentConnection
from feltrig.protocols.kinds.shaker import SHAKER
from feltrig.protocols.lines.tty import comes_back
from feltrig.protocols.messages import Event, EventBatch, Identity, Reply, Request, Status
from feltrig.protocols.serial.channel import SerialChannel
from feltrig.protocols.vocabulary import FaultCode, State

WHO = Identity("shaker", "Acme", "S1", "7", "1.0", "00")


class Known(Flaky):
    """It says who it is."""

    async def request(self, request):
        reply = await super().request(request)
        if request.command != "identify":
            return reply
        return Reply(values={**asdict(WHO), "kind": SHAKER.code})


@pytest.fixture
def drive(journal):
    return lambda channel, reconnect=5.0: Driver("shaker", SHAKER, channel, journal, 5.0, reconnect)


async def test_a_command_that_a_lost_line_swallowed_is_sent_again_with_the_same_token(journal, drive):
    channel = Flaky(LineLost("gone"))
    await drive(channel).call("cover")
    assert channel.opened == 1
    assert len(channel.tokens) == 2
    assert len(set(channel.tokens)) == 1
    troubles = noted(journal, "trouble", "recovered")
    assert [kind for kind, _ in troubles] == ["trouble", "recovered"]
    assert troubles[0][1] == {"device": "shaker", "what": "line lost", "detail": "gone", "requirements": []}
    assert troubles[1][1]["device"] == "shaker"
    assert len(noted(journal, "call")) == len(noted(journal, "reply")) == 1


async def test_events_are_asked_for_again_from_where_they_broke_off(journal, drive):
    channel = Flaky(None, LineLost("gone"), None)
    await drive(channel).look()
    assert channel.after == [0, 1, 1, 2]
    assert [data["number"] for _, data in noted(journal, "event")] == [1, 2, 3]


@pytest.mark.parametrize("error", [NoAnswer("silent"), Garbage("noise")])
async def test_silence_and_garbage_are_reported_and_the_line_stays_as_it_is(journal, drive, error):
    """The channel has asked as often as the deadline allowed; a port that is opened anew may restart a device."""
    channel = Flaky(error)
    with pytest.raises(type(error)):
        await drive(channel).call("cover")
    assert (channel.opened, len(channel.tokens)) == (0, 1)


async def test_silence_on_a_connection_is_cured_by_another_one_and_the_same_token(journal, drive):
    channel = Flaky(SilentConnection("silent"))
    await drive(channel).call("cover")
    assert channel.opened == 1
    assert len(channel.tokens) == 2
    assert len(set(channel.tokens)) == 1
    assert [(kind, data.get("what")) for kind, data in noted(journal, "trouble", "recovered")] == [
        ("trouble", "no answer"),
        ("recovered", None),
    ]


async def test_a_device_that_is_silent_on_a_new_connection_too_is_silent(journal, drive):
    channel = Flaky(*[SilentConnection("silent")] * 2, openings=[LineLost("not yet"), None])
    with pytest.raises(SilentConnection):
        await drive(channel).call("cover")
    assert channel.opened == 2
    assert [data["what"] for _, data in noted(journal, "trouble", "recovered")] == ["no answer"]


@pytest.mark.parametrize("known", [False, True])
async def test_who_was_let_in_before_tries_again_when_a_spoilt_handshake_looks_like_a_refusal(drive, known):
    channel = Known(LineLost("gone"), openings=[NotAdmitted("it asks for a certificate")])
    driver = drive(channel)
    driver.identity = WHO if known else None
    if known:
        await driver.call("cover")
        assert channel.opened == 2
    else:
        with pytest.raises(NotAdmitted):
            await driver.call("cover")
        assert channel.opened == 1


async def test_silence_after_a_loss_is_reported_as_both(journal, drive):
    with pytest.raises(NoAnswer):
        await drive(Flaky(LineLost("gone"), NoAnswer("silent"))).call("cover")
    assert [data["what"] for _, data in noted(journal, "trouble")] == ["line lost", "no answer"]


def wire_finding(evidence):
    return next(f for f in judge(evidence).findings if f.check == "answers on its wire" and f.device == "shaker")


def test_a_recovered_loss_is_in_the_detail_and_holds_up_no_certificate(log):
    log.run("shaker")
    log.device("shaker")
    lost = []
    for _ in range(2):
        log.call("shaker", "cover")
        lost.append(log.add("trouble", device="shaker", what="line lost", detail="gone"))
        log.add("recovered", device="shaker", seconds=0.1)
        log.reply("shaker", "cover")
    found = wire_finding(log.evidence)
    assert found.verdict is Verdict.PASS
    assert found.detail == "2 requests answered; line lost and recovered 2 times"
    assert list(found.evidence) == lost


def test_how_often_a_device_was_asked_again_is_in_the_detail(log):
    log.run("shaker")
    log.device("shaker")
    again = []
    for times in (1, 2):
        log.call("shaker", "cover")
        again.append(log.add("repeated", device="shaker", times=times))
        log.reply("shaker", "cover")
    found = wire_finding(log.evidence)
    assert (found.verdict, found.detail) == (Verdict.PASS, "2 requests answered, 3 times only when asked again")
    assert list(found.evidence) == again


def test_a_loss_that_lasted_is_not_covered_by_one_that_did_not(log):
    log.run("shaker")
    log.device("shaker")
    log.reply("shaker", "cover")
    log.add("trouble", device="shaker", what="line lost", detail="first")
    log.add("recovered", device="shaker", seconds=0.1)
    log.add("trouble", device="shaker", what="line lost", detail="second")
    found = wire_finding(log.evidence)
    assert (found.verdict, found.detail) == (Verdict.NOT_TESTED, "second")


def test_where_noise_may_change_bytes_unseen_nothing_is_proved(played):
    """A wrong number may be the wire's as well as the device's, and so may a right one."""

    def judged(unseen):
        noise = Record(0, "", 0.0, NoiseBegun("shaker", "", unseen, ()))
        evidence = Evidence([*played, noise])
        return outcome(evidence, judge(evidence).findings), wire_finding(evidence)

    assert judged(False)[0] is Outcome.NO_FAILURE
    verdict, found = judged(True)
    assert verdict is Outcome.INCONCLUSIVE
    assert (found.verdict, found.detail) == (Verdict.NOT_TESTED, "noise may have changed bytes undetected")


def load(device):
    return make_rig(rng_rig_text(device, None), "rig.toml").devices["rng"]


def test_noise_in_the_rig_file_is_for_real_and_emulated_devices_alike():
    noise = 'noise = [{ what = "drop", probability = 0.1, times = 0 }, { what = "delay", at = 3, seconds = 1 }]'
    expected = (Disturbance("drop", probability=0.1, times=0), Disturbance("delay", at=3, seconds=1.0))
    assert load(f'wire = "serial"\nport = "/dev/ttyUSB0"\n{noise}').noise == expected
    assert load(f'wire = "mqtt"\n{noise}\n[devices.rng.emulator]').noise == expected


def test_a_lost_line_has_two_seconds_unless_the_rig_file_says_otherwise():
    assert load('wire = "serial"\n[devices.rng.emulator]').reconnect == 2.0
    assert load('wire = "serial"\nreconnect = 0\n[devices.rng.emulator]').reconnect == 0.0


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        ('what = "corupt"', r"noise\[1\]\.what: 'corupt' is not .*did you mean corrupt\?$"),
        ('what = "drop", direction = "up"', r"noise\[1\]\.direction: 'up' is not 'to_device', 'from_device' or 'both'"),
        ('what = "drop", at = 0', r"noise\[1\]\.at: 0 is not"),
        ('what = "drop", probability = 1.5', r"noise\[1\]\.probability: 1\.5 is not a number from"),
        ('what = "drop", probability = 0', r"noise\[1\]\.probability: 0 is not a number from"),
        ('what = "drop", seed = 1', r"noise\[1\]\.seed: unknown key"),
        ('what = "delay", seconds = -1', r"noise\[1\]\.seconds: -1 is not"),
        ('what = "broker_restart"', r"noise\[1\]\.what: 'broker_restart' is only for wire 'mqtt', and this is serial$"),
    ],
)
def test_noise_that_cannot_be_is_named_with_its_place(noise, message):
    with pytest.raises(RigError, match=rf"^rig\.toml: devices\.rng\.{message}"):
        load(f'wire = "serial"\nnoise = [{{ {noise} }}]\n[devices.rng.emulator]')


def test_a_baud_rate_is_only_wrong_where_there_is_one():
    with pytest.raises(
        RigError, match=r"'wrong_baud' is only for wire 'serial' or 'modbus-rtu', and this is modbus-tcp"
    ):
        load('wire = "modbus-tcp"\nnoise = [{ what = "wrong_baud" }]\n[devices.rng.emulator]')


class Repeating(Flaky):
    """It has asked twice again before it hears an answer."""

    repeats = 0

    async def request(self, request):
        self.repeats += 2
        return await super().request(request)


async def test_questions_that_were_asked_again_are_on_record(journal, drive):
    driver = drive(Repeating())
    await driver.call("cover")
    await driver.look()
    assert noted(journal, "repeated") == [("repeated", {"device": "shaker", "times": 2})]


class Forgetful(Known):
    """When its line comes back, the device has started over, and holds two events."""

    async def events(self, after):
        if not self.opened:
            return await super().events(after)
        self.after.append(after)
        held = (Event(1, "started"), Event(2, "covered"))
        return EventBatch(
            Status(State.IDLE, FaultCode.NONE, 1, 2), tuple(event for event in held if event.number > after)
        )


async def test_a_command_is_not_repeated_to_a_device_that_has_started_over(journal, drive):
    channel = Forgetful(None, None, None, LineLost("gone"))
    driver = drive(channel)
    await driver.look()
    driver.identity = WHO
    with pytest.raises(NoAnswer, match=r"^shaker: cover: the device restarted before it answered$"):
        await driver.call("cover")
    assert len(channel.tokens) == 2, "the command once, and who it is"
    assert noted(journal, "restart") == [("restart", {"device": "shaker", "seen": 3, "latest": 2})]
    await driver.look()
    assert [data["event"] for _, data in noted(journal, "event")] == [*["covered"] * 3, "started", "covered"]


async def test_a_question_that_makes_nothing_happen_is_repeated_to_a_device_that_has_started_over(journal, drive):
    channel = Forgetful(None, None, None, LineLost("gone"))
    driver = drive(channel)
    await driver.look()
    driver.identity = WHO
    await driver.call("status")
    await driver.look()
    assert len(noted(journal, "restart")) == 1


async def test_a_driver_that_is_closed_during_a_call_opens_nothing_again(drive):
    channel = Held()
    driver = drive(channel)
    call = asyncio.create_task(driver.call("cover"))
    await asyncio.sleep(0)
    await driver.close()
    channel.lost.set()
    with pytest.raises(LineLost, match="gone"):
        await call
    assert (channel.opened, channel.tokens) == (0, [])


async def test_a_driver_that_is_closed_while_a_line_is_to_come_back_opens_nothing_again(journal, drive):
    channel = Held()
    driver = drive(channel)
    call = asyncio.create_task(driver.call("cover"))
    await asyncio.sleep(0)
    channel.lost.set()
    while not noted(journal, "trouble"):  # noqa: ASYNC110 - the journal tells nobody
        await asyncio.sleep(0)
    await driver.close()
    with pytest.raises(LineLost, match="shaker: closed"):
        await call
    assert (channel.opened, channel.tokens) == (0, [])


class Swapped(Flaky):
    """The line comes back after a loss, with another device at its end."""

    async def request(self, request):
        reply = await super().request(request)
        if request.command != "identify":
            return reply
        text = dict.fromkeys(("vendor", "model", "firmware", "digest"), "x")
        return Reply(values={"kind": SHAKER.code, "serial": str(self.opened), **text})


async def test_another_device_behind_a_line_that_came_back_is_not_taken_for_the_first(journal, drive):
    channel = Swapped(None, None, LineLost("gone"))
    driver = drive(channel)
    with pytest.raises(KeyError, match="state"):  # this channel has no status to give
        await driver.open()
    with pytest.raises(Garbage, match="another device answers"):
        await driver.call("cover")
    assert channel.opened == 1
    assert [data["what"] for _, data in noted(journal, "trouble")] == ["line lost", "garbage"]


async def test_a_pseudo_terminal_that_hung_up_is_not_opened_again_by_its_name(tmp_path):
    """Its number may belong to another program by then."""
    assert not comes_back("/dev/pts/3")
    assert comes_back("/dev/ttyUSB0")
    assert comes_back(str(tmp_path / "port"))
    port = PtyPort(lambda data: None)
    channel = SerialChannel(SHAKER, port.open())
    await channel.open()
    port.close()
    with pytest.raises(LineLost, match="hung up"):
        await channel.request(Request("status"))
    taker = PtyPort(lambda data: None)
    try:
        taker.open()
        await channel.close()
        with pytest.raises(LineLost, match="hung up"):
            await channel.open()
    finally:
        taker.close()
