"""The segments of a plan: what makes two of them the same, and which comes next."""

from feltrig.harness.plan.checkpoints import Fixed, RunContext, Segment


async def nothing(_: RunContext) -> None:
    """Does nothing."""


def test_a_segment_is_the_same_while_its_definition_is() -> None:
    one = Segment("rounds", {"rounds": 3, "seed": 1}, nothing)
    assert one.digest == Segment("rounds", {"seed": 1, "rounds": 3}, nothing).digest
    assert one.digest != Segment("rounds", {"rounds": 4, "seed": 1}, nothing).digest


def test_a_step_of_fixed_segments_gives_each_once() -> None:
    first, second = (Segment(name, {}, nothing) for name in ("first", "second"))
    step = Fixed("both", [first, second])
    assert [step.next_segment() for _ in range(3)] == [first, second, None]
