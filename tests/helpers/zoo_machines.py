"""Machines of the zoo at work."""

import random

from feltrig.emulators.zoo.catalogue import build

DECK = list(range(52))


def draw(kind, machine, rng):
    return machine(list(DECK), rng) if kind == "shuffler" else machine(rng)


def many(kind, name, count, seed=1):
    machine, rng = build(name, kind), random.Random(seed)
    return [draw(kind, machine, rng) for _ in range(count)]


def share(kind, name, count, holds):
    return sum(map(holds, many(kind, name, count))) / count
