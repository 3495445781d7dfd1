"""Fast Action Hold'em: New Jersey 19:47-21."""
