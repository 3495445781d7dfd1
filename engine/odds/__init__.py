"""Exact odds by enumeration: what games share."""
