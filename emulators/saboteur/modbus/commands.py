"""Mutants that run a command of the register map wrongly."""

from feltrig.emulators.saboteur.hooks.line import late
from feltrig.emulators.saboteur.hooks.machine import answers
from feltrig.emulators.saboteur.hooks.registers import Honest, other_error, query, responses
from feltrig.emulators.saboteur.mutant import Change, Mutant, fresh
from feltrig.protocols.messages import Reply
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs
from feltrig.protocols.vocabulary import Error


def _token_first() -> Change:
    """Shows the token of the result before the rest: the first read has the token and the result of before."""
    before: list[bytes] = []

    def respond(request: bytes, honest: Honest) -> bytes:
        asked = query(request)
        if isinstance(asked, pdu.Write):
            before[:] = [honest(pdu.read(regs.RESULT, 64))[2:]]
        response = honest(request)
        if isinstance(asked, pdu.Read) and asked[0] == regs.RESULT and before:
            old, size = before.pop(), 2 * asked[1]
            return response[:2] + (response[2:6] + old[4:] + response[2 + len(old) :])[:size].ljust(size, b"\0")
        return response

    return responses(respond)


def _twice(request: bytes, honest: Honest) -> bytes:
    """Runs a command twice, under another token the second time."""
    response = honest(request)
    asked = query(request)
    if isinstance(asked, pdu.Write) and asked.start == regs.COMMAND and asked.data[4:6] == b"\0\4":
        first = honest(pdu.read(regs.RESULT, 4))
        honest(pdu.write(regs.COMMAND, bytes((asked.data[0] ^ 0x40,)) + asked.data[1:]))
        honest(request)
        assert first
    return response


def _remembers_readers() -> Change:
    """Remembers the tokens of commands that only read, and gives their result again."""
    known: dict[bytes, bytes] = {}

    def respond(request: bytes, honest: Honest) -> bytes:
        asked = query(request)
        if isinstance(asked, pdu.Write) and len(asked.data) >= 6 and asked.data[4:6] in (b"\0\1", b"\0\2", b"\0\5"):
            token = asked.data[:4]
            if token in known:
                return honest(known[token])
            known[token] = request
        return honest(request)

    return responses(respond)


MUTANTS = (
    Mutant("runs-twice", ("MOD-38",), "runs a reset twice", responses(_twice)),
    Mutant("token-before-result", ("MOD-39",), "shows the token before the rest of the result", fresh(_token_first)),
    Mutant(
        "write-answered-late",
        ("MOD-40", "DEV-16"),
        "takes 1.3 s to answer a write now and then",
        late(1.3, range(30, 4000, 500)),
    ),
    Mutant(
        "readers-remembered",
        ("MOD-41",),
        "gives an old result for a token of a command that only reads",
        fresh(_remembers_readers),
    ),
    Mutant(
        "repeat-answered-otherwise",
        ("MOD-42", "DEV-1"),
        "has another error in the result of a token that comes again",
        answers(lambda asked: Reply(Error.EMPTY) if asked.again else asked.obey()),
    ),
    Mutant(
        "events-accepted",
        ("MOD-44",),
        "takes the code of `events` for right",
        other_error(Error.UNKNOWN_COMMAND, Error.OK),
    ),
    Mutant(
        "unknown-as-argument",
        ("MOD-45",),
        "calls an unknown code a bad argument",
        other_error(Error.UNKNOWN_COMMAND, Error.BAD_ARGUMENT),
    ),
    Mutant(
        "malformed-as-bad-argument",
        ("MOD-46",),
        "calls a malformed command a bad argument",
        other_error(Error.MALFORMED, Error.BAD_ARGUMENT),
    ),
)
