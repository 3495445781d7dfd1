"""Red Dog: New Jersey 19:47-6."""
