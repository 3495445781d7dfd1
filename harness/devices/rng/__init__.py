"""The random number generator: a display that selects a number from 1 to 7."""

from feltrig.harness.devices.cases import QuietCommand
from feltrig.harness.devices.device import ANSWER, DeviceKind, Limit
from feltrig.harness.devices.rng import checks
from feltrig.harness.devices.rng.cases import DARK, DARK_AT_WORK, DEMANDS, FIRST_NUMBERS, STATES, WORKS
from feltrig.harness.devices.rng.drills import DRILLS
from feltrig.harness.devices.rng.eye import EYES
from feltrig.harness.devices.rng.playing import PLAY
from feltrig.harness.devices.rng.samples import NUMBERS
from feltrig.protocols.vocabulary import State

DEVICE = DeviceKind(
    kind="rng",
    needed_for=(("start", "rng"),),
    alone={"start": ("rng",), "deal": ("hand",), "machine_shuffle": False, "shuffler_counts": False},
    commands=("select", "display"),
    events=("selected",),
    tells=("NumberSelected",),
    cleared="Remove whatever keeps the {machine} from its work. Release its stop button.",
    play=PLAY,
    checks=(
        checks.number_in_range,
        checks.displays_what_it_selected,
        checks.one_selection_each,
        checks.number_does_not_stick,
    ),
    outcome=frozenset({"selected.number"}),
    operations={"select": "selected"},
    limits=(ANSWER, Limit("selects a number", "select", "s", 10.0, 0.8)),
    drills=DRILLS,
    states=STATES,
    leaves={"select": State.READY, "blank": State.IDLE},
    demands=DEMANDS,
    works=WORKS,
    after_reset=DARK_AT_WORK,
    after_start=(DARK,),
    first_outcomes=FIRST_NUMBERS,
    quiet=QuietCommand("blank", undo="select", undone="selected"),
    sampler=NUMBERS,
    eyes=EYES,
)
