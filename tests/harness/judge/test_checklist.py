"""The inspector's answers: asked, written to a file, read again, and refused where they will not do."""

import pytest

from feltrig.engine.games import GAMES
from feltrig.errors import RigError
from feltrig.harness.judge import checklist

GAME = "roulette"
ITEMS = GAMES[GAME].checklist_of("NJ")
FIRST = next(iter(ITEMS))


def answered(**changes: str) -> str:
    answers = dict.fromkeys(ITEMS, '"yes"') | changes
    return "\n".join(['inspector = "Ada"', "[answers]", *(f"{item} = {value}" for item, value in answers.items())])


def test_what_was_asked_is_read_again_from_its_file(tmp_path):
    said = iter(["perhaps", "no  the marker is lost", *["yes"] * (len(ITEMS) - 1)])
    asked = []

    def prompt(question: str) -> str:
        asked.append(question)
        return next(said)

    inspection = checklist.ask(GAME, "NJ", "Ada \x7f", prompt)
    assert asked[0] == asked[1]  # an answer that is none is asked for again
    assert [question in shown for question, shown in zip(ITEMS.values(), asked[1:], strict=True)] == [True] * len(ITEMS)
    first, *rest = inspection.attestations
    assert (first.item, first.answer, first.note) == (FIRST, "no", "the marker is lost")
    assert {attested.answer for attested in rest} == {"yes"}
    file = tmp_path / "answers.toml"
    checklist.write(file, inspection)
    assert checklist.read(file, GAME, "NJ") == inspection


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("inspector =", "is not TOML: "),
        ("place = 1", "place: no such key; expected game, jurisdiction, inspector and answers"),
        ('game = "red_dog"', "game: is for red_dog, but the rig plays roulette"),
        ('jurisdiction = "MA"', "jurisdiction: is for MA, but the table is in NJ; `feltrig checklist --game roulette"),
        ("inspector = 5", "inspector: 5 is not a name"),
        ('inspector = " "', "inspector: ' ' is not a name"),
        ('inspector = "Ada"', "answers: missing; expected a table of items"),
        (answered(colour='"yes"'), "answers.colour: no such item of roulette in NJ"),
        ('inspector = "Ada"\n[answers]', f"answers.{FIRST}: missing, and {len(ITEMS) - 1} more"),
        (answered(**{FIRST: '"perhaps"'}), f"answers.{FIRST}: 'perhaps' is not yes, no or n/a"),
        (answered(**{FIRST: '{ answer = "yes", why = "so" }'}), f"answers.{FIRST}: .* is not yes, no or n/a"),
    ],
)
def test_a_file_that_will_not_do_is_refused_with_its_key(tmp_path, text, wrong):
    file = tmp_path / "answers.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RigError, match=f"answers.toml: {wrong}"):
        checklist.read(file, GAME, "NJ")
    with pytest.raises(RigError, match=r"none\.toml: cannot be read: No such file"):
        checklist.read(tmp_path / "none.toml", GAME, "NJ")
