"""The physical procedure: machines that are not emulated, and a robot that does what the prompts say."""

import asyncio
import json
import sys
from dataclasses import replace

import pytest
from rigs import rig_text
from robot import laboratory, rig_alone

import feltrig
from feltrig.engine.games import GAMES
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.records import Prompted, SampleTaken

FELTRIG = [sys.executable, "-c", "from feltrig.harness.cli.entry import main; main()"]


def records_of(run, kind):
    return [r.body for r in journals.read(run.folder / "journal.jsonl").records if isinstance(r.body, kind)]


async def test_a_sample_takes_two_prompts_or_three_with_a_new_deck(tmp_path):
    plan = feltrig.plan("shuffler-nj")
    plan = replace(plan, name="short", sampling=replace(plan.sampling, most=20))
    rig = rig_alone("shuffler")
    quick = {name: replace(device, deadline=0.5) for name, device in rig.devices.items()}
    async with laboratory(replace(rig, game=replace(rig.game, decks=2), devices=quick)) as (real, robot):
        run = await feltrig.certify(real, plan=plan, out=tmp_path, prompt=robot)
    assert [f for f in run.findings if f.verdict.value == "fail"] == []
    taken = {number: robot.tasks[f"sample {number} of 20"] for number in range(1, 21)}
    assert taken == {number: 3 if number in (1, 17) else 2 for number in range(1, 21)}
    assert [sample.seen["compartment"] for sample in records_of(run, SampleTaken)] == [1, 2] * 10
    prompted = records_of(run, Prompted)
    assert {p.who for p in prompted} == {"robot"}
    assert [p.id for p in prompted] == list(range(1, len(prompted) + 1))


GAMES_OF = {
    "shuffler": 'start = "rng"\ndeal = "hand"\nbank = "none"\ndecks = 1',
    "shoe": 'start = "rng"\ndeal = "automated_shoe"\nbank = "none"\ndecks = 1\nmachine_shuffle = false\n'
    "shuffler_counts = false",
}


@pytest.fixture
def serial_rig(tmp_path):
    """Writes the file of a rig whose devices are not emulated, with what was submitted of the one under test."""

    def write(rig, kind="shuffler", submitted=""):
        ports = {name: f'wire = "serial"\nport = "{device.wire.port}"' for name, device in rig.devices.items()}
        ports[kind] += f"\n{submitted}"
        text = rig_text(ports, dict.fromkeys(ports), kinds=tuple(ports), game=GAMES_OF[kind])
        (tmp_path / "rig.toml").write_text(text)
        return tmp_path / "rig.toml"

    return write


@pytest.fixture
def by_json(tmp_path):
    """Runs the command, answers its prompts by lines of JSON as the robot does, and gives its status, its errors and
    the folder of the run. What is said first to a prompt of some number is no answer."""

    async def run(robot, *arguments, nonsense=None):
        pipe = asyncio.subprocess.PIPE
        command = [*FELTRIG, "certify", *map(str, arguments), "--operator", "jsonl", "--out", str(tmp_path / "runs")]
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
        refused = 0
        async for line in process.stdout:
            prompt = json.loads(line)
            if "error" in prompt:
                refused += 1
                continue
            if prompt["id"] == nonsense and not refused:
                process.stdin.write(b"what?\n")
            said = await robot.act(prompt["what"], prompt["where"])
            answer = {"id": prompt["id"], "answer": said, "who": "arm 7"}
            process.stdin.write(json.dumps(answer).encode() + b"\n")
            await process.stdin.drain()
        errors = (await process.stderr.read()).decode()
        assert refused == (nonsense is not None)
        (folder,) = (tmp_path / "runs").iterdir()
        return await process.wait(), errors, folder

    return run


async def test_a_program_is_the_hands_by_lines_of_json(serial_rig, by_json):
    async with laboratory(rig_alone("shuffler")) as (real, robot):
        status, errors, folder = await by_json(robot, serial_rig(real), "--rounds", "1", nonsense=2)
    assert status == 0, errors
    prompted = [r.body for r in journals.read(folder / "journal.jsonl").records if isinstance(r.body, Prompted)]
    assert {p.who for p in prompted} == {"arm 7"}
    assert "round 1 of 1 is played" in errors


async def test_a_machine_at_its_port_is_certified_with_identity_checklist_and_hands(tmp_path, serial_rig, by_json):
    items = GAMES["supreme_pai_gow"].checklist_of("NJ")
    answers = tmp_path / "answers.toml"
    answers.write_text("\n".join(['inspector = "Ada"', "[answers]", *(f'{item} = "yes"' for item in items)]))
    async with laboratory(rig_alone("shoe")) as (real, robot):
        submitted = f'identity = {{ digest = "{robot.emulated.machines["shoe"].identity.digest}" }}'
        rig = serial_rig(real, "shoe", submitted)
        status, errors, folder = await by_json(robot, rig, "--plan", "shoe-nj", "--checklist", answers)
    verdict = json.loads((folder / "verdict.json").read_text())
    assert (status, verdict["verdict"]) == (0, "certified"), errors
    assert {name: device["emulated"] for name, device in verdict["devices"].items()} == dict.fromkeys(
        real.devices, False
    )


async def test_a_robot_that_hangs_up_ends_the_run_inconclusive(tmp_path, serial_rig):
    async with laboratory(rig_alone("shuffler")) as (real, _):
        command = [*FELTRIG, "certify", str(serial_rig(real)), "--rounds", "1"]
        process = await asyncio.create_subprocess_exec(
            *command, "--operator", "jsonl", "--out", str(tmp_path / "runs"),
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, errors = await process.communicate()
    assert process.returncode == 3, errors.decode()
    assert len(out.splitlines()) == 1
    assert "the technician did not answer" in " ".join(errors.decode().split())
