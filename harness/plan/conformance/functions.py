"""How a device on Modbus answers on its line, and functions that it need not offer. modbus.md says what is right."""

from collections.abc import AsyncIterator, Mapping
from time import monotonic

from feltrig.harness.plan.conformance.registers import LONGEST, LOOK, NOT_OFFERED, Map, Part, block, in_turn, shown
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.protocols.errors import WireError
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs
from feltrig.protocols.modbus.frame import ALL_UNITS, RtuDeframer, TcpDeframer, encode_rtu, encode_tcp, response_length
from feltrig.protocols.modbus.pdu import Refusal

PAUSE = 0.02
"""Seconds between the pieces of a request that comes slowly."""
AT_REST = 0.2
"""Seconds for which the line is listened to while nothing is asked."""
TRANSACTIONS = (0, 1, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF)


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """All that holds in every framing."""
    async for tried in in_turn(stage, PARTS):
        yield tried


async def play_rtu(stage: Stage) -> AsyncIterator[Tried]:
    """What holds on RTU."""
    async for tried in in_turn(stage, RTU_PARTS):
        yield tried


async def play_tcp(stage: Stage) -> AsyncIterator[Tried]:
    """What holds on TCP, with or without TLS."""
    async for tried in in_turn(stage, TCP_PARTS):
        yield tried


async def _long_reads(m: Map) -> AsyncIterator[Tried]:
    """Reads of more than 64 registers. They are answered like shorter ones, or refused."""
    for start in (regs.DEVICE, regs.RING):
        for count in (65, 100, 124, pdu.MAX_READ):
            answer = await m.channel.exchange(pdu.read(start, count))
            refused = [pdu.refusal(pdu.READ_HOLDING, code) for code in (Refusal.ILLEGAL_ADDRESS, Refusal.ILLEGAL_VALUE)]
            right = (*refused, pdu.registers(pdu.READ_HOLDING, await m.read(start, count)))
            fault = None if answer in right else f"answered {shown(answer)}"
            yield Tried(f"a read of {count} registers at {start}", fault, ("MOD-8",))


async def _function_4(m: Map) -> AsyncIterator[Tried]:
    """Function 4, if it is offered. It reads the same registers as function 3."""
    offered = await m.channel.exchange(pdu.read(0, 1, pdu.READ_INPUT)) not in _refusals(pdu.READ_INPUT, *NOT_OFFERED)
    for start, count in ((0, 1), (0, 10), (16, 64), (127, 1), (256, 32), (288, 64), (415, 1), (512, 64), (1520, 16)):
        answer = await m.channel.exchange(pdu.read(start, count, pdu.READ_INPUT))
        right = _refusals(pdu.READ_INPUT, *NOT_OFFERED)
        if offered:
            right = (pdu.registers(pdu.READ_INPUT, await m.read(start, count)),)
        fault = None if answer in right else f"answered {shown(answer)}, expected {shown(right[0])}"
        yield Tried(f"function 4 at {start}", fault, ("MOD-3",) if offered else ("MOD-7",), note=_note(offered))
    for start, count in ((128, 1), (415, 2), (1536, 1)) if offered else ():
        answer = await m.channel.exchange(pdu.read(start, count, pdu.READ_INPUT))
        right = _refusals(pdu.READ_INPUT, Refusal.ILLEGAL_ADDRESS)
        fault = None if answer in right else f"answered {shown(answer)}, expected {shown(right[0])}"
        yield Tried(f"function 4 outside, at {start}", fault, ("MOD-3", "MOD-50"))


async def _function_6(m: Map) -> AsyncIterator[Tried]:
    """Function 6. It runs no command, and writes nothing but the command block."""
    await m.run(m.codes["status"])
    latest = await m.latest()
    high, low = divmod(m.token(), 0x10000)
    refused = _refusals(pdu.WRITE_ONE, *NOT_OFFERED, Refusal.ILLEGAL_VALUE)
    for start, value in ((256, high), (257, low), (258, m.codes["reset"]), (259, 1), (287, 1)):
        request = pdu.write_one(start, value)
        answer = await m.channel.exchange(request)
        fault = None if answer in (*refused, request) else f"answered {shown(answer)}"
        yield Tried(f"function 6 at {start}", fault, ("MOD-4", "MOD-7"))
    for start in (0, 2, 8, 16, 128, 288, 290, 415, 512, 1535):
        answer = await m.channel.exchange(pdu.write_one(start, 4))
        fault = None if answer in refused else f"answered {shown(answer)}, expected {shown(refused[1])}"
        yield Tried(f"function 6 at {start}", fault, ("MOD-4", "MOD-51"))
    await m.stage.prober.rest()
    fault = None if await m.latest() == latest else "acted on it"
    yield Tried("function 6 runs no command", fault, ("MOD-4",))


async def _function_23(m: Map) -> AsyncIterator[Tried]:
    """Function 23, if it is offered. It runs the command and then reads, or does nothing at all."""
    offered = await _read_write(m, 4, "status") not in _refusals(pdu.READ_WRITE, *NOT_OFFERED)
    if not offered:
        fault = await _all_refused(m)
        yield Tried("function 23 is not offered", fault, ("MOD-7",), note=_note(offered))
        return
    for name, count in (("status", 10), ("identify", 64), ("reset", 4), ("status", 64), ("challenge", 21)):
        token = m.token()
        answer = await _read_write(m, count, name, token)
        await m.stage.prober.rest()
        held = pdu.registers(pdu.READ_WRITE, await m.read(regs.RESULT, count))
        right = answer == held and held[2:6] == regs.TOKEN.pack(token)
        fault = None if right else f"answered {shown(answer)}, and 288 on hold {shown(held[2:])}"
        yield Tried(f"{name} by function 23", fault, ("MOD-5",))
    latest = await m.latest()
    reset = block(m.token(), m.codes["reset"])
    value, address = Refusal.ILLEGAL_VALUE, Refusal.ILLEGAL_ADDRESS
    bad = {
        "and no register": (pdu.read_write(regs.RESULT, 0, regs.COMMAND, reset), value),
        "and too many registers": (pdu.read_write(regs.RING, 126, regs.COMMAND, reset), value),
        "and a read between the blocks": (pdu.read_write(200, 4, regs.COMMAND, reset), address),
        "and a read over the end": (pdu.read_write(414, 4, regs.COMMAND, reset), address),
        "a write at 257": (pdu.read_write(regs.RESULT, 4, 257, reset), address),
        "a write to the result": (pdu.read_write(regs.RESULT, 4, regs.RESULT, reset), address),
        "a write without a code": (pdu.read_write(regs.RESULT, 4, regs.COMMAND, reset[:4]), value),
        "a write past 287": (pdu.read_write(regs.RESULT, 4, regs.COMMAND, reset.ljust(66, b"\0")), address),
    }
    for name, (request, refusal) in bad.items():
        answer = await m.channel.exchange(request)
        expected = pdu.refusal(pdu.READ_WRITE, refusal)
        fault = None if answer == expected else f"answered {shown(answer)}, expected {shown(expected)}"
        await m.stage.prober.rest()
        if (now := await m.latest()) != latest:
            fault, latest = f"{fault}; acted on it" if fault else "acted on it", now
        yield Tried(f"function 23: {name}", fault, ("MOD-48", "MOD-47") if "read" in name else ("MOD-5", "MOD-47"))


async def _read_write(m: Map, count: int, command: str, token: int | None = None) -> bytes:
    arguments = (16).to_bytes(2, "big") + bytes(range(16)) if command == "challenge" else b""
    written = block(m.token() if token is None else token, m.codes[command], arguments)
    return await m.channel.exchange(pdu.read_write(regs.RESULT, count, regs.COMMAND, written))


async def _all_refused(m: Map) -> str | None:
    latest = await m.latest()
    for command in ("status", "reset", "identify"):
        answer = await _read_write(m, 4, command)
        if answer not in _refusals(pdu.READ_WRITE, *NOT_OFFERED):
            return f"{command} by function 23 was answered {shown(answer)}"
    await m.stage.prober.rest()
    return None if await m.latest() == latest else "refused, but acted on it"


def _refusals(function: int, *codes: Refusal) -> tuple[bytes, ...]:
    return tuple(pdu.refusal(function, code) for code in codes)


def _note(offered: bool) -> str:
    return "" if offered else "not offered"


async def _unasked(m: Map) -> AsyncIterator[Tried]:
    """Speaks only when asked. At rest now, and in all that was tried before."""
    async with m.channel.link() as link:
        heard = await link.raw((), bool, seconds=AT_REST)
    said = [f"heard {shown(heard)} at rest"] if heard else []
    fault = "; ".join(said + m.channel.unasked[:3]) or None
    yield Tried("speaks only when asked", fault, ("MOD-68", "MOD-69"))


async def _tcp_frames(m: Map) -> AsyncIterator[Tried]:
    """Frames on TCP. The header of an answer, with every sort of transaction."""
    status, beyond = pdu.read(0, 10), pdu.read(200, 1)
    command = pdu.write(regs.COMMAND, block(m.token(), m.codes["status"]))
    async with m.channel.link() as link:
        for transaction in TRANSACTIONS:
            for request in (status, beyond, command):
                heard = await link.raw((encode_tcp(transaction, link.unit, request),), _is_frame)
                yield Tried(f"transaction {transaction}", *_tcp_fault(heard, transaction, link.unit, request[0]))


def _is_frame(heard: bytes) -> bool:
    return bool(TcpDeframer().receive(heard)) or len(heard) >= 7 + pdu.MAX_PDU


def _tcp_fault(heard: bytes, transaction: int, unit: int, function: int) -> tuple[str | None, tuple[str, ...]]:
    """What is wrong with an answer on TCP, and the requirements that this breaks."""
    ids = ("MOD-70", "MOD-71", "MOD-74", "MOD-75", "MOD-69")
    frames = TcpDeframer().receive(heard)
    if not frames or heard[2:4] != b"\0\0" or int.from_bytes(heard[4:6], "big") != len(heard) - 6:
        return f"answered {shown(heard)}, which is not one frame", ("MOD-75",)
    answer = frames[0]
    if answer.transaction != transaction:
        return f"transaction {answer.transaction}, asked with {transaction}", ("MOD-74",)
    if answer.unit != unit:
        return f"unit {answer.unit}, asked was {unit}", ("MOD-70",)
    if answer.pdu[0] & ~pdu.EXCEPTION != function:
        return f"function {answer.pdu[0]}, asked was {function}", ("MOD-71",)
    if answer.pdu[0] & pdu.EXCEPTION and len(answer.pdu) != 2:
        return f"an exception of {len(answer.pdu)} bytes", ("MOD-71",)
    return None, ids


async def _slowly(m: Map) -> AsyncIterator[Tried]:
    """A request in pieces. TCP is a stream: where it is cut means nothing."""
    for name, cuts in (("in two pieces", (5,)), ("in three pieces", (7, 8)), ("byte by byte", tuple(range(1, 12)))):
        async with m.channel.link() as link:
            request = link.frame(pdu.read(0, 10))
            pieces = [request[a:b] for a, b in zip((0, *cuts), (*cuts, len(request)), strict=True)]
            heard = await link.raw(pieces, _is_frame, PAUSE)
            frames = TcpDeframer().receive(heard)
        right = len(frames) == 1 and frames[0].pdu[:2] == bytes((pdu.READ_HOLDING, 20))
        yield Tried(f"a request {name}", None if right else f"answered {shown(heard)}", ("MOD-1", "MOD-69"))


async def _again(m: Map) -> AsyncIterator[Tried]:
    """A new connection. The device is as it was before."""
    before = await m.stage.prober.rest()
    try:
        await m.stage.reconnect()
        after = await m.stage.prober.rest()
    except WireError as error:
        yield Tried("a new connection", str(error), ("MOD-79",))
        raise
    fault = None if after == before else f"{after}, before {before}"
    yield Tried("a new connection", fault, ("MOD-79", "MOD-86", "MOD-87", "MOD-88"))


async def _rtu_frames(m: Map) -> AsyncIterator[Tried]:
    """Frames on RTU. The unit, the function and the checksum of answers."""
    command = pdu.write(regs.COMMAND, block(m.token(), m.codes["status"]))
    async with m.channel.link() as link:
        for request in (pdu.read(0, 10), pdu.read(16, 64), pdu.read(200, 1), command, pdu.read(288, 10)):
            heard = await link.raw((link.frame(request),), _is_rtu_frame)
            frames = RtuDeframer(response_length).receive(heard)
            fault: str | None = None
            ids: tuple[str, ...] = ("MOD-70", "MOD-71", "MOD-76", "MOD-77", "MOD-69")
            if not frames:
                swapped = RtuDeframer(response_length).receive(heard[:-2] + heard[:-3:-1])
                fault, ids = f"the checksum of {shown(heard)} is wrong", ("MOD-77" if swapped else "MOD-76",)
            elif frames[0].unit != link.unit:
                fault, ids = f"unit {frames[0].unit}, asked was {link.unit}", ("MOD-70",)
            elif frames[0].pdu[0] & ~pdu.EXCEPTION != request[0]:
                fault, ids = f"function {frames[0].pdu[0]}, asked was {request[0]}", ("MOD-71",)
            elif heard != encode_rtu(*frames[0]):
                fault, ids = f"answered {shown(heard)}", ("MOD-69", "MOD-68")
            yield Tried(f"the answer to {shown(request)}", fault, ids)


def _is_rtu_frame(heard: bytes) -> bool:
    return len(heard) >= 4 and response_length(heard, 0) <= len(heard)


async def _broadcast(m: Map) -> AsyncIterator[Tried]:
    """A reset to all units. It is obeyed once, and not answered."""
    await m.stage.prober.rest()
    before = await m.latest()
    message = encode_rtu(ALL_UNITS, pdu.write(regs.COMMAND, block(m.token(), m.codes["reset"])))
    heard = b""
    for what, ids in (("a reset to all", ("MOD-59",)), ("a reset to all, repeated", ("MOD-59", "DEV-2"))):
        async with m.channel.link() as link:
            heard += await link.silence_after((message,)) or b""
        give_up = monotonic() + LONGEST
        while (latest := await m.latest()) == before and monotonic() < give_up:
            await m.channel.idle(LOOK)
        yield Tried(what, None if latest == before + 1 else f"{latest - before} events, expected 1", ids)
    yield Tried("silence after a reset to all", f"heard {shown(heard)}" if heard else None, ("MOD-60",))


PARTS: Mapping[Part, tuple[str, ...]] = {
    _long_reads: ("MOD-8",),
    _function_4: ("MOD-3", "MOD-7", "MOD-50"),
    _function_6: ("MOD-4", "MOD-7", "MOD-51"),
    _function_23: ("MOD-5", "MOD-7", "MOD-47", "MOD-48"),
}
RTU_PARTS: Mapping[Part, tuple[str, ...]] = {
    **PARTS,
    _rtu_frames: ("MOD-69", "MOD-70", "MOD-71", "MOD-76", "MOD-77"),
    _broadcast: ("MOD-59", "MOD-60", "DEV-2"),
    _unasked: ("MOD-68", "MOD-69"),
}
TCP_PARTS: Mapping[Part, tuple[str, ...]] = {
    **PARTS,
    _tcp_frames: ("MOD-69", "MOD-70", "MOD-71", "MOD-74", "MOD-75"),
    _slowly: ("MOD-1", "MOD-69"),
    _again: ("MOD-79", "MOD-86", "MOD-87", "MOD-88"),
    _unasked: ("MOD-68", "MOD-69"),
}
"""What is tried on each framing, and the requirements that it tests."""
