"""Minibaccarat: New Jersey 19:47-7."""
