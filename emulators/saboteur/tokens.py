"""Mutants that use tokens wrongly."""

from dataclasses import replace

from feltrig.emulators.machine import Machine
from feltrig.emulators.saboteur.hooks.connections import at_each_connection
from feltrig.emulators.saboteur.hooks.machine import Around, answers, around, remembers
from feltrig.emulators.saboteur.hooks.registers import poisoned_registers
from feltrig.emulators.saboteur.mutant import Change, Mutant, fresh
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.vocabulary import Error


def _forgets_refusals(*errors: Error) -> Change:
    """Asks itself anew when the token of a refusal comes again."""

    class Asking(Around):
        def __init__(self, machine: Machine) -> None:
            super().__init__(machine)
            self.refused: set[int] = set()
            self.fresh = 0xE0000000

        def handle(self, request: Request, now: float) -> Reply:
            if request.token in self.refused:
                self.fresh += 1
                request = replace(request, token=self.fresh)
            reply = self.inner.handle(request, now)
            if reply.error in errors:
                self.refused.add(request.token)
            return reply

    return around(Asking)


def _cached(*commands: str) -> Change:
    """Answers as it did the first time."""
    kept: dict[str, Reply] = {}
    return answers(lambda asked: kept.setdefault(asked.request.command, asked.obey()), *commands)


MUTANTS = (
    Mutant(
        "token-answered-otherwise",
        ("DEV-1",),
        "answers a token that comes again with an error, without acting",
        answers(lambda asked: Reply(Error.WRONG_STATE) if asked.again else asked.obey()),
    ),
    Mutant("token-acts-twice", ("DEV-2",), "acts again on a token that comes again", remembers(0)),
    Mutant("tokens-seven", ("DEV-3", "DEV-2"), "remembers seven tokens only", remembers(7)),
    Mutant("tokens-one", ("DEV-3", "DEV-2"), "remembers the last token only", remembers(1)),
    Mutant(
        "token-by-command",
        ("DEV-4", "DEV-2"),
        "takes a remembered token for new when it comes with another command",
        answers(lambda asked: asked.obey(token=asked.request.token ^ len(asked.request.command) << 24)),
    ),
    Mutant(
        "refusals-forgotten",
        ("DEV-5",),
        "remembers no refusal",
        _forgets_refusals(Error.WRONG_STATE, Error.EMPTY, Error.BAD_ARGUMENT),
    ),
    Mutant(
        "malformed-remembered",
        ("DEV-6",),
        "remembers the token of a malformed command, and answers malformed when it comes well-formed",
        poisoned_registers,
        wires=("modbus-rtu", "modbus-tcp", "modbus-tls"),
    ),
    Mutant(
        "challenge-cached",
        ("DEV-7", "DEV-96"),
        "gives the proof of the first challenge again",
        fresh(lambda: _cached("challenge")),
    ),
    Mutant(
        "display-cached",
        ("DEV-7", "DEV-59"),
        "answers `display` as the first time",
        fresh(lambda: _cached("display")),
        ("rng",),
    ),
    Mutant(
        "reconnect-forgets-tokens",
        ("DEV-8", "DEV-2"),
        "forgets its tokens when a connection is lost",
        at_each_connection(lambda victim: victim.device._answered.clear()),
        wires=("modbus-tcp", "modbus-tls", "mqtt"),
    ),
    Mutant(
        "reconnect-resets",
        ("DEV-8",),
        "resets itself when a connection is lost",
        at_each_connection(lambda victim: victim.device.board.clear()),
        wires=("modbus-tcp", "modbus-tls", "mqtt"),
    ),
)
