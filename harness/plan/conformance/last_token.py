"""Registers 8 to 9 of a device on Modbus: the token of the last command that acts, whatever its answer was."""

from feltrig.harness.scene import Tried
from feltrig.harness.table.driver import Driver
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.channel import ModbusChannel
from feltrig.protocols.vocabulary import Error

LAST_TOKEN, SIZE = 8, 2
NO_COMMAND = (Error.UNKNOWN_COMMAND, Error.MALFORMED)
"""What was answered so is not the last command."""


async def last_token(driver: Driver, request: Request, reply: Reply) -> Tried | None:
    """Whether a device on Modbus shows the token of the command that it has just answered; None on other wires, and if
    the command only reads."""
    channel = driver.channel
    if not isinstance(channel, ModbusChannel) or not driver.kind.commands[request.command].acts:
        return None
    if reply.error in NO_COMMAND:
        return None
    answer = await channel.exchange(pdu.read(LAST_TOKEN, SIZE))
    right = bytes((pdu.READ_HOLDING, 2 * SIZE)) + request.token.to_bytes(2 * SIZE, "big")
    said = f"{request.command} was answered {reply.error.name.lower()}"
    fault = None if answer == right else f"{said}, and a read of 8 to 9 {answer.hex(' ')}, expected {right.hex(' ')}"
    return Tried(f"{request.command}: the last token", fault, ("MOD-15",))
