"""A plan of the user's: what it changes, and what is wrong with one, in one line."""

import pytest

from feltrig.errors import RigError
from feltrig.harness.plan import planfile
from feltrig.harness.plan.plan import plan
from feltrig.harness.plan.shortened import shortened

STRICT = """
name = "acme-strict"
base = "rng-nj"
title = "Acme's own"
level = 0.05
samples = 20480
rounds = 4
least_rounds = 20
[limits]
answer = 0.5
select = 5
[needs]
identity = [["digest", "serial"]]
eye = "display"
looks = 20
"""


@pytest.fixture
def write(tmp_path):
    def written(text):
        (tmp_path / "plan.toml").write_text(text)
        return str(tmp_path / "plan.toml")

    return written


def test_a_plan_that_asks_more_is_whole_under_its_own_name(write):
    strict, base = planfile.plan(write(STRICT)), plan("rng-nj")
    assert (strict.name, strict.base, strict.title, strict.kind) == ("acme-strict", "rng-nj", "Acme's own", "rng")
    assert (strict.level, strict.sampling.most, strict.rounds, strict.least_rounds) == (0.05, 20480, 4, 20)
    assert [limit.most for limit in strict.limits] == [0.5, 5.0]
    assert strict.needs.identity == (("digest", "serial"),)
    assert (strict.needs.checklist, strict.needs.eye, strict.needs.looks) == (True, ("display",), 20)
    assert strict.sampling.tests == base.sampling.tests
    assert shortened(strict) == ()
    assert strict.digest != base.digest


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("samples = 100", "100 numbers instead of 10240"),
        ("level = 0.001", "level 0.001 instead of 0.01"),
        ("rounds = 1", "1 rounds of each way instead of 2"),
        ("least_rounds = 2", "2 rounds in all instead of 12"),
        ('jurisdiction = "MA"', "the rules of MA, not of NJ"),
        ('steps = ["rounds", "irregularities", "statistics", "eye"]', "without conformance"),
        ('steps = ["rounds", "conformance", "statistics", "eye"]', "without irregularities"),
        ("limits = { select = 60 }", "selects a number within 60 s instead of 10"),
        ("needs = { checklist = false }", "no checklist"),
        ("needs = { identity = [] }", "no identity that was submitted"),
        ('needs = { identity = [["firmware"]] }', "no identity that was submitted"),
        ("needs = { looks = 1 }", "nobody reads off its display 8 times"),
    ],
)
def test_a_plan_that_asks_less_is_a_rehearsal(write, more, less):
    assert shortened(planfile.plan(write(f'name = "ours"\nbase = "rng-nj"\n{more}\n'))) == (less,)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = ", "is not TOML"),
        ('base = "rng-nj"', "name: is missing"),
        ('name = "ours"', "base: is missing; expected"),
        ('name = "ours"\nbase = "rng-nv"', "base: 'rng-nv' is not"),
        ('name = "rng-ma"\nbase = "rng-nj"', "name: 'rng-ma' is the name of a plan in `feltrig plan list`"),
        ('name = "a b"\nbase = "rng-nj"', "name: 'a b' is not a name"),
        ('name = "ours"\nbase = "rng-nj"\nlevel = 2', "level: 2 is not a number from"),
        ('name = "ours"\nbase = "shoe-nj"\nsamples = 5', "samples: shoe-nj takes no samples"),
        ('name = "ours"\nbase = "shoe-nj"\nsteps = ["times"]', "steps: 'times' is not"),
        ('name = "ours"\nbase = "shoe-nj"\nstep = ["rounds"]', "step: unknown key; did you mean steps?"),
        ('name = "ours"\nbase = "shoe-nj"\nlimits = { select = 1 }', "limits: 'select' is not"),
        ('name = "ours"\nbase = "shoe-nj"\nlimits = { answer = "1" }', "limits.answer: '1' is not a number"),
        ('name = "ours"\nbase = "shoe-nj"\nneeds = { eye = "display" }', "needs.eye: nobody can read off a display of"),
        ('name = "ours"\nbase = "shoe-nj"\nneeds = { identity = "digest" }', "needs.identity: is not an array of"),
        ('name = "ours"\nbase = "shoe-nj"\nneeds = { identity = [["name"]] }', "needs.identity: 'name' is not"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_the_file_and_the_key(write, text, words):
    file = write(text)
    with pytest.raises(RigError) as error:
        planfile.plan(file)
    assert str(error.value).startswith(f"{file}: {words}")
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_and_a_name_that_is_no_plan_are_told_apart(tmp_path):
    with pytest.raises(RigError, match=r"none\.toml: cannot be read: No such file or directory"):
        planfile.plan(tmp_path / "none.toml")
    with pytest.raises(RigError, match=r"plan rng-nv: no such plan; expected one of .*, or a file"):
        planfile.plan("rng-nv")


def test_a_name_of_the_list_is_that_plan():
    assert planfile.plan("shoe-ma") is plan("shoe-ma")
