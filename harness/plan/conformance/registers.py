"""A device on Modbus, register by register: what each holds, how it is read, and what a command leaves in the result.
modbus.md says what is right."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping
from time import monotonic

from feltrig.harness.devices import DEVICES
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.protocols.malformed import LATEST
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs
from feltrig.protocols.modbus.channel import ModbusChannel
from feltrig.protocols.modbus.pdu import Refusal
from feltrig.protocols.packing import Packing
from feltrig.protocols.vocabulary import Command, Error, Kind, Type

BLOCKS = ((regs.DEVICE, regs.DEVICE_SIZE), (regs.COMMAND, 160), (regs.RING, regs.SLOTS * regs.SLOT_SIZE))
"""The blocks: the first register of each, and how many it has."""

LONGEST = 1.0
"""Seconds in which a result must be there."""
LOOK = 0.005
"""Seconds between two looks for it."""
GIVE_UP = 2 * LONGEST

TEXTS = {"vendor": "MOD-17", "model": "MOD-18", "serial": "MOD-19", "firmware": "MOD-20", "digest": "MOD-21"}
NOT_OFFERED = (Refusal.ILLEGAL_FUNCTION, Refusal.ILLEGAL_ADDRESS)
RESULT = ("MOD-26", "MOD-27", "MOD-28", "MOD-29", "MOD-33", "MOD-39")

CODES = (0, *range(6, 0x20), 0x7F, 0x81, 0x84, 0x90, 0xFF, 0x100, 0x104, 0x110, 0x400, 0x8004, 0xFFFF)
"""Codes that may be of no command; some are a command's, with another bit set or its bytes the other way round."""


class Wrong(Exception):
    """What a device answered is not as documented."""


class Map:
    """The registers of the device under test."""

    def __init__(self, stage: Stage) -> None:
        assert isinstance(stage.channel, ModbusChannel)
        self.stage = stage
        self.channel = stage.channel
        self.kind: Kind = stage.prober.kind
        self.map = regs.modbus_map(self.kind)
        self.codes = {name: command.code for name, command in self.kind.commands.items()}
        self._tokens = random.SystemRandom()

    def token(self) -> int:
        """A token that was never used."""
        return self._tokens.getrandbits(31) | 1

    async def read(self, start: int, count: int, function: int = pdu.READ_HOLDING) -> bytes:
        """Registers, in as many reads as it takes. Raises Wrong."""
        data = b""
        for at in range(start, start + count, regs.MOST_AT_ONCE):
            size = min(regs.MOST_AT_ONCE, start + count - at)
            answer = await self.channel.exchange(pdu.read(at, size, function))
            if answer[:2] != bytes((function, 2 * size)) or len(answer) != 2 + 2 * size:
                raise Wrong(f"read of {at} to {at + size - 1}: answered {shown(answer)}")
            data += answer[2:]
        return data

    async def write(self, block: bytes) -> None:
        """Write a command. Raises Wrong."""
        asked = monotonic()
        answer = await self.channel.exchange(pdu.write(regs.COMMAND, block))
        if self.channel.tries > 1 and monotonic() - asked > LATEST:
            raise Wrong(f"the write of {shown(block)} was answered only after {monotonic() - asked:.2g} s")
        if answer != (right := pdu.written(regs.COMMAND, len(block) // 2)):
            raise Wrong(f"write of {shown(block)}: answered {shown(answer)}, expected {shown(right)}")

    async def result(self, token: int) -> bytes:
        """The whole result block once it has the token. Raises Wrong."""
        give_up = monotonic() + GIVE_UP
        while True:
            data = await self.read(regs.RESULT, regs.RESULT_SIZE)
            if data[:4] == regs.TOKEN.pack(token):
                return data
            if monotonic() > give_up:
                raise Wrong(f"no result with the token {token:#010x} in {regs.RESULT} to {regs.RESULT + 1}")
            await asyncio.sleep(LOOK)

    async def run(self, code: int, arguments: bytes = b"", token: int | None = None) -> bytes:
        """The result block of a command. Raises Wrong."""
        token = self.token() if token is None else token
        await self.write(block(token, code, arguments))
        return await self.result(token)

    async def last_token(self) -> int:
        return int.from_bytes(await self.read(8, 2), "big")

    async def latest(self) -> int:
        return int.from_bytes(await self.read(6, 2), "big")


Part = Callable[[Map], AsyncIterator[Tried]]


async def in_turn(stage: Stage, parts: Mapping[Part, tuple[str, ...]]) -> AsyncIterator[Tried]:
    """Every part with the requirements that it tests. A part ends where an answer makes no sense."""
    registers = Map(stage)
    for part, ids in parts.items():
        name = (part.__doc__ or "").partition(".")[0].lower()
        stage.testing(name, *ids)
        try:
            async for tried in part(registers):
                yield tried
        except Wrong as wrong:
            yield Tried(name, str(wrong), ids)


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """What the registers hold. The device is at rest, and is again in the end."""
    await stage.prober.rest()
    async for tried in in_turn(stage, PARTS):
        yield tried


def block(token: int, code: int, arguments: bytes = b"") -> bytes:
    """A command block."""
    return regs.TOKEN.pack(token) + code.to_bytes(2, "big") + arguments


def shown(data: bytes) -> str:
    """Bytes in hex."""
    return data.hex(" ") or "nothing"


def agree(registers: bytes, status: bytes) -> bool:
    """Whether registers 2 to 7 and the reply to `status` say the same. A device can hold older events than its ring."""
    held, ring = (int.from_bytes(said[4:8], "big") for said in (status, registers))
    return registers[:4] + registers[8:] == status[:4] + status[8:] and 0 < held <= ring


async def _empty_slots(m: Map) -> AsyncIterator[Tried]:
    """The slots of a ring that is not full yet."""
    fault: str | None = None
    latest, ring = await m.latest(), await m.read(regs.RING, regs.SLOTS * regs.SLOT_SIZE)
    if any(rest := ring[2 * regs.SLOT_SIZE * latest :]):
        fault = f"the latest event is {latest}, and slots after it hold {shown(rest.strip(bytes(1)))}"
    yield Tried("slots without an event", fault, ("MOD-35",))


async def _identity(m: Map) -> AsyncIterator[Tried]:
    """What 0 to 127 hold, beside what the commands say."""
    await m.stage.prober.rest()
    device = await m.read(regs.DEVICE, regs.DEVICE_SIZE)
    number = {at: int.from_bytes(device[2 * at : 2 * at + 2], "big") for at in range(regs.STATUS_SIZE)}
    yield Tried("the version", None if number[0] == regs.VERSION else f"{number[0]}, expected 1", ("MOD-9",))
    kind = m.kind.code
    yield Tried("the kind", None if number[1] == kind else f"{number[1]}, expected {kind}", ("MOD-10",))
    for name, start, end, which in (("10 to 15", 10, 16, "MOD-16"), ("104 to 127", 104, 128, "MOD-22")):
        held = device[2 * start : 2 * end]
        yield Tried(f"registers {name}", f"hold {shown(held)}" if any(held) else None, (which,))
    status = (await m.run(m.codes["status"]))[8:20]
    fault = None if agree(device[4:16], status) else f"hold {shown(device[4:16])}, and status says {shown(status)}"
    yield Tried("registers 2 to 7", fault, ("MOD-11", "MOD-12", "MOD-13", "MOD-14", "MOD-30"))
    try:
        said = m.map.read_result("identify", await m.run(m.codes["identify"])).values
    except ValueError as error:
        yield Tried("identify", str(error), ("MOD-29", "MOD-31"))
        return
    start = 2 * regs.IDENTITY
    for name, size in regs.IDENTITY_SIZES.items():
        held, start = device[start : start + 2 * size], start + 2 * size
        right = str(said.get(name)).encode().ljust(2 * size, b"\0")
        fault = None if held == right else f"hold {shown(held)}, and identify says {said.get(name)!r}"
        yield Tried(f"the registers of {name}", fault, (TEXTS[name], "MOD-32", "MOD-31"))


async def _results(m: Map) -> AsyncIterator[Tried]:
    """What commands leave in 256 to 415."""
    asked: list[tuple[str, bytes]] = [("status", b""), ("identify", b""), ("challenge", _nonce(16)), ("reset", b"")]
    asked += [("challenge", _nonce(31)), ("challenge", _nonce(32)), ("status", b"")]
    for name, arguments in asked:
        token, code = m.token(), m.codes[name]
        before = await m.read(regs.COMMAND, regs.COMMAND_SIZE)
        try:
            result = await m.run(code, arguments, token)
            fault = _misplaced(m, name, result)
            again = await m.result(token)
        except Wrong as wrong:
            yield Tried(
                f"the result of {name}", str(wrong), ("MOD-2", "MOD-26", "MOD-37", "MOD-39", "MOD-40", "MOD-73")
            )
            continue
        yield Tried(f"the write of {name}", None, ("MOD-2", "MOD-73"))
        yield Tried(f"the result of {name}", fault, RESULT)
        if again != result:
            yield Tried(f"the result of {name}, read again", f"another: {shown(again)}", ("MOD-37",))
        written = block(token, code, arguments)
        held = await m.read(regs.COMMAND, regs.COMMAND_SIZE)
        right = held.startswith(written) and held[len(written) :] in (bytes(64 - len(written)), before[len(written) :])
        fault = None if right else f"hold {shown(held)}, written was {shown(written)}"
        yield Tried(f"256 to 287 after {name}", fault, ("MOD-23", "MOD-24", "MOD-25"))


def _nonce(size: int) -> bytes:
    return size.to_bytes(2, "big") + bytes(range(1, size + 1)) + bytes(size % 2)


def _misplaced(m: Map, name: str, result: bytes) -> str | None:
    """What is wrong with the result of a command that is obeyed."""
    try:
        reply = m.map.read_result(name, result)
    except ValueError as error:
        return f"{error}: {shown(result[:64])}"
    if reply.error is not Error.OK:
        return f"refused with {reply.error.name.lower()}"
    end = 8 + 2 * int.from_bytes(result[6:8], "big")
    return f"after the reply stand {shown(result[end:].rstrip(bytes(1)))}" if any(result[end:]) else None


async def _refusals(m: Map) -> AsyncIterator[Tried]:
    """Commands that are refused. Codes of no command, and arguments of a wrong length."""
    before = await m.stage.prober.rest()
    last = await m.last_token()
    wrong: str | None = None
    for code in CODES:
        if code not in m.kind.command_of:
            wrong = wrong or await _refused(m, code, b"", Error.UNKNOWN_COMMAND)
    yield Tried("codes of no command", wrong, ("MOD-45", *RESULT))
    wrong = await _refused(m, m.codes["events"], b"", Error.UNKNOWN_COMMAND)
    wrong = wrong or await _refused(m, m.codes["events"], bytes(4), Error.UNKNOWN_COMMAND)
    yield Tried("the code of events", wrong, ("MOD-44",))
    cards = DEVICES[m.kind.name].handles_cards
    for name, command in m.kind.commands.items():
        if name == "events":
            continue
        own = cards and name not in ("identify", "status", "reset", "challenge")
        more = (Error.WRONG_STATE, Error.EMPTY) if own else ()
        right = _arguments(command)
        wrong = await _refused(m, command.code, right + b"\0\0", Error.MALFORMED, *more)
        wrong = wrong or await _refused(m, command.code, right + b"\0\1", Error.MALFORMED, *more)
        wrong = wrong or await _refused(m, command.code, right + b"\0\0\xff\xff", Error.MALFORMED, *more)
        yield Tried(f"{name} with registers too many", wrong, ("MOD-46", *RESULT))
        if right:
            wrong = await _refused(m, command.code, right[:-2], Error.MALFORMED, *more)
            yield Tried(f"{name} with a register too few", wrong, ("MOD-46", *RESULT))
    held = await m.last_token()
    yield Tried("the last token", None if held == last else f"{held:#010x}, expected {last:#010x}", ("MOD-15",))
    long = (56).to_bytes(2, "big") + bytes(range(56))
    wrong = await _refused(m, m.codes["challenge"], long, Error.BAD_ARGUMENT)
    yield Tried("a command of 32 registers", wrong, ("MOD-38", "DEV-97"))
    after = await m.stage.prober.rest()
    acted = (after.state, after.latest) != (before.state, before.latest)
    fault = f"state {after.state.name.lower()}, latest event {after.latest}, before {before.latest}" if acted else None
    yield Tried("nothing was done", fault, ("MOD-45", "MOD-46"))


async def _refused(m: Map, code: int, arguments: bytes, *errors: Error) -> str | None:
    """What is wrong with the result of a command that must be refused with one of these errors."""
    token = m.token()
    try:
        result = await m.run(code, arguments, token)
    except Wrong as wrong:
        return str(wrong)
    if result in [(block(token, error)).ljust(2 * regs.RESULT_SIZE, b"\0") for error in errors]:
        return None
    said = f"code {code:#06x}, arguments {shown(arguments)}: the result is {shown(result.rstrip(bytes(1)))}"
    return f"{said}, expected error {errors[0].value}"


def _arguments(command: Command) -> bytes:
    """Right arguments of a command."""
    values = {field.name: tuple(range(16)) if field.type is Type.BYTES else 1 for field in command.args}
    return Packing(command.args, regs.REGISTERS).pack(values)


async def _tokens(m: Map) -> AsyncIterator[Tried]:
    """Tokens in the registers. Which one 8 to 9 hold, and that those of reading commands are nothing special."""
    first, second, reading = m.token(), m.token(), m.token()
    steps = (
        ("a reset", "reset", b"", first, first),
        ("another", "reset", b"", second, second),
        ("the first again", "reset", b"", first, first),
        ("status", "status", b"", reading, first),
        ("identify", "identify", b"", m.token(), first),
        ("the second again", "reset", b"", second, second),
    )
    for name, command, arguments, token, expected in steps:
        await m.run(m.codes[command], arguments, token)
        held = await m.last_token()
        fault = None if held == expected else f"{held:#010x}, expected {expected:#010x}"
        yield Tried(f"the last token after {name}", fault, ("MOD-15", "MOD-42"))
    refused = next((c for c in m.kind.commands.values() if c.acts and len(c.args) == 1), None)
    if refused is not None:  # zero is an argument that no such command takes
        token = m.token()
        result = await m.run(refused.code, bytes(2), token)
        held = await m.last_token()
        fault = None if held == token or not any(result[4:6]) else f"{held:#010x}, expected {token:#010x}"
        yield Tried("the last token after a refusal", fault, ("MOD-15",))
    before = await m.latest()
    await m.run(m.codes["status"], token=reading)
    await m.run(m.codes["status"])  # so that the result of the reset can be told from that of the status
    await m.run(m.codes["reset"], token=reading)
    await m.stage.prober.rest()
    fault = None if await m.latest() == before + 1 else "the token of a status was remembered: reset was not obeyed"
    yield Tried("a reset with the token of a status", fault, ("MOD-41", "MOD-38"))
    other = m.token()
    await m.run(m.codes["status"], token=other)
    await m.run(m.codes["reset"])
    await m.stage.prober.rest()
    identity = await m.run(m.codes["identify"], token=other)
    right = await m.run(m.codes["identify"])
    fault = None if identity[4:] == right[4:] else f"the result is {shown(identity[:32])}"
    yield Tried("identify with the token of a status", fault, ("MOD-41", "DEV-7"))
    anew = (await m.run(m.codes["status"], token=other))[8:20]
    status = await m.read(2, 6)
    fault = None if agree(status, anew) else f"status says {shown(anew)}, and 2 to 7 hold {shown(status)}"
    yield Tried("status with an old token", fault, ("MOD-41", "DEV-7"))


async def _ring(m: Map) -> AsyncIterator[Tried]:
    """The ring of events. More are made than it holds."""
    prober = m.stage.prober
    for _ in range(regs.SLOTS + 3 - min(await m.latest(), regs.SLOTS + 3)):
        await prober.perform("reset", "cleared")
    await prober.rest()
    oldest, latest = int.from_bytes(await m.read(4, 2), "big"), await m.latest()
    fault = None if oldest == latest - regs.SLOTS + 1 else f"events {oldest} to {latest}, expected {regs.SLOTS} of them"
    yield Tried("the oldest event in the ring", fault, ("MOD-13", "MOD-14"))
    ring, size = await m.read(regs.RING, regs.SLOTS * regs.SLOT_SIZE), 2 * regs.SLOT_SIZE
    fault = None
    for number in range(latest - regs.SLOTS + 1, latest + 1):
        slot = regs.slot_of(number)
        held = ring[slot * size : (slot + 1) * size]
        try:
            event = m.map.read_slot(held)
        except ValueError as error:
            fault = f"slot {slot}: {error}: {shown(held)}"
            break
        if event is None or event.number != number:
            fault = f"slot {slot}: {shown(held)}, expected event {number}"
            break
    yield Tried("every slot", fault, ("MOD-43", "MOD-34", "MOD-30", "MOD-31"))


async def _anywhere(m: Map) -> AsyncIterator[Tried]:
    """Reads that begin and end anywhere. They hold what a read of the whole block holds."""
    await m.run(m.codes["identify"])
    before = await m.stage.prober.rest()
    for first, size in BLOCKS:
        fault: str | None = None
        for _ in range(2):  # again, if the line had to be settled by a command in between
            fault = await _elsewhere(m, first, size)
            if fault is None:
                break
        yield Tried(f"reads in {first} to {first + size - 1}", fault, ("MOD-1", "MOD-36", "MOD-72"))
    after = await m.stage.prober.rest()
    yield Tried("reads change nothing", None if after == before else f"{after}, before {before}", ("MOD-37",))


async def _elsewhere(m: Map, first: int, size: int) -> str | None:
    whole = await m.read(first, size)
    most = regs.MOST_AT_ONCE
    starts = (0, 1, 2, 3, 7, 15, 16, 17, 31, 33, 59, 60, 63, 64, 65, 95, 100, size - most, size - 3, size - 1)
    for number, start in enumerate(at for at in starts if at < size):
        for count in (1, 2 + number, most):
            taken = min(count, size - start, most)
            held = await m.read(first + start, taken)
            if held != whole[2 * start : 2 * (start + taken)]:
                return f"a read of {first + start} to {first + start + taken - 1} gives {shown(held)}"
    return None


PARTS: Mapping[Part, tuple[str, ...]] = {
    _empty_slots: ("MOD-35",),
    _identity: (
        "MOD-9",
        "MOD-10",
        "MOD-11",
        "MOD-12",
        "MOD-13",
        "MOD-14",
        "MOD-16",
        "MOD-22",
        *TEXTS.values(),
        "MOD-32",
    ),
    _results: ("MOD-2", *RESULT, "MOD-23", "MOD-24", "MOD-25", "MOD-37", "MOD-73"),
    _refusals: ("MOD-38", "MOD-44", "MOD-45", "MOD-46", *RESULT),
    _tokens: ("MOD-15", "MOD-41", "MOD-42"),
    _ring: ("MOD-13", "MOD-14", "MOD-30", "MOD-31", "MOD-34", "MOD-43"),
    _anywhere: ("MOD-1", "MOD-36", "MOD-37", "MOD-72"),
}
"""What is looked at, in this order, and the requirements that it tests."""
