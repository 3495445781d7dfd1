"""Mutants that are not who they say."""

import itertools
from dataclasses import replace

from feltrig.emulators.saboteur.hooks.machine import Asked, answers, firmware, identity, refuses
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim, fresh
from feltrig.protocols.messages import Reply
from feltrig.protocols.vocabulary import Error


def _serials() -> Change:
    """Another serial number each time."""
    count = itertools.count(1)

    def say(asked: Asked) -> Reply:
        reply = asked.obey()
        return replace(reply, values={**reply.values, "serial": f"EMU-{next(count)}"})

    return answers(say, "identify")


def _kind_code(victim: Victim) -> None:
    """Says the code of another kind."""
    wrong = victim.device.kind.code % 4 + 1
    answers(lambda asked: replace(asked.obey(), values={**asked.obey().values, "kind": wrong}), "identify")(victim)


def _any_nonce(victim: Victim) -> None:
    """Proves its firmware whatever the length of the nonce."""

    def say(asked: Asked) -> Reply:
        nonce = asked.request.values["nonce"]
        assert isinstance(nonce, tuple)
        return asked.obey(values={"nonce": (*nonce, *range(16))[:32]})

    answers(say, "challenge")(victim)


MUTANTS = (
    Mutant("serial-changes", ("DEV-94",), "says another serial number each time", fresh(_serials)),
    Mutant("kind-of-another", ("DEV-94",), "says the code of another kind", _kind_code),
    Mutant("digest-of-another", ("DEV-95",), "says the digest of another image", identity(digest="ab" * 32)),
    Mutant("digest-short", ("DEV-95",), "says only half of the digest", identity(digest="ab" * 16)),
    Mutant("other-firmware", ("DEV-96",), "proves another firmware than it says", firmware(b"not what was submitted")),
    Mutant("any-nonce", ("DEV-97",), "proves its firmware whatever the length of the nonce", _any_nonce),
    Mutant(
        "no-challenge",
        ("DEV-24", "DEV-25", "DEV-96"),
        "does not know `challenge`",
        refuses(Error.UNKNOWN_COMMAND, "challenge"),
    ),
)
