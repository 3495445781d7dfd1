"""Pai Gow Poker: New Jersey 19:47-11."""
