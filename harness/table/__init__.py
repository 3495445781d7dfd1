"""Rounds on a rig: drivers, dealer, operator, runner."""
