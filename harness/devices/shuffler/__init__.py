"""The shuffler: shuffles one of two decks, and counts the cards if it can."""

from feltrig.harness.devices.device import ANSWER, DeviceKind, Limit, Openings
from feltrig.harness.devices.shuffler import checks
from feltrig.harness.devices.shuffler.cases import DEMANDS, FIRST_SHUFFLE, LATER_RIGHT, STATES, WORKS
from feltrig.harness.devices.shuffler.drills import DRILLS
from feltrig.harness.devices.shuffler.playing import PLAY
from feltrig.harness.devices.shuffler.samples import SHUFFLES
from feltrig.protocols.vocabulary import State

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
        checks.right_compartment,
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
    outcome=frozenset({"event counted", "counted.count"}),
    operations={"shuffle": "shuffled"},
    limits=(ANSWER, Limit("completes a shuffle", "shuffle", "s", 120.0, 0.8)),
    drills=DRILLS,
    drills_need="shuffler_counts",
    states=STATES,
    leaves={"shuffle": State.READY},
    demands=DEMANDS,
    works=WORKS,
    first_outcomes=FIRST_SHUFFLE,
    bad_arguments=((WORKS[0], {"deck": 0}),),
    later_right=LATER_RIGHT,
    sampler=SHUFFLES,
)
