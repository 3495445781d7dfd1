"""Rounds played on an embedded rig."""

from dataclasses import replace

from feltrig.harness.journal import reader as journals
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.table.runner import Runner
from feltrig.harness.wires.connecting import WiredRig

EMBEDDED = rigfile.embedded()


def rig_for(**game):
    chosen = {"start": ("dice",), "deal": ("automated_shoe",), "bank": ("none",)} | game
    return replace(EMBEDDED, game=replace(EMBEDDED.game, **chosen))


class Unmoved:
    """Emulated devices that keep to the seeds they were made with."""

    def reseed(self, seed):
        pass

    def expect(self, cards):
        pass

    def memory(self):
        return {}


async def play(felt, rounds, drills=False, on_progress=lambda _: None, **game):
    """Play on a felt; returns how it ended and the records."""
    wired = WiredRig(felt.devices, felt.operator, Unmoved())
    runner = Runner(rig_for(**game), wired, felt.journal, 1, on_progress)
    reason = await runner.play(rounds, drills=drills)
    return reason, journals.read(felt.journal.path).records


def of(records, *kinds):
    return [record.data for record in records if record.kind in kinds]
