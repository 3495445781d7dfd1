"""A prompt, as hands at a table get it."""

from feltrig.harness.table.prompts import CANNOT, DONE, REDO, WRONG, Prompt

PROMPT = Prompt(
    id=1,
    what="load_from_reader",
    where={"device": "shuffler", "compartment": 2},
    text="Move the cards from the reader's tray into the shuffler (compartment 2, if it has two), face down.",
    then="The machine starts as soon as you answer.",
    asks="",
    choices=(DONE, REDO, CANNOT, WRONG),
    task="samples 1 to 2",
    step=2,
    of=3,
)
