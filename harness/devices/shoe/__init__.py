"""The automated dealing shoe: dispenses stacks of cards, and can be locked."""

from feltrig.harness.devices.cases import QuietCommand
from feltrig.harness.devices.device import ANSWER, DeviceKind, Limit, Openings
from feltrig.harness.devices.shoe import checks
from feltrig.harness.devices.shoe.cases import DEMANDS, LOCKS, cases_of
from feltrig.harness.devices.shoe.drills import DRILLS
from feltrig.harness.devices.shoe.playing import PLAY
from feltrig.protocols.kinds.shoe import STACK_SIZES
from feltrig.protocols.vocabulary import State

DEVICE = DeviceKind(
    kind="shoe",
    needed_for=(("deal", "automated_shoe"),),
    alone={"start": ("rng",), "deal": ("automated_shoe",)},
    stopped_by=("jam", "jam_well", "jam_exit", "stop"),
    commands=("dispense", "lock", "unlock", "reset"),
    events=("dispensed", "faulted", "cleared"),
    words="dealing shoe",
    openings=Openings(load="well", stack="exit", stub="well"),
    tells=("StackDispensed",),
    play=PLAY,
    checks=(
        checks.stacks_of_the_size_asked,
        checks.reports_the_size_dispensed,
        checks.dispenses_only_when_told,
        checks.deals_from_the_top,
        checks.dispenses_face_down,
    ),
    outcome=frozenset({"event dispensed"}),
    operations={"dispense": "dispensed"},
    limits=(ANSWER, Limit("dispenses a stack", "dispense", "s", 10.0, 0.8)),
    drills=DRILLS,
    leaves={"dispense": State.READY, "lock": State.LOCKED, ("unlock", State.LOCKED): State.IDLE},
    demands=DEMANDS,
    locked=LOCKS,
    quiet=QuietCommand("lock", undo="unlock", undone=None),
    of_sizes=cases_of,
    **cases_of(STACK_SIZES),
)
