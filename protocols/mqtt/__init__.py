"""MQTT: packets, topics and payloads, the channel, the sniffer and malformed messages."""
