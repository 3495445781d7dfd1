"""Topic filters, by the examples of the standard (4.7)."""

import pytest

from feltrig.emulators.broker.subscriptions import Retained, Subscriptions, is_filter, matches
from feltrig.protocols.mqtt.packets import Publish, Subscription

MATCHES = [
    ("sport/tennis/player1/#", "sport/tennis/player1", True),
    ("sport/tennis/player1/#", "sport/tennis/player1/ranking", True),
    ("sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon", True),
    ("sport/tennis/player1/#", "sport/tennis/player2", False),
    ("sport/#", "sport", True),
    ("#", "sport/tennis", True),
    ("sport/tennis/+", "sport/tennis/player1", True),
    ("sport/tennis/+", "sport/tennis/player1/ranking", False),
    ("sport/+", "sport", False),
    ("sport/+", "sport/", True),
    ("+/+", "/finance", True),
    ("/+", "/finance", True),
    ("+", "/finance", False),
    ("a/b", "a/b", True),
    ("a/b", "a/B", False),
    ("a/b", "a/b/c", False),
    ("#", "$SYS/x", False),
    ("+/monitor/Clients", "$SYS/monitor/Clients", False),
    ("$SYS/#", "$SYS/x", True),
    ("$SYS/monitor/+", "$SYS/monitor/Clients", True),
]


@pytest.mark.parametrize(("pattern", "topic", "expected"), MATCHES)
def test_a_filter_matches_as_the_standard_says(pattern: str, topic: str, expected: bool) -> None:
    assert matches(pattern, topic) is expected


@pytest.mark.parametrize("pattern", ["#", "+", "a/#", "+/a/#", "/", "a//b", "+/+"])
def test_a_good_filter_is_accepted(pattern: str) -> None:
    assert is_filter(pattern)


@pytest.mark.parametrize("pattern", ["", "a#", "#/a", "a/#/b", "a+", "+a/b", "sport/tennis#"])
def test_a_bad_filter_is_refused(pattern: str) -> None:
    assert not is_filter(pattern)


def test_overlapping_filters_deliver_once_at_the_best_qos() -> None:
    subscriptions: Subscriptions[str] = Subscriptions()
    subscriptions.add("me", Subscription("a/+", 0))
    subscriptions.add("me", Subscription("#", 1))
    ((who, wanted),) = subscriptions.wanting("a/b")
    assert (who, wanted.qos) == ("me", 1)


def test_a_change_of_subscriptions_shows_at_once() -> None:
    subscriptions: Subscriptions[str] = Subscriptions()
    assert subscriptions.add("me", Subscription("a", 0))
    assert not subscriptions.add("me", Subscription("a", 1))
    assert [w.qos for _, w in subscriptions.wanting("a")] == [1]
    assert subscriptions.remove("me", "a")
    assert not subscriptions.remove("me", "a")
    assert subscriptions.wanting("a") == ()
    subscriptions.add("me", Subscription("a"))
    subscriptions.add("me", Subscription("b"))
    subscriptions.forget("me")
    assert subscriptions.wanting("a") == subscriptions.wanting("b") == ()


def test_a_retained_message_is_replaced_cleared_and_expires() -> None:
    retained = Retained()
    retained.keep(Publish("a", b"1"), None)
    retained.keep(Publish("a", b"2"), None)
    retained.keep(Publish("b", b"3"), 10.0)
    assert [kept.payload for kept, _ in retained.under("#", 9.0)] == [b"2", b"3"]
    assert [kept.payload for kept, _ in retained.under("#", 10.0)] == [b"2"]
    retained.keep(Publish("a", b""), None)
    assert retained.under("#", 0.0) == []
