"""Who wants which message: topic filters with + and #, and the retained messages. No I/O."""

from dataclasses import replace
from typing import Generic, TypeVar

from feltrig.protocols.mqtt.packets import Publish, Subscription

Subscriber = TypeVar("Subscriber")

_CACHED_TOPICS = 1024


def is_filter(pattern: str) -> bool:
    """Whether a topic filter is well formed: + fills a level, # fills the last one (4.7.1)."""
    levels = pattern.split("/")
    return (
        bool(pattern)
        and all(level in ("+", "#") if "+" in level or "#" in level else True for level in levels)
        and "#" not in levels[:-1]
    )


def matches(pattern: str, topic: str) -> bool:
    """Whether a topic falls under a filter. Wildcards at the start do not reach the topics with a $ (4.7.2)."""
    if topic[0] == "$" and pattern[0] in "+#":
        return False
    wanted, levels = pattern.split("/"), topic.split("/")
    for at, level in enumerate(wanted):
        if level == "#":
            return True
        if at == len(levels) or level not in ("+", levels[at]):
            return False
    return len(wanted) == len(levels)


class Subscriptions(Generic[Subscriber]):
    """The filters of all subscribers. A subscriber whose filters overlap gets a message once, at the best QoS."""

    def __init__(self) -> None:
        self._by_pattern: dict[str, dict[Subscriber, Subscription]] = {}
        self._cache: dict[str, tuple[tuple[Subscriber, Subscription], ...]] = {}

    def add(self, subscriber: Subscriber, subscription: Subscription) -> bool:
        """Subscribe, or replace the options of a filter held already; says whether the filter is new."""
        holders = self._by_pattern.setdefault(subscription.pattern, {})
        new = subscriber not in holders
        holders[subscriber] = subscription
        self._cache.clear()
        return new

    def remove(self, subscriber: Subscriber, pattern: str) -> bool:
        """Unsubscribe; says whether there was such a subscription."""
        holders = self._by_pattern.get(pattern, {})
        if holders.pop(subscriber, None) is None:
            return False
        if not holders:
            del self._by_pattern[pattern]
        self._cache.clear()
        return True

    def forget(self, subscriber: Subscriber) -> None:
        """Remove every subscription of a subscriber."""
        for pattern in [p for p, holders in self._by_pattern.items() if subscriber in holders]:
            self.remove(subscriber, pattern)

    def wanting(self, topic: str) -> tuple[tuple[Subscriber, Subscription], ...]:
        """The subscribers to a topic, each once."""
        found = self._cache.get(topic)
        if found is None:
            if len(self._cache) >= _CACHED_TOPICS:
                self._cache.clear()
            found = self._cache[topic] = self._search(topic)
        return found

    def _search(self, topic: str) -> tuple[tuple[Subscriber, Subscription], ...]:
        best: dict[Subscriber, Subscription] = {}
        for pattern, holders in self._by_pattern.items():
            if matches(pattern, topic):
                for subscriber, subscription in holders.items():
                    best[subscriber] = _union(best.get(subscriber), subscription)
        return tuple(best.items())


def _union(one: Subscription | None, other: Subscription) -> Subscription:
    if one is None:
        return other
    return replace(
        one,
        qos=max(one.qos, other.qos),
        no_local=one.no_local and other.no_local,
        retain_as_published=one.retain_as_published or other.retain_as_published,
    )


class Retained:
    """The last retained message of each topic, and when it expires (None: never)."""

    def __init__(self) -> None:
        self._messages: dict[str, tuple[Publish, float | None]] = {}

    def keep(self, publish: Publish, expires: float | None) -> None:
        """Keep a message in place of the one before; an empty one only clears the topic (3.3.1.3)."""
        if publish.payload:
            self._messages[publish.topic] = (publish, expires)
        else:
            self._messages.pop(publish.topic, None)

    def under(self, pattern: str, now: float) -> list[tuple[Publish, float | None]]:
        """The messages whose topics fall under a filter."""
        for topic in [t for t, (_, expires) in self._messages.items() if expires is not None and expires <= now]:
            del self._messages[topic]
        return [kept for topic, kept in self._messages.items() if matches(pattern, topic)]
