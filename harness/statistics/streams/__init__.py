"""Streams of equally likely symbols: numbers on a display, faces of dice."""
