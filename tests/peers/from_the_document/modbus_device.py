"""A random number display on Modbus TCP, written from docs/modbus.md alone on a stock pymodbus server. It has holding
registers that masters read with function 3 and write with function 16, and a loop that looks for a new command every
few milliseconds, as a PLC does.

    python -I modbus_device.py [SECONDS OF A SELECTION [PORT]]

It listens on a free port of 127.0.0.1, or on that of the second argument, prints `ready PORT`, and serves unit 1
until it is stopped.
"""

import asyncio
import hashlib
import hmac
import random
import sys

from pymodbus.constants import ExcCodes
from pymodbus.server import ModbusTcpServer
from pymodbus.simulator import DataType, SimData, SimDevice

CYCLE = 0.005
IDENTITY = ("Foreign Works", "Display 7", "FW-0042", "3.1")
IMAGE = b"the firmware of the foreign display"
DIGEST = hashlib.sha256(IMAGE).hexdigest()

COMMAND, RESULT, RING, END = 256, 288, 512, 1536
BLOCKS = ((0, 128), (COMMAND, 416), (RING, END))
IDLE, BUSY, READY = 0, 1, 2
UNKNOWN_COMMAND, BAD_ARGUMENT, WRONG_STATE, MALFORMED = 1, 2, 3, 5
IDENTIFY, STATUS, RESET, CHALLENGE, SELECT, DISPLAY, BLANK = 0x01, 0x02, 0x04, 0x05, 0x10, 0x11, 0x12
ACTING = (RESET, SELECT, BLANK)


def words(data: bytes) -> list[int]:
    """Bytes as registers, the first in the high byte, padded with zeros."""
    data += b"\0" * (len(data) % 2)
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]


def text(value: str) -> list[int]:
    """A text after its length."""
    return [len(value), *words(value.encode())]


def number(value: int) -> list[int]:
    """A u32, high word first."""
    return [value >> 16, value & 0xFFFF]


class Display:
    """The program of the PLC. It sees the registers, and how many of the command block were written last."""

    def __init__(self, work: float) -> None:
        self.random = random.SystemRandom()
        self.registers: list[int] = [0] * END
        self.written: list[int] | None = None
        self.work = work
        self.ends: float | None = None
        self.state, self.shown, self.latest = IDLE, 0, 0
        self.answered: dict[tuple[int, ...], list[int]] = {}
        self.registers[0:2] = [1, 1]
        for at, size, value in zip((16, 32, 48, 64, 72), (16, 16, 16, 8, 32), (*IDENTITY, DIGEST), strict=True):
            self.registers[at : at + size] = words(value.encode().ljust(2 * size, b"\0"))
        self.happened(0x01)

    async def guard(self, function, first, address, count, registers, values):
        """Called by pymodbus before it reads or writes: refuse what the map does not allow."""
        self.registers = registers
        if function not in (3, 16):
            return ExcCodes.ILLEGAL_FUNCTION
        if not any(start <= address and address + count <= end for start, end in BLOCKS):
            return ExcCodes.ILLEGAL_ADDRESS
        if values is None:
            return None
        if address != COMMAND or count > RESULT - COMMAND:
            return ExcCodes.ILLEGAL_ADDRESS
        if count < 3:
            return ExcCodes.ILLEGAL_VALUE
        registers[COMMAND:RESULT] = [0] * (RESULT - COMMAND)
        self.written = list(values)
        return None

    def cycle(self, now: float) -> None:
        """Once around: end what is under way, then obey what was written."""
        if self.ends is not None and now >= self.ends:
            self.ends = None
            self.shown = self.random.randint(1, 7)
            self.state = READY
            self.happened(0x10, self.shown)
        if self.written is not None:
            (high, low, code, *arguments), self.written = self.written, None
            result = self.obey((high, low), code, arguments, now)
            self.registers[RESULT + 4 : RESULT + 128] = [*result[2:], *[0] * (126 - len(result))]
            self.registers[RESULT + 2 : RESULT + 4] = result[:2]
            self.registers[RESULT : RESULT + 2] = [high, low]

    def obey(self, token: tuple[int, int], code: int, arguments: list[int], now: float) -> list[int]:
        """Error, count, and the registers of the reply."""
        if code in (IDENTIFY, STATUS, DISPLAY, *ACTING) and arguments:
            return [MALFORMED, 0]
        if code not in ACTING:
            return self.tell(code, arguments)
        self.registers[8:10] = token
        if token not in self.answered:
            result = self.act(code, now)
            if token == (0, 0):
                return result
            self.answered[token] = result
            if len(self.answered) > 8:
                del self.answered[next(iter(self.answered))]
        return self.answered[token]

    def act(self, code: int, now: float) -> list[int]:
        if code == RESET:
            self.ends, self.state = None, IDLE
            self.happened(0x03)
        elif self.state == BUSY:
            return [WRONG_STATE, 0]
        elif code == SELECT:
            self.shown, self.state, self.ends = 0, BUSY, now + self.work
        else:
            self.shown, self.state = 0, IDLE
        self.show()
        return [0, 0]

    def tell(self, code: int, arguments: list[int]) -> list[int]:
        if code == IDENTIFY:
            reply = [1, *(word for value in (*IDENTITY, DIGEST) for word in text(value))]
        elif code == STATUS:
            reply = self.registers[2:8]
        elif code == DISPLAY:
            reply = [self.shown]
        elif code == CHALLENGE:
            size = arguments[0] if arguments else -1
            if len(arguments) != 1 + (size + 1) // 2:
                return [MALFORMED, 0]
            if not 16 <= size <= 32:
                return [BAD_ARGUMENT, 0]
            nonce = b"".join(word.to_bytes(2, "big") for word in arguments[1:])[:size]
            reply = [32, *words(hmac.digest(nonce, IMAGE, "sha256"))]
        else:
            return [UNKNOWN_COMMAND, 0]
        return [0, len(reply), *reply]

    def happened(self, code: int, *fields: int) -> None:
        self.latest += 1
        slot = RING + 16 * ((self.latest - 1) % 64)
        self.registers[slot : slot + 16] = [*number(self.latest), code, *fields, *[0] * (13 - len(fields))]
        self.show()

    def show(self) -> None:
        oldest = max(1, self.latest - 63)
        self.registers[2:8] = [self.state, 0, *number(oldest), *number(self.latest)]


async def main() -> None:
    display = Display(float(sys.argv[1]) if len(sys.argv) > 1 else 0.03)
    held = [SimData(0, values=display.registers, datatype=DataType.REGISTERS)]
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    server = ModbusTcpServer(SimDevice(id=1, simdata=held, action=display.guard), address=("127.0.0.1", port))
    await server.serve_forever(background=True)
    # the registers of the server itself, which it shows to `guard`
    await server.async_getValues(1, 3, 0, 1)
    print("ready", server.transport.sockets[0].getsockname()[1], flush=True)
    loop = asyncio.get_running_loop()
    while True:
        display.cycle(loop.time())
        await asyncio.sleep(CYCLE)


asyncio.run(main())
