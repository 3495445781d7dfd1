"""Effects that a plan may exclude: machines whose law is known exactly."""

from feltrig.harness.statistics.core.acceptance import Effect
from feltrig.harness.statistics.core.tails import Array
from feltrig.harness.statistics.shuffles import models
from feltrig.harness.statistics.shuffles.views import ShuffleViews


def few_riffles(n: int, riffles: int) -> Effect:
    """The effect to exclude: a machine that makes this many riffles. Fewer would show more."""
    ratio = models.riffled(n, 2**riffles).log_ratio
    return Effect(f"{riffles} riffles", riffles, lambda block: ratio[block.loaded.measured.values["rising sequences"]])


def few_shelves(n: int, shelves: int) -> Effect:
    """The effect to exclude: a machine with this many shelves."""
    ratio = models.shelved(n, shelves).log_ratio

    def ratios(block: ShuffleViews) -> Array:
        rises = block.loaded.orders[:, 1:] > block.loaded.orders[:, :-1]
        logs: Array = ratio[(rises[:, 1:] & ~rises[:, :-1]).sum(axis=1)]
        return logs

    return Effect(f"{shelves} shelves", shelves, ratios)
