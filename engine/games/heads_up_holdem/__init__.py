"""Heads Up Hold'em: New Jersey 13:69F-39."""
