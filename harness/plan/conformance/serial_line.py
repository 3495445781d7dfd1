"""A device on a serial line, byte by byte: how it frames its answers, what it takes for a question, and that it speaks
only when asked. serial.md says what is right."""

import random
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from time import monotonic

from feltrig.harness.devices import DEVICES
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.protocols.messages import Status
from feltrig.protocols.packing import OCTETS, Packing
from feltrig.protocols.serial.channel import SerialChannel
from feltrig.protocols.serial.codec import ANSWER, TOKEN, serial_messages
from feltrig.protocols.serial.frame import BROADCAST, MAX_BODY, MAX_DATA, Deframer, Frame, encode, plain_body, swapped
from feltrig.protocols.vocabulary import Command, Error, Type

SEQS = (0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF)
FRAMING = ("SER-6", "SER-7", "SER-8", "SER-9", "SER-10", "SER-14", "SER-15", "SER-16", "SER-17")
PAUSE = 0.02
"""Seconds between the pieces of a question that comes slowly."""
AT_REST = 0.2
"""Seconds for which the line is listened to while nothing is asked."""
LONGEST = 1.0
"""Seconds that a device has to obey."""
BURST = 16
"""Messages that are sent in a row where none may be answered."""
NOISE = bytes((0x55, 0xAA, 0x01, 0xFF, 0x7E))


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """Every part in turn. The device is at rest, and is again in the end."""
    line = _Line(stage)
    await stage.prober.perform("reset", "cleared")
    for part, ids in PARTS.items():
        stage.testing((part.__doc__ or "").partition(".")[0].lower(), *ids)
        async for tried in part(line):
            yield tried


class _Line:
    """The line to the device under test, with its kind."""

    def __init__(self, stage: Stage) -> None:
        channel = stage.channel
        assert isinstance(channel, SerialChannel)
        self.stage = stage
        self.channel = channel
        self.kind = stage.prober.kind
        self.codes = {name: command.code for name, command in self.kind.commands.items()}
        self.messages = serial_messages(self.kind)
        self._tokens = random.SystemRandom()

    def token(self) -> bytes:
        """A token that was never used."""
        return TOKEN.pack(self._tokens.getrandbits(31) | 1)

    def question(self, code: int, data: bytes = b"", seq: int | None = None) -> bytes:
        return encode(self.channel.address, self.channel.next_seq() if seq is None else seq, code, data)

    async def ask(self, code: int, data: bytes = b"", seq: int | None = None) -> tuple[bytes, Frame | None]:
        """What was heard after a question, and the answer in it; the question is repeated when nothing comes."""
        for _ in range(3):
            heard = await self.channel.raw((self.question(code, data, seq),), _whole)
            if heard:
                break
        frames = Deframer().receive(heard)
        return heard, frames[0] if frames else None

    async def latest(self) -> int:
        return (await self.stage.prober.status()).latest


def _whole(heard: bytes) -> bool:
    """Whether a frame has ended, even if the zero after it is missing."""
    return bool(heard.strip(b"\0")) and (heard.endswith(b"\0") or bool(Deframer().receive(heard + b"\0")))


def _misframed(line: _Line, heard: bytes, seq: int, code: int) -> Iterator[tuple[str, str]]:
    """What is wrong with the bytes of an answer, each with its requirement."""
    bodies = [body for body in heard.split(b"\0") if body]
    if not bodies:
        yield "SER-14", "no answer"
        return
    if len(bodies[0]) > MAX_BODY:
        yield "SER-10", f"an answer of {len(bodies[0]) - 3} bytes"
        return
    plain = plain_body(bodies[0])
    frames = Deframer().receive(heard if heard.endswith(b"\0") else heard + b"\0")
    if not plain:
        yield "SER-9", f"the stuffing of {heard.hex(' ')} is wrong"
    elif not frames:
        yield ("SER-8" if swapped(plain) else "SER-7"), f"the checksum of {heard.hex(' ')} is wrong"
    else:
        answer = frames[0]
        if answer.address != line.channel.address:
            yield "SER-15", f"answered from address {answer.address}"
        if answer.seq != seq:
            yield "SER-16", f"seq {answer.seq}, asked with {seq}"
        if answer.code != code | ANSWER:
            yield "SER-17", f"code {answer.code:#04x}, expected {code | ANSWER:#04x}"
        if len(frames) > 1 or len(bodies) > 1:
            yield "SER-14", f"answered {len(bodies)} times: {heard.hex(' ')}"
        elif heard != encode(*answer):
            yield "SER-6", f"answered {heard.hex(' ')}, expected {encode(*answer).hex(' ')}"


async def _answers(line: _Line) -> AsyncIterator[Tried]:
    """The bytes of answers, with every sort of seq and of content."""
    asked = [("status", b"", seq) for seq in SEQS]
    nonces = (bytes(16), bytes(range(32)), b"\xff" * 17)
    asked += [("challenge", bytes((len(nonce),)) + nonce, 5 * len(nonce)) for nonce in nonces]
    asked += [("identify", b"", 0x33), ("events", bytes(4), 0x44), ("events", b"\xff" * 4, 0)]
    for command, data, seq in asked:
        code = line.codes[command]
        heard, answer = await line.ask(code, data, seq)
        wrong = list(_misframed(line, heard, seq, code))
        if not wrong and answer is not None:
            wrong = [("SER-20" if command == "events" else "SER-18", said) for said in _misread(line, command, answer)]
        fault = "; ".join(said for _, said in wrong) or None
        ids = tuple(dict.fromkeys(which for which, _ in wrong)) or (*FRAMING, "SER-18", "SER-20", "SER-21", "SER-23")
        yield Tried(f"{command}, seq {seq}", fault, ids)


def _misread(line: _Line, command: str, answer: Frame) -> list[str]:
    try:
        if command == "events":
            line.messages.read_events(answer.data)
        elif line.messages.read_reply(command, answer.data).error is not Error.OK:
            return [f"refused with {answer.data.hex(' ')}"]
    except ValueError as error:
        return [str(error)]
    return []


async def _codes(line: _Line) -> AsyncIterator[Tried]:
    """Every code that is no command, and every code of an answer."""
    fault: str | None = None
    before = await line.latest()
    for code in range(ANSWER):
        if code in line.kind.command_of:
            continue
        seq = line.channel.next_seq()
        expected = encode(line.channel.address, seq, code | ANSWER, bytes((Error.UNKNOWN_COMMAND,)))
        heard, _ = await line.ask(code, line.token(), seq)
        if heard != expected:
            fault = f"code {code:#04x}: answered {heard.hex(' ') or 'nothing'}, expected {expected.hex(' ')}"
            break
    if fault is None and await line.latest() != before:
        fault = "acted on one of them"
    yield Tried("every code that is no command", fault, ("SER-33", "SER-19", "SER-24"))
    fault = None
    for first in range(ANSWER, 2 * ANSWER, BURST):
        codes = range(first, first + BURST)
        said = await line.channel.silence_after([line.question(code, line.token()) for code in codes])
        if said != b"":
            fault = f"codes {first:#04x} to {first + BURST - 1:#04x}: {_after(said)}"
            break
    if fault is None and await line.latest() != before:
        fault = "acted on one of them"
    yield Tried("every code of an answer", fault, ("SER-31", "SER-24", "SER-25"), expected="silence")


def _after(heard: bytes | None) -> str:
    return "the next question was not answered" if heard is None else f"heard {heard.hex(' ')}"


async def _lengths(line: _Line) -> AsyncIterator[Tried]:
    """Every command with a byte too few and a byte too many. A machine without cards can also say that."""
    cards = DEVICES[line.kind.name].handles_cards
    for name, command in line.kind.commands.items():
        before = await line.stage.prober.rest()
        right = _arguments(command)
        wrong = [right + b"\0", right + b"\1", *([right[:-1]] if right else [])]
        own = cards and name not in ("identify", "status", "events", "reset", "challenge")
        allowed = {Error.MALFORMED} | ({Error.WRONG_STATE, Error.EMPTY} if own else set())
        fault = None
        for arguments in wrong:
            data = (line.token() if command.acts else b"") + arguments
            heard, answer = await line.ask(command.code, data)
            if answer is None or answer.data not in {bytes((error,)) for error in allowed}:
                fault = f"data {data.hex(' ')}: answered {heard.hex(' ') or 'nothing'}, expected error 5"
                break
        after = await line.stage.prober.rest()
        if fault is None and (after.state, after.latest) != (before.state, before.latest):
            fault = "acted on it"
        yield Tried(f"{name} with a byte too few or too many", fault, ("SER-35", "SER-24", "SER-19"))


def _arguments(command: Command) -> bytes:
    """Right arguments of a command."""
    values = {f.name: tuple(range(16)) if f.type is Type.BYTES else 1 for f in command.args}
    return Packing(command.args, OCTETS).pack(values)


async def _stuffing(line: _Line) -> AsyncIterator[Tried]:
    """The longest frames, with and without zeros: they are read whole, since the list in them is what is refused."""
    code, size = line.codes["challenge"], MAX_DATA - 1
    for name, data in (
        ("zeros", bytes(size)),
        ("no zero", b"\x5a" * size),
        ("zeros in turn", (b"\0\x5a" * size)[:size]),
        ("a zero at the end", b"\x5a" * (size - 1) + b"\0"),
    ):
        seq = line.channel.next_seq()
        expected = encode(line.channel.address, seq, code | ANSWER, bytes((Error.BAD_ARGUMENT,)))
        heard, _ = await line.ask(code, bytes((size,)) + data, seq)
        fault = None if heard == expected else f"answered {heard.hex(' ') or 'nothing'}, expected {expected.hex(' ')}"
        yield Tried(f"the longest frame, {name}", fault, ("SER-9", "DEV-97"))


async def _arriving(line: _Line) -> AsyncIterator[Tried]:
    """A question is read however its bytes arrive."""
    code = line.codes["status"]
    for name, before, after, pause, ids in (
        ("after empty frames", b"\0\0\0", b"\0\0", 0.0, ("SER-11",)),
        ("after many empty frames", bytes(300), b"", 0.0, ("SER-11",)),
        ("after noise", NOISE, b"", 0.0, ("SER-12",)),
        ("after much noise", NOISE * 60, b"", 0.0, ("SER-12",)),
        ("after half a question", line.question(code)[:4], b"", 0.0, ("SER-12",)),
        ("byte by byte", b"", b"", PAUSE, ("SER-14",)),
    ):
        fault: str | None = "no answer"
        for _ in range(3):
            seq = line.channel.next_seq()
            question = line.question(code, b"", seq)
            pieces = [bytes((octet,)) for octet in question] if pause else [before + question + after]
            heard = await line.channel.raw(pieces, _whole, pause)
            wrong = [said for _, said in _misframed(line, heard, seq, code)]
            fault = "; ".join(wrong) or None
            if heard:
                break
        yield Tried(f"a question {name}", fault, ids)


async def _broadcast(line: _Line) -> AsyncIterator[Tried]:
    """A reset to all is obeyed once and not answered."""
    prober, code, token = line.stage.prober, line.codes["reset"], line.token()
    await prober.pending()
    before = await line.latest()
    heard = b""
    for expected in ("obeyed", "not obeyed again"):
        message = encode(BROADCAST, line.channel.next_seq(), code, token)
        heard += await line.channel.silence_after((message,)) or b""
        give_up = monotonic() + LONGEST
        while (latest := await line.latest()) == before and monotonic() < give_up:
            await line.channel.idle(PAUSE)
        if expected == "obeyed":
            events = [event.name for event in await prober.pending()]
            fault = None if events == ["cleared"] else f"events {', '.join(events) or 'none'}, expected cleared"
            yield Tried("a reset to all", fault, ("SER-4",))
        else:
            fault = None if latest == before + 1 else f"{latest - before} events, expected 1"
            yield Tried("a reset to all, repeated", fault, ("DEV-2", "SER-4"))
    yield Tried("silence after a reset to all", f"heard {heard.hex(' ')}" if heard else None, ("SER-5",))


async def _batches(line: _Line) -> AsyncIterator[Tried]:
    """Every batch of events that the device gives, from its oldest on."""
    status = await line.stage.prober.rest()
    code, after = line.codes["events"], max(status.oldest - 1, 0)
    fault: str | None = None
    while fault is None and after < status.latest:
        heard, answer = await line.ask(code, TOKEN.pack(after))
        bodies = [body for body in heard.split(b"\0") if body]
        if any(len(body) > MAX_BODY for body in bodies):
            fault = f"after {after}: an answer of {max(map(len, bodies)) - 3} bytes"
        elif answer is None:
            fault = f"after {after}: answered {heard.hex(' ') or 'nothing'}"
        else:
            fault, after = _next(line, status, answer, after)
    yield Tried("every batch of events", fault, ("SER-10", "SER-20", "SER-21", "SER-22", "DEV-11", "DEV-14"))
    for after in (status.latest, status.latest + 1, 0xFFFF_FFFF):
        _, answer = await line.ask(code, TOKEN.pack(after))
        fault = "no answer" if answer is None else None
        if answer is not None:
            expected = line.messages.write_status(status)
            fault = (
                None if answer.data == expected else f"answered {answer.data.hex(' ')}, expected {expected.hex(' ')}"
            )
        what = "the latest event" if after == status.latest else f"number {after}"
        yield Tried(f"events after {what}", fault, ("DEV-12", "SER-20", "SER-21"))


def _next(line: _Line, status: Status, answer: Frame, after: int) -> tuple[str | None, int]:
    """What is wrong with a batch, and the last number in it."""
    try:
        numbers = [event.number for event in line.messages.read_events(answer.data).events]
    except ValueError as error:
        return f"after {after}: {error}", after
    if answer.data[:11] != line.messages.write_status(status):
        return f"after {after}: the status {answer.data[:11].hex(' ')} is another than that of `status`", after
    if numbers != list(range(after + 1, after + 1 + max(len(numbers), 1))):
        return f"after {after}: events {', '.join(map(str, numbers)) or 'none'}", after
    return None, numbers[-1]


async def _unasked(line: _Line) -> AsyncIterator[Tried]:
    """Speaks only when asked. At rest now, and in all that was tried before."""
    heard = await line.channel.raw((), bool, seconds=AT_REST)
    said = [f"heard {heard.hex(' ')} at rest"] if heard.strip(b"\0") else []
    yield Tried("speaks only when asked", "; ".join(said + line.channel.unasked[:3]) or None, ("SER-13", "SER-14"))


PARTS: Mapping[Callable[[_Line], AsyncIterator[Tried]], tuple[str, ...]] = {
    _answers: (*FRAMING, "SER-18", "SER-20", "SER-21", "SER-23"),
    _codes: ("SER-19", "SER-24", "SER-25", "SER-31", "SER-33"),
    _lengths: ("SER-19", "SER-24", "SER-35"),
    _stuffing: ("SER-9", "DEV-97"),
    _arriving: ("SER-11", "SER-12", "SER-14"),
    _broadcast: ("SER-4", "SER-5", "DEV-2"),
    _batches: ("SER-10", "SER-20", "SER-21", "SER-22", "DEV-11", "DEV-12", "DEV-14"),
    _unasked: ("SER-13", "SER-14"),
}
"""What is tried, in this order, and the requirements that it tests."""
