"""Small plans, and samples of fair machines for them."""

import random
from dataclasses import replace
from types import SimpleNamespace

from feltrig.harness.plan.checkpoints import RunContext
from feltrig.harness.plan.plan import plan
from feltrig.harness.rig import loading as rigfile

DECK = list(range(54))


def small(kind, most=10, batch=4):
    chosen = plan(f"{kind}-nj")
    return replace(chosen, sampling=replace(chosen.sampling, most=most, batch=batch, attended_batch=3))


def crew_of(felt):
    wired = SimpleNamespace(devices=felt.devices, operator=felt.operator, use_cards=lambda codes: None)
    return RunContext(rigfile.embedded(), wired, felt.journal, 1, random.Random(1))


def numbers(*values):
    return [{"number": value} for value in values]


def fair_numbers(count, seed=1):
    rng = random.Random(seed)
    return numbers(*(rng.randint(1, 7) for _ in range(count)))


def shuffles(count, seed=1, after=None):
    rng = random.Random(seed)
    return [{"before": DECK, "after": after or rng.sample(DECK, len(DECK))} for _ in range(count)]


def rolls(count, seed=1):
    rng = random.Random(seed)
    return [{"dice": [rng.randint(1, 6) for _ in range(3)], "flat": [1, 1, 1]} for _ in range(count)]


FAIR = {"rng": fair_numbers, "shuffler": shuffles, "shaker": rolls}
