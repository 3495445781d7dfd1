"""A wire of its own: one JSON object per line, on TCP."""
