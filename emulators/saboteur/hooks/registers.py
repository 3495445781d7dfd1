"""Changes to a register map: what is read, what a write does, and which exceptions come."""

import struct
from collections.abc import Callable

from feltrig.emulators.machine import Machine
from feltrig.emulators.saboteur.hooks.machine import Around
from feltrig.emulators.saboteur.mutant import Change, Victim
from feltrig.emulators.stations.modbus_server import ModbusServer
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs
from feltrig.protocols.vocabulary import Error

Respond = Callable[[bytes, Callable[[bytes], bytes]], bytes]
"""The response to a request; the function gives the honest one to this or another request."""


class Server(Around):
    """A machine with a register map of its own around it."""

    def __init__(self, machine: Machine, respond: Respond) -> None:
        super().__init__(machine)
        self._honest = machine if isinstance(machine, Server) else ModbusServer(machine)
        self._respond = respond

    def respond(self, request: bytes, now: float) -> bytes:
        """The response to a request, which may be an exception response."""
        return self._respond(request, lambda asked: self._honest.respond(asked, now))


def responses(respond: Respond) -> Change:
    """Other responses to requests."""

    def tamper(victim: Victim) -> None:
        def around(late: Victim) -> None:
            late.machine = Server(late.machine, respond)

        victim.last.append(around)

    return tamper


def exception(when: Callable[[pdu.Query], bool], code: int) -> Change:
    """An exception in place of a response."""

    def respond(request: bytes, honest: Callable[[bytes], bytes]) -> bytes:
        asked = query(request)
        hit = asked is not None and when(asked)
        return bytes((request[0] | pdu.EXCEPTION, code)) if hit else honest(request)

    return responses(respond)


def registers(first: int, change: Callable[[int], int], count: int = 1) -> Change:
    """Other values in registers, wherever they are read."""

    def respond(request: bytes, honest: Callable[[bytes], bytes]) -> bytes:
        asked, response = query(request), honest(request)
        if not isinstance(asked, pdu.Read | pdu.ReadWrite) or response[0] & pdu.EXCEPTION:
            return response
        start, size = asked[:2]
        values = list(struct.unpack(f">{size}H", response[2:]))
        for at in range(max(first - start, 0), min(first + count - start, size)):
            values[at] = change(values[at]) & 0xFFFF
        return response[:2] + struct.pack(f">{size}H", *values)

    return responses(respond)


def poisoned_registers(victim: Victim) -> None:
    """Answers malformed to every command whose token once came with a malformed one."""
    poisoned: set[bytes] = set()

    def respond(request: bytes, honest: Callable[[bytes], bytes]) -> bytes:
        asked = query(request)
        if not isinstance(asked, pdu.Write | pdu.ReadWrite):
            return honest(request)
        token, response = asked.data[:4], honest(request)
        error = honest(pdu.read(regs.RESULT + 2, 1))[-1]
        if error == Error.MALFORMED:
            poisoned.add(token)
        elif token in poisoned:  # the result block as the malformed command left it
            wrong = asked.data[:6] + b"\1" * 40
            return honest(pdu.write(regs.COMMAND, wrong)) if isinstance(asked, pdu.Write) else response
        return response

    responses(respond)(victim)


def query(request: bytes) -> pdu.Query | None:
    """A request as it is read; None for what cannot be."""
    try:
        return pdu.parse(request)
    except pdu.Rejected:
        return None


Honest = Callable[[bytes], bytes]


def reads(change: Callable[[pdu.Read, bytes], bytes]) -> Change:
    """Other responses to reads by function 3."""

    def respond(request: bytes, honest: Honest) -> bytes:
        asked, response = query(request), honest(request)
        read = isinstance(asked, pdu.Read) and request[0] == pdu.READ_HOLDING and not response[0] & pdu.EXCEPTION
        return change(asked, response) if read and isinstance(asked, pdu.Read) else response

    return responses(respond)


def function(number: int, respond: Respond) -> Change:
    """Other responses to a function."""
    return responses(lambda request, honest: respond(request, honest) if request[0] == number else honest(request))


def other_exception(was: int, said: int, when: Callable[[bytes], bool] = lambda _: True) -> Change:
    """Another exception."""

    def respond(request: bytes, honest: Honest) -> bytes:
        response = honest(request)
        hit = response[0] & pdu.EXCEPTION and response[1] == was and when(request)
        return bytes((response[0], said)) if hit else response

    return responses(respond)


def instead_of_exception(was: int, when: Callable[[bytes], bool], response: Callable[[bytes, Honest], bytes]) -> Change:
    """Something else in place of an exception."""

    def respond(request: bytes, honest: Honest) -> bytes:
        right = honest(request)
        return response(request, honest) if right[0] & pdu.EXCEPTION and right[1] == was and when(request) else right

    return responses(respond)


def zeros(request: bytes, _honest: Honest) -> bytes:
    """Zeros for a read that must be refused."""
    return pdu.registers(request[0], bytes(2 * int.from_bytes(request[3:5], "big")))


def written(request: bytes, _honest: Honest) -> bytes:
    """An answer as if a write was right."""
    return request[:5]


def by_function(*functions: int) -> Callable[[bytes], bool]:
    return lambda request: request[0] in functions


def result(change: Callable[[list[int]], None]) -> Change:
    """Another head of the result block: token in two registers, error, count."""

    def respond(request: bytes, honest: Honest) -> bytes:
        asked, response = query(request), honest(request)
        if not isinstance(asked, pdu.Read | pdu.ReadWrite) or response[0] & pdu.EXCEPTION:
            return response
        start, size = asked[:2]
        if start != regs.RESULT or size < 4:
            return response
        head = list(struct.unpack(">4H", response[2:10]))
        change(head)
        return response[:2] + struct.pack(">4H", *(value & 0xFFFF for value in head)) + response[10:]

    return responses(respond)


def other_error(was: Error, said: Error) -> Change:
    def change(head: list[int]) -> None:
        if head[2] == was:
            head[2] = said

    return result(change)
