"""Pai Gow, with tiles: New Jersey 19:47-10."""
