"""Modbus RTU, TCP and TLS: frames, the register map, channels, sniffers and malformed messages."""
