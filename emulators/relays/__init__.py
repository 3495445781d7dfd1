"""Noise between a driver and a device."""
