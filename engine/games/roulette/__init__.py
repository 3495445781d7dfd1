"""Roulette: New Jersey 19:47-5.1 to 5.4."""
