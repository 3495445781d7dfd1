"""Blackjack, as far as the text goes: New Jersey 19:47-2."""
