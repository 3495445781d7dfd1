"""The driver's end over a scripted line: late answers, noise, lost lines, and commands that must not run twice."""

import asyncio

import pytest

from feltrig.protocols.errors import Garbage, LineLost, NoAnswer
from feltrig.protocols.messages import NO_FRAME, WRONG_CHECK, Request, Unread
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.dialogue import Parcel
from feltrig.protocols.profiles.message_channel import TRIES, MessageChannel
from feltrig.protocols.vocabulary import Error, State

DEADLINE = 0.05


class Script:
    """A line that answers each message with the next of its lines, at once."""

    name = "script"

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.answers: list[list[bytes] | str] = []

    async def open(self, hear, noise, lost):
        self.hear, self.noise, self.lost = hear, noise, lost

    async def close(self):
        pass

    def send(self, parcel: Parcel) -> None:
        self.sent.append(parcel.payload)
        answer = self.answers.pop(0) if self.answers else []
        if isinstance(answer, str):
            asyncio.get_running_loop().call_soon(self.lost, answer)
        else:
            self.say(*answer)

    def say(self, *payloads: bytes) -> None:
        for payload in payloads:
            asyncio.get_running_loop().call_soon(self.hear, Parcel("", payload))


async def open_channel(name: str):
    line = Script()
    channel = MessageChannel(profilefile.builtin(name), line, DEADLINE)
    await channel.open()
    return line, channel


@pytest.fixture
async def shoe():
    return await open_channel("lookalike-card-reports-shoe")


@pytest.fixture
async def rng():
    return await open_channel("lookalike-status-lines-rng")


async def test_an_answer_and_the_reports_around_it_are_told_apart(shoe):
    line, channel = shoe
    line.answers = [[b"1D014", b"\x06", b"1D014"]]
    assert (await channel.request(Request("dispense", {"size": 4}))).error is Error.OK
    assert line.sent == [b"OPDP04"]
    assert [e.name for e in (await channel.events(0)).events] == ["dispensed"]


async def test_a_refusal_says_why(shoe):
    line, channel = shoe
    line.answers = [[b"\x1521"]]
    assert (await channel.request(Request("lock"))).error is Error.WRONG_STATE


async def test_what_the_device_could_not_read_is_sent_again(shoe):
    line, channel = shoe
    line.answers = [[b"\x1502"], [b"\x06"]]
    assert (await channel.request(Request("lock"))).error is Error.OK
    assert len(line.sent) == 2
    line.answers = [[b"\x1502"]] * TRIES
    with pytest.raises(Garbage, match="lock: the device could not read it in 3 tries"):
        await channel.request(Request("lock"))


async def test_what_the_device_could_not_read_may_have_been_noise_before_the_command(shoe):
    """Its answer to the command follows: sent again at once, the command would run twice."""
    line, channel = shoe
    line.answers = [[b"\x1502", b"\x06"]]
    assert (await channel.request(Request("dispense", {"size": 4}))).error is Error.OK
    line.answers = [[b"\x1502", b"\x1521"]]
    assert (await channel.request(Request("lock"))).error is Error.WRONG_STATE
    assert line.sent == [b"OPDP04", b"OPLK01"]


async def test_an_argument_that_the_message_has_no_room_for_is_not_sent(shoe):
    line, channel = shoe
    assert (await channel.request(Request("dispense", {"size": 100}))).error is Error.BAD_ARGUMENT
    assert line.sent == []


async def test_a_command_is_sent_once_and_a_late_answer_is_no_answer_to_the_next(shoe):
    line, channel = shoe
    with pytest.raises(NoAnswer, match=r"script: dispense: no answer within 0\.05 s"):
        await channel.request(Request("dispense", {"size": 4}))
    assert line.sent == [b"OPDP04"]
    line.say(b"\x06")
    with pytest.raises(NoAnswer):
        await channel.request(Request("lock"))
    assert line.sent == [b"OPDP04"]


async def given_up(channel: MessageChannel, request: Request) -> None:
    """Ask, and stop waiting when the question is on the line."""
    asking = asyncio.create_task(channel.request(request))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_the_answer_to_a_command_that_was_given_up_is_no_answer_to_the_next(shoe):
    line, channel = shoe
    await given_up(channel, Request("lock"))
    assert line.sent == [b"OPLK01"]
    line.say(b"\x06")
    with pytest.raises(NoAnswer, match="lock: given up before its answer came"):
        await channel.request(Request("dispense", {"size": 4}))
    assert line.sent == [b"OPLK01"]


async def test_a_device_that_lost_its_power_can_be_asked_again(shoe):
    line, channel = shoe
    await given_up(channel, Request("lock"))
    channel.begin_anew()
    line.answers = [[b"\x06"]]
    assert (await channel.request(Request("lock"))).error is Error.OK
    assert line.sent == [b"OPLK01", b"OPLK01"]


async def test_a_line_that_was_lost_with_the_power_stays_lost_until_it_is_opened(shoe):
    _, channel = shoe
    await channel.close()
    channel.begin_anew()
    with pytest.raises(LineLost):
        await channel.request(Request("lock"))
    await channel.open()


async def test_where_answers_give_a_token_back_a_command_may_be_given_up():
    text = ASKED_WHO_IT_IS.replace('"OK"', '"OK {token:d}"').replace('"GO"', '"GO {token:d}"')
    line = Script()
    channel = MessageChannel(profilefile.loads(text.encode(), "x.toml"), line, DEADLINE)
    await channel.open()
    await given_up(channel, Request("select", token=1))
    line.answers = [[b"OK 1", b"OK 2"]]
    assert (await channel.request(Request("select", token=2))).error is Error.OK
    assert line.sent == [b"GO 1", b"GO 2"]


async def test_noise_instead_of_an_answer_is_garbage(shoe):
    line, channel = shoe
    line.answers = [[b"1?"]]
    with pytest.raises(Garbage, match="a message that it does not know"):
        await channel.request(Request("lock"))


async def test_a_line_that_is_lost_before_the_answer_leaves_it_open_whether_the_command_ran(shoe):
    line, channel = shoe
    line.answers = ["hung up"]
    request = Request("dispense", {"size": 4}, token=9)
    with pytest.raises(LineLost, match="hung up"):
        await channel.request(request)
    await channel.open()
    with pytest.raises(NoAnswer, match="might run twice"):
        await channel.request(request)
    assert len(line.sent) == 1


ASKED_WHO_IT_IS = """
feltrig_profile = 1
name = "x"
title = "x"
about = "x"
kind = "rng"
wire = "serial"
[reports]
modulus = 100
[answers]
done = "OK"
[commands.identify]
message = "ID?"
answer = "ID {serial:4s}"
[commands.select]
message = "GO"
[[says]]
message = "{seq:2d} NUMBER {number:1d}"
event = "selected"
"""


async def test_asking_who_is_there_does_not_make_up_for_an_answer_that_was_lost():
    """Else a driver that opens the line again, and asks that first, would have the command run twice."""
    line = Script()
    channel = MessageChannel(profilefile.loads(ASKED_WHO_IT_IS.encode(), "x.toml"), line, DEADLINE)
    await channel.open()
    line.answers = ["hung up", [b"ID 0001"]]
    select = Request("select", token=9)
    with pytest.raises(LineLost, match="hung up"):
        await channel.request(select)
    await channel.open()
    assert (await channel.request(Request("identify", token=10))).values["serial"] == "0001"
    with pytest.raises(NoAnswer, match="might run twice"):
        await channel.request(select)
    assert line.sent == [b"GO", b"ID?"]


async def test_numbers_go_on_after_a_line_was_lost(shoe):
    line, channel = shoe
    line.hear(Parcel("", b"1D014"))
    line.lost("hung up")
    with pytest.raises(LineLost):
        await channel.events(0)
    await channel.open()
    line.hear(Parcel("", b"2D024"))
    assert [e.number for e in (await channel.events(1)).events] == [2]


async def test_what_was_said_while_the_line_was_lost_is_not_the_devices_gap(shoe):
    line, channel = shoe
    line.hear(Parcel("", b"1D014"))
    line.lost("hung up")
    await channel.open()
    assert channel.spoilt == "the line was lost"
    line.hear(Parcel("", b"3D034"))
    with pytest.raises(Garbage, match="a report was lost: the line was lost"):
        await channel.events(1)


async def test_a_line_on_which_nothing_was_lost_is_no_longer_spoilt(shoe):
    line, channel = shoe
    line.hear(Parcel("", b"1D014"))
    line.lost("hung up")
    await channel.open()
    line.hear(Parcel("", b"2D024"))
    assert channel.spoilt == ""


@pytest.mark.parametrize(
    ("noises", "why"), [((), "it never came"), ((Unread(NO_FRAME, b"?"),), "bytes that make no frame")]
)
async def test_a_report_lost_on_a_serial_line_is_never_the_devices_gap(shoe, noises, why):
    """A line may be deaf for a moment, and the device cannot be asked again."""
    line, channel = shoe
    line.hear(Parcel("", b"1D014"))
    for noise in noises:
        line.noise(noise)
    line.hear(Parcel("", b"3D034"))
    with pytest.raises(Garbage, match=f"a report was lost: {why}"):
        await channel.events(1)


async def test_a_report_lost_between_a_device_and_its_broker_is_a_gap_unless_our_line_was_lost():
    text = ASKED_WHO_IT_IS.replace('"serial"', '"mqtt"') + '[mqtt]\nhears = "in"\nsays = "out"\n'
    line = Script()
    channel = MessageChannel(profilefile.loads(text.encode(), "x.toml"), line, DEADLINE)
    await channel.open()
    line.hear(Parcel("out", b"01 NUMBER 1"))
    line.hear(Parcel("out", b"03 NUMBER 3"))
    assert [e.number for e in (await channel.events(0)).events] == [1, 3]
    line.lost("hung up")
    await channel.open()
    line.hear(Parcel("out", b"05 NUMBER 5"))
    with pytest.raises(Garbage, match="a report was lost: the line was lost"):
        await channel.events(3)


async def test_a_copy_of_an_old_report_does_not_make_up_for_one_that_was_spoilt(shoe):
    line, channel = shoe
    line.hear(Parcel("", b"1D014"))
    line.noise(Unread(NO_FRAME, b"?"))
    line.hear(Parcel("", b"1D014"))
    assert channel.spoilt == "bytes that make no frame: '?'"
    line.hear(Parcel("", b"2D024"))
    assert channel.spoilt == ""
    line.noise(Unread(NO_FRAME, b"?"))
    line.hear(Parcel("", b"2D024"))
    line.hear(Parcel("", b"4D044"))
    with pytest.raises(Garbage, match="a report was lost: bytes that make no frame"):
        await channel.events(2)


async def test_who_it_is_stands_on_the_label(rng):
    _, channel = rng
    values = (await channel.request(Request("identify"))).values
    assert values["kind"] == 1
    assert values["model"] == "status lines look-alike"


async def test_a_command_that_the_wire_lacks_is_unknown(rng):
    assert (await rng[1].request(Request("blank"))).error is Error.UNKNOWN_COMMAND


async def test_the_state_is_that_of_the_last_report(rng):
    line, channel = rng
    line.say(b"*X;3;007;00;0;000;0")
    assert (await channel.request(Request("status"))).values["state"] == State.BUSY
    assert (await channel.events(0)).events == ()
    line.say(b"*X;5;008;04;0;000;0")
    await channel.idle(5)
    assert (await channel.events(0)).events[0].values == {"number": 4}
    assert (await channel.request(Request("display"))).values == {"number": 4}


async def test_a_device_that_never_reports_is_silent(rng):
    with pytest.raises(NoAnswer, match="no report of its state"):
        await rng[1].request(Request("status"))


async def test_a_device_that_stops_reporting_is_silent():
    text = (
        'feltrig_profile = 1\nname = "x"\ntitle = "x"\nabout = "x"\nkind = "rng"\nwire = "serial"\n'
        '[[says]]\nstatus = true\nmessage = "{selected.nth:1d}{selected.number:1d}"\nmodulus = 10\nevery = 0.01\n'
    )
    line = Script()
    channel = MessageChannel(profilefile.loads(text.encode(), "x.toml"), line, DEADLINE)
    await channel.open()
    line.hear(Parcel("", b"00"))
    assert (await channel.events(0)).events == ()
    await asyncio.sleep(2 * DEADLINE)
    with pytest.raises(NoAnswer, match="no report of its state for"):
        await channel.events(0)


async def test_idle_ends_when_something_comes_and_when_the_line_is_lost(rng):
    line, channel = rng
    line.hear(Parcel("", b"*X;2;007;00;0;000;0"))
    await channel.events(0)
    line.say(b"*X;5;008;04;0;000;0")
    async with asyncio.timeout(5):
        await channel.idle(60)
        await channel.idle(60)  # not fetched yet
    await channel.events(0)
    asyncio.get_running_loop().call_soon(line.lost, "hung up")
    async with asyncio.timeout(5):
        await channel.idle(60)


async def test_before_it_is_opened_and_after_it_is_closed_the_line_is_lost(shoe):
    _, channel = shoe
    await channel.close()
    with pytest.raises(LineLost, match="closed"):
        await channel.request(Request("lock"))
    fresh = MessageChannel(profilefile.builtin("lookalike-card-reports-shoe"), Script(), DEADLINE)
    with pytest.raises(LineLost, match="not open"):
        await fresh.events(0)


async def test_on_a_wire_without_numbers_what_cannot_be_read_may_have_been_a_report():
    """Else a report that was lost in noise would look like a machine that never came to an end."""
    line, channel = await open_channel("lookalike-history-log-shuffler")
    line.noise(Unread(NO_FRAME, b"the end of a line that began before"))
    line.hear(Parcel("", b"14:05:09 11/16/26 000042 Shuffle Started"))
    assert [e.name for e in (await channel.events(0)).events] == ["shuffling"]
    line.hear(Parcel("", b"14:05:21 11/16/26 000043 Shuf#le Complete"))
    with pytest.raises(Garbage, match="it may have been a report"):
        await channel.events(1)


async def test_on_a_wire_without_numbers_a_lost_line_leaves_open_what_was_said_meanwhile():
    line, channel = await open_channel("lookalike-history-log-shuffler")
    await channel.close()
    await channel.open()
    assert (await channel.events(0)).events == ()
    line.lost("hung up")
    await channel.close()
    await channel.open()
    with pytest.raises(Garbage, match="the line was lost, and with it perhaps reports"):
        await channel.events(0)


HEAD = 'feltrig_profile = 1\nname = "x"\ntitle = "x"\nabout = "x"\nkind = "rng"\nwire = "serial"\n'
SELECT = '[commands.select]\nmessage = "GO"\n[[says]]\nmessage = "N{number:d}"\nevent = "selected"\n'


async def open_text(text: str):
    line = Script()
    channel = MessageChannel(profilefile.loads((HEAD + text).encode(), "x.toml"), line, DEADLINE)
    await channel.open()
    return line, channel


async def test_a_message_with_a_wrong_check_is_told_from_noise_once_the_device_was_heard():
    line, channel = await open_text('[answers]\ndone = "OK"\n' + SELECT)
    line.noise(Unread(WRONG_CHECK, b"N5"))
    assert [unread.why for unread in channel.unread] == [NO_FRAME]
    line.hear(Parcel("", b"N5"))
    line.noise(Unread(WRONG_CHECK, b"N6"))
    line.noise(Unread(WRONG_CHECK, b"zzz"))
    assert [unread.why for unread in channel.unread] == [NO_FRAME, WRONG_CHECK, NO_FRAME]
    with pytest.raises(Garbage, match="it may have been a report"):
        await channel.events(0)


POLLED = '[answers]\ndone = "OK"\n[reports]\npoll = "?"\nnothing = "-"\n' + SELECT


async def test_a_device_that_is_polled_is_asked_until_it_has_nothing_to_report():
    line, channel = await open_text(POLLED)
    line.answers = [[b"N3"], [b"N4"], [b"-"]]
    assert [event.values for event in (await channel.events(0)).events] == [{"number": 3}, {"number": 4}]
    assert line.sent == [b"?", b"?", b"?"]
    line.answers = [[b"OK"], [b"-"]]
    assert (await channel.request(Request("select"))).error is Error.OK
    assert len((await channel.events(0)).events) == 2


async def test_the_status_of_a_polled_device_counts_what_it_has_not_been_asked_for_yet():
    line, channel = await open_text(POLLED + '[commands.status]\nmessage = "S"\nanswer = "S{state:1d}"\n')
    line.answers = [[b"S2"], [b"N3"], [b"-"]]
    assert (await channel.request(Request("status"))).values["latest"] == 1


async def test_a_polled_device_that_is_silent_is_no_device_without_news():
    _, channel = await open_text(POLLED)
    with pytest.raises(NoAnswer, match="polled: no answer within"):
        await channel.events(0)


async def test_a_polled_device_may_report_its_state_instead():
    line, channel = await open_text(
        '[tables.s]\nI = "idle"\nR = "ready"\n[reports]\npoll = "?"\n[commands.select]\nmessage = "GO"\n'
        "unanswered = true\n[[says]]\nstatus = true\nmodulus = 10\n"
        'message = "{status.state:s} {selected.nth:1d} {selected.number:1d}"\n'
    )
    line.answers = [[b"I 0 0"], [b"R 1 7"]]
    assert (await channel.events(0)).events == ()
    batch = await channel.events(0)
    assert (batch.status.state, [event.values for event in batch.events]) == (State.READY, [{"number": 7}])


async def test_reports_are_acknowledged_and_answers_are_not():
    line, channel = await open_text(
        '[answers]\ndone = "OK"\n[reports]\nacknowledge = "A{seq:1d}"\nmodulus = 10\n'
        '[commands.select]\nmessage = "GO"\n[[says]]\nmessage = "{seq:1d} N{number:d}"\nevent = "selected"\n'
    )
    line.answers = [[b"OK"]]
    await channel.request(Request("select"))
    for report in (b"4 N1", b"4 N1", b"5 N2"):  # a repeat is acknowledged too: the first one was lost
        line.hear(Parcel("", report))
    assert line.sent == [b"GO", b"A4", b"A4", b"A5"]
    assert len((await channel.events(0)).events) == 2


BY_EVENT = '[answers]\nrefused = "NAK"\n' + SELECT.replace("[[says]]", 'answered_by = "selected"\n[[says]]')


async def test_the_message_of_an_event_can_be_the_answer():
    line, channel = await open_text(BY_EVENT)
    line.answers = [[b"N6"], [b"NAK"], []]
    assert (await channel.request(Request("select"))).error is Error.OK
    assert [event.values for event in (await channel.events(0)).events] == [{"number": 6}]
    assert (await channel.request(Request("select"))).error is Error.WRONG_STATE
    with pytest.raises(NoAnswer, match="select: no answer within"):
        await channel.request(Request("select"))


async def test_messages_on_a_line_can_be_json():
    line, channel = await open_text(
        '[commands.select]\nmessage = { cmd = "go" }\nanswer = { ok = true }\n'
        '[[says]]\nmessage = { number = "{number}" }\nevent = "selected"\n'
    )
    line.answers = [[b'{"ok": true}', b'{"number": 2, "when": "now"}']]
    assert (await channel.request(Request("select"))).error is Error.OK
    await asyncio.sleep(0)
    assert line.sent == [b'{"cmd":"go"}']
    assert [event.values for event in (await channel.events(0)).events] == [{"number": 2}]
