"""Lucky Drum, a game of Toyville."""
