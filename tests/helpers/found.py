"""What a judge found."""

from feltrig.harness.judge.judgement import judge


def found_at(log, check, device=None):
    return [f for f in judge(log.evidence).findings if f.check == check and device in (None, f.device)]


def found(log, check):
    """The first finding of a check."""
    return found_at(log, check)[0]
