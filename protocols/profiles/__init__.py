"""Profiles: one description of how a model of device talks, from which both its emulator and its driver are made."""
