"""Machines with protocols of their own, made by nobody who knows of feltrig, certified by their profiles.

Two ends made from one description share one mistake. So these machines are programs of their own, in the folder
`own_protocols`, beside the profiles that describe them."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rigs import RNG_ONLY, rig_text

from feltrig.harness.cli.console import Console
from feltrig.harness.cli.display import show_verdict
from feltrig.harness.judge import checklist
from feltrig.harness.judge.certificate import statement
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.plan.order import plan_order
from feltrig.harness.plan.plan import IRREGULARITIES, Plan, plan
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.run import Run, run
from feltrig.harness.wires.profile_check import WRONG, check_profile
from feltrig.protocols.profiles import profilefile

FOLDER = Path(__file__).parent / "own_protocols"
DICE_ONLY = RNG_ONLY.replace('"rng"', '"dice"')
MACHINES = {
    "sentence_display": ("rng", RNG_ONLY, '{ serial = "0042", firmware = "2.1" }'),
    "binary_shaker": ("shaker", DICE_ONLY, '{ serial = "TB0017", firmware = "1.4" }'),
}
"""The kind of each, options of the game that put it to use, and what was submitted of it."""

SAMPLES = 96


@contextlib.asynccontextmanager
async def machine(name: str, *arguments: str) -> AsyncIterator[str]:
    """A machine at work; gives its port."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-I", "-S", FOLDER / f"{name}.py", *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    async with asyncio.timeout(20):
        port = (await process.stdout.readline()).decode().strip()
    yield port
    async with asyncio.timeout(20):
        _, errors = await process.communicate(b"")
    assert errors == b"", errors.decode()


def rehearsal(kind: str) -> Plan:
    whole = plan(f"{kind}-nj")
    assert whole.sampling is not None
    steps = tuple(step for step in whole.steps if step != IRREGULARITIES)  # these need hands
    short = replace(whole.sampling, most=SAMPLES, batch=SAMPLES)
    return replace(whole, name=f"{kind}-short", sampling=short, steps=steps)


async def certified(name: str, out: Path, *arguments: str, whole: bool = False, patience: float = 3.0) -> Run:
    """The verdict on a machine, by a short plan or by the whole one."""
    kind, game, identity = MACHINES[name]
    panel = out / "panel"

    async def ask(prompt: str) -> str:
        """A person who can look, and do nothing else."""
        return panel.read_text() if "Look at" in prompt else "x"

    async with machine(name, "--panel", str(panel), *arguments) as port:
        device = f'profile = "{FOLDER / f"{name}.toml"}"\nport = "{port}"\nidentity = {identity}\npatience = {patience}'
        text = rig_text({kind: device}, {kind: None}, kinds=("reader", kind), game=game).replace(
            f'kind = "{kind}"\n', ""
        )
        rig = rigfile.loads(text, str(out / "rig.toml"))
        order = plan_order(rig, plan(f"{kind}-nj") if whole else rehearsal(kind), sequential=whole)
        inspection = checklist.ask(rig.game.name, rig.game.jurisdiction, "an inspector", lambda _: "yes")
        return await run(rig, 0, 3, out, lambda _: None, ask, plan=order, inspection=inspection)


def failed(finished: Run) -> dict[str, str]:
    return {f.check: f.detail for f in finished.findings if f.verdict is Verdict.FAIL}


@pytest.mark.parametrize("name", MACHINES)
async def test_a_sound_machine_is_rehearsed_and_its_limits_are_named(name, tmp_path):
    finished = await certified(name, tmp_path)
    assert failed(finished) == {}
    assert finished.verdict["verdict"] == "rehearsed"
    limits = {limit["lacks"]: limit["not_tested"] for limit in finished.verdict["limits"]}
    assert limits["repeats"] == ["runs a repeated command once"]
    checks = {f.check: f.verdict for f in finished.findings}
    for area in ("commands", "malformed frames"):
        assert checks[f"conformance by its profile: {area}"] is Verdict.PASS
    assert checks["sends its messages with a right check"] is Verdict.PASS


async def test_a_machine_on_its_own_protocol_is_certified_by_the_whole_plan(tmp_path):
    finished = await certified("sentence_display", tmp_path, "--seed", "11", whole=True)
    assert failed(finished) == {}
    assert finished.verdict["verdict"] == finished.verdict["devices"]["rng"]["verdict"] == "certified"
    assert finished.verdict["plan"]["shortened"] == []
    stated = statement(finished.verdict, b"")["predicate"]
    assert (stated["result"], stated["failedTests"]) == ("PASSED", [])
    assert stated["feltrig"]["limits"][0] == (
        "The protocol of this machine does not carry tokens, by which a repeated command would run once. "
        "Not tested: runs a repeated command once."
    )
    screen = StringIO()
    show_verdict(Console(file=screen, width=200), finished)
    assert all(limit in screen.getvalue() for limit in stated["feltrig"]["limits"])


@pytest.mark.parametrize(
    ("name", "habits"),
    [
        ("sentence_display", ["blanks", "small_hex"]),
        ("sentence_display", ["--seconds", "0.02"]),
        ("binary_shaker", ["--seconds", "0.02"]),
    ],
)
async def test_a_sound_machine_with_habits_of_its_own_is_not_refused(name, habits, tmp_path):
    finished = await certified(name, tmp_path, *habits)
    assert (failed(finished), finished.verdict["verdict"]) == ({}, "rehearsed")


COMMANDS, MALFORMED = "conformance by its profile: commands", "conformance by its profile: malformed frames"
BROKEN = [
    ("sentence_display", "bad_check", "sends its messages with a right check"),
    ("sentence_display", "ignores_check", MALFORMED),
    ("sentence_display", "no_check", MALFORMED),
    ("sentence_display", "acts_on_unknown", MALFORMED),
    ("sentence_display", "hangs_on_long", MALFORMED),
    ("sentence_display", "blank_unanswered", COMMANDS),
    ("sentence_display", "other_serial", "is the device that was submitted"),
    ("sentence_display", "display_differs", "displays the number selected"),
    ("sentence_display", "panel_differs", "a person reads off its display what it says"),
    ("sentence_display", "refuses_and_acts", "carries out its commands"),
    ("sentence_display", "mute_command", "carries out its commands"),
    ("sentence_display", "no_result", "carries out its commands"),
    ("sentence_display", "out_of_range", "selects a number from 1 to 7"),
    ("sentence_display", "result_twice", "selects once for each trigger"),
    ("binary_shaker", "bad_check", "sends its messages with a right check"),
    ("binary_shaker", "ignores_check", MALFORMED),
    ("binary_shaker", "few_shakes", "shakes as often as told, at least three times"),
    ("binary_shaker", "two_dice", "shows faces from 1 to 6"),
    ("binary_shaker", "lid_lifts", "keeps its lid on until told"),
    ("binary_shaker", "forgets", "carries out its commands"),
]


@pytest.mark.parametrize(("name", "defect", "check"), BROKEN)
async def test_a_broken_machine_is_refused_for_its_defect(name, defect, check, tmp_path):
    finished = await certified(name, tmp_path, "--seed", "5", defect, patience=1.0)
    assert finished.verdict["verdict"] == "refused", finished.verdict["findings"]
    assert check in failed(finished)


@pytest.mark.parametrize("name", MACHINES)
async def test_both_ends_that_are_made_of_the_profile_understand_each_other(name):
    rows = await check_profile(profilefile.load(FOLDER / f"{name}.toml"))
    assert [row for row in rows if row.outcome == WRONG] == []
