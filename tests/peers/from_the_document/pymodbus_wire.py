"""A machine behind a stock pymodbus server: holding registers that masters read with function 3 and write with function
16, and a loop that looks for a new command, as a PLC does. The result stands there 20 ms after the write."""

import asyncio
import logging

from machine import Machine
from modbus_wire import Map
from pymodbus.constants import ExcCodes
from pymodbus.server import ModbusTcpServer
from pymodbus.simulator import DataType, SimData, SimDevice

logging.getLogger("pymodbus").setLevel(logging.CRITICAL)  # it complains of every request that is wrong

CYCLE, RESULT_AFTER = 0.005, 0.02
COMMAND, RESULT, END = 256, 288, 1536
BLOCKS = ((0, 128), (COMMAND, 416), (512, END))


class PymodbusServer:
    """The program of a PLC, which sees the registers of its server."""

    def __init__(self, machine: Machine, unit: int, settings: dict[str, object]) -> None:
        self.machine, self.unit, self.map = machine, unit, Map(machine)
        self.port = 0
        self.registers: list[int] = [0] * END
        self.written: list[int] | None = None
        self.due = 0.0

    async def open(self) -> dict[str, object]:
        await self.listen()
        self.running = asyncio.ensure_future(self.run())
        return {"wire": "modbus-tcp", "host": "127.0.0.1", "port": self.port, "unit": self.unit}

    async def listen(self) -> None:
        held = [SimData(0, values=[0] * END, datatype=DataType.REGISTERS)]
        device = SimDevice(id=self.unit, simdata=held, action=self.guard)
        self.server = ModbusTcpServer(device, address=("127.0.0.1", self.port))
        await self.server.serve_forever(background=True)
        self.port = self.server.transport.sockets[0].getsockname()[1]
        await self.server.async_getValues(self.unit, 3, 0, 1)  # shows the registers of the server itself to `guard`
        self.show()

    async def power_off(self) -> None:
        self.machine.power_off()
        self.written = None
        await self.server.shutdown()

    async def power_on(self) -> None:
        self.machine.power_on()
        self.map = Map(self.machine)
        await self.listen()

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
        self.written, self.due = list(values), asyncio.get_running_loop().time() + RESULT_AFTER
        return None

    async def run(self) -> None:
        while True:
            await asyncio.sleep(CYCLE)
            if not self.machine.on:
                continue
            if self.written is not None and asyncio.get_running_loop().time() >= self.due:
                given, self.written = self.written, None
                self.map.command(given)
            self.show()

    def show(self) -> None:
        """Put what the machine says into the registers, all but the block that masters write."""
        for start, block in self.map.image().items():
            if start == COMMAND:
                self.registers[RESULT : COMMAND + len(block)] = block[RESULT - COMMAND :]
            else:
                self.registers[start : start + len(block)] = block
