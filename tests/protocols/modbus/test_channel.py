"""The driver's end of Modbus, on both framings, against the emulated station and its misbehaviour."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from feltrig.emulators.bench import Bench
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.device import Device
from feltrig.emulators.models.rng import RngMechanism, rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_server import ModbusServer
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.protocols.errors import Garbage, LineLost, NoAnswer, WrongAnswer
from feltrig.protocols.kinds.reader import READER
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.channel import ModbusChannel, ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.modbus.frame import RtuDeframer, TcpDeframer, encode_rtu, encode_tcp, response_length
from feltrig.protocols.vocabulary import Error

SHORT = 0.09
"""A deadline for tests in which it must pass."""
LONG = 5.0
STATUS, DISPLAY = Request("status"), Request("display")
Misbehave = Callable[[bytes], bytes | None]


@asynccontextmanager
async def rtu(
    misbehave: Misbehave | None = None, deadline: float = LONG, unit: int = 1
) -> AsyncIterator[tuple[ModbusChannel, Device[RngMechanism]]]:
    machine = rng(Setup("rng", 1))
    station = ModbusRtuStation(machine, misbehave=misbehave)
    channel = ModbusRtuChannel(RNG, await station.start(), unit, deadline=deadline)
    await channel.open()
    try:
        yield channel, machine
    finally:
        await channel.close()
        await station.stop()


@asynccontextmanager
async def tcp(
    misbehave: Misbehave | None = None, deadline: float = LONG, unit: int = 1
) -> AsyncIterator[tuple[ModbusChannel, Device[RngMechanism]]]:
    machine = rng(Setup("rng", 1))
    station = ModbusTcpStation(machine, misbehave=misbehave)
    host, _, port = (await station.start()).rpartition(":")
    channel = ModbusTcpChannel(RNG, host, int(port), unit, deadline)
    await channel.open()
    try:
        yield channel, machine
    finally:
        await channel.close()
        await station.stop()


both = pytest.mark.parametrize("wire", [rtu, tcp])


def select(machine: Device[RngMechanism], times: int = 1) -> None:
    """Make events behind the channel's back."""
    for _ in range(times):
        machine.handle(Request("select"), 0.0)


def refuse(function: int, refusal: pdu.Refusal) -> Misbehave:
    """Answers to one function become exception responses; the framing is recognised by the answer itself."""

    def instead(answer: bytes) -> bytes:
        for frame in TcpDeframer().receive(answer):
            if frame.pdu[0] == function:
                return encode_tcp(frame.transaction, frame.unit, pdu.refusal(function, refusal))
        for rtu_frame in RtuDeframer(response_length).receive(answer):
            if rtu_frame.pdu[0] == function:
                return encode_rtu(rtu_frame.unit, pdu.refusal(function, refusal))
        return answer

    return instead


@both
async def test_identity_status_commands_and_events_cross_the_wire(wire):
    async with wire() as (channel, machine):
        who = machine.identity
        reply = await channel.request(Request("identify"))
        assert reply.values == machine.handle(Request("identify"), 0.0).values
        assert reply.values["digest"] == who.digest
        assert await channel.request(Request("select", token=1)) == Reply()
        status = await channel.request(STATUS)
        assert status.values == machine.handle(STATUS, 0.0).values
        batch = await channel.events(0)
        assert batch == machine.events(0, 0.0, 9)
        assert (await channel.request(DISPLAY)).values["number"] == batch.events[1].values["number"]
        assert (await channel.events(batch.status.latest)).events == ()


@both
async def test_a_refusal_is_a_reply_and_not_an_exception(wire):
    async with wire() as (channel, machine):
        machine.board.fail(machine.board.fault.JAM)
        assert await channel.request(Request("select", token=1)) == Reply(Error.WRONG_STATE)


@both
async def test_all_events_of_the_ring_are_fetched_in_order_and_older_ones_are_gone(wire):
    async with wire() as (channel, machine):
        select(machine, 150)
        numbers: list[int] = []
        batch = await channel.events(0)
        while batch.events:
            numbers += [event.number for event in batch.events]
            batch = await channel.events(numbers[-1])
        assert numbers == list(range(88, 152))
        assert (batch.status.oldest, batch.status.latest) == (88, 151)


@both
async def test_a_lost_answer_is_repaired_and_the_command_ran_once(wire):
    lose = iter([True])
    async with wire(lambda answer: None if next(lose, False) else answer, 0.3) as (channel, machine):
        assert await channel.request(Request("select", token=5)) == Reply()
        assert [event.name for event in machine.events(0, 0.0, 9).events] == ["started", "selected"]


@both
async def test_silence_is_no_answer(wire):
    async with wire(lambda _: None, SHORT) as (channel, _):
        for asking in (channel.request(STATUS), channel.request(DISPLAY), channel.events(0)):
            with pytest.raises(NoAnswer, match="no answer to 3 tries"):
                await asking


@both
async def test_noise_without_an_answer_is_garbage(wire):
    async with wire(lambda _: b"\x55\xaa\x55\xaa", SHORT) as (channel, _):
        with pytest.raises(Garbage, match="bytes that make no frame"):
            await channel.request(STATUS)


@both
async def test_noise_before_an_answer_does_no_harm(wire):
    async with wire(lambda answer: b"\xff\xfe\xfd" + answer) as (channel, _):
        assert (await channel.request(STATUS)).values["latest"] == 1
        assert (await channel.request(DISPLAY)).values == {"number": 0}


class Postman:
    """Holds back answers, and delivers them late."""

    def __init__(self) -> None:
        self.holding = True
        self.held: list[bytes] = []
        self.holds = asyncio.Event()

    def __call__(self, answer: bytes) -> bytes | None:
        if self.holding:
            self.held.append(answer)
            self.holds.set()
            return None
        late, self.held = b"".join(self.held), []
        return late + answer


@both
@pytest.mark.parametrize("late", [STATUS, DISPLAY, Request("identify")], ids=lambda request: request.command)
async def test_a_late_answer_is_never_taken_for_the_next(wire, late):
    postman = Postman()
    async with wire(postman, SHORT) as (channel, machine):
        with pytest.raises(NoAnswer):
            await channel.request(late)
        learning = wire is rtu or late is DISPLAY  # whether it offers function 23, asked once
        assert len(postman.held) == 3 + learning
        select(machine, 3)
        postman.holding = False
        assert (await channel.request(STATUS)).values["latest"] == 4
        shown = await channel.request(DISPLAY)
        assert shown.values["number"] == machine.mechanism.displayed


@both
async def test_the_surplus_answer_of_a_repeated_question_is_never_taken_for_the_next(wire):
    answers: list[bytes] = []

    def one_behind(answer: bytes) -> bytes | None:
        answers.append(answer)
        return None if len(answers) == 1 else answers[-2]

    async with wire(one_behind, 0.3) as (channel, machine):
        assert (await channel.request(STATUS)).values["latest"] == 1
        select(machine)
        # from here on every answer arrives one question late
        for _ in range(3):
            latest = (await channel.request(STATUS)).values["latest"]
            assert latest == machine.status(0.0).latest
            select(machine)


@both
async def test_the_refusal_of_an_earlier_question_is_not_taken_for_the_next(wire):
    postman = Postman()
    async with wire(postman, SHORT) as (channel, _):
        with pytest.raises(NoAnswer):
            await channel.request(STATUS)
        postman.held = [refuse(3, pdu.Refusal.DEVICE_FAILURE)(answer) for answer in postman.held if answer]
        postman.holding = False
        assert (await channel.request(STATUS)).values["latest"] == 1


async def test_a_late_answer_to_an_earlier_session_is_not_taken_on_an_rtu_line():
    postman, machine = Postman(), rng(Setup("rng", 1))
    station = ModbusRtuStation(machine, misbehave=postman)
    port = await station.start()
    try:
        first, second = (ModbusRtuChannel(RNG, port, deadline=LONG) for _ in range(2))
        postman.holding = False
        await first.open()
        for _ in range(2):  # after which the next is as long as the first of a session
            await first.request(STATUS)
        postman.holding = True
        asking = asyncio.create_task(first.request(STATUS))
        await postman.holds.wait()
        await first.close()
        with pytest.raises(LineLost):
            await asking
        select(machine)
        postman.holding = False
        await second.open()
        assert (await second.request(STATUS)).values["latest"] == 2
        await second.close()
    finally:
        await station.stop()


class RemembersAll:
    """A device that gives the same result again to every token, also of a command that does not act."""

    def __init__(self) -> None:
        self._server = ModbusServer(rng(Setup("rng", 1)))
        self._results: dict[bytes, bytes] = {}

    def respond(self, request: bytes, now: float) -> bytes:
        token = request[10:14]
        if token not in self._results:
            self._results[token] = self._server.respond(request, now)
        return self._results[token]


async def test_a_device_that_remembers_every_token_proves_its_firmware_anew_in_each_session():
    station = ModbusTcpStation(RemembersAll())
    host, _, port = (await station.start()).rpartition(":")
    proofs = []
    try:
        for nonce in (bytes(16), bytes(range(16))):
            channel = ModbusTcpChannel(RNG, host, int(port))
            await channel.open()
            proofs.append((await channel.request(Request("challenge", {"nonce": tuple(nonce)}))).values["proof"])
            await channel.close()
    finally:
        await station.stop()
    assert proofs[0] != proofs[1]


async def test_tokens_of_commands_that_do_not_act_come_round_in_their_own_half(monkeypatch):
    monkeypatch.setattr("random.SystemRandom.randrange", lambda _, end: end - 1)
    tokens: list[bytes] = []

    def note(answer: bytes) -> bytes:
        tokens.append(TcpDeframer().receive(answer)[0].pdu[2:6])
        return answer

    async with tcp(note) as (channel, _):
        await channel.request(DISPLAY)
        await channel.request(DISPLAY)
    assert tokens == [bytes.fromhex(token) for token in ("80000000", "ffffffff", "80000001")]


@both
@pytest.mark.parametrize("refusal", [pdu.Refusal.ILLEGAL_FUNCTION, pdu.Refusal.ILLEGAL_ADDRESS])
async def test_a_device_without_function_23_is_asked_by_16_and_3(wire, refusal):
    functions: list[int] = []
    without = refuse(pdu.READ_WRITE, refusal)

    def old_device(answer: bytes) -> bytes | None:
        answer = without(answer) or b""
        functions.append(answer[7 if wire is tcp else 1])
        return answer

    async with wire(old_device) as (channel, machine):
        assert await channel.request(Request("select", token=1)) == Reply()
        assert (await channel.request(DISPLAY)).values["number"] == machine.mechanism.displayed
        assert functions == [0x97, 16, 3, 16, 3]
        assert machine.status(0.0).latest == 2


async def test_a_copy_of_the_answer_that_settled_the_line_is_not_taken_for_the_status():
    without = refuse(pdu.READ_WRITE, pdu.Refusal.ILLEGAL_FUNCTION)
    copies: list[bytes] = []

    def late_copies(answer: bytes) -> bytes:
        copies.append(without(answer) or b"")
        return b"".join(copies[-2:])

    async with rtu(late_copies, 0.3) as (channel, machine):
        for latest in (1, 2, 3):
            await channel.close()
            await channel.open()
            assert (await channel.request(STATUS)).values["latest"] == latest
            select(machine)


@both
async def test_an_exception_response_is_garbage_and_says_which(wire):
    async with wire(refuse(pdu.READ_HOLDING, pdu.Refusal.ILLEGAL_ADDRESS)) as (channel, _):
        with pytest.raises(Garbage, match="status: Modbus exception 2, illegal address"):
            await channel.request(STATUS)


async def test_a_gateway_that_reaches_no_device_is_no_answer():
    async with tcp(unit=9) as (channel, _):
        with pytest.raises(NoAnswer, match="gateway"):
            await channel.request(STATUS)


async def test_another_unit_on_the_line_is_not_listened_to():
    async with rtu(lambda answer: encode_rtu(2, answer[1:-2]), SHORT) as (channel, _):
        with pytest.raises(Garbage, match="unit 2"):
            await channel.request(STATUS)


async def test_registers_that_break_off_are_garbage():
    def shorten(answer: bytes) -> bytes:
        transaction, unit, response = TcpDeframer().receive(answer)[0]
        return encode_tcp(transaction, unit, response[:-2])

    async with tcp(shorten) as (channel, _):
        with pytest.raises(Garbage, match="18 bytes of registers, expected 20"):
            await channel.request(STATUS)


@both
async def test_events_that_do_not_stand_in_their_slots_are_garbage(wire):
    def emptied(response: bytes) -> bytes:
        """A plain read that is no status finds nothing."""
        ring = response[0] == pdu.READ_HOLDING and response[1] not in (20, 22)
        return response[:2] + bytes(len(response) - 2) if ring else response

    def empty_ring(answer: bytes) -> bytes:
        if wire is tcp:
            transaction, unit, response = TcpDeframer().receive(answer)[0]
            return encode_tcp(transaction, unit, emptied(response))
        unit, response = RtuDeframer(response_length).receive(answer)[0]
        return encode_rtu(unit, emptied(response))

    async with wire(empty_ring) as (channel, _):
        with pytest.raises(Garbage, match="1 to 1 are announced"):
            await channel.events(0)


async def test_events_overwritten_between_the_status_and_the_read_are_looked_up_again():
    machines: list[Device[RngMechanism]] = []

    def busy(answer: bytes) -> bytes:
        if machines and len(answer) == 29:
            select(machines.pop(), 100)
        return answer

    async with tcp(busy) as (channel, machine):
        select(machine, 9)
        machines.append(machine)
        batch = await channel.events(0)
        assert (batch.status.oldest, batch.status.latest) == (47, 110)
        assert [event.number for event in batch.events] == list(range(47, 47 + len(batch.events)))


@both
async def test_a_line_that_drops_is_line_lost_and_stays_so(wire):
    def abort(_: bytes) -> bytes | None:
        raise ConnectionAbortedError

    async with wire(abort) as (channel, _):
        with pytest.raises(LineLost):
            await channel.request(STATUS)
        with pytest.raises(LineLost):
            await channel.events(0)


@both
async def test_a_closed_channel_refuses_and_can_be_opened_again(wire):
    async with wire() as (channel, _):
        await channel.close()
        await channel.close()
        with pytest.raises(LineLost, match="closed"):
            await channel.request(STATUS)
        await channel.open()
        assert (await channel.request(STATUS)).values["latest"] == 1


@both
async def test_a_channel_that_was_never_opened_is_line_lost(wire):
    channel = ModbusTcpChannel(RNG, "127.0.0.1", 1) if wire is tcp else ModbusRtuChannel(RNG, "/dev/no-such-port")
    with pytest.raises(LineLost, match="not open"):
        await channel.request(STATUS)
    with pytest.raises(LineLost):
        await channel.open()


@both
async def test_a_cancelled_request_leaves_the_line_usable(wire):
    postman = Postman()
    async with wire(postman) as (channel, machine):
        asking = asyncio.create_task(channel.request(STATUS))
        await postman.holds.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        select(machine)
        postman.holding = False
        assert (await channel.request(STATUS)).values["latest"] == 2


@both
async def test_requests_made_at_once_are_asked_one_after_the_other(wire):
    async with wire() as (channel, _):
        replies = await asyncio.gather(*(channel.request(STATUS) for _ in range(5)))
        assert [reply.values["latest"] for reply in replies] == [1] * 5


async def test_the_tap_sees_the_frames_written_down_by_hand():
    seen: dict[bool, bytes] = {True: b"", False: b""}

    def tap(outgoing: bool, data: bytes) -> None:
        seen[outgoing] += data

    station = ModbusTcpStation(rng(Setup("rng", 1)))
    host, _, port = (await station.start()).rpartition(":")
    channel = ModbusTcpChannel(RNG, host, int(port), tap=tap)
    await channel.open()
    try:
        await channel.request(STATUS)
    finally:
        await channel.close()
        await station.stop()
    assert seen[True] == bytes.fromhex("0001 0000 0006 01 03 0000 000a")
    assert seen[False] == bytes.fromhex("0001 0000 0017 01 03 14 0001 0001 0000 0000 00000001 00000001 00000000")


class Later:
    """A device that answers functions 3 and 16 only, at most 64 registers at once, and works on a command some reads
    after it was written."""

    def __init__(self, server: ModbusServer, reads: int) -> None:
        self._server = server
        self._reads = reads
        self._written: list[bytes] = []
        self._countdown = 0
        self.asked: list[int] = []

    def respond(self, request: bytes, now: float) -> bytes:
        self.asked.append(request[0])
        if request[0] == pdu.WRITE:
            self._written, self._countdown = [request], self._reads
            return request[:5]
        if request[0] != pdu.READ_HOLDING:
            return pdu.refusal(request[0], pdu.Refusal.ILLEGAL_FUNCTION)
        if int.from_bytes(request[3:5], "big") > 64:
            return pdu.refusal(request[0], pdu.Refusal.ILLEGAL_VALUE)
        if self._written and not self._countdown:
            self._server.respond(self._written.pop(), now)
        self._countdown -= bool(self._written)
        return self._server.respond(request, now)


@asynccontextmanager
async def later(
    rtu: bool, reads: int, deadline: float = LONG
) -> AsyncIterator[tuple[ModbusChannel, Device[RngMechanism], Later]]:
    machine = rng(Setup("rng", 1))
    device = Later(ModbusServer(machine), reads)
    if rtu:
        line = ModbusRtuStation(device)
        channel: ModbusChannel = ModbusRtuChannel(RNG, await line.start(), deadline=deadline)
    else:
        server = ModbusTcpStation(device)
        host, _, port = (await server.start()).rpartition(":")
        channel = ModbusTcpChannel(RNG, host, int(port), deadline=deadline)
    await channel.open()
    try:
        yield channel, machine, device
    finally:
        await channel.close()
        await (line if rtu else server).stop()


@pytest.mark.parametrize("on_rtu", [True, False], ids=["rtu", "tcp"])
async def test_a_result_that_comes_some_reads_after_the_write_is_waited_for(on_rtu):
    async with later(on_rtu, 3) as (channel, machine, device):
        assert (await channel.request(Request("identify"))).values["digest"] == machine.identity.digest
        assert await channel.request(Request("select", token=1)) == Reply()
        assert (await channel.request(DISPLAY)).values["number"] == machine.mechanism.displayed
        select(machine, 70)
        batch = await channel.events(0)
        assert [event.number for event in batch.events] == [9, 10, 11, 12]
        assert set(device.asked) == {pdu.READ_HOLDING, pdu.WRITE, pdu.READ_WRITE}
        assert device.asked.count(pdu.READ_WRITE) == 1
        assert channel.slowest > 0


@pytest.mark.parametrize("on_rtu", [True, False], ids=["rtu", "tcp"])
async def test_a_result_that_never_comes_is_a_wrong_answer(on_rtu):
    async with later(on_rtu, 0) as (channel, _, device):
        await channel.request(DISPLAY)
        await channel.request(STATUS)
        device._reads = 10**9
        channel._deadline = 0.2
        with pytest.raises(WrongAnswer, match="display: its result did not come"):
            await channel.request(DISPLAY)


async def test_a_result_longer_than_one_read_is_read_in_two():
    bench = Bench()
    bench.put_new_deck("reader.tray", "red", [card for _ in range(3) for card in range(52)])
    machine = MODELS["reader"].build(Setup("reader", 1, bench=bench))
    station = ModbusTcpStation(Later(ModbusServer(machine), 0))
    host, _, port = (await station.start()).rpartition(":")
    channel = ModbusTcpChannel(READER, host, int(port), deadline=LONG)
    await channel.open()
    try:
        await channel.request(Request("scan", token=1))
        machine.advance(1e9)
        cards = (await channel.request(Request("faces", {"offset": 0, "limit": 150}))).values["cards"]
        assert len(cards) == 150
    finally:
        await channel.close()
        await station.stop()
