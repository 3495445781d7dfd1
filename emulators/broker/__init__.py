"""An MQTT broker in miniature, versions 3.1.1 and 5, so that a fresh machine needs nothing installed."""

from feltrig.emulators.broker.server import Broker

__all__ = ["Broker"]
