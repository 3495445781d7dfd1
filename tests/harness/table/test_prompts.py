"""The words of all prompts."""

from dataclasses import replace

import pytest
from sample_prompt import PROMPT

from feltrig.harness.table.prompts import PROMPTS


@pytest.mark.parametrize("what", PROMPTS)
def test_a_prompt_is_whole_sentences(what):
    wording = PROMPTS[what]
    text = wording.text.replace("{clear}", "Clear it.").replace("{block}", "Block it.").replace("{why}", "It failed.")
    assert text[0].isupper()
    assert text[-1] in ".?"
    assert (text[-1] == "?") == bool(wording.asks) or what == "button"
    assert wording.then == "" or wording.then.endswith(".")


def test_only_what_is_done_to_a_machine_can_be_impossible():
    needs_machine = {what for what, wording in PROMPTS.items() if wording.optional}
    assert {what for what in needs_machine if not {"{machine}", "{block}"} & set(_fields(what))} == set()


def _fields(what):
    return [f"{{{part.split('}')[0]}}}" for part in PROMPTS[what].text.split("{")[1:]]


@pytest.mark.parametrize(
    ("step", "of", "heading"),
    [(2, 3, "drill, step 2 of 3"), (4, 3, "drill, step 4"), (4, None, "drill, step 4")],
)
def test_a_heading_says_how_far_a_task_has_come(step, of, heading):
    assert replace(PROMPT, task="drill", step=step, of=of).heading == heading


def test_a_prompt_without_a_task_has_a_heading():
    assert replace(PROMPT, task="").heading == "step 2 of 3"
