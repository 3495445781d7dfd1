"""The one round machine that all games share."""
