"""Mutants with wrong dice or a wrong lid."""

from collections.abc import Callable, Iterable
from typing import Any

from feltrig.emulators.saboteur.hooks import parts
from feltrig.emulators.saboteur.hooks.machine import fields, rewritten, without
from feltrig.emulators.saboteur.hooks.parts import has, mechanics, same_after_each_start
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim, fresh
from feltrig.protocols.messages import Event, Reply, Values
from feltrig.protocols.vocabulary import Error, State


def _accepts(wrong: int, instead: int) -> Change:
    """Shakes when it is asked to shake so often."""

    def shake(honest: Callable[[Values], Reply], values: Values) -> Reply:
        return honest({"times": instead} if values["times"] == wrong else values)

    return parts.command("shake", shake)


def _lid_off(victim: Victim) -> None:
    """Shakes with the lid off."""
    shaker = victim.device.mechanism

    def shake(honest: Callable[[Values], Reply], values: Values) -> Reply:
        covered, shaker.covered = shaker.covered, True
        reply = honest(values)
        shaker.covered = covered
        return reply

    parts.command("shake", shake)(victim)


def _rolls_again(victim: Victim) -> None:
    """Reads other dice when it reads them again."""
    shaker = victim.device.mechanism

    def opened(honest: Callable[..., None], commanded: bool) -> None:
        if not shaker.covered:
            faces, flat = shaker._lying
            shaker._lying = tuple(face % 6 + 1 for face in faces), flat
        honest(commanded)

    parts.part("_open", opened)(victim)


def _uncovers_again(victim: Victim) -> None:
    """Says `uncovered` again when the lid is off already."""
    shaker = victim.device.mechanism

    def opened(honest: Callable[..., None], commanded: bool) -> None:
        if not shaker.covered:
            victim.device.board.emit("uncovered", commanded=commanded)
        honest(commanded)

    parts.part("_open", opened)(victim)


def _covers_silently(victim: Victim) -> None:
    """Says nothing when the lid is closed already."""
    shaker = victim.device.mechanism

    def close(honest: Callable[[], None]) -> None:
        if shaker.covered:
            victim.device.board.become(State.IDLE)
        else:
            honest()

    parts.part("_close", close)(victim)


def _by_hand(rewrite: Callable[[Event], Iterable[Event]]) -> Callable[[], Change]:
    """Other events when a hand has lifted the lid: `uncovered` by hand, and the `rolled` after it."""

    def make() -> Change:
        lifted = False

        def made(event: Event) -> Iterable[Event]:
            nonlocal lifted
            if event.name == "uncovered":
                lifted = not event.values["commanded"]
            return rewrite(event) if lifted and event.name in {"uncovered", "rolled"} else (event,)

        return rewritten(made)

    return make


def _drops(name: str) -> Callable[[Event], Iterable[Event]]:
    return lambda event: () if event.name == name else (event,)


def _says_commanded(event: Event) -> Iterable[Event]:
    return (Event(0, event.name, {"commanded": True} if event.name == "uncovered" else event.values),)


def _shaken_all_the_same(*, first: bool) -> Change:
    """Reports a shake although a hand lifted the lid: before it says so, or after."""

    def change(victim: Victim) -> None:
        board = victim.device.board

        def opened(honest: Callable[..., None], commanded: bool) -> None:
            in_the_middle = not commanded and board.state is State.BUSY
            if in_the_middle and first:
                board.emit("shaken", times=3)
            honest(commanded)
            if in_the_middle and not first:
                board.emit("shaken", times=3)

        parts.part("_open", opened)(victim)

    return change


def _three(values: Any, filler: int) -> tuple[int, ...]:
    return (*values, *(filler,) * (3 - len(values)))


MUTANTS = (
    Mutant(
        "dice-zero-based",
        ("DEV-61",),
        "reports faces 0 to 5",
        fields("rolled", dice=lambda dice: tuple(d - 1 for d in dice)),
    ),
    Mutant("dice-two", ("DEV-61",), "has two dice", fields("rolled", dice=lambda d: d[:2], flat=lambda f: f[:2])),
    Mutant("dice-loaded", ("DEV-62",), "rolls sixes only", mechanics(lambda _: (6, 6, 6)), samples=64),
    Mutant("shake-zero", ("DEV-63",), "accepts to shake zero times", _accepts(0, 1)),
    Mutant(
        "shake-zero-as-state",
        ("DEV-63",),
        "refuses to shake zero times as the wrong state",
        parts.command("shake", lambda honest, values: honest(values) if values["times"] else Reply(Error.WRONG_STATE)),
    ),
    Mutant("shakes-with-lid-off", ("DEV-64",), "shakes with the lid off", _lid_off),
    Mutant("shakes-less", ("DEV-65",), "shakes once less than it is told, and says so", has("few_shakes")),
    Mutant(
        "shake-reports-one-more",
        ("DEV-66",),
        "reports a shake more than it counted",
        has("few_shakes_unreported"),
        survives="Nobody but the shaker counts its shakes. A number lower than was asked for is refused.",
    ),
    Mutant(
        "uncovered-by-nobody",
        ("DEV-67",),
        "says that a hand lifted the lid when it was told to",
        fields("uncovered", commanded=False),
    ),
    Mutant("rolls-again", ("DEV-68",), "reads other dice when it reads them again", _rolls_again),
    Mutant("uncovers-again", ("DEV-68",), "makes `uncovered` again when it reads the dice again", _uncovers_again),
    Mutant("covers-silently", ("DEV-69",), "makes no `covered` when the lid is closed already", _covers_silently),
    Mutant(
        "hand-as-command",
        ("DEV-70",),
        "says that the lid was lifted by command when a hand did it",
        fresh(_by_hand(_says_commanded)),
    ),
    Mutant("hand-unseen", ("DEV-70",), "does not see that a hand lifts the lid", fresh(_by_hand(_drops("uncovered")))),
    Mutant(
        "hand-not-rolled",
        ("DEV-70",),
        "does not read the dice when a hand lifts the lid",
        fresh(_by_hand(_drops("rolled"))),
    ),
    Mutant(
        "hand-shaken",
        ("DEV-71",),
        "reports a shake after a hand has lifted the lid in the middle of it",
        _shaken_all_the_same(first=False),
    ),
    Mutant(
        "hand-shaken-first",
        ("DEV-71",),
        "reports a shake and then that a hand lifted the lid in the middle of it",
        _shaken_all_the_same(first=True),
        survives="It looks as if the hand came too late each time. The run is inconclusive.",
    ),
    Mutant(
        "die-out-reported",
        ("DEV-72",),
        "reports three dice when one is out",
        fields("rolled", dice=lambda d: _three(d, 4), flat=lambda f: _three(f, 1)),
    ),
    Mutant(
        "always-flat", ("DEV-73",), "reports a tilted die as flat", fields("rolled", flat=lambda flat: (1,) * len(flat))
    ),
    Mutant(
        "flat-short",
        ("DEV-73",),
        "reports two dice of three as flat or not",
        fields("rolled", flat=lambda flat: flat[:2]),
    ),
    Mutant("same-rolls", ("DEV-74",), "rolls the same after every start", same_after_each_start),
    Mutant("no-shaken", ("DEV-36",), "makes no `shaken`", without("shaken")),
)
