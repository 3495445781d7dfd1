"""Mutants of the reader, which is an instrument of the rig."""

from feltrig.emulators.saboteur.hooks.machine import answers, fields, refuses, without
from feltrig.emulators.saboteur.mutant import Mutant
from feltrig.protocols.messages import Reply
from feltrig.protocols.vocabulary import Error

INSTRUMENT = "The reader is the rig's own instrument. No plan judges it."

MUTANTS = (
    Mutant("no-scanned", ("DEV-43",), "makes no `scanned`", without("scanned"), survives=INSTRUMENT),
    Mutant("faces-refused", ("DEV-44",), "refuses `faces`", refuses(Error.WRONG_STATE, "faces"), survives=INSTRUMENT),
    Mutant(
        "scan-one-more",
        ("DEV-92",),
        "counts a card too many",
        fields("scanned", count=lambda n: n + 1),
        survives=INSTRUMENT,
    ),
    Mutant(
        "faces-none",
        ("DEV-93",),
        "gives no card",
        answers(lambda _: Reply(values={"cards": ()}), "faces"),
        survives=INSTRUMENT,
    ),
)
