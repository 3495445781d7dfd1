"""Rigs whose devices talk by the shipped profiles: rounds are played, and what a wire lacks is named and not tested."""

from dataclasses import replace

import pytest
from rigs import make_rig, nobody, rig_text

from feltrig.harness.judge.finding import Verdict
from feltrig.harness.plan.order import plan_order
from feltrig.harness.plan.plan import plan
from feltrig.harness.rig.model import Rig
from feltrig.harness.run import run
from feltrig.harness.wires.replaying import replayed

OPEN = {
    "rng": 'wire = "serial"',
    "shaker": 'wire = "serial"',
    "shuffler": 'wire = "serial"',
    "shoe": 'wire = "serial"',
    "reader": 'wire = "serial"',
}

PROFILES = {
    "lookalike-status-lines-rng": ("rng", 'wire = "serial"'),
    "lookalike-listens-says-shaker": ("shaker", 'wire = "mqtt"'),
    "lookalike-history-log-shuffler": ("shuffler", 'wire = "serial"'),
    "lookalike-card-reports-shoe": ("shoe", 'wire = "serial"'),
    "plc-shaker": ("shaker", 'wire = "modbus-tcp"'),
}

NOT_TESTED = {
    "lookalike-status-lines-rng": {
        "displays the number selected",
        "keeps its number on the display until the next",
        "gives up its selection when its power is cut, and works again",
    },
    "lookalike-listens-says-shaker": {
        "numbers its events without a gap",
        "shakes as often as told, at least three times",
        "keeps its lid on until told",
        "says that a hand lifted its lid",
        "ends a shake when a hand lifts its lid",
        "reports a lid that does not move, and works again",
        "gives up its shake when its power is cut, and works again",
    },
    "lookalike-history-log-shuffler": {
        "numbers its events without a gap",
        "reports that its button stopped it, and works again",
    },
    "lookalike-card-reports-shoe": set(),
    "plc-shaker": {
        "numbers its events without a gap",
        "gives up its shake when its power is cut, and works again",
    },
}
"""What limits a certificate, beside the proof of the firmware that none of them carries."""
PROOF = "proves its firmware with a salted challenge"


def rig_with(*profiles: str, wire: str | None = None, extra: str = "", noise: str = "", deadline: float = 5.0) -> Rig:
    """All devices emulated; those of the profiles talk as they say, the others by the open profile of the serial wire.
    `extra` is TOML for the emulator of the last, `noise` for its wire."""
    lines = dict(OPEN)
    for name in profiles:
        kind, usual = PROFILES[name]
        lines[kind] = f'{wire or usual}\nprofile = "{name}"\ndeadline = {deadline}\npatience = 2.0'
    last = PROFILES[profiles[-1]][0]
    text = rig_text(lines, {last: extra}, kinds=tuple(lines), top="seed = 5", more=noise)
    return make_rig(text, "profiles.toml")


def limited(finished, device):
    found = [f for f in finished.findings if f.device == device and f.lacks]
    assert all(f.verdict is Verdict.NOT_TESTED and not f.required for f in found)
    return {f.check for f in found}


@pytest.mark.parametrize("name", PROFILES)
async def test_a_device_of_each_profile_plays_and_what_its_wire_lacks_is_not_tested(play, name):
    finished = await play(rig_with(name), 4)
    device = PROFILES[name][0]
    assert finished.verdict["ended"] == "finished"
    assert finished.verdict["rounds"] == {"asked": 4, "played": 4, "void": 0}
    assert [f for f in finished.findings if f.verdict is Verdict.FAIL] == []
    assert limited(finished, device) == NOT_TESTED[name] | {PROOF}
    others = {n: d["verdict"] for n, d in finished.verdict["devices"].items() if n not in (device, "reader")}
    assert set(others.values()) == {"no failure seen"}
    assert finished.verdict["devices"][device]["verdict"] == "no failure seen"


@pytest.mark.parametrize("name", PROFILES)
async def test_a_recorded_device_of_each_profile_is_served_again_and_comes_to_the_same(play, name, tmp_path):
    rig = rig_with(name, deadline=30.0)  # what was recorded has an end, and then it reports its state no more
    recorded = await play(rig, 2)
    async with replayed(recorded.folder, rig) as again:
        options = {"drills": again.drills, "operator": again.operator}
        finished = await run(again.rig, 2, again.seed, tmp_path / "again", lambda _: None, nobody, **options)
    assert again.deviations == []
    found = [[(f.clause, f.device, f.check, f.verdict) for f in each.findings] for each in (recorded, finished)]
    assert found[0] == found[1]


async def test_a_table_of_look_alikes_plays(play):
    names = [name for name in PROFILES if name != "plc-shaker"]
    finished = await play(rig_with(*names), 4)
    assert finished.verdict["rounds"] == {"asked": 4, "played": 4, "void": 0}
    assert [f for f in finished.findings if f.verdict is Verdict.FAIL] == []


@pytest.mark.parametrize("wire", ['wire = "modbus-rtu"', 'wire = "modbus-tls"'])
async def test_a_modbus_profile_plays_on_every_modbus_wire(play, wire):
    finished = await play(rig_with("plc-shaker", wire=wire), 2)
    assert finished.verdict["rounds"] == {"asked": 2, "played": 2, "void": 0}
    assert [f for f in finished.findings if f.verdict is Verdict.FAIL] == []


@pytest.mark.parametrize(
    ("name", "fault", "check"),
    [
        ("lookalike-status-lines-rng", "out_of_range", "selects a number from 1 to 7"),
        ("lookalike-listens-says-shaker", "cocked_die", "lets the dice lie flat"),
        ("plc-shaker", "cocked_die", "lets the dice lie flat"),
        ("plc-shaker", "die_missing", "holds three dice"),
        ("plc-shaker", "few_shakes", "shakes as often as told, at least three times"),
        ("lookalike-history-log-shuffler", "missing_card_unnoticed", "reports the count that came out"),
        ("lookalike-history-log-shuffler", "jam", "carries out its commands"),
        ("lookalike-card-reports-shoe", "short_stack", "dispenses stacks of the size asked for"),
        ("lookalike-card-reports-shoe", "jam", "carries out its commands"),
    ],
)
async def test_a_fault_of_the_machine_is_found_over_the_wire_of_a_profile(play, name, fault, check):
    # a cocked die is a no roll: only a shaker that has too many of them is at fault
    times = 0 if fault == "cocked_die" else 1
    finished = await play(rig_with(name, extra=f'faults = [{{ what = "{fault}", times = {times} }}]'), 3)
    failed = {f.check for f in finished.findings if f.verdict is Verdict.FAIL}
    assert check in failed
    assert finished.verdict["devices"][PROFILES[name][0]]["verdict"] == "refused"


async def test_a_fault_that_the_wire_hides_is_neither_passed_nor_failed(play):
    """The status lines say one number: what the display shows is not on the wire."""
    finished = await play(rig_with("lookalike-status-lines-rng", extra='faults = [{ what = "display_differs" }]'), 4)
    finding = next(f for f in finished.findings if f.check == "displays the number selected")
    assert finding.verdict is Verdict.NOT_TESTED
    assert "command display" in finding.detail
    assert (finding.lacks, finished.verdict["verdict"]) == (("command display",), "no failure seen")


NOISES = (
    ("lookalike-card-reports-shoe", "corrupt", "from_device"),
    ("lookalike-card-reports-shoe", "duplicate", "from_device"),
    ("lookalike-card-reports-shoe", "corrupt", "to_device"),
    ("lookalike-status-lines-rng", "garbage", "from_device"),
    ("lookalike-status-lines-rng", "split", "both"),
    ("lookalike-history-log-shuffler", "corrupt", "from_device"),
    ("lookalike-history-log-shuffler", "garbage", "from_device"),
    ("lookalike-history-log-shuffler", "disconnect", "from_device"),
    ("plc-shaker", "delay", "both"),
    ("plc-shaker", "disconnect", "from_device"),
    ("lookalike-listens-says-shaker", "disconnect", "from_device"),
)


@pytest.mark.parametrize(("name", "what", "direction"), NOISES)
async def test_noise_on_the_wire_of_a_profile_never_certifies_and_never_blames_the_machine(play, name, what, direction):
    noise = f'[[devices.{PROFILES[name][0]}.noise]]\nwhat = "{what}"\ndirection = "{direction}"\nat = 9\ntimes = 3\n'
    noise += "seconds = 0.02\n" if what in ("delay", "split", "disconnect") else ""
    finished = await play(rig_with(name, noise=noise, deadline=0.3), 3)
    assert finished.verdict["verdict"] in ("inconclusive", "no failure seen")
    assert [f for f in finished.findings if f.verdict is Verdict.FAIL] == []


@pytest.mark.parametrize("name", PROFILES)
async def test_a_sound_device_of_each_profile_keeps_it_in_conformance(name, tmp_path):
    rig, kind = rig_with(name), PROFILES[name][0]
    whole = plan(f"{kind}-nj")
    short = replace(whole, name="short", steps=("conformance",))
    finished = await run(rig, 0, 3, tmp_path, lambda _: None, nobody, plan=plan_order(rig, short))
    found = {f.check: f.verdict for f in finished.findings if f.check.startswith("conformance by its profile")}
    assert list(found.values()) == [Verdict.PASS, Verdict.PASS]
    assert [f for f in finished.findings if f.verdict is Verdict.FAIL] == []
