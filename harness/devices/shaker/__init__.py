"""The dice shaker: three dice under a lid."""

from feltrig.harness.devices.device import ANSWER, DeviceKind, Limit, Restore
from feltrig.harness.devices.shaker import checks
from feltrig.harness.devices.shaker.cases import DEMANDS, FIRST_ROLLS, LATER_RIGHT, STATES, WORKS
from feltrig.harness.devices.shaker.drills import DRILLS
from feltrig.harness.devices.shaker.eye import EYES
from feltrig.harness.devices.shaker.playing import PLAY
from feltrig.harness.devices.shaker.samples import ROLLS
from feltrig.protocols.vocabulary import State

DEVICE = DeviceKind(
    kind="shaker",
    needed_for=(("start", "dice"),),
    alone={"start": ("dice",), "deal": ("hand",), "machine_shuffle": False, "shuffler_counts": False},
    stopped_by=("lid_jam",),
    commands=("shake", "uncover", "cover"),
    events=("shaken", "rolled", "covered"),
    tells=("DiceRolled",),
    blocked="Hold the lid of the {machine}, so that it cannot move.",
    cleared="Let go of the lid of the {machine}. Remove whatever blocks it. Release its stop button.",
    play=PLAY,
    restore=Restore(after=("uncovered", "rolled"), command="cover", done="covered"),
    checks=(
        checks.three_dice,
        checks.faces_of_dice,
        checks.dice_lie_flat,
        checks.shakes_as_often_as_told,
        checks.lid_stays_on,
        checks.reports_its_lid,
        checks.dice_do_not_stick,
    ),
    outcome=frozenset({"rolled.dice"}),
    operations={"shake": "shaken"},
    limits=(ANSWER, Limit("shakes the dice", "shake", "s", 20.0, 0.8)),
    drills=DRILLS,
    states=STATES,
    leaves={"shake": State.READY, "uncover": State.READY, "cover": State.IDLE},
    demands=DEMANDS,
    works=WORKS,
    first_outcomes=FIRST_ROLLS,
    bad_arguments=((WORKS[0], {"times": 0}),),
    later_right=LATER_RIGHT,
    sampler=ROLLS,
    eyes=EYES,
)
