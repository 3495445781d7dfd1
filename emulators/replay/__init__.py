"""Devices that answer as recorded ones did."""
