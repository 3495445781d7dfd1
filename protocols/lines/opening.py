"""How long a line may take to open: other than an answer, it is waited for once, and nothing is asked again."""

LEAST = 2.0
"""Seconds that it has, however short the deadline of an answer is: a busy computer needs some to shake hands."""


def within(deadline: float) -> float:
    """Seconds in which a line must open whose answers have such a deadline."""
    return max(deadline, LEAST)
