"""The MQTT profile."""
