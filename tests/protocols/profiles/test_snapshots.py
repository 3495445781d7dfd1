"""What happened between two reports of a device's state."""

from feltrig.protocols.kinds.shaker import SHAKER
from feltrig.protocols.profiles.eventlog import EventLog
from feltrig.protocols.profiles.snapshots import Edge, Report, Snapshots
from feltrig.protocols.vocabulary import FaultCode, State

REPORT = Report({"shaken": 10, "rolled": 10}, {"lid": Edge("covered", "uncovered")}, {"uncovered.commanded": True})


def report(shaken=0, rolled=0, lid=1, state=0, fault=0):
    return {
        "shaken.nth": shaken,
        "shaken.times": 3,
        "rolled.nth": rolled,
        "rolled.dice": (1, 2, 3),
        "rolled.flat": (1, 1, 1),
        "lid": lid,
        "status.state": state,
        "status.fault": fault,
    }


def observed(*reports):
    log = EventLog()
    snapshots = Snapshots(SHAKER, REPORT, log)
    for each in reports:
        snapshots.observe(each, {})
    return log, [(event.number, event.name) for event in log.after(0).events]


def test_the_first_report_is_where_it_starts():
    assert observed(report(shaken=7, lid=0))[1] == []


def test_counters_and_flags_tell_of_events_in_the_order_of_the_vocabulary():
    log, events = observed(report(), report(shaken=1, rolled=1, lid=0))
    assert events == [(1, "shaken"), (2, "uncovered"), (3, "rolled")]
    assert log.after(1).events[0].values == {"commanded": True}
    assert log.after(2).events[0].values == {"dice": (1, 2, 3), "flat": (1, 1, 1)}


def test_a_counter_that_jumps_leaves_numbers_out():
    assert observed(report(), report(shaken=3))[1] == [(3, "shaken")]


def test_a_counter_that_starts_over_at_its_modulus_goes_on():
    assert observed(report(shaken=9), report(shaken=0))[1] == [(1, "shaken")]


def test_a_counter_that_falls_back_is_a_device_that_began_anew_and_our_numbers_go_on():
    log, events = observed(report(shaken=3), report(shaken=4), report(shaken=0), report(shaken=1))
    assert events == [(1, "shaken"), (2, "started"), (3, "shaken")]
    assert log.status().latest == 3


def test_a_fault_comes_and_goes_with_the_state():
    log, events = observed(report(), report(state=3, fault=5))
    assert events == [(1, "faulted")]
    assert (log.state, log.fault) == (State.FAULT, FaultCode.SENSOR)
    assert observed(report(state=3, fault=5), report())[1] == [(1, "cleared")]
