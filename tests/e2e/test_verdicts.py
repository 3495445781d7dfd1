"""What a run may be called, and what is signed: only a whole plan certifies, and only its device under test."""

import json
import re

import pytest
from rigs import RNG_ONLY, make_rig, rig_text

import feltrig
from feltrig.engine.games import GAMES
from feltrig.harness.judge import keys
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.table.prompts import CANNOT, DONE, Answer

STACKS = 'start = "rng"\ndeal = "automated_shoe"\nmachine_shuffle = false\nshuffler_counts = false'


@pytest.fixture(scope="session")
def key(tmp_path_factory):
    file = tmp_path_factory.mktemp("keys") / "lab.key"
    keys.new(file)
    return file


@pytest.fixture
def shoe_rig(tmp_path):
    """A rig with a shoe, and what it needs besides."""
    (tmp_path / "rig.toml").write_text(rig_text(kinds=("shoe", "rng", "reader"), game=STACKS))
    return tmp_path / "rig.toml"


@pytest.mark.parametrize("game", GAMES)
async def test_no_run_without_a_device_under_test_is_called_certified_and_none_is_signed(tmp_path, key, game):
    finished = await feltrig.certify(rigfile.embedded(game), rounds=2, seed=1, out=tmp_path, key=key)
    assert finished.verdict["verdict"] in ("no failure seen", "inconclusive")
    assert not finished.certified
    words = {device["verdict"] for device in finished.verdict["devices"].values()}
    assert words <= {"no failure seen", "inconclusive", "not under test"}
    assert finished.verdict["devices"]["reader"]["verdict"] == "not under test"
    assert sorted(path.name for path in finished.folder.iterdir()) == ["journal.jsonl", "verdict.json"]
    assert [each.good for each in feltrig.verify(finished.folder)] == [True, True, None]


@pytest.mark.parametrize("game", ["roulette", "big_six", "red_dog", "blackjack", "minibaccarat"])
def test_a_game_without_a_device_under_test_ends_with_no_failure_seen_and_says_why_nothing_is_signed(
    feltrig, tmp_path, key, game
):
    done = feltrig("certify", "--game", game, "--out", tmp_path / "runs", "--key", key)
    assert done.returncode == 0
    assert "certified" not in done.stdout
    assert f"embedded-{game.replace('_', '-')}: no failure seen · " in done.stdout.splitlines()[-1]
    assert "no device was under test" in done.stdout
    assert done.stderr == (
        "not signed: the run followed no plan, so there is nothing to certify; name one with --plan\n"
    )


def test_without_arguments_the_embedded_shuffler_is_certified_by_its_whole_plan(feltrig, tmp_path, key):
    done = feltrig("certify", "--out", tmp_path / "runs", "--key", key)
    assert (done.returncode, done.stderr) == (0, "")
    *_, verdict, report = done.stdout.splitlines()
    (folder,) = (tmp_path / "runs").iterdir()
    assert verdict == f"embedded: shuffler, emulated: certified by shuffler-nj · {folder}"
    assert report == f"report: {folder / 'report.html'}"
    assert len([line for line in done.stdout.splitlines() if line.startswith("played by the rig: ")]) == 1
    written = json.loads((folder / "verdict.json").read_bytes())
    assert {name: device["verdict"] for name, device in written["devices"].items()} == {
        "shuffler": "certified",
        **dict.fromkeys(("shoe", "shaker", "rng", "reader"), "not under test"),
    }
    checked = feltrig("verify", folder, "--key", f"{key}.pub")
    assert (checked.returncode, "certified: follows from the journal" in checked.stdout) == (0, True)
    listed = feltrig("runs", tmp_path / "runs")
    assert "certified, signed" in listed.stdout


def test_another_embedded_device_is_certified_by_its_own_plan(feltrig, tmp_path):
    done = feltrig("certify", "--device", "shoe", "--no-report", "--out", tmp_path / "runs")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("embedded: shoe, emulated: certified by shoe-nj · ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--device", "reader"), "--device, --samples, --steps, --sequential and --fixed: need --plan"),
        (("--device", "wheel"), "embedded.toml: there is no device 'wheel'; there are shuffler, "),
    ],
)
def test_what_has_no_plan_cannot_be_certified(feltrig, arguments, words):
    done = feltrig("certify", *arguments)
    assert (done.returncode, done.stderr.startswith(f"feltrig: {words}")) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--samples", "4", "--steps", "statistics"), "4 shuffles instead of 1280"),
        (("--steps", "rounds,irregularities"), "without conformance"),
        (("--steps", "conformance"), "without rounds"),
    ],
)
def test_a_shortened_plan_is_a_rehearsal_and_is_not_signed(feltrig, tmp_path, key, arguments, words):
    done = feltrig("certify", *arguments, "--no-report", "--out", tmp_path / "runs", "--key", key)
    assert done.returncode == 0
    last = done.stdout.splitlines()[-1]
    assert last.startswith("embedded: shuffler, emulated: rehearsed by shuffler-nj-rehearsal (")
    assert words in last
    assert done.stderr.startswith("not signed: this was a rehearsal of shuffler-nj: ")
    (folder,) = (tmp_path / "runs").iterdir()
    assert not (folder / "certificate.json").exists()
    assert "rehearsed" in feltrig("runs", tmp_path / "runs").stdout


def test_a_plan_of_the_users_that_asks_more_certifies_by_its_own_name(feltrig, tmp_path, shoe_rig, key):
    (tmp_path / "plan.toml").write_text('name = "acme-strict"\nbase = "shoe-nj"\nrounds = 14\n')
    done = feltrig("certify", shoe_rig, "--plan", tmp_path / "plan.toml", "--no-report", "--key", key)
    assert (done.returncode, done.stderr) == (0, "")
    (folder,) = (tmp_path / "runs").iterdir()
    written = json.loads((folder / "verdict.json").read_bytes())
    assert (written["verdict"], written["plan"]["name"]) == ("certified", "acme-strict")
    begun = json.loads((folder / "journal.jsonl").read_text().splitlines()[0])["data"]
    assert begun["plan"]["plan"]["rounds"] == 14
    stated = json.dumps(json.loads((folder / "certificate.json").read_bytes()))
    assert stated
    assert feltrig("verify", folder).returncode == 0


def test_a_plan_of_the_users_that_asks_less_rehearses(feltrig, tmp_path, shoe_rig, key):
    (tmp_path / "plan.toml").write_text('name = "certified"\nbase = "shoe-nj"\nleast_rounds = 4\nrounds = 1\n')
    done = feltrig("certify", shoe_rig, "--plan", tmp_path / "plan.toml", "--no-report", "--key", key)
    assert done.returncode == 0
    (folder,) = (tmp_path / "runs").iterdir()
    assert json.loads((folder / "verdict.json").read_bytes())["verdict"] == "rehearsed"
    assert not (folder / "certificate.json").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--plan", "plan.toml"), "plan.toml: name: 'shoe-ma' is the name of a plan in `feltrig plan list`"),
        (("--plan", "none.toml"), "none.toml: cannot be read: No such file or directory"),
        (("--plan", "shoe-nv"), "plan shoe-nv: no such plan; expected one of "),
        (("--plan", "shoe-nj", "--samples", "4"), "--samples: plan shoe-nj takes no samples"),
        (("--plan", "shoe-nj", "--steps", "rounds,times"), "--steps: 'times' is not a step; expected some of rounds, "),
        (("--plan", "shoe-nj", "--rounds", "4"), "--rounds: not with --plan"),
        (("--rounds", "4", "--samples", "4"), "--device, --samples, --steps, --sequential and --fixed: need --plan"),
        (("--game", "roulette", "--steps", "rounds"), "--device, --samples, --steps, --sequential and --fixed: need"),
    ],
)
def test_bad_input_is_one_line_and_status_2(feltrig, tmp_path, arguments, words):
    (tmp_path / "plan.toml").write_text('name = "shoe-ma"\nbase = "shoe-nj"\n')
    done = feltrig("certify", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"feltrig: {words}")
    assert done.stderr.count("\n") == 1


class Looker:
    """Answers prompts, and reads off the emulated display of another process what it shows, or `sees`."""

    def __init__(self, machine, sees=None):
        self.machine, self.sees, self.asked = machine, sees, 0

    async def ask(self, prompt):
        if prompt.what != "read_display":
            return Answer(CANNOT if CANNOT in prompt.choices else DONE)
        self.asked += 1
        return Answer(self.sees or str(self.machine.mechanism.displayed))

    def reject(self, prompt, why):
        raise AssertionError(why)


@pytest.mark.parametrize(
    ("sees", "verdict", "outcome"),
    [(None, "pass", "rehearsed"), ("9", "fail", "refused"), (CANNOT, "not tested", "rehearsed")],
)
async def test_a_person_reads_off_a_physical_display_what_it_shows(tmp_path, sees, verdict, outcome):
    """The display is another machine to the rig: nothing in its file says that it is emulated."""
    emulated = make_rig(rig_text({"rng": 'wire = "modbus-tcp"'}, kinds=("rng", "reader"), game=RNG_ONLY))
    async with feltrig.emulate(emulated, seed=3) as served:
        host, _, port = served.endpoints["rng"].where.rpartition(":")
        place = f'wire = "modbus-tcp"\nhost = "{host}"\nport = {port}'
        rig = make_rig(rig_text({"rng": place}, {"rng": None}, kinds=("rng", "reader"), game=RNG_ONLY))
        looker = Looker(served.emulated.machines["rng"], sees)
        finished = await feltrig.certify(rig, plan="rng-nj", steps=["eye"], seed=3, out=tmp_path, prompt=looker)
    (found,) = [f for f in finished.findings if f.check == "a person reads off its display what it says"]
    assert (found.verdict.value, finished.verdict["verdict"]) == (verdict, outcome)
    assert looker.asked == {None: 8, "9": 16, CANNOT: 1}[sees]
    assert re.match(r"8 times|a person saw 9, the device said [1-7]|nobody looked at the display", found.detail)
