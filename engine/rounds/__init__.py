"""The round machine that the card games share: a game is a script of asks, and tables of what its rules say."""
