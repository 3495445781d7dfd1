"""Mutants that answer too late."""

import itertools

from feltrig.emulators.saboteur.hooks import line
from feltrig.emulators.saboteur.hooks.machine import Asked, answers
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim
from feltrig.protocols.messages import Reply


def _late_for_work(seconds: float, every: int) -> Change:
    """Answers every so many commands that act late, but a reset."""

    def change(victim: Victim) -> None:
        waiting: list[float] = []
        count = itertools.count(1)

        def say(asked: Asked) -> Reply:
            command = asked.request.command
            if victim.device.kind.commands[command].acts and command != "reset" and not next(count) % every:
                waiting.append(seconds)
            return asked.obey()

        answers(say)(victim)
        line.delayed(lambda _: waiting.pop() if waiting else 0.0)(victim)

    return change


MUTANTS = (
    Mutant("slow-answers", ("DEV-16",), "takes 1.2 s for an answer now and then", line.late(1.2, range(20, 2000, 400))),
    Mutant(
        "answers-when-done",
        ("DEV-17", "DEV-16"),
        "answers some commands when their work is done",
        _late_for_work(1.3, 20),
    ),
)
