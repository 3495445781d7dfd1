"""The shuffler: shuffles one of two decks, and counts the cards if it can."""

from feltrig.engine.decks import DECKS
from feltrig.harness.devices.cases import (
    ANY,
    BYTES,
    FAULT,
    RESET,
    CommandCase,
    StateCases,
    bring,
    each,
    empty,
    jam,
    unjam,
)
from feltrig.harness.devices.device import ANSWER, DeviceKind, Limit, Openings
from feltrig.harness.devices.hands import COMPARTMENTS, Hands
from feltrig.harness.devices.shuffler import checks
from feltrig.harness.devices.shuffler.drills import DRILLS
from feltrig.harness.devices.shuffler.playing import PLAY
from feltrig.harness.devices.shuffler.samples import SHUFFLES
from feltrig.protocols.vocabulary import State


async def _load(hands: Hands) -> None:
    await bring(hands)
    await hands.load()


async def _jam(hands: Hands) -> str | None:
    await unjam(hands)
    await _load(hands)
    return await jam(hands, "shuffle", "shuffled", deck=hands.compartment)


NO_DECK = each("shuffle", "deck", [n for n in BYTES if n not in COMPARTMENTS.values()])
EITHER = tuple(CommandCase("shuffle", ANY, {"deck": n}) for n in COMPARTMENTS.values())
FIRST = {"deck": COMPARTMENTS[DECKS[0]]}

DEVICE = DeviceKind(
    kind="shuffler",
    needed_for=(("start", "button"), ("decks", 2), ("machine_shuffle", True)),
    alone={"start": ("rng",), "deal": ("hand",)},
    stopped_by=("jam", "jam_in", "jam_out", "stop", "incomplete", "no_count"),
    commands=("shuffle", "reset"),
    events=("shuffled", "counted", "faulted", "cleared"),
    openings=Openings(load="in.{compartment}", unload="out.{compartment}"),
    play=PLAY,
    checks=(
        checks.shuffles_to_the_end,
        checks.counts_every_shuffle,
        checks.count_is_true,
        checks.indicates_wrong_count,
        checks.deck_comes_out_whole,
        checks.order_changes,
        checks.cards_do_not_stay_together,
        checks.deck_is_not_sorted,
        checks.no_shuffle_twice,
        checks.turns_no_card,
        checks.decks_alternate,
        checks.shuffles_the_idle_deck,
    ),
    operations={"shuffle": "shuffled"},
    limits=(ANSWER, Limit("completes a shuffle", "shuffle", "s", 120.0, 0.8)),
    drills=DRILLS,
    drills_need="shuffler_counts",
    states=(
        StateCases("empty", (RESET, *NO_DECK, *EITHER), bring),
        StateCases("loaded", (*NO_DECK, RESET), _load),
        StateCases(
            "shuffled",
            (
                CommandCase("shuffle", values=FIRST, until="shuffled"),
                *NO_DECK,
                CommandCase("shuffle", ANY, FIRST),
            ),
        ),
        StateCases("unloaded", (RESET,), Hands.unload),
        StateCases(FAULT, EITHER, _jam),
        StateCases("cleared", (RESET, *NO_DECK), empty),
    ),
    leaves={"shuffle": State.READY},
    sampler=SHUFFLES,
)
