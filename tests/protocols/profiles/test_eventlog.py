"""A log of events that is bounded."""

from feltrig.protocols.profiles.eventlog import KEPT, EventLog


def test_a_log_keeps_a_bounded_number_of_events():
    log = EventLog()
    for _ in range(KEPT + 5):
        log.add("started", {})
    assert (log.status().oldest, log.status().latest) == (6, KEPT + 5)
    assert len(log.after(0).events) == KEPT
