"""Functions of the user's in the place of moving parts: found beside the rig file, used, and never trusted."""

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from feltrig.errors import RigError
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.records import EventSeen
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.rig import loading as rigfile

GOOD = """
def select(rng):
    return rng.choice((3, 5))

def shake(rng):
    return (2, rng.randint(1, 6), 5)

def turn_round(cards, rng):
    cut = rng.randrange(54)
    cards = cards[cut:] + cards[:cut]
    return cards[::-1]
"""

FUNCTIONS = {"rng": "select", "shaker": "shake", "shuffler": "turn_round"}
WIRES = {"rng": 'wire = "mqtt"', "shaker": 'wire = "modbus-tcp"', "shuffler": 'wire = "serial"'}
GUARD = 30.0


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module that no other test uses."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    return "mechanics_of_" + re.sub(r"\W", "_", tmp_path.name)


@pytest.fixture
def with_mechanics(rig_file, module):
    """Writes a rig file whose devices use the functions of a module beside it."""

    def write(code: str, functions: dict[str, str], **more: Any) -> Path:
        emulators = {kind: f'mechanics = "{module}:{name}"' for kind, name in functions.items()}
        rig = rig_file(emulators=emulators, devices=WIRES, file="folder/rig.toml", **more)
        (rig.parent / f"{module}.py").write_text(code)
        return rig

    return write


async def test_the_functions_of_a_module_beside_the_rig_file_do_the_work(with_mechanics, play):
    finished = await play(rigfile.load(with_mechanics(GOOD, FUNCTIONS)), 2)
    assert finished.verdict["verdict"] == "no failure seen"
    records = journals.read(finished.folder / "journal.jsonl").records
    in_rounds = Evidence(records).of(EventSeen)  # a drill takes a die out
    events = [(r.body.event, r.body.values) for r in in_rounds]
    numbers = [values["number"] for event, values in events if event == "selected"]
    assert numbers
    assert set(numbers) <= {3, 5}
    dice = [values["dice"] for event, values in events if event == "rolled"]
    assert {(first, third) for first, _, third in dice} == {(2, 5)}
    reads = {r.data["what"]: r.data["cards"] for r in reversed(records) if r.kind == "read"}
    before, after = reads["deck before the shuffle"], reads["deck after the shuffle"]
    assert after in [(before[cut:] + before[:cut])[::-1] for cut in range(54)]


@pytest.mark.parametrize("where", ["folder", "."])
def test_the_module_is_found_from_whatever_folder_the_command_is_started(feltrig, with_mechanics, tmp_path, where):
    rig = with_mechanics(GOOD, FUNCTIONS).relative_to(tmp_path)
    rig = Path("rig.toml") if where == "folder" else rig
    done = feltrig("certify", rig, "--rounds", "2", cwd=tmp_path / where)
    assert (done.returncode, done.stderr) == (0, "")


FAILING = {
    "raises": ("def broken(*_):\n    return 1 // 0\n", "raised ZeroDivisionError: ", "line 2"),
    "leaves": ("import sys\n\ndef broken(*_):\n    sys.exit(0)\n", "raised SystemExit: 0", "line 4"),
    "returns nothing": ("def broken(*_):\n    pass\n", "returned None: ", "whole number"),
    "returns words": ("def broken(*_):\n    return ['three']\n", "returned ", "whole number"),
    "returns what no wire carries": ("def broken(*_):\n    return [3, 1000, 5]\n", "returned ", ": "),
    "takes no arguments": ("def broken():\n    return 3\n", "broken() takes 0 positional arguments", "given"),
}


@pytest.mark.parametrize("code", FAILING.values(), ids=FAILING.keys())
@pytest.mark.parametrize("kind", ["rng", "shuffler"])
async def test_a_function_that_fails_leaves_the_run_inconclusive_and_is_named(with_mechanics, play, module, kind, code):
    text, *says = code
    rig = with_mechanics(text, {kind: "broken"})
    async with asyncio.timeout(GUARD):
        finished = await play(rigfile.load(rig), 2)
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("inconclusive", "breakdown")
    (finding,) = (f for f in finished.findings if f.device == kind and f.check == "answers on its wire")
    assert finding.verdict.value == "not tested"
    assert finding.detail.startswith(f"{rig}: devices.{kind}.emulator.mechanics: ")
    assert [word for word in says if word not in finding.detail] == []
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert journals.read(finished.folder / "journal.jsonl").torn is None


async def test_a_function_that_fails_later_ends_the_run_there(with_mechanics, play):
    third_time = "calls = []\n\ndef broken(rng):\n    calls.append(1)\n    return 4 if len(calls) < 3 else {}[7]\n"
    rig = with_mechanics(third_time, {"rng": "broken"}, game='start = "rng"\ndeal = "hand"')
    async with asyncio.timeout(GUARD):
        finished = await play(rigfile.load(rig), 5)
    assert finished.verdict["rounds"]["played"] == 2
    assert (finished.verdict["verdict"], finished.verdict["ended"]) == ("inconclusive", "breakdown")


@pytest.mark.parametrize("code", FAILING.values(), ids=FAILING.keys())
async def test_a_shaker_whose_function_fails_is_bad_input_since_dice_lie_in_it_from_the_start(
    with_mechanics, play, tmp_path, code
):
    text, *says = code
    rig = with_mechanics(text, {"shaker": "broken"})
    with pytest.raises(RigError) as refused:
        await play(rigfile.load(rig), 2)
    line = str(refused.value)
    assert line.startswith(f"{rig}: devices.shaker.emulator.mechanics: ")
    assert [word for word in says if word not in line] == []
    assert not [*tmp_path.glob("*/journal.jsonl")]


async def test_a_module_that_cannot_be_imported_is_bad_input(with_mechanics, play, module):
    rig = with_mechanics("answer = 6 * seven\n", {"rng": "select"})
    with pytest.raises(RigError, match=rf"{module} cannot be imported: .*NameError: .*{module}.py, line 1"):
        await play(rigfile.load(rig), 2)


async def test_a_module_of_the_same_name_elsewhere_is_not_taken_for_the_one_beside_the_rig_file(
    with_mechanics, play, rig_file, module
):
    await play(rigfile.load(with_mechanics(GOOD, {"rng": "select"})), 1)
    other = rig_file(emulators={"rng": f'mechanics = "{module}:select"'}, file="another/rig.toml")
    (other.parent / f"{module}.py").write_text(GOOD)
    with pytest.raises(RigError, match="another module of that name is loaded already"):
        await play(rigfile.load(other), 1)


def test_a_function_that_fails_ends_certify_with_status_3_and_says_why(feltrig, with_mechanics):
    rig = with_mechanics(FAILING["leaves"][0], {"shuffler": "broken"})
    done = feltrig("certify", rig, "--json")
    assert (done.returncode, done.stderr) == (3, "")
    assert "raised SystemExit: 0" in json.dumps(json.loads(done.stdout)["findings"])
    assert "the run ended early: the mechanics of an emulated device failed" in feltrig("play", rig).stdout
