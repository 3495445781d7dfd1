"""Emulated devices that talk as a profile says."""
